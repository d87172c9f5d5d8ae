//! Every node sends to one half-way round the numbering, or a little further.

use desvio_sim::document::{Field, Problem};
use desvio_sim::topology::Topology;
use desvio_sim::traffic::{NodeMap, Rule, Stream, Targets, TrafficError};

/// The pattern.
#[derive(Debug, Clone, Copy)]
pub struct Opposite {
    /// Nodes further than the one opposite.
    further: u32,
}

impl Rule for Opposite {
    const WORD: &'static str = "opposite";
    const SHAPE: Option<&'static str> = Some("{ opposite = 0 }");

    fn read(field: &Field<'_>, _topology: &Topology) -> Result<Self, Problem> {
        Ok(Self { further: field.whole(0..=1023)? })
    }

    fn write(&self) -> String {
        self.further.to_string()
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        let nodes = on.nodes();
        Ok(Targets::Fixed((0..nodes).map(|node| (node + nodes / 2 + self.further) % nodes).collect()))
    }
}
