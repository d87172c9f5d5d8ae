//! `cargo xtask firmware`: the switch on three microcontrollers, emulated.

mod board;
mod cost;
mod elf;
mod toolchain;

use crate::step::{Failure, beside_each_other, cargo, root, tests};
use crate::tools;
use board::{BOARDS, Board, Measurement};
use cost::Costs;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
pub(crate) use toolchain::has_targets;
use toolchain::{Features, Toolchain};

/// Builds the firmware for every board, runs it, and compares what it costs with the committed table; with `update`,
/// writes that table and the stored traces instead.
pub(crate) fn firmware(update: bool) -> Result<(), Failure> {
    let begin = Instant::now();
    traces(update)?;
    boards(update, Scope::Everything)?;
    lockstep()?;
    eprintln!("\nfirmware: passed on {} boards in {} s", BOARDS.len(), begin.elapsed().as_secs());
    Ok(())
}

/// How much is built and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Everything,
    /// No other board, and no events.
    FirstBoard,
}

/// All of it that needs nothing of the workspace's tests.
pub(crate) fn boards(update: bool, scope: Scope) -> Result<(), Failure> {
    let boards = if scope == Scope::FirstBoard { &BOARDS[..1] } else { &BOARDS[..] };
    tools::provide(&tools::EMULATORS)?;
    let toolchain = Toolchain::provide(boards)?;
    if scope != Scope::FirstBoard {
        decoder()?;
    }
    format()?;
    let measured = Mutex::new(BTreeMap::new());
    // One emulates while another compiles, and none comes last.
    let numbers: Vec<usize> = (0..boards.len()).collect();
    beside_each_other(&numbers, numbers.len(), |&number| {
        let found = on_board(&toolchain, &boards[number], scope == Scope::Everything)?;
        measured.lock().unwrap_or_else(PoisonError::into_inner).insert(number, found);
        Ok(())
    })?;
    let mut costs = Costs::default();
    for (number, found) in measured.into_inner().unwrap_or_else(PoisonError::into_inner) {
        costs.add(&boards[number], &found);
    }
    costs.settle(update)
}

/// Builds the binary `tile` for the first board.
pub(crate) fn tile() -> Result<(), Failure> {
    tools::provide(&tools::EMULATORS[..1])?;
    Toolchain::to_run(&BOARDS[..1])?.build(&BOARDS[0], &["tile"], Features::More("uarts"))
}

/// A command that emulates the first board with a binary, in real time; its serial lines are still to be named.
pub(crate) fn emulated(binary: &str) -> std::process::Command {
    BOARDS[0].in_real_time(binary)
}

/// The boards that were built, in lockstep with the model and the RTL.
fn lockstep() -> Result<(), Failure> {
    let arguments = ["--test", "all", "--", "mcu::", "--nocapture", "--test-threads=2"];
    tests(&arguments, &[("DESVIO_REQUIRE_FIRMWARE", "1")])
}

/// Builds and runs everything for one board; gives what it costs there.
fn on_board(toolchain: &Toolchain, board: &Board, with_events: bool) -> Result<Vec<Measurement>, Failure> {
    eprintln!("\n── firmware for {} ({})", board.core, board.target);
    toolchain.build(board, &["switch", "mesh", "agent", "lockstep", "cost"], Features::Small)?;
    if board.has_room {
        toolchain.build(board, &["lockstep-whole"], Features::Whole)?;
    }
    if board.has_uarts {
        toolchain.build(board, &["tile", "control", "service"], Features::More("uarts"))?;
    }
    toolchain.must_not_link(board)?;
    let first = board.measure()?;
    if board.measure()? != first {
        return Err(Failure::new(format!("{}: two measurements differ", board.target)));
    }
    board.run("switch")?;
    board.run("mesh")?;
    if with_events {
        toolchain.build(board, &["events"], Features::More("defmt"))?;
        board.run_events()?;
    }
    Ok(first)
}

/// Format of what is bound to a board; `tether` and `switch` are members of the workspace.
fn format() -> Result<(), Failure> {
    cargo(&["fmt", "--all", "--check", "--manifest-path", "firmware/Cargo.toml"], &[])
}

/// Builds what decodes the events. It reads some kilobytes: optimised, it would take longer to compile than it saves.
pub(crate) fn decoder() -> Result<(), Failure> {
    let arguments = ["build", "--quiet", "--locked", "--package", "desvio-events"];
    let place = ["--manifest-path", "firmware/Cargo.toml", "--target-dir", board::ON_HOST];
    let plain = [("CARGO_PROFILE_DEV_OPT_LEVEL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "false")];
    cargo(&[&arguments[..], &place].concat(), &plain)
}

/// The events that a board has written to a file, in words, by what [`decoder`] builds.
pub(crate) fn decoded(elf: &Path, events: &Path) -> Result<String, Failure> {
    let failed = |error| Failure::new(format!("{}: {error}", events.display()));
    let mut command = Command::new(root().join(board::ON_HOST).join("debug/desvio-events"));
    command.arg(elf).stdin(File::open(events).map_err(failed)?);
    let output = command.output().map_err(failed)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Bytes of an ELF file in flash and, without stack and heap, in RAM.
pub(crate) fn sizes(file: &[u8]) -> Option<(u64, u64)> {
    elf::Sizes::of(file).map(|sizes| (sizes.flash, sizes.ram))
}

/// Whether the stored traces are up to date; with `update`, writes them.
fn traces(update: bool) -> Result<(), Failure> {
    let bless = if update { "1" } else { "" };
    tests(&["--test", "traces"], &[("DESVIO_BLESS", bless)])
}

/// The folder of the firmware's workspace.
fn folder() -> std::path::PathBuf {
    root().join("firmware")
}
