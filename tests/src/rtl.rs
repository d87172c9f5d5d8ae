//! What tests of the RTL share: a compiled router, or a reason not to test.

use desvio_lockstep::rtl::{Shape, Sources, design};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use std::fs;
use std::path::{Path, PathBuf};
use verilated::{BuildError, Library, Run};

/// Names another folder of SystemVerilog files: a copy with a mutant in it.
pub const HDL: &str = "DESVIO_HDL";

/// The folder of the SystemVerilog files.
pub fn hdl() -> PathBuf {
    std::env::var_os(HDL).map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl"), PathBuf::from)
}

/// The file of a module or package, by its noun, in a folder that holds the SystemVerilog files or a copy of them.
///
/// # Panics
/// When there is no such module.
pub fn source(folder: &Path, noun: &str) -> PathBuf {
    let file = desvio_hdl::file(noun).unwrap_or_else(|| panic!("the RTL has no {noun}"));
    folder.join(file.path)
}

/// A copy of the SystemVerilog files, in folders that are made where they are missing.
///
/// # Panics
/// When it cannot be written.
pub fn copy(to: &Path) {
    for file in desvio_hdl::FILES {
        let path = to.join(file.path);
        let folder = path.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        fs::write(&path, file.text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// Replaces the one place of a module's file that says `from`.
///
/// # Panics
/// When there is not exactly one.
pub fn plant(folder: &Path, noun: &str, from: &str, to: &str) {
    let path = source(folder, noun);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(text.matches(from).count(), 1, "{noun} has not exactly one {from:?}");
    fs::write(&path, text.replace(from, to)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// An example scenario of the repository, with some keys replaced, wired.
///
/// # Panics
/// When it is wrong.
pub fn blueprint(scenario: &str, sets: &[&str]) -> Blueprint {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios").join(scenario);
    let sets: Vec<_> = sets.iter().map(|&set| set.to_owned()).collect();
    let scenario = Scenario::load(&path, &sets).unwrap_or_else(|error| panic!("{error}"));
    Blueprint::new(scenario).unwrap_or_else(|error| panic!("{error}"))
}

/// The router of a shape, compiled from a folder. Nothing, said aloud, where there is no Verilator, unless
/// `DESVIO_REQUIRE_TOOLS=1` asks for it.
///
/// # Panics
/// When the RTL does not compile.
pub fn compiled(shape: &Shape, folder: &Path) -> Option<Library> {
    let sources = Sources::folder(folder).unwrap_or_else(|error| panic!("{error}"));
    match design(shape, &sources, true).run(run()).build() {
        Ok(library) => Some(library),
        Err(error @ BuildError::VerilatorMissing { .. }) if !insists() => {
            println!("skipped, nothing was compared: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Whether the tools have to be there.
pub fn insists() -> bool {
    std::env::var_os("DESVIO_REQUIRE_TOOLS").is_some_and(|value| value == "1")
}

/// How long a router runs here: in the long runs, until optimised code pays.
pub fn run() -> Run {
    if is_long() { Run::Long } else { Run::Medium }
}

/// Whether the long runs are asked for.
pub fn is_long() -> bool {
    std::env::var_os("DESVIO_LONG").is_some_and(|value| value == "1")
}
