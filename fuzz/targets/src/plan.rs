//! How long, with what, and where to.

use super::planted::Planted;
use std::path::PathBuf;
use std::time::Duration;

/// What is to be done with each target.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How long; without a number of inputs, the only end.
    pub time: Duration,
    /// Inputs, if so many fit into the time.
    pub inputs: Option<u64>,
    /// Of the random numbers.
    pub seed: u64,
    /// Seconds of processor time that an input may take.
    pub limit: u64,
    /// A defect that is put in.
    pub planted: Option<Planted>,
    /// The folder of findings.
    pub out: PathBuf,
}

impl Plan {
    /// A plan with the usual bounds.
    #[must_use]
    pub fn new(time: Duration, out: PathBuf) -> Self {
        Self { time, inputs: None, seed: 1, limit: 20, planted: None, out }
    }

    /// Different defects of a target after which it is enough: a planted one is looked for once.
    pub(crate) fn enough(&self) -> usize {
        if self.planted.is_some() { 1 } else { ENOUGH }
    }
}

/// Where there are so many, there are more.
const ENOUGH: usize = 4;
