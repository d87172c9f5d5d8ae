//! `cargo xtask test`: what CI runs.

use crate::engines;
use crate::firmware::{self, Scope};
use crate::generate::generate;
use crate::instructions::instructions;
use crate::lint::lint;
use crate::own_crate;
use crate::signoff;
use crate::signoff::signed::{self, is_among};
use crate::signoff::suites::{self, ALL, COMMANDS, Suite};
use crate::step::{Failure, STRICT, beside, cargo, root, run, test_names, tests};
use crate::tools;

/// Combinations of `router-core`'s features that no program of this repository is built with: each is built.
const FEATURES: [&str; 3] = ["log", "defmt,log", "small"];

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

/// What the package manager brings, by one call of it, and what the engines need.
fn install(with_engines: bool) -> Result<(), Failure> {
    let all = [
        &tools::SIMULATION[..],
        &tools::PROOFS,
        &tools::browser(),
        &tools::MANAGER,
        &tools::EMULATORS,
        &tools::COUNTING,
    ];
    tools::provide(&all.concat())?;
    if with_engines { engines::install() } else { Ok(()) }
}

/// What is compiled into folders of its own: boards, the engine whose instructions are counted. Then the RTL is read, for which no cargo is
/// needed. Most of its time it waits for one core.
fn elsewhere(signed: &[&Suite]) -> Result<(), Failure> {
    let scope = if is_among(signed, suites::BOARDS) { Scope::FirstBoard } else { Scope::EventsOnTheFirst };
    firmware::boards(false, scope)?;
    if !is_among(signed, suites::INSTRUCTIONS) {
        instructions(false)?;
    }
    if is_among(signed, suites::LINT) { Ok(()) } else { lint() }
}

/// Features, lints; tests and benches are compiled.
fn before_tests() -> Result<(), Failure> {
    for features in FEATURES {
        cargo(&["clippy", "--package", "desvio-core", "--features", features], &[STRICT])?;
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

/// The names of all binaries of tests but [`ALL`] and [`COMMANDS`]: those that do not begin with `a` or `c`, and those that have no `l` behind it.
const OTHERS: [&str; 2] = ["[!ac]*", "[ac][!l]*"];

/// What crosses crates beside all other tests, without those that are signed: where one of two long runs waits for its last test, the other one
/// has work.
fn run_tests(environment: &[(&str, &str)], signed: &[&Suite]) -> Result<(), Failure> {
    let without_signed = |binary: &str| {
        let all = test_names(binary, environment)?;
        let skipped = signed::tests_of(signed, binary, &all)?;
        let skipped = skipped.iter().flat_map(|test| ["--skip", test]);
        let arguments: Vec<_> =
            ["--no-fail-fast", "--test", binary, "--", "--exact"].into_iter().chain(skipped).collect();
        tests(&arguments, environment)
    };
    let others = ["--no-fail-fast", "--lib", "--bins", "--test", OTHERS[0], "--test", OTHERS[1]];
    // The others first: some of their tests are long and alone at the end of their binary.
    beside(|| without_signed(ALL), || tests(&others, environment).and(without_signed(COMMANDS)))
}

/// All of it; the format first, which takes no time, and the tests last: those of the boards need what is built for them.
pub(crate) fn test(long: bool, with_engines: bool) -> Result<(), Failure> {
    // Where nothing can be installed, what is missing is said at once.
    if !tools::can_install() {
        install(false)?;
    }
    generate(true)?;
    cargo(&["fmt", "--all", "--check"], &[])?;
    for manifest in ["fuzz/Cargo.toml", own_crate::MANIFEST] {
        cargo(&["fmt", "--manifest-path", manifest, "--check"], &[])?;
    }
    format_of_listed()?;
    let kept = signoff::fresh_folder()?;
    let signed = if long { Vec::new() } else { signed::carry(&signoff::folder())? };
    // It comes over the network, while both cores compile.
    beside(|| install(with_engines), || beside(|| elsewhere(&signed), before_tests))?;
    let is_long = if long { "1" } else { "" };
    let required = [("DESVIO_REQUIRE_TOOLS", "1"), ("DESVIO_REQUIRE_FIRMWARE", "1")];
    let documented = root().join(".ci/rustdoc").display().to_string();
    let threads = threads();
    let environment = [
        &required[..],
        &[
            ("DESVIO_LONG", is_long),
            ("DESVIO_RECORD", &kept),
            ("RUSTDOC", &documented),
            ("RUST_TEST_THREADS", &threads),
        ],
    ]
    .concat();
    let run_engines = || if with_engines { engines::engines(&engines::Arguments::CI) } else { Ok(()) };
    // The documentation and the examples, which take one core, beside everything else; what is in `examples/` of a crate has been compiled. The
    // few crates of the example outside the workspace are compiled one after the other.
    let guests = || if is_among(&signed, suites::GUESTS) { Ok(()) } else { own_crate::run() };
    let examples = || tests(&["--no-fail-fast", "--doc"], &environment).and(guests()).and(run_engines());
    beside(examples, || run_tests(&environment, &signed))?;
    // Long runs prove more than the page says.
    if long { Ok(()) } else { signoff::page(true) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
