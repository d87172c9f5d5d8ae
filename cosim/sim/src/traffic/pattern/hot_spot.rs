//! A share of all packets goes to a few nodes.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError};
use crate::document::write::{list, number};

/// A share of all packets goes to a few nodes, each as often as the others; the rest is uniform.
#[derive(Debug, Clone, PartialEq)]
pub struct HotSpot {
    /// The nodes.
    pub nodes: Vec<u32>,
    /// Share of the packets sent to them, 0…1.
    pub share: f64,
}

impl Rule for HotSpot {
    const WORD: &'static str = "hot-spot";
    const SHAPE: Option<&'static str> = Some("{ hot-spot = { nodes = [0, 1], share = 0.2 } }");

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        let section = field.section(&["nodes", "share"])?;
        let expected = "a list of nodes such as [0, 5]";
        let count = topology.nodes().unwrap_or(u32::MAX).max(1);
        let node = |field: Field<'_>| {
            field.whole(0..=count - 1).map_err(|_| field.wrong(format!("a node from 0 to {}", count - 1)))
        };
        let nodes = section.need("nodes", expected)?.list(expected)?;
        let nodes = nodes.into_iter().map(node).collect::<Result<_, _>>()?;
        let share = section.need("share", "a number from 0 to 1")?.number(0.0..=1.0)?;
        Ok(Self { nodes, share })
    }

    fn write(&self) -> String {
        format!("{{ nodes = {}, share = {} }}", list(&self.nodes), number(&self.share))
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        let (nodes, spots) = (on.nodes(), self.nodes.clone());
        if spots.is_empty() {
            return Err(TrafficError::NoHotSpot);
        }
        if let Some(&node) = spots.iter().find(|&&node| node >= nodes) {
            return Err(TrafficError::NoSuchNode { pattern: Self::WORD, node, nodes });
        }
        if !(0.0..=1.0).contains(&self.share) {
            return Err(TrafficError::Share(self.share));
        }
        Ok(Targets::Mixed { spots, share: self.share, all: on.all() })
    }
}
