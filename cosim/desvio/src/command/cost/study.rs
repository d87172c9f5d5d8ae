//! `desvio cost --study`: what mechanisms cost beside what they gain.

use super::super::{cases::Case, failure::Failure, output};
use super::display::Display;
use super::{Arguments, failed, row, shape, show, synthesis};
use desvio_cost::study::{Base, Finding, Mechanism, Study, csv, draw_gain, table};
use desvio_cost::{Report, Row, Synthesis, report};
use desvio_sim::run;
use rayon::prelude::*;
use std::path::Path;

/// Synthesises and simulates every mechanism in every router.
pub(super) fn study(file: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let study = Study::load(file).map_err(failed)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let pairs = study.pairs();
    // Unreadable files are reported before the long work begins.
    for (base, mechanism) in &pairs {
        shape(&folder.join(&base.scenario), &keys(&study, base, &mechanism.set, &[]))?;
    }
    let synthesis = synthesis(arguments, &arguments.targets)?;
    let display = Display::new(arguments.quiet);
    let mut report = Report { rows: Vec::new(), tools: synthesis.tools().versions().clone() };
    let mut findings = Vec::new();
    for (base, mechanism) in &pairs {
        let built = built(&study, base, mechanism, folder, &synthesis, arguments, &display)?;
        report.rows.push(Row { name: format!("{}, {}", base.name, mechanism.name), ..built.clone() });
        findings.push(Finding { base: base.name.clone(), row: built, accepted: Vec::new() });
        report::write(&report, &arguments.out).map_err(failed)?;
    }
    let accepted: Vec<Vec<f64>> = pairs
        .par_iter()
        .with_max_len(1)
        .map(|(base, mechanism)| accepted(&study, base, mechanism, folder, arguments.quiet))
        .collect::<Result<_, _>>()?;
    for (finding, accepted) in findings.iter_mut().zip(accepted) {
        finding.accepted = accepted;
    }
    display.end();
    let table = table(&findings, &study.traffic);
    report::replace(&arguments.out.join("study.csv"), &csv(&findings, &study.traffic)).map_err(failed)?;
    draw_gain(&findings, &study.traffic, &arguments.out).map_err(failed)?;
    for base in &study.router {
        let rows =
            findings.iter().filter(|finding| finding.base == base.name).map(|finding| finding.row.clone());
        let report = Report { rows: rows.collect(), tools: report.tools.clone() };
        let stem = base.name.replace(' ', "-");
        report::draw(&report, &arguments.out.join(stem)).map_err(failed)?;
    }
    show(&table, "study.md", arguments)
}

/// All keys of one scenario of the study.
fn keys(study: &Study, base: &Base, mechanism: &[String], traffic: &[String]) -> Vec<String> {
    [&study.set, &base.set, mechanism, traffic].into_iter().flatten().cloned().collect()
}

/// What a mechanism costs in a router.
fn built(
    study: &Study,
    base: &Base,
    mechanism: &Mechanism,
    folder: &Path,
    synthesis: &Synthesis,
    arguments: &Arguments,
    display: &Display,
) -> Result<Row, Failure> {
    let scenario = folder.join(&base.scenario);
    let (blueprint, shape) = shape(&scenario, &keys(study, base, &mechanism.set, &[]))?;
    row(&mechanism.name, &blueprint, &shape, synthesis, arguments, display)
}

/// The load that a mechanism accepts at offered load 1, by traffic.
fn accepted(
    study: &Study,
    base: &Base,
    mechanism: &Mechanism,
    folder: &Path,
    quiet: bool,
) -> Result<Vec<f64>, Failure> {
    let under = |traffic: &desvio_cost::study::Traffic| {
        let name = format!("{}, {}, {}", base.name, mechanism.name, traffic.name);
        let sets = keys(study, base, &mechanism.set, &traffic.set);
        let case = Case::load(&folder.join(&base.scenario), &sets, &name)?;
        let outcome = run::run(&case.blueprint, 1.0, &|_| ());
        let outcome = outcome.map_err(|error| Failure::Input(format!("error: {name}: {error}")))?;
        if let Some(violation) = outcome.violation {
            return Err(Failure::Broken(format!("error: {name}: {violation}")));
        }
        if !quiet {
            output::tell(&format!("{name}: accepted {:.4}", outcome.summary.accepted));
        }
        Ok(outcome.summary.accepted)
    };
    study.traffic.iter().map(under).collect()
}
