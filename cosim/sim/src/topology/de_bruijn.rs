//! De Bruijn graph: numbers that shift by one bit.

use super::generated::{Generated, NODES, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// The binary de Bruijn graph, links both ways: of 2ⁿ routers, `i` is joined with `2i` and `2i + 1`, modulo 2ⁿ.
///
/// The links from the first and the last router to themselves are left out, and one of the two between `0101…` and `1010…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeBruijn {
    /// Bits of a router's number: `n`, 2…18.
    pub bits: u8,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for DeBruijn {
    const WORD: &'static str = "de-bruijn";
    const KEYS: &'static [&'static str] = &["bits", NODES];
    const ROUTING: &'static str = "up*/down*";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("bits", "the bits of a router's number")?;
        let bits = field.whole(2..=MOST)?;
        let degree = if bits == 2 { 3 } else { 4 };
        Ok(Self { bits, nodes_per_router: nodes_per_router(section, degree, &field)? })
    }

    fn write(&self) -> Lines {
        vec![("bits", self.bits.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        (2..=MOST).contains(&self.bits).then(|| 1 << self.bits)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        let routers = 1 << self.bits;
        let next = |router: u32| [0, 1].map(|bit| (2 * router + bit) % routers);
        let edges = (0..routers).flat_map(|router| next(router).map(|there| (router, there)));
        // Of two links between two routers, the one from the lower one stays.
        edges.filter(|&(here, there)| here < there || here > there && !next(there).contains(&here)).collect()
    }
}

/// As many as a header has bits for.
const MOST: u8 = 18;
