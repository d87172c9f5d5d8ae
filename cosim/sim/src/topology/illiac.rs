//! Illiac: a grid whose rows are joined into one ring, and whose columns are rings.

use super::Known;
use super::generated::{Generated, NODES, circulant, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// The network of the Illiac IV: `n × n` routers, each joined with those 1 and `n` further, round the numbering. It is a chordal ring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illiac {
    /// Routers along a side: `n`, 3…512.
    pub side: u32,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for Illiac {
    const WORD: &'static str = "illiac";
    const KEYS: &'static [&'static str] = &["side", NODES];
    const ROUTING: &'static str = "up*/down*";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("side", "the routers along a side")?;
        let side = field.whole(3..=MOST)?;
        Ok(Self { side, nodes_per_router: nodes_per_router(section, 4, &field)? })
    }

    fn write(&self) -> Lines {
        vec![("side", self.side.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        (3..=MOST).contains(&self.side).then(|| self.side * self.side)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        circulant(self.side * self.side, [1, self.side])
    }

    fn known(&self) -> Known {
        Known { representatives: Some(1), ..Known::default() }
    }
}

/// 262144 routers.
const MOST: u32 = 512;
