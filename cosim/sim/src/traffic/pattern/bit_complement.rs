//! Inverts the bits of the node number.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError, bits};

/// Inverts the bits of the node number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitComplement;

impl Rule for BitComplement {
    const WORD: &'static str = "bit-complement";

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        bits::check(field, Self::WORD, topology)?;
        Ok(Self)
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        bits::each(on, Self::WORD, |node, _| on.nodes() - 1 - node)
    }
}
