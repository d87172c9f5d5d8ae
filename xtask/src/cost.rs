//! `cargo xtask cost`: what mechanisms cost in hardware beside what they gain.

use crate::step::{Failure, cargo};
use crate::tools;

/// The study that `docs/cost.md` shows.
pub(crate) fn cost() -> Result<(), Failure> {
    tools::provide(&tools::SYNTHESIS)?;
    let run = ["run", "--release", "--package", "desvio", "--bin", "desvio", "--"];
    let library = format!("liberty={}", tools::CELLS);
    let study = ["cost", "--study", "scenarios/cost/study.toml", "--out", "results/cost"];
    let targets = ["--target", "cells", "--target", library.as_str()];
    cargo(&[&run[..], &study, &targets].concat(), &[])
}
