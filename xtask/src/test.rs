//! `cargo xtask test`: the fast half of the tests; with `--slow`, the slow half.
//!
//! A test belongs to the slow half when a module called `slow` holds it. Nothing else decides where it runs.

mod draw;
mod slow;
mod tables;

use crate::firmware::{self, Scope};
use crate::generate::generate;
use crate::own_crate;
use crate::step::{Failure, STRICT, beside, cargo, root, run, tests};
use crate::tools;
pub(crate) use draw::Draw;
pub(crate) use slow::slow;

/// Combinations of features that no program of this repository is built with, by their package: each is built.
const FEATURES: [(&str, &str); 4] = [
    ("desvio-core", "log"),
    ("desvio-core", "defmt,log"),
    ("desvio-core", "small"),
    ("desvio-driver", "async,defmt,serial"),
];

/// Folders of files that a closed list names (`routings!`, `topologies!`, …): rustfmt does not find them by itself.
const LISTED: [&str; 6] = [
    "router-core/src/route",
    "router-core/src/select",
    "router-core/src/alloc",
    "router-core/src/alloc/arbiter",
    "cosim/sim/src/topology",
    "cosim/sim/src/traffic/pattern",
];

/// The modules of the slow half, by a part of the whole name of each of their tests.
const SLOW: &str = "slow::";

/// The binary of what crosses crates, and that of the command line.
const ALL: &str = "all";
const COMMANDS: &str = "cli";

/// The names of all binaries of tests but [`ALL`] and [`COMMANDS`]: those that do not begin with `a` or `c`, and those that have no `l` behind it.
const OTHERS: [&str; 2] = ["[!ac]*", "[ac][!l]*"];

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

/// Installs the programs that tests start, with one call of the package manager.
pub(crate) fn install() -> Result<(), Failure> {
    let all = [
        &tools::SIMULATION[..],
        &tools::PROOFS,
        &tools::browser(),
        &tools::MANAGER,
        &tools::SCHEMAS,
        &tools::EMULATORS,
        &tools::SCRIPTS,
        &tools::COUNTING,
    ];
    tools::provide(&all.concat())
}

/// Lints of features; tests and benches are compiled.
fn before_tests() -> Result<(), Failure> {
    for (package, features) in FEATURES {
        cargo(&["clippy", "--package", package, "--features", features], &[STRICT])?;
    }
    tests(&["--no-run"], &[])?;
    // They are linted while they are compiled.
    tests(&["--no-run", "--bench", "run", "--bench", "step", "--bench", "lockstep"], &[])
}

/// Tests at a time in each of two runs beside each other: one more than there are cores, since some wait for a disk, for a process that
/// ends, or for a model that another test builds.
fn threads() -> String {
    std::env::var("RUST_TEST_THREADS").unwrap_or_else(|_| {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        cores.saturating_add(1).to_string()
    })
}

/// Calls `then` with the environment of all tests: a missing tool is a failure, the documentation is built without warnings.
fn with_environment(then: impl FnOnce(&[(&str, &str)]) -> Result<(), Failure>) -> Result<(), Failure> {
    let documented = root().join(".ci/rustdoc").display().to_string();
    let threads = threads();
    then(&[
        ("DESVIO_REQUIRE_TOOLS", "1"),
        ("DESVIO_REQUIRE_FIRMWARE", "1"),
        ("RUSTDOC", &documented),
        ("RUST_TEST_THREADS", &threads),
    ])
}

/// The fast tests of all binaries: where one of two runs waits for its last test, the other one has work.
fn run_tests(environment: &[(&str, &str)]) -> Result<(), Failure> {
    let fast = |targets: &[&str]| {
        tests(&[&["--no-fail-fast"], targets, &["--", "--skip", SLOW]].concat(), environment)
    };
    let others = ["--lib", "--bins", "--test", OTHERS[0], "--test", OTHERS[1]];
    // The others first: some of their tests are long and alone at the end of their binary.
    beside(|| fast(&["--test", ALL]), || fast(&others).and(fast(&["--test", COMMANDS])))
}

/// The fast half; the format first, which takes no time, and the tests last: those of the first board need what is built for it.
pub(crate) fn test() -> Result<(), Failure> {
    // Where nothing can be installed, what is missing is said at once.
    if !tools::can_install() {
        install()?;
    }
    generate(true)?;
    cargo(&["fmt", "--all", "--check"], &[])?;
    for manifest in ["fuzz/Cargo.toml", "firmware/boards/Cargo.toml", own_crate::MANIFEST] {
        cargo(&["fmt", "--all", "--manifest-path", manifest, "--check"], &[])?;
    }
    format_of_listed()?;
    // Packages come over the network, while both cores compile.
    beside(install, || beside(|| firmware::boards(false, Scope::FirstBoard), before_tests))?;
    with_environment(|environment| {
        // The documentation takes one core.
        beside(|| tests(&["--no-fail-fast", "--doc"], environment), || run_tests(environment))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The container's Rust is the oldest that the workspace takes.
    #[test]
    fn the_container_has_the_oldest_rust() {
        let read = |file: &str| std::fs::read_to_string(root().join(file)).expect(file);
        let manifest = read("Cargo.toml");
        let oldest =
            manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")).expect("a version");
        let oldest = oldest.trim_end_matches('"');
        assert!(read("Dockerfile").contains(&format!("FROM rust:{oldest}-bookworm\n")), "{oldest}");
        assert!(read(".devcontainer/devcontainer.json").contains("\"../Dockerfile\""));
    }

    /// Cargo's names of targets with an asterisk at the end and a class of letters.
    fn is_like(name: &str, like: &str) -> bool {
        let mut letters = name.chars();
        like.trim_end_matches('*').split_inclusive(']').all(|class| {
            let of = |letter| class.contains(letter) != class.starts_with("[!");
            letters.next().is_some_and(of)
        })
    }

    #[test]
    fn each_binary_of_tests_is_run_once() {
        let cargo = std::env::var_os("CARGO").unwrap();
        let arguments = ["metadata", "--format-version", "1", "--no-deps"];
        let output = std::process::Command::new(cargo).args(arguments).current_dir(root()).output().unwrap();
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let packages = metadata["packages"].as_array().unwrap().iter();
        let targets = packages.flat_map(|package| package["targets"].as_array().unwrap());
        let targets = targets.filter(|target| target["kind"][0] == "test");
        let names: Vec<_> = targets.map(|target| target["name"].as_str().unwrap()).collect();
        for name in &names {
            let times = usize::from([ALL, COMMANDS].contains(name))
                + OTHERS.iter().filter(|like| is_like(name, like)).count();
            assert_eq!(times, 1, "{name}");
        }
        for own in [ALL, COMMANDS] {
            assert_eq!(names.iter().filter(|name| **name == own).count(), 1, "{own}");
        }
    }
}
