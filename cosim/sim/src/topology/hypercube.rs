//! Hypercube: routers with one bit of their numbers different are joined.

use super::Known;
use super::generated::{Generated, NODES, hamming, hamming_bisection, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// A hypercube of 2ⁿ routers, joined where one bit of their numbers differs.
///
/// A mesh of up to 8 dimensions of 2 has the same links, and routings that go by dimensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hypercube {
    /// Dimensions, 1…18.
    pub dims: u8,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Hypercube {
    fn sizes(&self) -> Vec<u32> {
        vec![2; self.dims.into()]
    }
}

impl Generated for Hypercube {
    const WORD: &'static str = "hypercube";
    const KEYS: &'static [&'static str] = &["dims", NODES];
    const ROUTING: &'static str = "up*/down*";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("dims", "the number of dimensions")?;
        let dims = field.whole(1..=MOST)?;
        Ok(Self { dims, nodes_per_router: nodes_per_router(section, dims.into(), &field)? })
    }

    fn write(&self) -> Lines {
        vec![("dims", self.dims.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        (1..=MOST).contains(&self.dims).then(|| 1 << self.dims)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        hamming(&self.sizes())
    }

    fn known(&self) -> Known {
        let bisection = hamming_bisection(&self.sizes());
        Known { bisection, representatives: Some(1), ..Known::default() }
    }
}

/// As many as a header has bits for.
const MOST: u8 = 18;
