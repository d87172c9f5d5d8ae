//! Cube-connected cycles: a hypercube with a ring in place of each router.

use super::Known;
use super::generated::{Generated, NODES, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// Cube-connected cycles (Preparata and Vuillemin, 1981): a hypercube of `k` dimensions, each corner of which is a ring of `k`
/// routers; router `i` of a ring has the link of dimension `i`.
///
/// Router `i` of ring `w` is number `k w + i`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CubeConnectedCycles {
    /// Dimensions of the cube: `k`, 3…14.
    pub dims: u8,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for CubeConnectedCycles {
    const WORD: &'static str = "cube-connected-cycles";
    const KEYS: &'static [&'static str] = &["dims", NODES];
    const ROUTING: &'static str = "up*/down*";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("dims", "the number of dimensions")?;
        let dims = field.whole(3..=MOST)?;
        Ok(Self { dims, nodes_per_router: nodes_per_router(section, 3, &field)? })
    }

    fn write(&self) -> Lines {
        vec![("dims", self.dims.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        (3..=MOST).contains(&self.dims).then(|| u32::from(self.dims) << self.dims)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        let k = u32::from(self.dims);
        let mut edges = Vec::new();
        for (ring, i) in (0..1 << k).flat_map(|ring| (0..k).map(move |i| (ring, i))) {
            edges.push((k * ring + i, k * ring + (i + 1) % k));
            let across = ring ^ 1 << i;
            if ring < across {
                edges.push((k * ring + i, k * across + i));
            }
        }
        edges
    }

    fn known(&self) -> Known {
        Known { representatives: Some(1), ..Known::default() }
    }
}

/// 229376 routers.
const MOST: u8 = 14;
