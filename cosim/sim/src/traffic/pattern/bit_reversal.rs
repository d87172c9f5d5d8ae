//! Reverses the bits of the node number.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError, bits};

/// Reverses the bits of the node number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitReversal;

impl Rule for BitReversal {
    const WORD: &'static str = "bit-reversal";

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        bits::check(field, Self::WORD, topology)?;
        Ok(Self)
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        bits::each(on, Self::WORD, |node, bits| node.reverse_bits() >> (u32::BITS - bits))
    }
}
