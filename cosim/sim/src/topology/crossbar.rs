//! Crossbar: one switch with all nodes.

use super::Known;
use super::generated::{Generated, NODES};
use crate::document::{Lines, Problem, Section};

/// One router with all nodes: the ideal indirect network, as far as a switch has ports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crossbar {
    /// Nodes of the switch, 2…255.
    pub nodes_per_router: u8,
}

impl Generated for Crossbar {
    const WORD: &'static str = "crossbar";
    const KEYS: &'static [&'static str] = &[NODES];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need(NODES, "the number of nodes")?;
        Ok(Self { nodes_per_router: field.whole(2..=u8::MAX)? })
    }

    fn write(&self) -> Lines {
        Vec::new()
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        (self.nodes_per_router >= 2).then_some(1)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        Vec::new()
    }

    fn known(&self) -> Known {
        Known { representatives: Some(1), ..Known::default() }
    }
}
