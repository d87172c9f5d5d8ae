//! `desvio campaign plan`: what would be run.

use super::{Of, duration, refused, threads};
use crate::command::failure::Failure;
use crate::command::{output, start_threads};
use clap::Args;
use desvio_campaign::{Estimate, Plan, Shard, Store, missing};

/// Reads a campaign, checks every point of it, and says how many there are and how long they take
///
/// Every scenario is read and wired, so that a bad point is named before anything runs. The time is estimated from the points that
/// are finished; before there are any, from a few of the missing ones, run for 500 cycles each: the longest
/// that all can take.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    of: Of,
    /// Points to list
    #[arg(long, value_name = "N", default_value_t = 5)]
    list: usize,
    /// Threads to estimate for [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

const EXAMPLES: &str = r"Examples:
  desvio campaign plan scenarios/campaign/grid.toml
  desvio campaign plan scenarios/campaign/grid.toml --list 100 --threads 64";

pub(crate) fn plan(arguments: &Arguments) -> Result<(), Failure> {
    start_threads(arguments.threads)?;
    let (plan, store) = arguments.of.open()?;
    plan.check().map_err(refused)?;
    let points = plan.points();
    let mut lines =
        vec![format!("{} points: {} scenarios, {} seeds each", points.len(), plan.scenarios(), plan.seeds())];
    for point in points.iter().take(arguments.list) {
        lines.push(format!("  {}  {}", point.id, plan.name(point)));
    }
    if points.len() > arguments.list {
        lines.push(format!("  and {} more", points.len() - arguments.list));
    }
    lines.push(format!("engine: {}", desvio_sim::engine::name()));
    lines.extend(time(&plan, &store, threads(arguments.threads)));
    output::print(&lines.join("\n"))
}

/// What is missing, and how long it takes.
fn time(plan: &Plan, store: &Store, threads: usize) -> Vec<String> {
    let missing = missing(plan, store, Shard::ALL);
    if missing.is_empty() {
        return vec!["nothing is missing".to_owned()];
    }
    let line = |estimate: Estimate| {
        let time = duration(estimate.on(threads));
        match estimate {
            Estimate::Finished { points, .. } => {
                format!("time left: about {time} on {threads} threads, by {points} finished points")
            }
            Estimate::AtMost { points, .. } => {
                format!("time: at most {time} on {threads} threads, by 500 cycles of {points} points")
            }
        }
    };
    let estimate = Estimate::of(plan, store, &missing).map(line);
    [format!("missing: {}", missing.len())].into_iter().chain(estimate).collect()
}
