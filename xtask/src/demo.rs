//! `cargo xtask demo`: the main job, on real input.

use crate::step::{Failure, cargo, root};

/// Three routings under two kinds of traffic, in one picture.
pub(crate) fn demo() -> Result<(), Failure> {
    cargo(
        &[
            "run",
            "--release",
            "--package",
            "cosim",
            "--bin",
            "desvio",
            "--",
            "compare",
            "scenarios/demo.toml",
            "--vary",
            "routing.algorithm=minimal,valiant,olm",
            "--panels",
            "traffic.pattern=uniform,{adversarial=1}",
            "--out",
            "results/demo",
        ],
        &[],
    )?;
    eprintln!("\nThe plots are in {}: begin with panels.svg.", root().join("results/demo").display());
    Ok(())
}
