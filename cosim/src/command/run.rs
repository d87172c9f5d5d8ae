//! `desvio run`: every load of one scenario.

use super::campaign::run_all;
use super::cases::{self, Case};
use super::failure::Failure;
use super::{output, start_threads};
use clap::Args;
use std::path::{Path, PathBuf};

/// Runs every load of a scenario; prints a table, writes CSV, JSON and plots
///
/// Each load runs until the network is stationary and then until the confidence intervals are narrow, or as long as
/// the scenario says. The loads share all cores; the results do not depend on how many there are.
///
/// The folder of results holds summary.csv (one row per load), summary.json (every digit), hops.csv, pictures of
/// latency, accepted load, misrouted packets, hops and links, and series.csv with its picture for traffic that
/// switches. Finished loads are written at once: a killed run keeps them. An earlier run's files of these names are
/// removed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{SCENARIO}"))]
pub(crate) struct Arguments {
    /// The scenario file
    file: PathBuf,
    /// Replace a key of the scenario, such as routing.algorithm=minimal; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Folder of the results [default: results/ and the name of FILE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print the scenario with all its defaults, and run nothing
    #[arg(long)]
    show: bool,
    /// Tell nothing but results and errors
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  desvio run scenarios/dragonfly.toml
  desvio run scenarios/dragonfly.toml --show
  desvio run scenarios/mesh.toml --set traffic.pattern=tornado --out tornado
  desvio run scenarios/torus.toml --set 'traffic.loads=[0.1,0.3]' --threads 1
  desvio run scenarios/petersen.toml --set traffic.loads=saturation --quiet";

const SCENARIO: &str = r#"A complete scenario file, every other key at its default (see --show):

  [topology]
  kind = "dragonfly"     # or "mesh", "torus", "graph"
  p = 2                  # nodes per router
  a = 4                  # routers per group
  h = 2                  # global links per router

  [traffic]
  loads = [0.1, 0.2, 0.3]     # flits per node per cycle; or "saturation"

With loads = "saturation", the highest load is searched at which every node's
source queue keeps up."#;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { file, sets, .. } = arguments;
    if arguments.show {
        return output::print(&cases::read(file, sets)?.to_toml());
    }
    start_threads(arguments.threads)?;
    let stem = file.file_stem().unwrap_or_default();
    let case = Case::load(file, sets, &stem.to_string_lossy())?;
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(stem));
    run_all(&[case], &out, arguments.quiet).map(drop)
}
