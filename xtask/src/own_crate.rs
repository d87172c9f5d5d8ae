//! The example outside the workspace: the command with a topology, a routing and a pattern of its own.

use crate::step::{Failure, STRICT, cargo, root};

/// Where it is.
const FOLDER: &str = "examples/own-crate";

/// Its manifest.
pub(crate) const MANIFEST: &str = "examples/own-crate/Cargo.toml";

/// Builds it with the versions of the workspace, and runs a campaign, a report, a proof and a comparison with it. What it has in common with the tests is compiled once; the simulator, of which
/// fewer features of its dependencies are on, without optimisation.
pub(crate) fn run() -> Result<(), Failure> {
    let copy = root().join(FOLDER).join("Cargo.lock");
    std::fs::copy(root().join("Cargo.lock"), &copy)
        .map_err(|error| Failure::new(format!("{}: {error}", copy.display())))?;
    let plain = ["desvio-core", "desvio-paths", "desvio-sim", "own-crate"]
        .map(|package| ["--config".to_owned(), format!("profile.dev.package.{package}.opt-level=0")]);
    let plain: Vec<_> = plain.iter().flatten().map(String::as_str).collect();
    let as_tests = [("CARGO_PROFILE_DEV_OPT_LEVEL", "1"), ("CARGO_PROFILE_DEV_LTO", "off")];
    cargo(
        &[&["test", "--manifest-path", MANIFEST, "--target-dir", "target"], &plain[..]].concat(),
        &[&as_tests[..], &[("CARGO_PROFILE_DEV_DEBUG", "false"), STRICT]].concat(),
    )
}
