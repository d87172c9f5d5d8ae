//! Links from nodes that carry less than a flit in each cycle: the node sends its next flit when the rate lets it.

use crate::blueprint::Blueprint;
use router_core::rate::Pace;
use std::ops::Range;

/// When each node of a shard may send its next flit.
#[derive(Debug, Clone)]
pub(crate) struct NodeRates {
    links: Vec<(Pace, u64)>,
}

impl NodeRates {
    /// Those of nodes of which some have a slow link.
    pub(crate) fn new(blueprint: &Blueprint, nodes: Range<usize>) -> Option<Self> {
        let rate = |node| {
            let (router, port) = blueprint.wiring().attachment(node);
            blueprint.rate(router, port)
        };
        let links: Vec<_> = nodes.map(|node| (Pace::new(rate(node)), 0)).collect();
        links.iter().any(|(pace, _)| !pace.rate().is_full()).then_some(Self { links })
    }

    /// Whether the link of a node is taken in a cycle.
    pub(crate) fn is_taken(&self, node: usize, cycle: u64) -> bool {
        self.links[node].1 > cycle
    }

    /// A node sends a flit.
    pub(crate) fn send(&mut self, node: usize, cycle: u64) {
        let (pace, free_at) = &mut self.links[node];
        *free_at = cycle + u64::from(pace.step());
    }
}
