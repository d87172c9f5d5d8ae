//! `desvio topology`: facts about a network.

use super::cases::Case;
use super::failure::Failure;
use super::output;
use clap::Args;
use desvio_sim::topology::Facts;
use std::path::PathBuf;

/// Tells the size of a network, its distances, its bisection and the bounds that follow
///
/// Routers, nodes, links, degrees, diameter, mean distances and bisection; and, for uniform traffic, the load of the
/// busiest channel and the throughput that no routing can exceed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario file; only its table [topology] matters
    file: PathBuf,
    /// Replace a key of the scenario, such as topology.h=4
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

const EXAMPLES: &str = r"Examples:
  desvio topology scenarios/dragonfly.toml
  desvio topology scenarios/dragonfly.toml \
      --set topology.p=4 --set topology.a=8 --set topology.h=4
  desvio topology scenarios/torus.toml --set 'topology.dims=[4,4,4]'";

pub(crate) fn topology(arguments: &Arguments) -> Result<(), Failure> {
    let case = Case::load(&arguments.file, &arguments.sets, "")?;
    output::print(&Facts::of(case.blueprint.wiring()).to_string())
}
