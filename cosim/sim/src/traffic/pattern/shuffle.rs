//! Rotates the bits of the node number left by one.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError, bits};

/// Rotates the bits of the node number left by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shuffle;

impl Rule for Shuffle {
    const WORD: &'static str = "shuffle";

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        bits::check(field, Self::WORD, topology)?;
        Ok(Self)
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        let mask = on.nodes().wrapping_sub(1);
        bits::each(on, Self::WORD, |node, bits| (node << 1 | node >> (bits - 1)) & mask)
    }
}
