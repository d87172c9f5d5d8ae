//! `cargo xtask bench`: how fast, alone and beside other simulators.

pub(crate) mod booksim;
mod caminos;
mod compare;
pub(crate) mod desvio;
pub(crate) mod experiment;
pub(crate) mod fogsim;
pub(crate) mod simulator;
pub(crate) mod timed;

use crate::step::{Failure, cargo};
use booksim::BookSim;
use caminos::Caminos;
use clap::{ArgGroup, Args};
use compare::{Comparison, compare};
use fogsim::Fogsim;
use simulator::Simulator;
use std::path::PathBuf;

/// Without an option, the benchmarks of the `benches` crate. With one, runs of other simulators and ours in turn, of the
/// same networks; prints Markdown tables.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("peers").args(["caminos", "booksim", "fogsim", "large"]).multiple(true)))]
pub(crate) struct Arguments {
    /// Beside CAMINOS, which `cargo install caminos --locked` installs where it is missing
    #[arg(long)]
    caminos: bool,
    /// Beside a BookSim 2 that was built elsewhere
    #[arg(long, value_name = "PROGRAM", value_parser = program)]
    booksim: Option<PathBuf>,
    /// Beside a FOGSim that was built elsewhere
    #[arg(long, value_name = "PROGRAM", value_parser = program)]
    fogsim: Option<PathBuf>,
    /// Ours alone, on Dragonflies of 16,512 and 262,656 nodes
    #[arg(long)]
    large: bool,
    /// Runs of each program, in turn; the table has the medians
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=99))]
    repeats: u32,
    /// Only scenarios whose names contain this
    #[arg(long, value_name = "TEXT", requires = "peers")]
    only: Option<String>,
}

/// A program that is there, wherever it will be started.
pub(crate) fn program(path: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(path).canonicalize().map_err(|error| error.to_string())?;
    if path.is_file() { Ok(path) } else { Err("expected a program, not a folder".to_owned()) }
}

/// The benchmarks of the `benches` crate, or comparisons.
pub(crate) fn bench(arguments: &Arguments) -> Result<(), Failure> {
    let mut comparisons = Vec::new();
    if arguments.caminos {
        let program = caminos::provide()?;
        let router = |kind| Box::new(Caminos { program: program.clone(), kind }) as Box<dyn Simulator>;
        for scenario in ["peers/caminos-dragonfly", "peers/caminos-torus", "peers/caminos-h8"] {
            let peers = vec![router(caminos::Kind::InputOutput), router(caminos::Kind::Basic)];
            comparisons.push(Comparison { scenario, peers });
        }
    }
    if let Some(program) = &arguments.booksim {
        for scenario in ["peers/booksim-dragonfly", "peers/booksim-torus"] {
            comparisons
                .push(Comparison { scenario, peers: vec![Box::new(BookSim { program: program.clone() })] });
        }
    }
    if let Some(program) = &arguments.fogsim {
        let peers: Vec<Box<dyn Simulator>> = vec![Box::new(Fogsim { program: program.clone() })];
        comparisons.push(Comparison { scenario: "peers/fogsim-olm", peers });
    }
    if arguments.large {
        comparisons
            .extend(["large/h8", "large/h16"].map(|scenario| Comparison { scenario, peers: Vec::new() }));
    }
    if comparisons.is_empty() {
        return cargo(&["bench", "--package", "desvio-benches"], &[]);
    }
    if let Some(text) = &arguments.only {
        let all: Vec<_> = comparisons.iter().map(|comparison| comparison.scenario).collect();
        comparisons.retain(|comparison| comparison.scenario.contains(text));
        if comparisons.is_empty() {
            return Err(Failure::new(format!("--only {text}: none of {} contains that", all.join(", "))));
        }
    }
    compare(&comparisons, arguments.repeats)
}
