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
    lint()?;
    toolchain.host_tests(update)?;
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

/// Format and lints of what is not bound to a board, with the Rust in use.
fn lint() -> Result<(), Failure> {
    let here = ["--manifest-path", "firmware/Cargo.toml"];
    cargo(&[&["fmt", "--all", "--check"], &here[..]].concat(), &[])?;
    let target = ["--target-dir", "target/firmware", "--all-targets", "--", "--deny", "warnings"];
    cargo(&[&["clippy", "--quiet"], &here[..], &target[..]].concat(), &[])
}

/// The folder of the firmware's workspace.
fn folder() -> std::path::PathBuf {
    root().join("firmware")
}
