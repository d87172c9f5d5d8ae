//! Proves: the commands and options that pages name in their sentences and tables are there.

use super::{Place, help::help};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// What stands between backticks, outside blocks of code.
fn code(page: &str) -> Vec<&str> {
    let prose = page.split("\n```").step_by(2);
    prose.flat_map(|text| text.split('`').skip(1).step_by(2)).collect()
}

/// The helps of commands that were asked for.
#[derive(Default)]
struct Helps(BTreeMap<String, String>);

impl Helps {
    /// Asserts that the command has each option of these words.
    fn has_options(&mut self, place: &Place, command: &str, words: &str) {
        let help = self.0.entry(command.to_owned()).or_insert_with(|| help(place, command));
        for option in words.split_whitespace().filter(|word| word.starts_with("--")) {
            let name = option.split('=').next().unwrap_or_default();
            let is_there = help
                .split(|letter: char| !letter.is_alphanumeric() && letter != '-')
                .any(|word| word == name);
            assert!(is_there, "desvio {command} has no {name}: `{words}`");
        }
    }
}

#[test]
fn commands_of_pages_have_their_options() {
    let (place, mut helps, mut seen) = (Place::new(), Helps::default(), 0);
    let pages = fs::read_dir(docs()).unwrap().map(|entry| entry.unwrap().path());
    for page in pages.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let text = fs::read_to_string(&page).unwrap();
        for words in code(&text) {
            let mut named = words.split_whitespace();
            let (Some("desvio"), Some(command)) = (named.next(), named.next()) else { continue };
            let step = named.next().filter(|word| command == "campaign" && !word.starts_with('-'));
            let command = step.map_or_else(|| command.to_owned(), |step| format!("{command} {step}"));
            if command.bytes().all(|letter| letter.is_ascii_lowercase() || b"- ".contains(&letter)) {
                helps.has_options(&place, &command, words);
                seen += 1;
            }
        }
    }
    assert!(seen > 80, "{seen}");
}

/// The table of OpenSM's options in `docs/coming-from.md` has those of `desvio fabric` alone.
#[test]
fn opensm_s_options_are_those_of_fabric() {
    let text = fs::read_to_string(docs().join("coming-from.md")).unwrap();
    let (_, section) = text.split_once("\n## OpenSM\n").unwrap();
    let (place, mut helps) = (Place::new(), Helps::default());
    let options: Vec<_> =
        code(section).into_iter().filter(|words| words.starts_with("--") && *words != "--").collect();
    assert!(options.len() > 5, "{options:?}");
    for words in options {
        helps.has_options(&place, "fabric", words);
    }
}
