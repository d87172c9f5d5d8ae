//! `desvio campaign run`: computes what is missing.

use super::display::Display;
use super::{Of, entries, refused};
use crate::command::failure::Failure;
use crate::command::{interrupt, output, start_threads};
use clap::Args;
use desvio_campaign::{CampaignError, Plan, Segment, Shard, Store, Tally, missing};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Computes the points that are missing, and keeps each as soon as it is finished
///
/// May be killed at any time: points that are finished are never computed again. Start it on as many machines with a common
/// folder as there are: each takes points that no other has finished. Where machines have no folder in common, give each
/// its own points with --shard, and copy their folders over each other at the end: `cp -r`.
///
/// A point that cannot be run is recorded with its message, shown by `status`, and tried again by the next run. A
/// deadlock is a result: a row of the table whose state says so.
///
/// SIGINT, SIGTERM and SIGUSR1 end it with all that is finished, and a line that says where it is.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    of: Of,
    /// Threads to run on: points side by side, then the parts of large networks [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Only part I of N: every Nth point, from the Ith on
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Only the point whose name is this, or begins with it
    #[arg(long, value_name = "HASH", conflicts_with = "shard")]
    point: Option<String>,
    /// Begin no further point after so many have failed [default: go on]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_failures: Option<u64>,
    /// Tell nothing but results and errors
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = r"Examples:
  desvio campaign run scenarios/campaign/grid.toml
  desvio campaign run scenarios/campaign/grid.toml --threads 1 --shard 2/10
  desvio campaign run scenarios/campaign/grid.toml --point ae0b55ce

Exit status: 0 all is well; 1 a failed point, a deadlock or another
broken invariant; 2 bad input.";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    start_threads(arguments.threads)?;
    let (plan, mut store) = arguments.of.open()?;
    mend(&mut store)?;
    let points = points(arguments, &plan, &store)?;
    if points.is_empty() {
        return output::print("nothing is missing");
    }
    let segment = Arc::new(Mutex::new(store.segment()));
    let display = Arc::new(Display::new(points.len(), arguments.quiet));
    end_cleanly(&segment, &display, store.folder());
    let most = arguments.max_failures.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
    let tally = desvio_campaign::run(&plan, store, &points, &segment, &*display, most);
    display.end();
    tell(arguments, points.len(), tally)
}

/// Removes damaged entries, each with a line.
fn mend(store: &mut Store) -> Result<(), Failure> {
    for damage in store.mend().map_err(refused)? {
        output::tell(&format!("{}: {} removed", damage.path.display(), entries(damage.lines)));
    }
    Ok(())
}

/// The numbers of the points to run, in an order of this process alone. Several processes may be at these points, also at those of one
/// shard, where an engine starts a task again while the first one still lives.
fn points(arguments: &Arguments, plan: &Plan, store: &Store) -> Result<Vec<usize>, Failure> {
    if let Some(digits) = &arguments.point {
        let n = plan.find(digits).map_err(refused)?;
        return Ok(if store.is_finished(plan.points()[n].id) { Vec::new() } else { vec![n] });
    }
    let mut points = missing(plan, store, arguments.shard);
    desvio_campaign::scatter(plan, &mut points);
    Ok(points)
}

/// What a signal leaves.
fn end_cleanly(segment: &Arc<Mutex<Segment>>, display: &Arc<Display>, folder: &Path) {
    let (segment, display, folder) = (Arc::clone(segment), Arc::clone(display), folder.display().to_string());
    interrupt::on_signal(move || {
        display.end();
        let mut segment = segment.lock().unwrap_or_else(PoisonError::into_inner);
        let (written, pending) = (segment.flush(), segment.pending());
        // Nothing is being written, and nothing more will be.
        std::mem::forget(segment);
        match written {
            Ok(()) => format!("all finished points are in {folder}; the same command computes the rest"),
            Err(error) => format!("{pending} finished points are not in {folder}: {error}"),
        }
    });
}

fn tell(arguments: &Arguments, points: usize, tally: Tally) -> Result<(), Failure> {
    let Tally { finished, violations, failed, elsewhere, is_cut, unwritten } = tally;
    let mut parts = vec![format!("{finished} of {points} points finished")];
    let others =
        [(elsewhere, "finished by other processes"), (violations, "with a violation"), (failed, "failed")];
    parts
        .extend(others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    output::print(&parts.join(", "))?;
    if let Some((lines, source)) = unwritten {
        let path = arguments.of.out().join("points");
        let error = CampaignError::Store { path, source };
        return Err(Failure::Input(format!("error: {lines} finished points could not be written: {error}")));
    }
    match (failed, violations) {
        (0, 0) => Ok(()),
        _ if is_cut => Err(Failure::Broken(
            "error: too many points failed; `desvio campaign status` names them".to_owned(),
        )),
        _ => Err(Failure::Broken("error: `desvio campaign status` names the points that failed".to_owned())),
    }
}
