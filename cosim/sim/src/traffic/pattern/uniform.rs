//! Any node but the sender.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError};

/// Any node but the sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uniform;

impl Rule for Uniform {
    const WORD: &'static str = "uniform";

    fn read(_field: &Field<'_>, _topology: &Topology) -> Result<Self, Problem> {
        Ok(Self)
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        Ok(Targets::Any(on.all()))
    }
}
