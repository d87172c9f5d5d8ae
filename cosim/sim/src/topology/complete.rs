//! Complete graph: a link between any two routers.

use super::Known;
use super::generated::{Generated, NODES, hamming, hamming_bisection, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// A complete graph: a link between any two routers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complete {
    /// Routers, 1…64.
    pub routers: u32,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for Complete {
    const WORD: &'static str = "complete";
    const KEYS: &'static [&'static str] = &["routers", NODES];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("routers", "the number of routers")?;
        let routers = field.whole(1..=MOST)?;
        Ok(Self { routers, nodes_per_router: nodes_per_router(section, routers - 1, &field)? })
    }

    fn write(&self) -> Lines {
        vec![("routers", self.routers.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        (1..=MOST).contains(&self.routers).then_some(self.routers)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        hamming(&[self.routers])
    }

    fn known(&self) -> Known {
        let bisection = hamming_bisection(&[self.routers]);
        Known { bisection, representatives: Some(1), ..Known::default() }
    }
}

/// A router has a port for each other one, and one for a node.
const MOST: u32 = super::MOST_PORTS;
