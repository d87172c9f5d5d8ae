//! Hypermesh: a grid, each line of which is a net that joins all its routers.

use super::generated::{Generated, MOST_ROUTERS, NODES, nodes_per_router};
use crate::document::write::list;
use crate::document::{Lines, Problem, Section};

/// A hypermesh (Szymanski, 1990): routers on a grid, and a crossbar for each line of each dimension, which joins the routers of the line.
/// Any two of them are one net apart, which is two links.
///
/// Routers: those of the grid, which have the nodes, then the crossbars, dimension by dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hypermesh {
    /// Routers along each dimension, 2…64 each, 1 to 4 dimensions.
    pub dims: Vec<u32>,
    /// Nodes at each router of the grid.
    pub nodes_per_router: u8,
}

impl Hypermesh {
    /// Routers of the grid; `None` where the numbers, which a program may have made, are out of range.
    fn grid(&self) -> Option<u32> {
        let in_range =
            (1..=MOST_DIMS).contains(&self.dims.len()) && self.dims.iter().all(|k| (2..=64).contains(k));
        in_range.then(|| self.dims.iter().product())
    }
}

impl Generated for Hypermesh {
    const WORD: &'static str = "hypermesh";
    const KEYS: &'static [&'static str] = &["dims", NODES];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let expected = "a list of 1 to 4 dimensions such as [8, 8]";
        let field = section.need("dims", expected)?;
        let fields = field.list(expected)?;
        let dims: Vec<u32> = fields.iter().map(|field| field.whole(2..=64)).collect::<Result<_, _>>()?;
        if dims.len() > MOST_DIMS {
            return Err(field.wrong(expected));
        }
        let nodes_per_router = nodes_per_router(section, dims.len() as u32, &field)?;
        let one = Self { dims, nodes_per_router };
        match one.routers() {
            Some(_) => Ok(one),
            None => Err(field.refuse(format!(
                "the network is too large: at most {MOST_ROUTERS} routers and crossbars are possible"
            ))),
        }
    }

    fn write(&self) -> Lines {
        vec![("dims", list(&self.dims))]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn hosts(&self) -> Option<u32> {
        self.routers().and(self.grid())
    }

    fn routers(&self) -> Option<u32> {
        let grid = self.grid()?;
        let all = self.dims.iter().map(|k| grid / k).sum::<u32>() + grid;
        (all <= MOST_ROUTERS).then_some(all)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        let grid = self.grid().unwrap_or(0);
        let (mut edges, mut first, mut stride) = (Vec::new(), grid, 1);
        for &size in &self.dims {
            let line = |router: u32| router / (stride * size) * stride + router % stride;
            edges.extend((0..grid).map(|router| (router, first + line(router))));
            first += grid / size;
            stride *= size;
        }
        edges
    }
}

/// A route of two links in each dimension has a VC for each hop.
const MOST_DIMS: usize = 4;
