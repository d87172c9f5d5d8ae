//! The node half-way round the numbering.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError};

/// The node half-way round the numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opposite;

impl Rule for Opposite {
    const WORD: &'static str = "opposite";

    fn read(_field: &Field<'_>, _topology: &Topology) -> Result<Self, Problem> {
        Ok(Self)
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        let nodes = on.nodes();
        Ok(Targets::Fixed((0..nodes).map(|node| (node + nodes / 2) % nodes).collect()))
    }
}
