//! Swaps the halves of the node number's bits.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError, bits};

/// Swaps the halves of the node number's bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transpose;

impl Rule for Transpose {
    const WORD: &'static str = "transpose";

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        bits::check(field, Self::WORD, topology)?;
        match topology.nodes() {
            Some(nodes) if !nodes.trailing_zeros().is_multiple_of(2) => Err(field.refuse(format!(
                "the pattern \"{}\" needs 4, 16, 64, … nodes, but there are {nodes}",
                Self::WORD
            ))),
            _ => Ok(Self),
        }
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        let nodes = on.nodes();
        let bits = nodes.trailing_zeros();
        if nodes.is_power_of_two() && !bits.is_multiple_of(2) {
            return Err(TrafficError::NeedsEvenBits { pattern: Self::WORD, bits });
        }
        bits::each(on, Self::WORD, |node, bits| (node << (bits / 2) | node >> (bits / 2)) & (nodes - 1))
    }
}
