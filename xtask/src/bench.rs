//! `cargo xtask bench`: how fast.

use crate::step::{Failure, cargo};

/// The benchmarks of the `benches` crate.
pub(crate) fn bench() -> Result<(), Failure> {
    cargo(&["bench", "--package", "desvio-benches"], &[])
}
