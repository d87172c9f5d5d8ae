//! A scenario file, or standard input where the file is `-`.

use desvio_sim::bounded;
use desvio_sim::scenario::{LARGEST_FILE, Scenario};
use std::path::Path;
use std::sync::OnceLock;

use super::example;
use super::failure::Failure;

/// What stands for standard input.
const DASH: &str = "-";

/// Its name in messages and of folders of results.
const NAME: &str = "stdin";

/// Reads and checks a scenario. Standard input is read once, however many scenarios are made of it; the files that it mentions are looked for
/// in the current folder.
pub(crate) fn read(file: &Path, sets: &[String]) -> Result<Scenario, Failure> {
    let scenario = match text(file)? {
        Some(text) => Scenario::parse(text, NAME, Path::new(""), sets),
        None if file.is_dir() && file.join("scenario.toml").is_file() => {
            let (folder, scenario) = (file.display(), file.join("scenario.toml"));
            let message = format!("error: {folder} is a folder; its scenario is {}", scenario.display());
            return Err(Failure::Input(message));
        }
        None => Scenario::load(file, sets),
    };
    scenario.map_err(|error| {
        let help = if file.exists() { None } else { example::help(file) };
        Failure::Input(error.to_string() + &help.unwrap_or_default())
    })
}

/// The text of standard input, if that is what `file` means.
pub(crate) fn text(file: &Path) -> Result<Option<&'static str>, Failure> {
    static TEXT: OnceLock<Result<String, String>> = OnceLock::new();
    if file != Path::new(DASH) {
        return Ok(None);
    }
    let read = || bounded::read_text_from(std::io::stdin().lock(), LARGEST_FILE);
    let text = TEXT.get_or_init(|| read().map_err(|error| format!("error: cannot read {NAME}: {error}")));
    text.as_deref().map(Some).map_err(|message| Failure::Input(message.clone()))
}

/// The name of a file in messages.
pub(crate) fn name(file: &Path) -> String {
    if file == Path::new(DASH) { NAME.to_owned() } else { file.display().to_string() }
}

/// The name of a file without folder and ending: of results, and of a curve.
pub(crate) fn stem(file: &Path) -> String {
    if file == Path::new(DASH) {
        return NAME.to_owned();
    }
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
