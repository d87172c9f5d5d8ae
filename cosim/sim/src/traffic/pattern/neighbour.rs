//! One further in each dimension.

use super::tornado::{check, move_in_each_dimension};
use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError};

/// One further in each dimension, the index of the node at its router kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour;

impl Rule for Neighbour {
    const WORD: &'static str = "neighbour";

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        check(field, Self::WORD, topology)?;
        Ok(Self)
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        move_in_each_dimension(on, Self::WORD, |_| 1)
    }
}
