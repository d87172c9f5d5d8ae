//! `cargo xtask demo`: the main job, on real input.

use crate::step::{Failure, cargo, root};
use crate::tools;

/// A network of routers in SystemVerilog; then three routings under two kinds of traffic, in one picture.
pub(crate) fn demo() -> Result<(), Failure> {
    match tools::provide(&tools::SIMULATION) {
        Ok(()) => desvio(&["run", "scenarios/rtl.toml", "--rtl", "all", "--out", "results/demo-rtl"])?,
        // The rest needs Rust alone.
        Err(failure) => eprintln!("Without routers in SystemVerilog: {failure}"),
    }
    desvio(&[
        "compare",
        "scenarios/demo.toml",
        "--vary",
        "routing.algorithm=minimal,valiant,olm",
        "--panels",
        "traffic.pattern=uniform,{adversarial=1}",
        "--out",
        "results/demo",
    ])?;
    eprintln!("\nThe plots are in {}: begin with panels.svg.", root().join("results/demo").display());
    Ok(())
}

fn desvio(arguments: &[&str]) -> Result<(), Failure> {
    let run = ["run", "--release", "--package", "desvio", "--bin", "desvio", "--"];
    cargo(&[&run[..], arguments].concat(), &[])
}
