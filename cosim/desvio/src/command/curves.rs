//! Every load of every curve on one pool of threads; what is finished is kept.

use super::cases::Case;
use super::failure::Failure;
use super::kept::Kept;
use super::progress::Display;
use super::{interrupt, output};
use desvio_report::{Curve, Folder, ReportError, Store, json, table};
use desvio_sim::campaign::{Backlog, Observer, Saturation, find_saturation, run_loads};
use desvio_sim::run::{Outcome, Progress, RunError, lacking};
use desvio_sim::scenario::Loads;
use indicatif::HumanCount;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How a command runs its curves, and what it says of them.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Manner {
    /// Run loads anew that an earlier run into the same folder has finished
    #[arg(long)]
    again: bool,
    /// Print the results as JSON instead of a table: what is in the folder, too
    #[arg(long)]
    json: bool,
    /// Tell nothing but results and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Says what loads that ended at their limit waited for.
fn tell_limits(curves: &[Curve]) {
    let name = |curve: &Curve| if curves.len() > 1 { format!("{}, ", curve.name) } else { String::new() };
    for (curve, point) in curves.iter().flat_map(|curve| curve.points.iter().map(move |point| (curve, point)))
    {
        if let Some(lacks) = lacking(point) {
            let load = point.load;
            output::tell(&format!(
                "{}load {load:.3} ended at its limit (run.limit_cycles): {lacks}",
                name(curve)
            ));
        }
    }
}

/// Runs the cases, prints their table, leaves their files in `out`, and returns their curves. Loads that an earlier run has left there
/// are taken from it.
pub(crate) fn run_all(cases: &[Case], out: &Arc<Folder>, manner: Manner) -> Result<Vec<Curve>, Failure> {
    let begun = Instant::now();
    let desk = desk(cases, out, manner)?;
    let results = cases
        .par_iter()
        .with_max_len(1)
        .enumerate()
        .map(|(n, case)| one(case, &Watch { n, case, desk: &desk }));
    let results = results.collect::<Result<Vec<_>, RunError>>();
    let seconds = begun.elapsed().as_secs_f64();
    desk.display.end();
    let files = desk.files();
    if manner.json {
        output::print_json(&json(files.store.curves()))?;
    } else {
        output::print(&table(files.store.curves()))?;
    }
    let results = results.map_err(|error| Failure::Input(format!("error: {error}")))?;
    if let Some(text) = saturation(cases, &results) {
        if manner.json { output::tell(&text) } else { output::print(&format!("\n{text}"))? }
    }
    files.store.finish().map_err(unwritten)?;
    let kept = desk.kept.flush();
    kept.map_err(|error| Failure::Input(format!("error: cannot write the results: {error}")))?;
    if !manner.quiet {
        tell_limits(files.store.curves());
        tell_speed(&desk.kept, out, seconds);
        output::tell(&format!("results in {}", out.path().display()));
    }
    tell_violations(cases, &results)?;
    Ok(files.store.curves().to_vec())
}

/// Where the curves report; a signal finds there what is finished.
fn desk(
    cases: &[Case],
    out: &Arc<Folder>,
    Manner { quiet, again, .. }: Manner,
) -> Result<Arc<Desk>, Failure> {
    let kept = Kept::open(cases, out, again)?;
    let store = Store::create(Arc::clone(out), cases.iter().map(Case::curve).collect()).map_err(unwritten)?;
    let desk = Arc::new(Desk {
        display: Display::new(cases, quiet),
        files: Mutex::new(Files { store, is_warned: false }),
        backlog: Backlog::default(),
        kept,
    });
    desk.backlog.add(cases.len());
    let (known, out) = (Arc::clone(&desk), Arc::clone(out));
    interrupt::on_signal(move || {
        known.display.end();
        let files = known.files();
        let loads: usize = files.store.curves().iter().map(|curve| curve.points.len()).sum();
        let kept = known.kept.flush();
        let written = files.store.flush().map_err(|error| error.to_string());
        let written = written.and(kept.map_err(|error| error.to_string()));
        // Nothing is being written, and nothing more will be.
        std::mem::forget(files);
        let folder = out.path().display();
        match written {
            Ok(()) => format!("finished loads, {loads}, are in {folder}"),
            Err(error) => format!("of {loads} finished loads the last are not in {folder}: {error}"),
        }
    });
    Ok(desk)
}

/// What came of a curve.
enum Found {
    Loads(Vec<Outcome>),
    Saturation(Saturation),
}

impl Found {
    fn outcomes(&self) -> &[Outcome] {
        match self {
            Self::Loads(outcomes) | Self::Saturation(Saturation { outcomes, .. }) => outcomes,
        }
    }
}

fn one(case: &Case, watch: &Watch<'_>) -> Result<Found, RunError> {
    watch.desk.backlog.begin();
    match &case.blueprint.scenario().traffic.loads {
        Loads::List(loads) => run_loads(&case.blueprint, loads, watch).map(Found::Loads),
        Loads::Saturation => find_saturation(&case.blueprint, watch).map(Found::Saturation),
    }
}

/// Where all curves report.
struct Desk {
    display: Display,
    files: Mutex<Files>,
    /// Curves and loads that no thread has begun yet.
    backlog: Backlog,
    kept: Kept,
}

struct Files {
    store: Store,
    /// Whether it has been reported that files cannot be written. The loads go on: a full disk may have room again.
    is_warned: bool,
}

impl Desk {
    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches the `n`th curve.
struct Watch<'d> {
    n: usize,
    case: &'d Case,
    desk: &'d Desk,
}

impl Observer for Watch<'_> {
    fn progress(&self, load: f64, progress: Progress) {
        self.desk.display.progress(self.n, load, progress);
    }

    fn known(&self, load: f64) -> Option<Outcome> {
        self.desk.kept.take(self.n, self.case, load)
    }

    fn finished(&self, outcome: &Outcome) {
        let kept = self.desk.kept.put(self.n, outcome).map_err(|error| error.to_string());
        let mut files = self.desk.files();
        let written = files.store.push(self.n, outcome.summary.clone()).map_err(|error| error.to_string());
        let written = written.and(kept);
        let warned = written.is_err() && std::mem::replace(&mut files.is_warned, true);
        drop(files);
        if let (Err(error), false) = (written, warned) {
            let text = format!("warning: cannot write the results: {error}; tried again after each load");
            self.desk.display.warn(&text);
        }
        self.desk.display.finished(self.n, outcome);
    }

    fn backlog(&self) -> Option<&Backlog> {
        Some(&self.desk.backlog)
    }
}

fn unwritten(error: ReportError) -> Failure {
    Failure::Input(format!("error: cannot write the results: {error}"))
}

/// One line per curve whose saturation was searched, if there is one.
fn saturation(cases: &[Case], results: &[Found]) -> Option<String> {
    let lines = cases.iter().zip(results).filter_map(|(case, found)| match found {
        Found::Saturation(saturation) => {
            Some(format!("{}{}", of(case, cases, ": "), saturation_line(saturation)))
        }
        Found::Loads(_) => None,
    });
    let lines: Vec<_> = lines.collect();
    (!lines.is_empty()).then(|| format!("{}\n{SATURATION}", lines.join("\n")))
}

const SATURATION: &str =
    "The saturation load is the highest offered load at which every node's source queue keeps up.";

fn saturation_line(Saturation { load, above, at_full_load, outcomes }: &Saturation) -> String {
    if outcomes.iter().any(|outcome| outcome.violation.is_some()) {
        return "saturation load unknown: the search ended with a violation".to_owned();
    }
    let load = match above {
        Some(above) if *load > 0.0 => format!("saturation load between {load:.4} and {above:.4}"),
        Some(above) => format!("saturation load below {above:.4}"),
        None => "not saturated even at full load".to_owned(),
    };
    format!("{load}; accepted at full load: {at_full_load:.4} flits/node/cycle")
}

/// The name and what follows it, where there are several curves.
fn of(case: &Case, cases: &[Case], then: &str) -> String {
    if cases.len() > 1 { format!("{}{then}", case.name) } else { String::new() }
}

fn tell_speed(kept: &Kept, out: &Folder, seconds: f64) {
    let folder = out.path().join("points");
    match kept.taken() {
        0 => {}
        taken => output::tell(&format!(
            "loads that were finished before, {taken}, are from {}; --again runs them anew",
            folder.display()
        )),
    }
    let cycles = kept.cycles();
    let rate = HumanCount((cycles as f64 / seconds) as u64);
    output::tell(&format!("{} simulated cycles in {seconds:.1} s ({rate} cycles/s)", HumanCount(cycles)));
}

/// The invariants that were broken, each with its load.
fn tell_violations(cases: &[Case], results: &[Found]) -> Result<(), Failure> {
    let told = cases.iter().zip(results).flat_map(|(case, found)| {
        found.outcomes().iter().filter_map(move |outcome| {
            let what = match (&outcome.violation, outcome.summary.packets_lost) {
                (Some(violation), _) => case.blueprint.wiring().named(&violation.to_string()),
                (None, 0) => return None,
                (None, lost) => format!("{lost} packets were lost"),
            };
            Some(format!("error: {}load {:.3}: {what}", of(case, cases, ", "), outcome.summary.load))
        })
    });
    let told: Vec<_> = told.collect();
    if told.is_empty() { Ok(()) } else { Err(Failure::Broken(told.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use desvio_sim::blueprint::Blueprint;
    use desvio_sim::network::Violation;
    use desvio_sim::scenario::Scenario;
    use std::path::Path;

    const SCENARIO: &str = "[topology]\nkind = \"mesh\"\ndims = [2, 2]\n[traffic]\nloads = [0.1]\n\
                            [run]\nwarmup_cycles = 100\nmeasure_cycles = 100\n";

    fn case(name: &str) -> Case {
        let scenario = Scenario::parse(SCENARIO, "net.toml", Path::new(""), &[]).unwrap();
        Case { name: name.to_owned(), blueprint: Blueprint::new(scenario).unwrap() }
    }

    fn outcome(violation: Option<Violation>) -> Outcome {
        Outcome { violation, ..desvio_sim::run::run(&case("").blueprint, 0.1, &|_| ()).unwrap() }
    }

    fn deadlock() -> Option<Violation> {
        Some(Violation::Deadlock { cycle: 7, report: "router 3".to_owned() })
    }

    #[test]
    fn a_violation_ends_with_status_1_and_names_its_load() {
        let found = Found::Loads(vec![outcome(None), outcome(deadlock())]);
        let failure = tell_violations(&[case("olm")], &[found]).unwrap_err();
        assert!(failure.message().starts_with("error: load 0.100: deadlock"), "{}", failure.message());
        assert!(failure.message().ends_with("\nrouter 3"));
        assert_eq!(failure.status(), std::process::ExitCode::from(1));
    }

    #[test]
    fn lost_packets_are_a_violation_and_the_curve_is_named() {
        let mut lossy = outcome(None);
        lossy.summary.packets_lost = 2;
        let results = [Found::Loads(vec![outcome(None)]), Found::Loads(vec![lossy])];
        let failure = tell_violations(&[case("a"), case("b")], &results).unwrap_err();
        assert_eq!(failure.message(), "error: b, load 0.100: 2 packets were lost");
        assert!(tell_violations(&[case("a")], &results[..1]).is_ok());
    }

    #[test]
    fn saturation_has_four_endings() {
        let line = |load, above, violation| {
            let outcomes = vec![outcome(violation)];
            saturation_line(&Saturation { load, above, at_full_load: 0.5, outcomes })
        };
        let accepted = "accepted at full load: 0.5000 flits/node/cycle";
        let between = format!("saturation load between 0.4000 and 0.4100; {accepted}");
        assert_eq!(line(0.4, Some(0.41), None), between);
        assert_eq!(line(0.0, Some(0.01), None), format!("saturation load below 0.0100; {accepted}"));
        assert_eq!(line(1.0, None, None), format!("not saturated even at full load; {accepted}"));
        assert!(line(0.0, Some(1.0), deadlock()).starts_with("saturation load unknown"));
    }
}
