//! `desvio campaign verify`: computes some finished points again.

use super::display::Display;
use super::{Of, refused};
use crate::command::failure::Failure;
use crate::command::{output, start_threads};
use clap::Args;
use desvio_campaign::{Difference, Plan, sample};
use std::hash::{BuildHasher as _, RandomState};

/// Computes a random share of the finished points again and compares every byte
///
/// A difference is named with its point and its metrics: a result that was changed, or that another version of the program computed. At
/// least one point is compared.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    of: Of,
    /// Share of the finished points, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    share: f64,
    /// Seed of the choice of points [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Tell nothing but results and errors
    #[arg(long)]
    quiet: bool,
}

fn share(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or("expected a number from 0 to 1")
}

const EXAMPLES: &str = r"Examples:
  desvio campaign verify scenarios/campaign/grid.toml
  desvio campaign verify scenarios/campaign/grid.toml --share 1

Exit status: 0 all is the same; 1 a difference; 2 bad input, or nothing to
compare.";

pub(crate) fn verify(arguments: &Arguments) -> Result<(), Failure> {
    start_threads(arguments.threads)?;
    let (plan, store) = arguments.of.open()?;
    // Told with the result, so that the same points can be compared again.
    let seed = arguments.seed.unwrap_or_else(|| RandomState::new().hash_one(()) >> 32);
    let points = sample(&plan, &store, arguments.share, seed);
    if points.is_empty() {
        return Err(Failure::Input("error: no point is finished: there is nothing to compare".to_owned()));
    }
    let display = Display::new(points.len(), arguments.quiet);
    let found = desvio_campaign::verify(&plan, &store, &points, &|| display.advance(1));
    display.end();
    let found = found.map_err(refused)?;
    let same = points.len() - found.len();
    output::print(&format!("{same} of {} points are the same to the byte (--seed {seed})", points.len()))?;
    if found.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = found.iter().map(|one| told(&plan, one)).collect();
    Err(Failure::Broken(told.join("\n")))
}

fn told(plan: &Plan, Difference { point, metrics }: &Difference) -> String {
    let point = &plan.points()[*point];
    let metrics: Vec<String> = metrics
        .iter()
        .map(|metric| {
            format!("  {}: {} is stored, {} is computed", metric.name, metric.stored, metric.computed)
        })
        .collect();
    format!("error: {} {}:\n{}", point.id, plan.name(point), metrics.join("\n"))
}
