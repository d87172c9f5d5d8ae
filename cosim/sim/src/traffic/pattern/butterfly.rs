//! Swaps the highest and the lowest bit of the node number.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError, bits};

/// Swaps the highest and the lowest bit of the node number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Butterfly;

impl Rule for Butterfly {
    const WORD: &'static str = "butterfly";

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        bits::check(field, Self::WORD, topology)?;
        Ok(Self)
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        bits::each(on, Self::WORD, |node, bits| {
            let differ = (node ^ node >> (bits - 1)) & 1;
            node ^ (differ | differ << (bits - 1))
        })
    }
}
