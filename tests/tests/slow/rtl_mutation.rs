//! Does the suite find a slip in the SystemVerilog? Typical ones are made in every module of `hdl/`, and lockstep with the
//! model, or a check of `hdl/check/`, has to notice each. Those that change nothing have to be proven to.
//!
//! `DESVIO_MUTANTS=20` tries as many of each module, prints how each is found, and is no test: it shows what no stimulus
//! reaches. A great number tries every site there is. `DESVIO_MUTANTS_SEED=7` takes others, `DESVIO_MUTANTS_OF=dragonfly,select:80` those
//! of some modules, or lines of them, alone.

mod circuit;
mod contract;
mod corners;
mod elsewhere;
mod plans;
mod planted;
mod proof;
mod region;
mod schema;
mod site;
mod token;
mod unit;
mod worlds;

use corners::corners;
use desvio_lockstep::rtl::Sources;
use desvio_sim::blueprint::Blueprint;
use desvio_tests::draw::third_of;
use desvio_tests::record::record;
use desvio_tests::rtl::{hdl, insists};
use plans::PLANS;
use planted::PLANTED;
use proof::{Prover, Verdict};
use rayon::prelude::*;
use schema::Modules;
use site::Site;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::Instant;
use unit::Unit;
use verilated::BuildError;
use worlds::{Round, World};

/// Which sites are taken, where nothing else is asked for.
const SEED: u64 = 1;
/// Mutants of each module, and one more for so many sites.
const LEAST: usize = 2;
const SITES_FOR_ONE: usize = 25;
/// Cycles in each configuration that a mutant must survive to count as not found.
const CYCLES: u64 = 60_000;

/// What became of a mutant.
#[derive(Debug)]
enum Fate {
    /// Lockstep differed: where, and how.
    Lockstep(String),
    /// A check of `hdl/check/` failed.
    Check(String),
    /// A bench of its own differed, or a test of its stage.
    Bench(String),
    /// It is no change: by this proof.
    Equivalent(String),
    Survived,
}

/// The RTL with all mutants in it, compiled in all configurations.
struct Farm<'b> {
    worlds: Vec<World<'b>>,
    units: Vec<Unit>,
}

impl<'b> Farm<'b> {
    fn new(sources: &Sources, cache: &Path, blueprints: &'b [Blueprint]) -> Result<Self, BuildError> {
        // Alone, so that all the others find the run-time library compiled.
        let units = Unit::all(sources, cache)?;
        let worlds = PLANS
            .par_iter()
            .zip(blueprints)
            .map(|(plan, blueprint)| World::new(plan, blueprint, sources, cache, CYCLES));
        Ok(Self { units, worlds: worlds.collect::<Result<_, _>>()? })
    }

    /// Looks for a mutant wherever its module is.
    fn hunt(&self, number: u16, site: &Site) -> Fate {
        for unit in self.units.iter().filter(|unit| unit.module == site.module) {
            if let Some(found) = unit.hunt(number) {
                return Fate::Bench(format!("{}: {found}", unit.name));
            }
        }
        let worlds = || self.worlds.iter().filter(|world| world.has(&site.module));
        let rounds = [Round::First, Round::Rest];
        for (round, world) in rounds.into_iter().flat_map(|round| worlds().map(move |world| (round, world))) {
            if let (cycles, Some(found)) = world.hunt(number, round) {
                let found_at = format!("{}, after {cycles} cycles: {found}", world.name);
                return if found.contains("assertion in") {
                    Fate::Check(found_at)
                } else {
                    Fate::Lockstep(found_at)
                };
            }
        }
        Fate::Survived
    }
}

#[test]
fn slips_are_found() {
    let begin = Instant::now();
    let hdl = hdl();
    let modules = worlds::modules(&hdl);
    // Those of the checks first: their numbers are those of the list.
    let mut planted: Vec<Site> =
        PLANTED.iter().map(|planted| planted.site(&modules)).chain(corners(&modules)).collect();
    if of().is_some() {
        planted.clear();
    }
    let all = pick(&modules, &planted);
    if of().is_none() {
        are_enough(&modules, planted.iter().chain(&all));
    }
    let picked = if explores().is_none() { third_of("drawn mutants", all) } else { all };
    let mutants: Vec<Site> = planted.iter().chain(&picked).cloned().collect();

    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("hdl");
    schema::write(&copy, &modules, &mutants).expect("a copy of hdl");
    let files = [("ring.txt", plans::RING), ("row.txt", plans::ROW), ("row.csv", plans::TABLES)];
    for (file, text) in files.into_iter().chain([("lanes.csv", &*plans::lanes())]) {
        std::fs::write(folder.path().join(file), text).expect("a graph, or its tables");
    }
    let sources = Sources::folder(&copy).expect("all files");
    let blueprints: Vec<_> = PLANS.iter().map(|plan| plans::blueprint(plan, folder.path())).collect();
    let farm = match Farm::new(&sources, &folder.path().join("cache"), &blueprints) {
        Ok(farm) => farm,
        Err(error) if matches!(error, BuildError::VerilatorMissing { .. }) && !insists() => {
            println!("skipped, no mutant was tried: {error}");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    println!("{} configurations compiled in {:.0?}", farm.worlds.len(), begin.elapsed());

    let prover = Prover::new(
        &modules,
        farm.worlds
            .iter()
            .map(|world| (world.name, world.shape.parameters.clone()))
            .chain(worlds::only_proven()),
    );
    let fates: Vec<Fate> = mutants
        .par_iter()
        .zip(1u16..=u16::MAX)
        .map(|(site, number)| match farm.hunt(number, site) {
            Fate::Survived => proven(&prover, &modules, site),
            found => found,
        })
        .collect();
    accuses_none(&farm);
    let survivors = report(&mutants, &fates);
    if of().is_none() {
        each_check_can_fail(&farm);
    }
    println!("in all {:.0?}", begin.elapsed());
    if explores().is_none() {
        assert!(survivors.is_empty(), "not found, and not proven to be no change:\n{}", survivors.join("\n"));
    }
}

/// How many mutants of each module are to be tried, where this is no test.
fn explores() -> Option<usize> {
    std::env::var("DESVIO_MUTANTS").ok().map(|count| count.parse().expect("DESVIO_MUTANTS is a number"))
}

/// The modules, or `module:line`, whose mutants are to be tried, where not all are.
fn of() -> Option<String> {
    std::env::var("DESVIO_MUTANTS_OF").ok().filter(|_| explores().is_some())
}

/// Which sites are taken.
fn seed() -> u64 {
    std::env::var("DESVIO_MUTANTS_SEED")
        .map_or(SEED, |seed| seed.parse().expect("DESVIO_MUTANTS_SEED is a number"))
}

/// The inputs of each module, by its whole name.
fn inputs_of(modules: &Modules) -> region::Inputs {
    modules
        .iter()
        .map(|(name, text)| (format!("{}{name}", desvio_hdl::PREFIX), region::inputs_of(text)))
        .collect()
}

/// Some sites of each module, by their seed; none inside of what is planted.
fn pick(modules: &Modules, planted: &[Site]) -> Vec<Site> {
    let inputs = inputs_of(modules);
    let (seed, mut picked) = (seed(), Vec::new());
    let is_asked_for = |site: &Site| {
        let line = format!("{}:{}", site.module, site.line);
        of().is_none_or(|all| all.split(',').any(|asked| asked == site.module || asked == line))
    };
    for (module, text) in modules.iter().filter(|(module, _)| !worlds::has_no_logic(module)) {
        let mut sites = site::sites(module, text, &inputs);
        sites.retain(is_asked_for);
        sites.retain(|site| !worlds::is_for_control(module, text, site.line));
        sites.retain(|site| {
            let (start, end) = site.bytes;
            planted
                .iter()
                .all(|other| other.module != *module || other.bytes.1 <= start || end <= other.bytes.0)
        });
        let count = explores().unwrap_or(LEAST + sites.len() / SITES_FOR_ONE);
        let order = |site: &Site| {
            let mut hasher = DefaultHasher::new();
            (seed, &site.module, &site.before, &site.after).hash(&mut hasher);
            hasher.finish()
        };
        sites.sort_by_key(order);
        sites.truncate(count);
        sites.sort_by_key(|site| site.line);
        picked.extend(sites);
    }
    picked
}

/// Each module has its least number of mutants, of which a third runs.
fn are_enough<'s>(modules: &Modules, mutants: impl Iterator<Item = &'s Site>) {
    let inputs = inputs_of(modules);
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    mutants.for_each(|site| *tried.entry(&site.module).or_default() += 1);
    for (module, text) in modules.iter().filter(|(module, _)| !worlds::has_no_logic(module)) {
        let least = LEAST.min(site::sites(module, text, &inputs).len()).max(1);
        let count = tried.get(module.as_str()).copied().unwrap_or_default();
        assert!(count >= least, "{module}: {count} mutants, at least {least} are asked for");
    }
}

/// Without a mutant, the routers made here are like the model, under all that mutants were found by.
fn accuses_none(farm: &Farm<'_>) {
    let cycles: u64 = farm
        .worlds
        .par_iter()
        .map(|world| {
            assert!(world.cycles() >= CYCLES, "{}: {} cycles", world.name, world.cycles());
            let (cycles, found) = world.accuses();
            assert_eq!(found, None, "{}: no mutant was chosen", world.name);
            cycles
        })
        .sum();
    println!("without a mutant no difference in {cycles} cycles");
    assert!(cycles > 0 || of().is_some(), "nothing was run without a mutant");
    for unit in &farm.units {
        assert_eq!(unit.hunt(0), None, "{}: no mutant was chosen", unit.name);
    }
}

/// What becomes of one that runs like the original here.
fn proven(prover: &Prover<'_>, modules: &Modules, site: &Site) -> Fate {
    if let Some(found) = elsewhere::hunt(modules, site) {
        return Fate::Bench(found);
    }
    match prover.prove(site) {
        Verdict::Equivalent(how) => Fate::Equivalent(how),
        Verdict::Open => Fate::Survived,
    }
}

/// What became of a module's mutants, as data.
fn toml_of(name: &str, row: &[usize; 6]) -> String {
    let [tried, lockstep, check, bench, proven, survived] = row;
    format!(
        "\n[[module]]\nname = \"{name}\"\ntried = {tried}\nlockstep = {lockstep}\ncheck = {check}\nbench = {bench}\n\
         proven = {proven}\nsurvived = {survived}\n"
    )
}

/// Prints the score by module; gives those who survived.
fn report(mutants: &[Site], fates: &[Fate]) -> Vec<String> {
    let mut rows: BTreeMap<&str, [usize; 6]> = BTreeMap::new();
    let mut survivors = Vec::new();
    for (site, fate) in mutants.iter().zip(fates) {
        let column = match fate {
            Fate::Lockstep(_) => 1,
            Fate::Check(_) => 2,
            Fate::Bench(_) => 3,
            Fate::Equivalent(_) => 4,
            Fate::Survived => 5,
        };
        for (column, row) in [(0, &site.module as &str), (column, &site.module), (0, "all"), (column, "all")]
        {
            rows.entry(row).or_default()[column] += 1;
        }
        match fate {
            Fate::Survived => {
                println!("survived: {site}");
                survivors.push(site.to_string());
            }
            Fate::Equivalent(how) => println!("no change: {site}\n      {how}"),
            Fate::Lockstep(how) | Fate::Check(how) | Fate::Bench(how) => {
                if explores().is_some() {
                    println!("found: {site}\n      {how}");
                }
            }
        }
    }
    let all = rows.remove("all").unwrap_or_default();
    println!("{:24} planted lockstep check bench proven survived", "module");
    for (name, [planted, lockstep, check, bench, proven, survived]) in rows.iter().chain([(&"all", &all)]) {
        println!("{name:24} {planted:7} {lockstep:8} {check:5} {bench:5} {proven:6} {survived:8}");
    }
    let all_rows = rows.iter().map(|(name, row)| toml_of(name, row));
    if of().is_some() {
        return survivors;
    }
    record("mutants.toml", &format!("seed = {}\n{}", seed(), all_rows.collect::<String>()));
    survivors
}

/// Each named check says so itself when its defect is planted, whatever the model says.
fn each_check_can_fail(farm: &Farm<'_>) {
    let found: Vec<_> = (1u16..)
        .zip(&PLANTED)
        .par_bridge()
        .map(|(number, planted)| {
            let failed = farm
                .worlds
                .iter()
                .find_map(|world| world.check(number).filter(|message| message.starts_with(planted.breaks)));
            (planted.breaks, failed)
        })
        .collect();
    let silent: BTreeSet<_> =
        found.iter().filter(|(_, failed)| failed.is_none()).map(|(name, _)| *name).collect();
    for (name, failed) in found {
        println!("{name} fails on its defect: {}", failed.unwrap_or_else(|| "never".to_owned()));
    }
    assert!(silent.is_empty(), "these checks do not see their defect: {silent:?}");
}
