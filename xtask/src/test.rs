//! `cargo xtask test`: what CI runs.

use crate::firmware::firmware;
use crate::generate::generate;
use crate::instructions::instructions;
use crate::lint::lint;
use crate::step::{Failure, cargo};
use crate::tools;

/// Combinations of `router-core`'s features: each is built.
const FEATURES: [&str; 4] = ["defmt", "log", "defmt,log", "small"];

/// Format, lints, documentation, features, tests, speed, firmware, in the order of their price.
pub(crate) fn test(long: bool) -> Result<(), Failure> {
    tools::provide(&tools::SIMULATION)?;
    tools::provide(&tools::PROOFS)?;
    generate(true)?;
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"], &[])?;
    for features in FEATURES {
        cargo(
            &["clippy", "--package", "desvio-core", "--features", features, "--", "--deny", "warnings"],
            &[],
        )?;
    }
    cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "--deny warnings")])?;
    lint()?;
    let long = if long { "1" } else { "" };
    cargo(
        &["test", "--workspace", "--no-fail-fast"],
        &[("DESVIO_LONG", long), ("DESVIO_REQUIRE_TOOLS", "1")],
    )?;
    instructions(false)?;
    firmware(false)
}
