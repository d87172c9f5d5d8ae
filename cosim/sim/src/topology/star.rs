//! Star: one router in the middle.

use super::generated::{Generated, NODES, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// A star: router 0, the hub, is joined with all others, which have no other link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Star {
    /// Routers beside the hub, 1…63.
    pub leaves: u32,
    /// Nodes at each router, the hub included.
    pub nodes_per_router: u8,
}

impl Generated for Star {
    const WORD: &'static str = "star";
    const KEYS: &'static [&'static str] = &["leaves", NODES];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("leaves", "the number of routers around the hub")?;
        let leaves = field.whole(1..=MOST)?;
        Ok(Self { leaves, nodes_per_router: nodes_per_router(section, leaves, &field)? })
    }

    fn write(&self) -> Lines {
        vec![("leaves", self.leaves.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        (1..=MOST).contains(&self.leaves).then(|| self.leaves + 1)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        (1..=self.leaves).map(|leaf| (0, leaf)).collect()
    }
}

/// The hub has a port for each, and one for a node.
const MOST: u32 = super::MOST_PORTS - 1;
