//! What patterns need to know of the network.

use super::error::TrafficError;

/// What patterns need to know of the network. Nodes are numbered router by router.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Nodes of the network.
    pub nodes: u32,
    /// How its routers are grouped or lined up.
    pub shape: Shape,
}

/// How the routers of a network are grouped or lined up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// Routers are numbered group by group.
    Dragonfly {
        /// Nodes per router.
        p: u32,
        /// Routers of each group.
        group_sizes: Vec<u32>,
    },
    /// Router `x0 + k0·(x1 + k1·(x2 + …))` is at `x0, x1, …`.
    Grid {
        /// Routers along each dimension: `k0, k1, …`.
        dims: Vec<u32>,
        /// Nodes at each router.
        nodes_per_router: u32,
    },
    /// Neither groups nor dimensions.
    Graph {
        /// Nodes at each router.
        nodes_per_router: u32,
    },
}

/// Nodes with consecutive numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// The lowest.
    pub(super) first: u32,
    /// How many.
    pub(super) len: u32,
}

impl Layout {
    /// Refuses a shape that has another number of nodes than the layout, or an empty group.
    pub(super) fn check(&self) -> Result<(), TrafficError> {
        let per_router = u64::from(self.nodes_per_router());
        let routers = match &self.shape {
            Shape::Dragonfly { group_sizes, .. } => {
                group_sizes.iter().fold(0, |sum: u64, &a| sum.saturating_add(a.into()))
            }
            Shape::Grid { dims, .. } => {
                dims.iter().fold(1, |product: u64, &k| product.saturating_mul(k.into()))
            }
            Shape::Graph { .. } => u64::from(self.nodes).checked_div(per_router).unwrap_or(0),
        };
        let shape = routers.saturating_mul(per_router);
        if shape != u64::from(self.nodes) {
            return Err(TrafficError::Layout { nodes: self.nodes, shape });
        }
        if let Shape::Dragonfly { group_sizes, .. } = &self.shape
            && let Some(group) = group_sizes.iter().position(|&a| a == 0)
        {
            return Err(TrafficError::EmptyGroup(group));
        }
        if self.nodes < 2 {
            return Err(TrafficError::NobodySends);
        }
        Ok(())
    }

    /// Nodes at each router.
    pub(super) fn nodes_per_router(&self) -> u32 {
        match self.shape {
            Shape::Dragonfly { p, .. } => p,
            Shape::Grid { nodes_per_router, .. } | Shape::Graph { nodes_per_router } => nodes_per_router,
        }
    }

    /// The nodes of each group, and how many there are at a router; `None` where there are no groups.
    pub(super) fn groups(&self) -> Option<(Vec<Span>, u32)> {
        let Shape::Dragonfly { p, group_sizes } = &self.shape else { return None };
        let mut first = 0;
        let span = |a: &u32| {
            let span = Span { first, len: a * p };
            first += span.len;
            span
        };
        Some((group_sizes.iter().map(span).collect(), *p))
    }
}

impl Span {
    /// All of them.
    pub(super) fn nodes(self) -> impl Iterator<Item = u32> {
        self.first..self.first + self.len
    }

    /// Whether `node` is one of them.
    pub(super) fn contains(self, node: u32) -> bool {
        node.wrapping_sub(self.first) < self.len
    }
}
