//! `desvio step`: one router, cycle by cycle, for another program that has its pins.

mod checker;
mod lines;
mod model;

use super::cases::Case;
use super::failure::Failure;
use super::start_threads;
use clap::Args;
use desvio_lockstep::conform::Rule;
use std::path::{Path, PathBuf};

/// Steps one router for another program: the model, or the rules that a switch is checked by
///
/// Each line of standard input is a request, each line of standard output its answer, both JSON. The Python package speaks this:
/// `desvio.Router` is the model, `desvio.Checker` the rules.
///
/// Without --map it is the model of a router. A request has what its neighbours drive in a cycle, the answer what it drives.
///
/// With --map it is the neighbours of a switch that runs elsewhere, such as under cocotb. A request has all pins of a cycle, the answer the
/// first broken rule, by its name in `desvio conform`. docs/conform.md explains the map.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario file
    #[arg(value_name = "SCENARIO")]
    file: PathBuf,
    /// The router of the scenario
    #[arg(long, value_name = "N", default_value_t = 0)]
    router: usize,
    /// Watch a switch in the router's place: the map of its signals
    #[arg(long, value_name = "MAP.toml")]
    map: Option<PathBuf>,
    /// The seed of every random choice in the packets that are composed for the switch
    #[arg(long, value_name = "N", default_value_t = 1, requires = "map")]
    seed: u64,
    /// Cycles after which a packet waits for ever [default: eight times what a fair switch needs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "map")]
    patience: Option<u64>,
    /// A rule that may break: its findings are counted, and the check goes on; may be repeated
    #[arg(long, value_name = "RULE", value_parser = super::conform::allowed, requires = "map")]
    allow: Vec<Rule>,
    /// Also compose packets where none goes in the scenario's network, wherever its routing has an answer
    #[arg(long, requires = "map")]
    all_pairs: bool,
    /// Replace a key of the scenario, such as router.vcs=2; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

const EXAMPLES: &str = r"Examples:
  desvio step scenarios/mesh.toml
  desvio step scenarios/mesh.toml --router 5 --set router.vcs=2
  desvio step examples/foreign-switch/petersen.toml \
      --map examples/foreign-switch/map.toml

Each of them says what the router is, and waits for requests.

Exit status: 0 at the end of the input; 1 a rule was broken; 2 bad
input.";

pub(crate) fn step(arguments: &Arguments) -> Result<(), Failure> {
    start_threads(None)?;
    if arguments.file == Path::new("-") {
        return Err(Failure::Input("error: standard input has the requests: expected a file".to_owned()));
    }
    let case = Case::load(&arguments.file, &arguments.sets, "")?;
    match &arguments.map {
        None => model::serve(&case.blueprint, arguments.router),
        Some(map) => checker::serve(&case.blueprint, map, arguments),
    }
}
