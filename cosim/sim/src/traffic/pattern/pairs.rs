//! Given pairs: each of some nodes sends to one other; the rest send nothing.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError};
use crate::document::write::list;

/// Each of some nodes sends to one other node; the rest send nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairs {
    /// Sender and receiver of each pair; no node sends to itself, and none is the sender of two.
    pub pairs: Vec<(u32, u32)>,
}

impl Rule for Pairs {
    const WORD: &'static str = "pairs";
    const SHAPE: Option<&'static str> = Some("{ pairs = [[0, 5], [3, 1]] }");

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        let count = topology.nodes().unwrap_or(u32::MAX).max(1);
        let node = |field: Field<'_>| {
            field.whole(0..=count - 1).map_err(|_| field.wrong(format!("a node from 0 to {}", count - 1)))
        };
        let mut pairs = Vec::new();
        for pair in field.list("a list of pairs such as [[0, 5], [3, 1]]")? {
            let nodes = pair.list("a sender and a receiver such as [0, 5]")?;
            let nodes = nodes.into_iter().map(node).collect::<Result<Vec<_>, _>>()?;
            let [from, to] = nodes[..] else {
                return Err(pair.wrong("a sender and a receiver such as [0, 5]"));
            };
            if from == to {
                return Err(pair.refuse(format!("node {from} cannot send to itself")));
            }
            if pairs.iter().any(|&(other, _)| other == from) {
                return Err(pair.refuse(format!("node {from} is already the sender of a pair")));
            }
            pairs.push((from, to));
        }
        Ok(Self { pairs })
    }

    fn write(&self) -> String {
        let pairs: Vec<_> = self.pairs.iter().map(|(from, to)| list(&[*from, *to])).collect();
        format!("[{}]", pairs.join(", "))
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        let nodes = on.nodes();
        let mut targets: Vec<u32> = (0..nodes).collect();
        for &(from, to) in &self.pairs {
            if let Some(node) = [from, to].into_iter().find(|&node| node >= nodes) {
                return Err(TrafficError::NoSuchNode { pattern: Self::WORD, node, nodes });
            }
            targets[from as usize] = to;
        }
        Ok(Targets::Fixed(targets))
    }
}
