//! That a suite reads what its outcome can follow from.

use super::*;
use crate::step::root;
use std::collections::BTreeSet;
use std::fs;

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The crates of this workspace that a manifest names, by their folders.
fn crates(manifest: &str) -> Vec<String> {
    let workspace: toml::Table = text_of("Cargo.toml").parse().unwrap();
    let known = workspace["workspace"]["dependencies"].as_table().unwrap();
    let own: toml::Table = text_of(manifest).parse().unwrap();
    let used =
        own.get("dependencies").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
    let folders = used.filter_map(|name| known.get(name)?.get("path")?.as_str());
    folders.map(str::to_owned).collect()
}

/// These, and what they need.
fn all_crates(folders: &[&str]) -> BTreeSet<String> {
    let mut all: BTreeSet<String> = folders.iter().map(|&folder| folder.to_owned()).collect();
    let needed = |folder: &String| crates(&format!("{folder}/Cargo.toml"));
    while let Some(more) = all.iter().flat_map(needed).find(|more| !all.contains(more)) {
        all.insert(more);
    }
    all
}

#[test]
fn all_crates_that_a_suite_needs_are_read() {
    let simulator = all_crates(&["cosim/sim"]);
    let lockstep = all_crates(&["cosim/sim", "cosim/lockstep"]);
    let control = all_crates(&["cosim/sim", "cosim/lockstep", "driver"]);
    let cost = all_crates(&["cosim/cost"]);
    let commands = all_crates(&["cosim/desvio"]);
    assert!(simulator.contains("router-core") && lockstep.len() >= 6, "{simulator:?} {lockstep:?}");
    assert!(commands.contains("cosim/fabric") && commands.len() >= 14, "{commands:?}");
    for suite in SUITES.iter().filter(|suite| !["proofs", LINT].contains(&suite.name)) {
        let needed = match suite.name {
            "figures" | INSTRUCTIONS | GUESTS => &simulator,
            "gates" => &cost,
            "control" => &control,
            "commands" => &commands,
            _ => &lockstep,
        };
        let is_read = |path: &str| suite.reads.iter().copied().flatten().any(|read| path.starts_with(read));
        for folder in needed {
            let source = if folder == "cosim/desvio" { "main.rs" } else { "lib.rs" };
            for file in [&format!("src/{source}"), "Cargo.toml", "build.rs"] {
                let path = format!("{folder}/{file}");
                let is_there = root().join(&path).exists();
                assert!(is_there || file == "build.rs", "{path}");
                assert!(!is_there || is_read(&path), "{}: {path} is not read", suite.name);
            }
        }
    }
}

#[test]
fn what_tests_are_written_in_is_read() {
    for suite in &SUITES {
        let folder = if suite.tests.binary == ALL { "tests/tests" } else { "cosim/desvio/tests/cli" };
        for name in suite.tests.names {
            let (module, _) = name.split_once("::").unwrap();
            let path = format!("{folder}/{module}.rs");
            assert!(root().join(&path).exists(), "{name}: there is no {path}");
            let is_read = suite.reads.iter().copied().flatten().any(|read| path.starts_with(read));
            assert!(is_read, "{}: {path} is not read", suite.name);
        }
    }
}

#[test]
fn each_path_is_that_of_files() {
    for read in SUITES.iter().flat_map(|suite| suite.reads).copied().flatten() {
        let (parent, begin) = read.rsplit_once('/').unwrap_or(("", read));
        let names = fs::read_dir(root().join(parent)).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(names.into_iter().any(|name| name.to_str().unwrap().starts_with(begin)), "{read}");
    }
}

#[test]
fn routers_that_are_not_run_have_their_cases_kept() {
    for suite in &SUITES {
        let cases =
            |name: &&str| format!("cases-{}.toml", name.trim_start_matches("lockstep::").replace('_', "-"));
        let of_routers = suite.tests.names.iter().filter(|name| {
            suite.tests.binary == ALL && name.starts_with("lockstep::") && !name.contains("petersen")
        });
        assert!(suite.records.is_sorted(), "{}: records are kept in order", suite.name);
        let kept = suite.records.iter().filter(|name| name.starts_with("cases-"));
        assert!(of_routers.map(cases).eq(kept.copied().map(str::to_owned)), "{}", suite.name);
    }
}

#[test]
fn a_name_is_the_beginning_of_one_at_least() {
    let all = ["cost::a", "more::cost::a", "netlist::b", "netlist::c"].map(str::to_owned);
    let gates = SUITES.iter().find(|suite| suite.name == "gates").unwrap();
    assert_eq!(gates.tests_among(&all), Ok(vec!["cost::a", "netlist::b", "netlist::c"]));
    assert_eq!(gates.tests_among(&all[..2]), Err("netlist::"));
}
