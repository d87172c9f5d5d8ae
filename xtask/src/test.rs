//! `cargo xtask test`: what CI runs.

use crate::firmware;
use crate::generate::generate;
use crate::instructions::instructions;
use crate::lint::lint;
use crate::signoff;
use crate::step::{Failure, STRICT, beside, cargo, root, run, tests};
use crate::tools;

/// Combinations of `router-core`'s features: each is built.
const FEATURES: [&str; 4] = ["defmt", "log", "defmt,log", "small"];

/// Folders of files that a closed list names (`routings!`, `topologies!`, …): rustfmt does not find them by itself.
const LISTED: [&str; 6] = [
    "router-core/src/route",
    "router-core/src/select",
    "router-core/src/alloc",
    "router-core/src/alloc/arbiter",
    "cosim/sim/src/topology",
    "cosim/sim/src/traffic/pattern",
];

/// The format of the files that lists name.
fn format_of_listed() -> Result<(), Failure> {
    let mut arguments = ["--check", "--edition", "2024"].map(str::to_owned).to_vec();
    for folder in LISTED {
        let folder = root().join(folder);
        let entries = std::fs::read_dir(&folder)
            .map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
        let paths = entries.flatten().map(|entry| entry.path());
        let sources = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
        arguments.extend(sources.map(|path| path.display().to_string()));
    }
    run("rustfmt", &arguments)
}

/// The example outside the workspace: a topology and a routing of its own, with the versions of the workspace. The simulator is compiled
/// for it once more (fewer features of its dependencies are on), so without optimisation.
fn own_crate() -> Result<(), Failure> {
    let folder = root().join("examples/own-crate");
    let (lock, copy) = (root().join("Cargo.lock"), folder.join("Cargo.lock"));
    std::fs::copy(lock, &copy).map_err(|error| Failure::new(format!("{}: {error}", copy.display())))?;
    let manifest = ["--manifest-path", "examples/own-crate/Cargo.toml"];
    cargo(&[&["fmt"][..], &manifest, &["--check"]].concat(), &[])?;
    cargo(
        &[&["run"][..], &manifest, &["--target-dir", "target/own-crate"]].concat(),
        &[("CARGO_PROFILE_DEV_DEBUG", "false")],
    )
}

/// What is compiled into folders of its own: boards, the example, the engine whose instructions are counted. Most of its time it
/// waits for one core.
fn elsewhere() -> Result<(), Failure> {
    firmware::boards(false)?;
    own_crate()?;
    instructions(false)
}

/// Documentation, features, lints; the tests are compiled.
fn before_tests() -> Result<(), Failure> {
    cargo(&["doc", "--workspace", "--no-deps"], &[STRICT, ("RUSTDOCFLAGS", "--deny warnings")])?;
    for features in FEATURES {
        cargo(&["clippy", "--package", "desvio-core", "--features", features], &[STRICT])?;
    }
    // The tests below are linted while they are compiled; the benches are not compiled.
    let benches = ["--bench", "run", "--bench", "step", "--bench", "lockstep"];
    cargo(&[&["clippy", "--workspace"], &benches[..]].concat(), &[STRICT])?;
    lint()?;
    tests(&["--no-run"], &[])
}

/// All of it; the format first, which takes no time, and the tests last: those of the boards need what is built for them.
pub(crate) fn test(long: bool) -> Result<(), Failure> {
    tools::provide(&tools::SIMULATION)?;
    tools::provide(&tools::PROOFS)?;
    generate(true)?;
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"], &[])?;
    format_of_listed()?;
    beside(elsewhere, before_tests)?;
    let kept = signoff::folder()?.display().to_string();
    let is_long = if long { "1" } else { "" };
    let required = [("DESVIO_REQUIRE_TOOLS", "1"), ("DESVIO_REQUIRE_FIRMWARE", "1")];
    tests(
        &["--no-fail-fast"],
        &[&required[..], &[("DESVIO_LONG", is_long), ("DESVIO_RECORD", &kept)]].concat(),
    )?;
    // Long runs prove more than the page says.
    if long { Ok(()) } else { signoff::page(true) }
}
