//! A few inputs for every target, and defects that are put in.

#![allow(clippy::unwrap_used)]

use desvio_fuzz::{Kind, Plan, Planted, Tally, Target, fuzz};
use indicatif::ProgressBar;
use std::path::Path;
use std::time::Duration;

/// Far more than any of these tests takes: the number of inputs ends them.
const LONG: Duration = Duration::from_secs(3600);

/// Runs inputs on a target.
fn run(target: &Target, inputs: u64, planted: Option<Planted>) -> Tally {
    let folder = tempfile::tempdir().unwrap();
    let plan =
        Plan { inputs: Some(inputs), planted, limit: 2, ..Plan::new(LONG, folder.path().join("found")) };
    let plan = if planted.is_none() { Plan { limit: 60, ..plan } } else { plan };
    let tally =
        fuzz(Path::new(env!("CARGO_BIN_EXE_desvio-fuzz")), target, &plan, &ProgressBar::hidden()).unwrap();
    for finding in &tally.findings {
        assert!(finding.replay().contains(target.name), "{finding}");
        let input = std::fs::read(&finding.file).unwrap();
        assert!(planted.is_none() || (target.is_rare)(&input), "{finding}");
    }
    tally
}

/// The command line's target starts programs: of it, fewer.
fn is_slow(target: &Target) -> bool {
    target.name == "command"
}

/// Whether the program that a target starts has been built.
fn is_there(target: &Target) -> bool {
    let desvio = Path::new(env!("CARGO_BIN_EXE_desvio-fuzz")).with_file_name("desvio");
    let is_there = !is_slow(target) || desvio.is_file();
    if !is_there {
        assert!(
            std::env::var_os("DESVIO_REQUIRE_TOOLS").is_none_or(|value| value != "1"),
            "desvio is not built"
        );
        println!("skipped, {} was not tested: desvio is not built", target.name);
    }
    is_there
}

#[test]
fn a_few_inputs_find_nothing() {
    for target in Target::ALL.iter().filter(|target| is_there(target)) {
        let inputs = if is_slow(target) { 40 } else { 1500 };
        let tally = run(target, inputs, None);
        assert!(tally.findings.is_empty(), "{:#?}", tally.findings);
        assert_eq!(tally.inputs, inputs, "{}", target.name);
        // A target that looks past its bytes sees one outcome in all of them.
        assert!(tally.corpus > (target.seeds)().len() as u64, "{}: no new outcome", target.name);
        println!("{}: {} inputs, corpus {}, {:.1} s", target.name, tally.inputs, tally.corpus, tally.seconds);
    }
}

#[test]
fn a_panic_planted_in_each_target_is_found() {
    for target in Target::ALL.iter().filter(|target| is_there(target)) {
        let seeds = (target.seeds)();
        assert!(!seeds.iter().any(|seed| (target.is_rare)(seed)), "{}: a seed is enough", target.name);
        let tally = run(target, 60_000, Some(Planted::Panic));
        let finding = tally.findings.first().unwrap_or_else(|| panic!("{}: not found", target.name));
        assert_eq!(finding.kind, Kind::Panic);
        println!("{}: found by input {}", target.name, tally.inputs);
    }
}

#[test]
fn what_ends_the_process_is_found_too() {
    let target = Target::of("kept").unwrap();
    for (planted, kind) in
        [(Planted::Abort, Kind::Signal), (Planted::Endless, Kind::Endless), (Planted::Memory, Kind::Memory)]
    {
        let tally = run(&target, 40_000, Some(planted));
        assert!(
            tally.findings.iter().any(|finding| finding.kind == kind),
            "{planted:?}: {:?}",
            tally.findings
        );
    }
}

#[test]
fn every_target_is_a_program_of_libfuzzer_and_is_told_of() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let (manifest, readme) = (read("Cargo.toml"), read("README.md"));
    for Target { name, .. } in Target::ALL {
        assert!(
            read(&format!("fuzz_targets/{name}.rs"))
                .contains(&format!("desvio_fuzz::run(\"{name}\", bytes)"))
        );
        assert!(
            manifest.contains(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"")),
            "{name}"
        );
        assert!(readme.contains(&format!("`{name}`")), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.join("fuzz_targets")).unwrap().count(), Target::ALL.len());
}
