//! The checks of `hdl/check/` and the contracts of `hdl/formal/`, proven: k-induction by Yosys, yosys-smtbmc and z3.
//!
//! Each proof is shown not to be vacuous: its cover statements are reached, and it breaks on a planted defect.
//! `DESVIO_RECORD=<folder>` writes what was proven as `proofs.toml`.
#![allow(clippy::unwrap_used)]

mod bound;
mod defects;
mod proof;
mod proofs;
mod record;
mod registers;

use defects::{DEFECTS, LONG_DEFECTS};
use desvio_tests::draw::third_of;
use desvio_tests::rtl::{self, hdl, insists, is_long};
use proofs::{LONG, PROOFS};
use rayon::prelude::*;
use std::fs;
use std::process::Command;

/// Steps from reset within which a planted defect shows.
const STEPS: u32 = 8;

/// Both programs and the solver, or, said aloud, nothing.
fn has_tools() -> bool {
    let missing =
        ["yosys", "yosys-smtbmc", "z3"].iter().find(|tool| Command::new(tool).arg("-h").output().is_err());
    match missing {
        None => true,
        Some(tool) if insists() => panic!("{tool} is missing"),
        Some(tool) => {
            println!("skipped: no {tool}; nothing was proven");
            false
        }
    }
}

#[test]
fn properties_hold_for_ever() {
    if !has_tools() {
        return;
    }
    let long = if is_long() { LONG } else { &[] };
    let all = third_of("proofs", PROOFS.iter().chain(long));
    let proven: Vec<_> = all.par_iter().map(|proof| proof.prove()).collect();
    let properties: usize = proven.iter().map(|proof| proof.properties.len()).sum();
    println!("{properties} properties proven");
    desvio_tests::record::record("proofs.toml", &record::table(&proven));
}

#[test]
fn planted_defects_break_the_proofs() {
    if !has_tools() {
        return;
    }
    let long = if is_long() { LONG_DEFECTS } else { &[] };
    let from_reset = DEFECTS.iter().map(|defect| (defect, true));
    let all =
        third_of("defects that break a proof", from_reset.chain(long.iter().map(|defect| (defect, false))));
    all.par_iter().for_each(|(defect, is_from_reset)| {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path();
        fs::create_dir(copy.join("formal")).unwrap();
        rtl::copy(copy);
        for entry in fs::read_dir(hdl().join("formal")).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, copy.join("formal").join(path.file_name().unwrap())).unwrap();
        }
        rtl::plant(copy, defect.file, defect.from, defect.to);
        let is_broken = if *is_from_reset {
            defect.proof.fails(copy, defect.breaks, STEPS)
        } else {
            defect.proof.loses_induction(copy, defect.breaks)
        };
        assert!(
            is_broken,
            "{}: {}: `{}` does not break {}",
            defect.proof.name(),
            defect.file,
            defect.to,
            defect.breaks
        );
        println!("{}: `{}` breaks {}", defect.file, defect.to, defect.breaks.replace('_', "-"));
    });
}

#[test]
fn every_file_is_part_of_a_proof() {
    for entry in fs::read_dir(hdl().join("formal")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let stem = name.strip_suffix(".sv").unwrap_or_else(|| panic!("{name} is not a module"));
        let is_used = stem == "dsv_property"
            || PROOFS
                .iter()
                .chain(LONG)
                .any(|proof| proof.top == stem || proof.sources.contains(&format!("formal/{stem}").as_str()));
        assert!(is_used, "{name} is part of no proof");
    }
}
