//! Suites that are not run again where nothing that they read has changed since they passed.
//!
//! What a suite recorded is kept in `tests/signed`, beside a digest of the files that it reads. Where the files have the same digest, the
//! suite would find the same: it is deterministic. Versions of Verilator, Yosys and the compilers are not in the digest: `cargo xtask test
//! --long` and `cargo xtask signoff --all` run all suites.

use crate::signoff::suites::{ALL, SUITES, Suite};
use crate::step::{Failure, root, test_names, tests};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the records are kept.
const FOLDER: &str = "tests/signed";

/// What is kept of a suite that passed.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// The digest of what the suite read.
    sources: String,
    /// How the names of the tests begin that were run.
    tests: Vec<String>,
    /// What they recorded, by the names of the files.
    records: BTreeMap<String, String>,
}

impl Suite {
    /// Where what is kept of it is.
    fn kept(&self) -> PathBuf {
        root().join(FOLDER).join(self.file())
    }

    /// The file of it.
    fn file(&self) -> String {
        format!("{}.toml", self.name)
    }

    /// What was kept if it passed with the files as they are.
    fn if_signed(&self) -> Result<Option<Kept>, Failure> {
        let Ok(text) = fs::read_to_string(self.kept()) else { return Ok(None) };
        let kept: Kept = toml::from_str(&text)
            .map_err(|error| Failure::new(format!("{FOLDER}/{}: {error}", self.file())))?;
        let is_same = kept.tests == self.tests.names
            && kept.records.keys().eq(self.records)
            && kept.sources == digest(&root(), self.reads)?;
        Ok(is_same.then_some(kept))
    }
}

/// Whether a file has unit tests alone: it is compiled into no other crate, and no suite runs what is in it.
fn is_unit_tests(path: &str) -> bool {
    let below_source = path.split_once("src/").map_or("", |(_, below)| below);
    below_source.split('/').any(|part| part == "tests" || part == "tests.rs")
}

/// The scenarios that are compared with other simulators: `cargo xtask validate` reads them, and no suite.
const APART: &str = "scenarios/validation/";

/// Of the files below a folder whose paths begin so, but for unit tests and what is [apart](APART): of each its path and its bytes.
fn digest(folder: &Path, reads: &[&[&str]]) -> Result<String, Failure> {
    let mut files = Vec::new();
    let reads = || reads.iter().copied().flatten();
    for read in reads() {
        // The last part may be the beginning of a name.
        let (parent, _) = read.rsplit_once('/').unwrap_or_default();
        files_below(folder, Path::new(parent), &mut files)?;
    }
    let is_apart = |path: &str| is_unit_tests(path) || path.starts_with(APART);
    files.retain(|path| !is_apart(path) && reads().any(|read| path.starts_with(read)));
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
        let Some(kept) = suite.if_signed()? else {
            eprintln!(
                "\n── {}: run, since what they read has changed since `cargo xtask signoff`",
                suite.name
            );
            continue;
        };
        eprintln!(
            "\n── {}: not run, since nothing that they read has changed since {FOLDER}/{} was kept",
            suite.name,
            suite.file()
        );
        for (name, record) in kept.records {
            fs::write(to.join(name), record)
                .map_err(|error| Failure::new(format!("{}: {error}", to.display())))?;
        }
        signed.push(suite);
    }
    Ok(signed)
}

/// Whether the suite of that name is one of these.
pub(crate) fn is_among(suites: &[&Suite], name: &str) -> bool {
    suites.iter().any(|suite| suite.name == name)
}

/// The tests of a binary that are of one of these suites, by their whole names; all suites' names are looked up.
pub(crate) fn tests_of<'n>(
    suites: &[&Suite],
    binary: &str,
    all: &'n [String],
) -> Result<Vec<&'n str>, Failure> {
    let mut found = Vec::new();
    for suite in SUITES.iter().filter(|suite| suite.tests.binary == binary) {
        let tests = suite.tests_among(all).map_err(|name| {
            Failure::new(format!("{}: no test of `{binary}` is called {name}…", suite.name))
        })?;
        if is_among(suites, suite.name) {
            found.extend(tests);
        }
    }
    Ok(found)
}

/// Runs the tests of the suites that are not signed, one suite after the other, behind those of routers that belong to none, and after what else
/// belongs to suites has passed. Of each it keeps as soon as it has passed that it did with the files as they are, and what it recorded: a suite
/// that fails takes nothing from the others.
pub(crate) fn sign(records: &Path, signed: &[&Suite]) -> Result<(), Failure> {
    let all = test_names(ALL, &[])?;
    let of_suites = tests_of(&SUITES.iter().collect::<Vec<_>>(), ALL, &all)?;
    let of_routers = all.iter().map(String::as_str).filter(|test| test.starts_with("lockstep::"));
    let others: Vec<_> = of_routers.filter(|test| !of_suites.contains(test)).collect();
    let mut result = run_tests(ALL, &others, records);
    for suite in SUITES.iter().filter(|suite| !is_among(signed, suite.name)) {
        let signed = suite.sign(records);
        result = result.and(signed);
    }
    result
}

impl Suite {
    /// Runs its tests, and keeps that they passed.
    fn sign(&self, records: &Path) -> Result<(), Failure> {
        eprintln!("\n── {}", self.name);
        // Where a file changes while they run, they are run again the next time.
        let sources = digest(&root(), self.reads)?;
        let all = test_names(self.tests.binary, &[])?;
        run_tests(self.tests.binary, &tests_of(&[self], self.tests.binary, &all)?, records)?;
        let failed = |error: std::io::Error| Failure::new(format!("{FOLDER}/{}: {error}", self.file()));
        let record = |name: &&str| Ok(((*name).to_owned(), fs::read_to_string(records.join(name))?));
        let kept = Kept {
            sources,
            tests: self.tests.names.iter().copied().map(str::to_owned).collect(),
            records: self.records.iter().map(record).collect::<Result<_, _>>().map_err(failed)?,
        };
        let text = toml::to_string_pretty(&kept).map_err(|error| Failure::new(error.to_string()))?;
        fs::write(self.kept(), text).map_err(failed)
    }
}

/// These tests of a binary, if there is one.
fn run_tests(binary: &str, which: &[&str], records: &Path) -> Result<(), Failure> {
    if which.is_empty() {
        return Ok(());
    }
    let folder = records.display().to_string();
    tests(
        &[&["--test", binary, "--", "--nocapture", "--exact"], which].concat(),
        &[("DESVIO_RECORD", &folder), ("DESVIO_REQUIRE_TOOLS", "1"), ("DESVIO_REQUIRE_FIRMWARE", "1")],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_or_a_name_that_changes_is_another_digest() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let reads = ["hdl/", "tests/rtl_", "lock", "sim/src/", "scenarios/"];
        let now = || digest(folder.path(), &[&reads]).unwrap();
        write("hdl/rtl/vc.sv", "a");
        write("tests/rtl_vc.rs", "b");
        write("tests/other.rs", "c");
        write("lock", "d");
        write("scenarios/tiny.toml", "f");
        write("sim/src/run/tests.rs", "e");
        let first = now();
        write("sim/src/run/tests.rs", "changed");
        write("sim/src/run/tests/new.rs", "");
        write("tests/other.rs", "changed");
        write("other/rtl_vc.rs", "new");
        write("scenarios/validation/tables.toml", "new");
        assert_eq!(now(), first, "of what is not read");
        for (path, before) in
            [("hdl/rtl/vc.sv", "a"), ("tests/rtl_vc.rs", "b"), ("lock", "d"), ("scenarios/tiny.toml", "f")]
        {
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
}
