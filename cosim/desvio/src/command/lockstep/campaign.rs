//! `desvio lockstep --campaign`: routers that together have every choice of the RTL.

use super::super::failure::Failure;
use super::super::{output, take};
use super::summary::{impossible, structural};
use super::{Arguments, Run, compile, progress_bar, soak};
use desvio_lockstep::campaign::{CONFIGURATIONS, CampaignError, Configuration};
use desvio_lockstep::compare::Compared;
use desvio_lockstep::coverage::Coverage;
use desvio_lockstep::places::places;
use desvio_lockstep::rtl::Shape;
use desvio_sim::blueprint::Blueprint;
use rayon::prelude::*;
use std::collections::BTreeMap;
use verilated::{Library, Trace};

/// A router of the campaign, compiled.
struct Built {
    configuration: Configuration,
    blueprint: Blueprint,
    shape: Shape,
    library: Library,
}

/// What all of them have seen of a case.
#[derive(Default)]
pub(super) struct Seen {
    count: u64,
    /// In each configuration it is impossible, for this reason in the last.
    impossible: Option<&'static str>,
    possible: bool,
}

pub(super) fn campaign(arguments: &Arguments) -> Result<(), Failure> {
    let is_asked_for = |configuration: &&Configuration| {
        arguments.only.is_empty() || arguments.only.iter().any(|name| name == configuration.name)
    };
    // Before anything is compiled, which takes longer.
    let _out = take(&arguments.out)?;
    let chosen: Vec<_> = CONFIGURATIONS.iter().filter(is_asked_for).collect();
    if !arguments.quiet {
        output::tell(&format!("{} configurations; those that are not kept are compiled …", chosen.len()));
    }
    let built: Vec<Built> =
        chosen.par_iter().map(|configuration| build(**configuration, arguments)).collect::<Result<_, _>>()?;
    if arguments.soak {
        let mut runs = Vec::new();
        for built in &built {
            runs.push((built.configuration.name, run(built, arguments)?));
        }
        return soak::soak(&runs, arguments);
    }
    let bar = progress_bar(arguments, arguments.cycles * built.len() as u64);
    let mut rows = Vec::new();
    let (mut cases, mut compared, mut points) = (BTreeMap::new(), Compared::default(), Vec::new());
    for built in &built {
        bar.set_message(format!("({})", built.configuration.name));
        let total =
            run(built, arguments)?.all(&bar).map_err(|failure| named(built.configuration.name, failure))?;
        add(&mut cases, &total.coverage);
        compared += total.compared;
        points.extend(total.points);
        rows.push(row(built.configuration.name, total.stimuli, &total.compared, &total.coverage));
    }
    bar.finish_and_clear();
    let stranded = compared.told_stranded().into_iter().collect();
    let reached = if arguments.coverage { structural(&points, &arguments.out)? } else { Vec::new() };
    output::print(&[table(&rows), stranded, merged(&cases, arguments.verbose), reached].concat().join("\n"))
}

/// The name of a configuration.
pub(super) fn known(name: &str) -> Result<String, String> {
    let names: Vec<_> = CONFIGURATIONS.iter().map(|configuration| configuration.name).collect();
    if names.contains(&name) {
        return Ok(name.to_owned());
    }
    Err(format!("there is no such configuration, only {}", names.join(", ")))
}

fn build(configuration: Configuration, arguments: &Arguments) -> Result<Built, Failure> {
    let told = |error: CampaignError| Failure::Input(format!("error: {}: {error}", configuration.name));
    let blueprint = configuration.blueprint().map_err(told)?;
    let shape = configuration.shape(&blueprint).map_err(told)?;
    let library = compile(&shape, arguments, Trace::None, true)?;
    Ok(Built { configuration, blueprint, shape, library })
}

fn run<'a>(built: &'a Built, arguments: &'a Arguments) -> Result<Run<'a>, Failure> {
    let Built { blueprint, shape, library, .. } = built;
    let seed = arguments.seed.unwrap_or(blueprint.scenario().run.seed);
    Ok(Run {
        arguments,
        blueprint,
        shape,
        mcu: None,
        routers: places(blueprint, 0),
        seed,
        library: library.clone(),
    })
}

/// A failure, after the name of the configuration in which it happened.
pub(super) fn named(name: &str, failure: Failure) -> Failure {
    match failure {
        Failure::Broken(message) => Failure::Broken(format!("configuration {name}: {message}")),
        other => other,
    }
}

pub(super) fn add(cases: &mut BTreeMap<String, Seen>, coverage: &Coverage) {
    for point in coverage.points() {
        let seen = cases.entry(point.name.clone()).or_default();
        seen.count += point.count;
        seen.possible |= point.excluded.is_none();
        seen.impossible = point.excluded.or(seen.impossible);
    }
}

/// What a configuration has done.
pub(super) fn row(name: &str, stimuli: u64, compared: &Compared, coverage: &Coverage) -> [String; 6] {
    let (reached, possible) = coverage.reached();
    [
        name.to_owned(),
        stimuli.to_string(),
        compared.cycles.to_string(),
        compared.values.to_string(),
        compared.flits.to_string(),
        format!("{reached} of {possible}"),
    ]
}

pub(super) fn table(rows: &[[String; 6]]) -> Vec<String> {
    let head =
        ["configuration", "stimuli", "cycles", "values compared", "flits out", "cases"].map(str::to_owned);
    let all = || std::iter::once(&head).chain(rows);
    let widths: [usize; 6] =
        std::array::from_fn(|column| all().map(|row| row[column].len()).max().unwrap_or_default());
    let line = |row: &[String; 6]| {
        let [name, numbers @ ..] = row;
        let cells = numbers.iter().zip(&widths[1..]).map(|(cell, width)| format!("  {cell:>width$}"));
        format!("{name:width$}{}", cells.collect::<String>(), width = widths[0])
    };
    all().map(line).collect()
}

pub(super) fn merged(cases: &BTreeMap<String, Seen>, verbose: bool) -> Vec<String> {
    let possible = cases.values().filter(|seen| seen.possible || seen.count > 0).count();
    let reached = cases.values().filter(|seen| seen.count > 0).count();
    let mut lines =
        vec![format!("no difference; functional coverage of all together: {reached} of {possible} cases")];
    let mut excluded = Vec::new();
    for (name, seen) in cases.iter().filter(|(_, seen)| seen.count == 0) {
        match seen.impossible.filter(|_| !seen.possible) {
            Some(reason) => excluded.push((name.as_str(), reason)),
            None => lines.push(format!("  never: {name}")),
        }
    }
    lines.extend(impossible(excluded, verbose));
    lines
}
