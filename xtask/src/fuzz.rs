//! `cargo xtask fuzz`: garbage for everything that reads.

use crate::step::{Failure, cargo};

/// What is said to the fuzzer.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How long, all targets together.
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Only these targets; may be repeated.
    #[arg(long = "target")]
    targets: Vec<String>,
    /// Of the random numbers: another one finds other things.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Builds targets, fuzzer and the command `desvio`, with debug assertions and overflow checks, and runs them.
pub(crate) fn fuzz(Arguments { minutes, targets, seed }: &Arguments) -> Result<(), Failure> {
    cargo(&["build", "--package", "desvio", "--package", "desvio-fuzz"], &[])?;
    let (minutes, seed) = (minutes.to_string(), seed.to_string());
    let mut arguments = vec![
        "run",
        "--quiet",
        "--package",
        "desvio-fuzz",
        "--",
        "run",
        "--minutes",
        &minutes,
        "--seed",
        &seed,
    ];
    arguments.extend(targets.iter().flat_map(|target| ["--target", target.as_str()]));
    cargo(&arguments, &[])
}
