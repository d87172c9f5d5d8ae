//! `cargo xtask mesh`: a mesh of emulated boards, joined by links that damage frames, with boards that restart and a cable that is cut.

mod board;
mod cable;
mod damage;
mod ledger;
#[cfg(test)]
mod memory;
mod picture;
mod run;
mod script;
mod shape;
mod table;
mod verdict;

use crate::firmware;
use crate::step::Failure;
use clap::ValueEnum;
use desvio_tile::Plant;
use std::time::Instant;

/// What is run.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Packets, all boards together.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    packets: u32,
    /// Flits of the longest packet.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=i64::from(desvio_tile::LONGEST)))]
    flits: u8,
    /// Boards in a row.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=4))]
    columns: u8,
    /// Rows.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=4))]
    rows: u8,
    /// Frames of a hundred that a cable damages: a bit, a byte more or less, all of the frame, or the frame twice.
    #[arg(long, default_value_t = 1.0)]
    damage: f64,
    /// Boards that lose their power and get it back, one after the other.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=8))]
    restarts: u8,
    /// Cables that are cut and mended, one after the other.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=8))]
    cuts: u8,
    /// Decides destinations, lengths, damage, and which boards and cables it is.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A defect in the first board, which has to be found: the command fails.
    #[arg(long, value_enum)]
    plant: Option<Planted>,
    /// Seconds after which a network that stands still is given up.
    #[arg(long, default_value_t = 60)]
    patience: u64,
}

/// A defect, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Planted {
    /// A bit of a flit changes in the switch, behind the check sum of the link.
    Flip,
    /// A packet is sent twice.
    Repeat,
    /// A packet that came is dropped without a word.
    Swallow,
    /// Two packets to one board are exchanged.
    Swap,
}

impl From<Planted> for Plant {
    fn from(planted: Planted) -> Self {
        match planted {
            Planted::Flip => Self::Flip,
            Planted::Repeat => Self::Repeat,
            Planted::Swallow => Self::Swallow,
            Planted::Swap => Self::Swap,
        }
    }
}

/// Builds the firmware, runs the boards, and compares what was sent with what came.
pub(crate) fn mesh(arguments: &Arguments) -> Result<(), Failure> {
    firmware::tile()?;
    let begin = Instant::now();
    let outcome = run::run(arguments)?;
    println!("{}", table::show(arguments, &outcome));
    eprintln!("mesh: {} s", begin.elapsed().as_secs());
    match outcome.verdict.violations.len() {
        0 => Ok(()),
        count => {
            Err(Failure::new(format!("{count} violations: a packet was lost, changed, doubled or overtaken")))
        }
    }
}
