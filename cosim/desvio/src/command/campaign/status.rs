//! `desvio campaign status`: how far a campaign is.

use super::{Of, SHOWN, duration, percent, threads};
use crate::command::failure::Failure;
use crate::command::output;
use clap::Args;
use desvio_campaign::{Came, Estimate, Plan, Point, Shard, Store, missing};

/// Says what is finished, what failed and why, and what is missing
///
/// Reads what all processes have written so far; it may be asked at any time. The time left is estimated from the points
/// that are finished.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    of: Of,
    /// Threads to estimate for, of all machines together [default: one per core of this one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Name every point that failed or ended with a violation, not only the first ten of each
    #[arg(long)]
    all: bool,
}

const EXAMPLES: &str = r"Examples:
  desvio campaign status scenarios/campaign/grid.toml
  desvio campaign status scenarios/campaign/grid.toml --threads 640";

pub(crate) fn status(arguments: &Arguments) -> Result<(), Failure> {
    let (plan, store) = arguments.of.open()?;
    let points = plan.points();
    let finished = points.iter().filter(|point| store.is_finished(point.id)).count();
    let told = told(&plan, &store);
    let failed = told.iter().filter(|one| one.is_failure).count();
    let violations = told.len() - failed;
    let mut lines = vec![
        format!("points     {}", points.len()),
        format!(
            "finished   {finished} ({}), in {} segments",
            percent(finished, points.len()),
            store.segments()
        ),
    ];
    lines.extend((violations > 0).then(|| format!("violations {violations}")));
    lines.extend((failed > 0).then(|| format!("failed     {failed}; the next run tries them again")));
    lines.extend((finished < points.len()).then(|| format!("missing    {}", points.len() - finished)));
    lines.extend(time_left(&plan, &store, threads(arguments.threads)));
    for (is_failure, what) in [(false, "violations"), (true, "failed")] {
        let mut of_kind = told.iter().filter(|one| one.is_failure == is_failure).map(|one| &one.text);
        let most = if arguments.all { usize::MAX } else { SHOWN };
        lines.extend(of_kind.by_ref().take(most).cloned());
        let more = of_kind.count();
        lines.extend((more > 0).then(|| format!("{more} more {what}: --all names them")));
    }
    output::print(&lines.join("\n"))
}

/// A point with something to say.
struct Told {
    is_failure: bool,
    text: String,
}

fn told(plan: &Plan, store: &Store) -> Vec<Told> {
    let of = |point: &Point| {
        let (is_failure, message) = match &store.get(point.id)?.came {
            Came::Failed(message) => (true, message),
            Came::Finished(Some(violation)) => (false, violation),
            Came::Finished(None) => return None,
        };
        let message = message.lines().next().unwrap_or_default();
        let point_id = &point.id.to_string()[..12];
        Some(Told { is_failure, text: format!("{point_id} {}: {message}", plan.name(point)) })
    };
    plan.points().iter().filter_map(of).collect()
}

/// By the points that are finished; before there are any, nothing: nothing is run for a status.
fn time_left(plan: &Plan, store: &Store, threads: usize) -> Option<String> {
    let missing = missing(plan, store, Shard::ALL);
    let estimate = Estimate::from_finished(plan, store, &missing)?;
    Some(format!("time left  about {} on {threads} threads", duration(estimate.on(threads))))
}
