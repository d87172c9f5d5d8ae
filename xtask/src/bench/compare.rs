//! Simulators in turn, on one experiment: their speed, and whether it is one experiment.

use super::desvio::Desvio;
use super::experiment::Experiment;
use super::simulator::{Reading, Run, Simulator};
use super::timed::{TIME, timed};
use crate::step::{Failure, root};
use crate::tools;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// How far accepted load and mean hops may be apart, as a share: the programs draw other packets.
const TOLERANCE: f64 = 0.02;

/// How far what a router adds may be from what is documented, in cycles: the load is not zero.
const PIPELINE_TOLERANCE: f64 = 0.5;

/// A load at which packets seldom meet.
const ZERO_LOAD: f64 = 0.01;

/// A scenario of `scenarios`, and whom it is compared with.
pub(super) struct Comparison {
    pub(super) scenario: &'static str,
    pub(super) peers: Vec<Box<dyn Simulator>>,
}

/// What was measured of one program.
#[derive(Debug)]
struct Row {
    name: String,
    /// Simulated cycles per second, of each repetition.
    speeds: Vec<f64>,
    /// Seconds before the first cycle, likewise.
    starts: Vec<f64>,
    mib: f64,
    loaded: Reading,
    /// At zero load: the latency, and what of it each router adds.
    unloaded: Reading,
    share: f64,
    documented: Option<f64>,
}

/// Runs all of them; prints a table for each scenario. Fails when two programs did not do the same experiment.
pub(super) fn compare(comparisons: &[Comparison], repeats: u32) -> Result<(), Failure> {
    tools::provide(&[TIME])?;
    let ours = Desvio::build()?;
    println!("Machine: {}, {}.", machine(), rustc());
    let mut doubts = Vec::new();
    for Comparison { scenario, peers } in comparisons {
        let experiment = Experiment::read(scenario)?;
        let programs: Vec<&dyn Simulator> =
            [&ours as &dyn Simulator].into_iter().chain(peers.iter().map(Box::as_ref)).collect();
        let rows = measure(&experiment, scenario, &programs, repeats)?;
        println!("{}", table(&experiment, scenario, &rows, repeats));
        doubts.extend(doubts_about(&rows).into_iter().map(|doubt| format!("{scenario}: {doubt}")));
    }
    if doubts.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("not the same experiment:\n  {}", doubts.join("\n  "))))
}

fn measure(
    experiment: &Experiment,
    scenario: &str,
    programs: &[&dyn Simulator],
    repeats: u32,
) -> Result<Vec<Row>, Failure> {
    let load = experiment.traffic.loads[0];
    let (warmup, measured) = (experiment.run.warmup, experiment.run.measured);
    let (full, short) = (Run { load, warmup, measured }, Run { load, warmup: 0, measured: 1 });
    let mut rows = Vec::new();
    for program in programs {
        let name = program.name();
        eprintln!("── {scenario}: {name}, zero load");
        let (_, unloaded, _) = once(*program, experiment, scenario, Run { load: ZERO_LOAD, ..full })?;
        let share = experiment.router_share(unloaded.latency, unloaded.hops);
        let documented = program.router_cycles(experiment);
        let (speeds, starts) = (Vec::new(), Vec::new());
        rows.push(Row { name, speeds, starts, mib: 0.0, loaded: unloaded, unloaded, share, documented });
    }
    for round in 1..=repeats {
        for (program, row) in programs.iter().zip(&mut rows) {
            eprintln!("── {scenario}: {}, {round} of {repeats}", row.name);
            let (start, first, _) = once(*program, experiment, scenario, short)?;
            let (seconds, reading, mib) = once(*program, experiment, scenario, full)?;
            row.speeds.push(
                (reading.cycles - first.cycles.min(reading.cycles)) as f64 / (seconds - start).max(1e-3),
            );
            row.starts.push(start);
            row.mib = row.mib.max(mib);
            row.loaded = reading;
        }
    }
    Ok(rows)
}

/// One run: its seconds, what it says, its memory.
fn once(
    program: &dyn Simulator,
    experiment: &Experiment,
    scenario: &str,
    run: Run,
) -> Result<(f64, Reading, f64), Failure> {
    let folder =
        root().join("results/bench").join(format!("{scenario}-{}", program.name().replace([' ', ','], "")));
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    // What an earlier run left must not be taken for this one's.
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    fs::create_dir_all(&folder).map_err(failed)?;
    let job = program.prepare(experiment, run, &folder)?;
    let timed = timed(&job, &folder)?;
    Ok((timed.seconds, program.read(&timed.output, &folder)?, timed.mib))
}

/// Why these may not have done the same.
fn doubts_about(rows: &[Row]) -> Vec<String> {
    let [ours, peers @ ..] = rows else { return Vec::new() };
    let mut doubts = Vec::new();
    let mut near = |row: &Row, what: &str, ours: f64, theirs: f64| {
        if !is_near(ours, theirs, TOLERANCE * ours) {
            doubts.push(format!("{}: {what} {theirs:.4}, ours {ours:.4}", row.name));
        }
    };
    for peer in peers {
        near(peer, "accepted load", ours.loaded.accepted, peer.loaded.accepted);
        near(peer, "hops", ours.loaded.hops, peer.loaded.hops);
    }
    for row in rows {
        if let Some(documented) = row.documented
            && !is_near(row.share, documented, PIPELINE_TOLERANCE)
        {
            let (name, share) = (&row.name, row.share);
            doubts.push(format!(
                "{name}: a router adds {share:.2} cycles at zero load, documented are {documented}"
            ));
        }
    }
    doubts
}

/// Never so when one of them is no number.
fn is_near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

fn table(experiment: &Experiment, scenario: &str, rows: &[Row], repeats: u32) -> String {
    let mut text = format!(
        "\n### `scenarios/{scenario}.toml`\n\n{} nodes, {}, load {}, {} + {} cycles, median of {repeats}.\n\n",
        experiment.nodes(),
        experiment.routing.algorithm,
        experiment.traffic.loads[0],
        experiment.run.warmup,
        experiment.run.measured,
    );
    text.push_str("| | cycles/s | ours is | start | memory | accepted | latency | hops | at load 0.01 | a router's part | documented |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for row in rows {
        // Of runs one after the other, so that both had the machine as it was then.
        let ratios = rows[0].speeds.iter().zip(&row.speeds).map(|(ours, theirs)| ours / theirs);
        let _ = writeln!(
            text,
            "| {} | {} | {:.1}× | {:.2} s | {:.0} MiB | {:.4} | {:.1} | {:.3} | {:.2} | {:.2} | {} |",
            row.name,
            digits(median(row.speeds.iter().copied())),
            median(ratios),
            median(row.starts.iter().copied()),
            row.mib,
            row.loaded.accepted,
            row.loaded.latency,
            row.loaded.hops,
            row.unloaded.latency,
            row.share,
            row.documented.map_or("–".to_owned(), |cycles| cycles.to_string()),
        );
    }
    text
}

/// A speed of two digits has one more behind the point.
fn digits(speed: f64) -> String {
    if speed < 100.0 { format!("{speed:.1}") } else { format!("{speed:.0}") }
}

/// The middle one; of an even number the upper.
fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// What it runs on.
fn machine() -> String {
    let info = fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model =
        info.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{}, {cores} cores", model.map_or("an unknown processor", |(_, name)| name))
}

fn rustc() -> String {
    let output = std::process::Command::new("rustc").arg("--version").output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(accepted: f64, hops: f64, share: f64) -> Row {
        let reading = Reading { cycles: 10, accepted, latency: 1.0, hops };
        Row {
            name: "peer".to_owned(),
            speeds: vec![1.0],
            starts: vec![0.0],
            mib: 1.0,
            loaded: reading,
            unloaded: reading,
            share,
            documented: Some(4.0),
        }
    }

    #[test]
    fn the_same_experiment_raises_no_doubt() {
        assert_eq!(doubts_about(&[row(0.5, 2.7, 4.0), row(0.495, 2.69, 4.1)]), Vec::<String>::new());
    }

    #[test]
    fn another_load_another_route_and_another_pipeline_do() {
        assert_eq!(doubts_about(&[row(0.5, 2.7, 4.0), row(0.48, 2.7, 4.0)]).len(), 1);
        assert_eq!(doubts_about(&[row(0.5, 2.7, 4.0), row(0.5, 3.0, 4.0)]).len(), 1);
        assert_eq!(doubts_about(&[row(0.5, 2.7, 4.0), row(0.5, 2.7, 3.0)]).len(), 1);
    }

    #[test]
    fn a_number_that_is_none_is_a_doubt() {
        assert_eq!(doubts_about(&[row(0.5, 2.7, 4.0), row(f64::NAN, f64::NAN, f64::NAN)]).len(), 3);
    }

    #[test]
    fn sizes_are_understood() {
        for (name, nodes) in [("large/h8", 16_512), ("large/h16", 262_656), ("peers/caminos-h8", 16_512)] {
            let experiment = Experiment::read(name).unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!(experiment.nodes(), nodes, "{name}");
        }
    }

    #[test]
    fn what_a_router_adds_is_what_links_and_length_do_not_explain() {
        let experiment =
            Experiment::read("peers/booksim-torus").unwrap_or_else(|failure| panic!("{failure}"));
        // 4 hops of 1 cycle, 5 routers of 4 cycles, 2 cycles to and from the nodes, a packet of 1 flit.
        assert!((experiment.router_share(26.0, 4.0) - 4.0).abs() < 1e-9);
    }
}
