//! By what each unit of the RTL was checked: the tables that the slow half of the tests makes.
//!
//! Tests keep their results as data (`DESVIO_RECORD`), of which the tables are made. `docs/signoff.md` says how to read them.

use crate::step::{Failure, root};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// Where the tables are written.
const PAGE: &str = "results/signoff.md";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proofs {
    proof: Vec<Proof>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proof {
    module: String,
    parameters: toml::Table,
    reach: String,
    properties: Vec<String>,
    assumed: Vec<String>,
    invariants: Vec<String>,
    covers: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutants {
    seed: u64,
    module: Vec<Module>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Module {
    name: String,
    tried: usize,
    lockstep: usize,
    check: usize,
    bench: usize,
    proven: usize,
    survived: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Searches {
    search: Vec<Search>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    router: String,
    sizes: String,
    states: usize,
    ways: usize,
}

/// What the lockstep of one configuration has seen.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    seen: Vec<String>,
    missed: Vec<String>,
}

/// Where tests keep their results.
pub(crate) fn folder() -> PathBuf {
    root().join("target/signoff")
}

/// Where tests are to keep their results: nothing is there yet.
pub(crate) fn fresh_folder() -> Result<String, Failure> {
    let folder = folder();
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    fs::create_dir_all(&folder).map_err(failed)?;
    Ok(folder.display().to_string())
}

/// Writes the tables of what was found to [`PAGE`], and prints them.
pub(crate) fn write() -> Result<(), Failure> {
    let (proofs, mutants, searches) = (read("proofs.toml")?, read("mutants.toml")?, read("searches.toml")?);
    let tables = [units(&proofs, &mutants), proven(&proofs), covered(&cases()?), searched(&searches)];
    let text = tables.join("\n");
    let path = root().join(PAGE);
    let failed = |error: std::io::Error| Failure::new(format!("{PAGE}: {error}"));
    fs::create_dir_all(root().join("results")).map_err(failed)?;
    fs::write(&path, &text).map_err(failed)?;
    println!("\n{text}\nwrote {PAGE}");
    Ok(())
}

fn read<T: DeserializeOwned>(name: &str) -> Result<T, Failure> {
    let path = folder().join(name);
    let text =
        fs::read_to_string(&path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    toml::from_str(&text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// What each configuration of the campaign has seen.
fn cases() -> Result<Vec<Cases>, Failure> {
    let folder = folder();
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    let names = fs::read_dir(&folder).map_err(failed)?.flatten().map(|entry| entry.file_name());
    let names = names.filter_map(|name| name.into_string().ok()).filter(|name| name.starts_with("cases-"));
    names.map(|name| read(&name)).collect()
}

/// The properties that are bound to each module.
fn bound() -> BTreeMap<&'static str, BTreeSet<String>> {
    let text_of = |noun: &str| desvio_hdl::file(noun).map_or("", |file| file.text);
    let mut bound: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in text_of("check_bind").lines().filter_map(|line| line.strip_prefix("bind ")) {
        let mut words = line.split_whitespace();
        let (Some(module), Some(check)) = (words.next(), words.next()) else { continue };
        let text = text_of(check.trim_start_matches(desvio_hdl::PREFIX));
        let names = text.split("`DSV_CHECK").skip(1).filter_map(|rest| {
            let (_, name) = rest.split_once('(')?;
            Some(name.split_once(',')?.0.replace('_', "-"))
        });
        bound.entry(module.trim_start_matches(desvio_hdl::PREFIX)).or_default().extend(names);
    }
    bound
}

/// A row for each unit that mutants were made in.
fn units(proofs: &Proofs, mutants: &Mutants) -> String {
    let bound = bound();
    let mut text = format!(
        "| unit | properties, watched in every lockstep | proven | mutants (seed {}) | by lockstep | by a property | by a bench | no change, proven | survived |\n\
         |---|---|---|---|---|---|---|---|---|\n",
        mutants.seed
    );
    let mut all = Module { name: "all".to_owned(), ..Module::default() };
    for module in &mutants.module {
        all.tried += module.tried;
        all.lockstep += module.lockstep;
        all.check += module.check;
        all.bench += module.bench;
        all.proven += module.proven;
        all.survived += module.survived;
    }
    for module in mutants.module.iter().chain([&all]) {
        let Module { name, tried, lockstep, check, bench, proven, survived } = module;
        let watched =
            bound.get(name.as_str()).map(|names| Vec::from_iter(names.iter().map(String::as_str)).join(", "));
        let harness = |proof: &&Proof| {
            let unit = proof.module.rsplit_once('_').map_or("", |(unit, _)| unit);
            unit == name || unit == "arbiter" && name.starts_with("arbiter_")
        };
        let about = proofs.proof.iter().filter(harness).count();
        let about = if about == 0 { String::new() } else { format!("{about} sets of parameters") };
        let _ = writeln!(
            text,
            "| `{name}` | {} | {about} | {tried} | {lockstep} | {check} | {bench} | {proven} | {survived} |",
            watched.unwrap_or_default()
        );
    }
    text
}

/// A row for each proof.
fn proven(proofs: &Proofs) -> String {
    let mut text = String::from(
        "| harness | parameters | reach | proven | follows from what is assumed | helps the induction, and holds | reached |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for proof in &proofs.proof {
        let parameters: Vec<_> =
            proof.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            proof.module,
            parameters.join(" "),
            proof.reach,
            proof.properties.join(", "),
            proof.assumed.join(", "),
            proof.invariants.join(", "),
            proof.covers.join(", ")
        );
    }
    text
}

/// A row for each stage whose cases the functional coverage has.
fn covered(all: &[Cases]) -> String {
    let mut stages: BTreeMap<&str, (BTreeSet<&str>, BTreeSet<&str>)> = BTreeMap::new();
    let stage = |case: &str| case.split_once('.').map_or(0, |(stage, _)| stage.len());
    for cases in all {
        for case in &cases.seen {
            stages.entry(&case[..stage(case)]).or_default().0.insert(case);
        }
        for case in &cases.missed {
            stages.entry(&case[..stage(case)]).or_default().1.insert(case);
        }
    }
    let mut text = format!(
        "| cases of | seen in one of the {} routers | in no router, of those that one can have |\n|---|---|---|\n",
        all.len()
    );
    for (stage, (seen, missed)) in stages {
        let never: Vec<_> = missed.difference(&seen).copied().collect();
        let _ = writeln!(text, "| {stage} | {} | {} |", seen.len(), never.join(", "));
    }
    text
}

/// A row for each search of the core's router.
fn searched(Searches { search }: &Searches) -> String {
    let mut text = String::from(
        "| router of the core | sizes | states, all there are | ways between them |\n|---|---|---|---|\n",
    );
    for Search { router, sizes, states, ways } in search {
        let _ = writeln!(text, "| {router} | {sizes} | {states} | {ways} |");
    }
    text
}
