//! `cargo xtask firmware`: the switch on three microcontrollers, emulated.

mod board;
mod cost;
mod elf;
mod toolchain;

use crate::step::{Failure, cargo, root};
use crate::tools;
use board::BOARDS;
use cost::Costs;
use std::time::Instant;
use toolchain::Toolchain;

/// Builds the firmware for every board, runs it, and compares what it costs with the committed table; with `update`,
/// writes that table and the stored traces instead.
pub(crate) fn firmware(update: bool) -> Result<(), Failure> {
    let begin = Instant::now();
    tools::provide(&tools::EMULATORS)?;
    let toolchain = Toolchain::provide()?;
    toolchain::provide_defmt_print()?;
    format()?;
    traces(update)?;
    let mut costs = Costs::default();
    for board in &BOARDS {
        eprintln!("\n── firmware for {} ({})", board.core, board.target);
        toolchain.build(board, &["switch", "mesh", "lockstep", "cost"], None)?;
        toolchain.build(board, &["events"], Some("defmt"))?;
        toolchain.must_not_link(board)?;
        let first = board.measure()?;
        if board.measure()? != first {
            return Err(Failure::new(format!("{}: two measurements differ", board.target)));
        }
        costs.add(board, &first);
        board.run("switch")?;
        board.run("mesh")?;
        board.run_events()?;
    }
    costs.settle(update)?;
    // Of the whole workspace, so that nothing is compiled a second time with other features.
    let lockstep = ["test", "--workspace", "--test", "all", "--", "mcu::", "--nocapture", "--test-threads=2"];
    cargo(&lockstep, &[("DESVIO_REQUIRE_FIRMWARE", "1")])?;
    eprintln!("\nfirmware: passed on {} boards in {} s", BOARDS.len(), begin.elapsed().as_secs());
    Ok(())
}

/// Format of what is bound to a board; `tether` and `switch` are members of the workspace.
fn format() -> Result<(), Failure> {
    cargo(&["fmt", "--all", "--check", "--manifest-path", "firmware/Cargo.toml"], &[])
}

/// Whether the stored traces are up to date; with `update`, writes them.
fn traces(update: bool) -> Result<(), Failure> {
    // Of the whole workspace, so that nothing is compiled a second time with other features.
    let bless = if update { "1" } else { "" };
    cargo(&["test", "--workspace", "--test", "traces"], &[("DESVIO_BLESS", bless)])
}

/// The folder of the firmware's workspace.
fn folder() -> std::path::PathBuf {
    root().join("firmware")
}
