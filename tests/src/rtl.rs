//! What tests of the RTL share: a compiled router, or a reason not to test.

use desvio_lockstep::rtl::{Shape, Sources, design};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use std::path::{Path, PathBuf};
use verilated::{BuildError, Library};

/// The folder of the SystemVerilog files.
pub fn hdl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl")
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
    match design(shape, &sources, true).build() {
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

/// Whether the long runs are asked for.
pub fn is_long() -> bool {
    std::env::var_os("DESVIO_LONG").is_some_and(|value| value == "1")
}
