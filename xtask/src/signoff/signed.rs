//! Suites that are not run again where nothing that they read has changed since they passed.
//!
//! What a suite found is kept in `tests/signed`, and before it a digest of the files that it reads. Where the files have the same digest, the
//! suite would find the same: it is deterministic. Versions of Verilator, Yosys and the compilers are not in the digest: `cargo xtask test
//! --long` and `cargo xtask signoff --all` run all suites.

use crate::step::{Failure, root, tests};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the records are kept.
const FOLDER: &str = "tests/signed";

/// Tests that take minutes.
#[derive(Debug)]
pub(crate) struct Suite {
    /// What its record and its file are called.
    pub(crate) name: &'static str,
    /// The beginnings of their names.
    pub(crate) tests: &'static [&'static str],
    /// Whether they record what they found, for `docs/signoff.md`.
    has_record: bool,
    /// The files that they read, by how their paths begin.
    reads: &'static [&'static [&'static str]],
}

/// The firmware on the boards but the first, and the events of all of them.
pub(crate) const BOARDS: &str = "boards";
/// Instructions of the engine, counted.
pub(crate) const INSTRUCTIONS: &str = "instructions";

/// The simulator.
const SIMULATOR: &[&str] =
    &["router-core/src/", "sma/src/", "cosim/paths/src/", "cosim/sim/src/", "Cargo.lock"];
/// What it takes to run RTL and model side by side, besides the simulator, and what tests of it have in common.
const LOCKSTEP: &[&str] = &[
    "hdl/",
    "firmware/tether/src/",
    "cosim/lockstep/src/",
    "cosim/verilated/src/",
    "tests/src/",
    "tests/tests/rtl_",
    "scenarios/",
];

/// All of them.
const SUITES: [Suite; 8] = [
    Suite {
        name: "mutants",
        tests: &["rtl_mutation::slips_are_found"],
        has_record: true,
        reads: &[SIMULATOR, LOCKSTEP],
    },
    Suite {
        name: "proofs",
        tests: &["rtl_formal::properties_hold_for_ever", "rtl_formal::planted_defects_break_the_proofs"],
        has_record: true,
        reads: &[&["hdl/", "tests/src/", "tests/tests/rtl_formal"]],
    },
    Suite {
        name: "searches",
        tests: &["rtl_alloc::", "olm_search::", "core_search::", "allocators::"],
        has_record: true,
        reads: &[
            SIMULATOR,
            LOCKSTEP,
            &["tests/tests/olm_search", "tests/tests/core_search", "tests/tests/allocators"],
        ],
    },
    Suite {
        name: "units",
        tests: &[
            "rtl_classes::",
            "rtl_contention::",
            "rtl_feasible::",
            "rtl_parameters::",
            "rtl_reset::",
            "rtl_route::",
            "rtl_select::",
        ],
        has_record: false,
        reads: &[SIMULATOR, LOCKSTEP],
    },
    Suite {
        name: "gates",
        tests: &["cost::", "netlist::"],
        has_record: false,
        reads: &[
            SIMULATOR,
            LOCKSTEP,
            &[
                "cosim/cost/src/",
                "cosim/report/src/",
                "scenarios/",
                "tests/tests/cost",
                "tests/tests/netlist",
            ],
        ],
    },
    Suite {
        name: BOARDS,
        tests: &[
            "mcu::a_cortex_m0_stays_in_lockstep",
            "mcu::a_risc_v_stays_in_lockstep",
            "mcu::a_router_that_is_too_large_is_refused",
        ],
        has_record: false,
        reads: &[
            SIMULATOR,
            LOCKSTEP,
            &["firmware/", "router-core/", "tests/tests/mcu.rs", "xtask/src/firmware"],
        ],
    },
    Suite {
        name: INSTRUCTIONS,
        tests: &[],
        has_record: false,
        reads: &[SIMULATOR, &["benches/", "router-core/", "xtask/src/instructions.rs", "Cargo.toml"]],
    },
    Suite {
        name: "figures",
        tests: &[
            "saturation::",
            "saturation_policies::",
            "steady::",
            "curves::",
            "grids::saturation_is_close_to_the_bound",
        ],
        has_record: false,
        reads: &[
            SIMULATOR,
            &[
                "scenarios/",
                "tests/src/",
                "tests/tests/saturation",
                "tests/tests/steady",
                "tests/tests/curves",
                "tests/tests/grids",
                "tests/tests/snapshots/",
            ],
        ],
    },
];

/// What stands before a kept record, in the first two lines.
#[derive(Deserialize)]
struct Kept {
    /// The digest of what the suite read.
    sources: String,
    /// The tests that were run.
    tests: Vec<String>,
}

impl Suite {
    /// Where its record is kept.
    fn kept(&self) -> PathBuf {
        root().join(FOLDER).join(self.file())
    }

    /// The file of its record.
    fn file(&self) -> String {
        format!("{}.toml", self.name)
    }

    /// Whether it passed with the files as they are.
    fn is_signed(&self) -> Result<bool, Failure> {
        let Ok(text) = fs::read_to_string(self.kept()) else { return Ok(false) };
        let kept: Kept = toml::from_str(&text)
            .map_err(|error| Failure::new(format!("{FOLDER}/{}: {error}", self.file())))?;
        Ok(kept.tests == self.tests && kept.sources == digest(&root(), self.reads)?)
    }
}

/// Of the files below a folder whose paths begin so: of each its path and its bytes.
fn digest(folder: &Path, reads: &[&[&str]]) -> Result<String, Failure> {
    let mut files = Vec::new();
    let reads = || reads.iter().copied().flatten();
    for read in reads() {
        // The last part may be the beginning of a name.
        let (parent, _) = read.rsplit_once('/').unwrap_or_default();
        files_below(folder, Path::new(parent), &mut files)?;
    }
    files.retain(|path| reads().any(|read| path.starts_with(read)));
    files.sort();
    files.dedup();
    let mut digest = Sha256::new();
    for path in &files {
        let text = fs::read(folder.join(path)).map_err(|error| Failure::new(format!("{path}: {error}")))?;
        digest.update(format!("{path}\n{}\n", text.len()));
        digest.update(text);
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The paths of all files, with `/` between their parts; of the root itself only those in no folder.
fn files_below(root: &Path, folder: &Path, found: &mut Vec<String>) -> Result<(), Failure> {
    let at = root.join(folder);
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", at.display()));
    for entry in fs::read_dir(&at).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = folder.join(entry.file_name());
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        if !is_folder {
            found.push(path.display().to_string().replace('\\', "/"));
        } else if !folder.as_os_str().is_empty() {
            files_below(root, &path, found)?;
        }
    }
    Ok(())
}

/// The suites that passed with the files as they are; their records are copied to where tests keep theirs.
pub(crate) fn carry(to: &Path) -> Result<Vec<&'static Suite>, Failure> {
    let mut signed = Vec::new();
    for suite in &SUITES {
        if !suite.is_signed()? {
            eprintln!(
                "\n── {}: run, since what they read has changed since `cargo xtask signoff`",
                suite.name
            );
            continue;
        }
        eprintln!(
            "\n── {}: not run, since nothing that they read has changed since {FOLDER}/{} was kept",
            suite.name,
            suite.file()
        );
        if suite.has_record {
            let text = fs::read_to_string(suite.kept()).unwrap_or_default();
            let record = text.splitn(3, '\n').nth(2).unwrap_or_default();
            fs::write(to.join(suite.file()), record)
                .map_err(|error| Failure::new(format!("{}: {error}", to.display())))?;
        }
        signed.push(suite);
    }
    Ok(signed)
}

/// Runs the tests of all suites but those that are signed, after what else belongs to them has passed, and keeps that they passed with the files as
/// they are, and what they recorded.
pub(crate) fn sign(records: &Path, signed: &[&Suite]) -> Result<(), Failure> {
    let is_signed = |suite: &&Suite| signed.iter().any(|other| other.name == suite.name);
    // Where a file changes while they run, they are run again the next time.
    let with_digest = |suite: &'static Suite| digest(&root(), suite.reads).map(|sources| (suite, sources));
    let suites: Vec<_> =
        SUITES.iter().filter(|suite| !is_signed(suite)).map(with_digest).collect::<Result<_, _>>()?;
    let names = suites.iter().flat_map(|(suite, _)| suite.tests).copied();
    let which: Vec<_> =
        ["--test", "all", "--"].into_iter().chain(names).chain(["lockstep::", "--nocapture"]).collect();
    let folder = records.display().to_string();
    tests(
        &which,
        &[("DESVIO_RECORD", &folder), ("DESVIO_REQUIRE_TOOLS", "1"), ("DESVIO_REQUIRE_FIRMWARE", "1")],
    )?;
    for (suite, sources) in suites {
        let failed = |error: std::io::Error| Failure::new(format!("{FOLDER}/{}: {error}", suite.file()));
        let record = if suite.has_record {
            fs::read_to_string(records.join(suite.file())).map_err(failed)?
        } else {
            String::new()
        };
        let kept = format!("sources = \"{sources}\"\ntests = {:?}\n{record}", suite.tests);
        fs::write(suite.kept(), kept).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn text_of(path: &str) -> String {
        fs::read_to_string(root().join(path)).unwrap()
    }

    #[test]
    fn a_byte_or_a_name_that_changes_is_another_digest() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let reads = ["hdl/", "tests/rtl_", "lock"];
        let now = || digest(folder.path(), &[&reads]).unwrap();
        write("hdl/rtl/vc.sv", "a");
        write("tests/rtl_vc.rs", "b");
        write("tests/other.rs", "c");
        write("lock", "d");
        let first = now();
        write("tests/other.rs", "changed");
        write("other/rtl_vc.rs", "new");
        assert_eq!(now(), first, "of what is not read");
        for (path, before) in [("hdl/rtl/vc.sv", "a"), ("tests/rtl_vc.rs", "b"), ("lock", "d")] {
            write(path, "changed");
            assert_ne!(now(), first, "{path}");
            write(path, before);
            assert_eq!(now(), first, "{path}");
        }
        write("hdl/rtl/new.sv", "");
        assert_ne!(now(), first, "a new file");
        fs::rename(folder.path().join("hdl/rtl/new.sv"), folder.path().join("hdl/new.sv")).unwrap();
        let moved = now();
        fs::remove_file(folder.path().join("hdl/new.sv")).unwrap();
        assert_eq!(now(), first);
        assert_ne!(moved, first);
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
        let cost = all_crates(&["cosim/cost"]);
        assert!(simulator.contains("router-core") && lockstep.len() >= 6, "{simulator:?} {lockstep:?}");
        for suite in SUITES.iter().filter(|suite| suite.name != "proofs") {
            let needed = match suite.name {
                "figures" | INSTRUCTIONS => &simulator,
                "gates" => &cost,
                _ => &lockstep,
            };
            for folder in needed {
                let source = format!("{folder}/src/lib.rs");
                let is_read = suite.reads.iter().copied().flatten().any(|read| source.starts_with(read));
                assert!(is_read, "{}: {folder} is not read", suite.name);
            }
        }
    }

    #[test]
    fn each_name_is_that_of_a_test() {
        for suite in &SUITES {
            for test in suite.tests {
                let (module, name) = test.split_once("::").unwrap();
                let text = text_of(&format!("tests/tests/{module}.rs"));
                let is_named = name.is_empty() || text.contains(&format!("#[test]\nfn {name}()"));
                assert!(is_named, "{test}");
            }
        }
    }
}
