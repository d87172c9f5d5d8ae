//! HyperX: complete graphs along each dimension.

use super::Known;
use super::generated::{Generated, MOST_ROUTERS, NODES, hamming, hamming_bisection, nodes_per_router};
use crate::document::write::list;
use crate::document::{Lines, Problem, Section};

/// A HyperX (Ahn et al., 2009): routers on a grid, each joined with all others of its line, in each dimension. A flattened butterfly
/// (Kim et al., 2007) is one with equal dimensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HyperX {
    /// Routers along each dimension, 2…63 each, 1 to 8 dimensions.
    pub dims: Vec<u32>,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for HyperX {
    const WORD: &'static str = "hyperx";
    const KEYS: &'static [&'static str] = &["dims", NODES];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let expected = "a list of 1 to 8 dimensions such as [8, 8]";
        let field = section.need("dims", expected)?;
        let fields = field.list(expected)?;
        let dims: Vec<u32> = fields.iter().map(|field| field.whole(2..=63)).collect::<Result<_, _>>()?;
        if dims.len() > MOST_DIMS {
            let listed = dims.len();
            return Err(
                field.refuse(format!("`topology.dims` lists {listed} dimensions, expected 1 to {MOST_DIMS}"))
            );
        }
        let mut hyperx = Self { dims, nodes_per_router: 1 };
        hyperx.nodes_per_router = nodes_per_router(section, hyperx.degree(), &field)?;
        if hyperx.routers().is_none() {
            let routers: u64 = hyperx.dims.iter().map(|&k| u64::from(k)).product();
            return Err(field.refuse(format!(
                "the network is too large: it would have {routers} routers, at most {MOST_ROUTERS} are possible"
            )));
        }
        Ok(hyperx)
    }

    fn write(&self) -> Lines {
        vec![("dims", list(&self.dims))]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        let sizes =
            (1..=MOST_DIMS).contains(&self.dims.len()) && self.dims.iter().all(|k| (2..=63).contains(k));
        let routers = self.dims.iter().try_fold(1u32, |product, &k| product.checked_mul(k));
        routers.filter(|&routers| sizes && routers <= MOST_ROUTERS)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        hamming(&self.dims)
    }

    fn known(&self) -> Known {
        let bisection = hamming_bisection(&self.dims);
        Known { bisection, representatives: Some(1), ..Known::default() }
    }
}

impl HyperX {
    fn degree(&self) -> u32 {
        self.dims.iter().map(|k| k - 1).sum()
    }
}

const MOST_DIMS: usize = 8;
