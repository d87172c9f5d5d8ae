//! What patterns see of a network: which nodes are at which router, and how the routers are grouped or lined up.

use super::error::TrafficError;
use std::ops::Range;

/// Which nodes are at which router, and how the routers are grouped or lined up. Nodes are numbered router by router.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeMap {
    /// Entry `router`: its first node; one entry more, the number of nodes.
    first: Vec<u32>,
    /// Entry `group`: its first router; one entry more, the number of routers.
    groups: Option<Vec<u32>>,
    /// Routers along each dimension: router `x0 + k0·(x1 + k1·(x2 + …))` is at `x0, x1, …`.
    dims: Option<Vec<u32>>,
}

/// Nodes with consecutive numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The lowest.
    pub first: u32,
    /// How many.
    pub len: u32,
}

impl NodeMap {
    /// So many nodes at each router, and so many routers in each group or along each dimension, where there are any.
    pub fn new(
        nodes_at: impl IntoIterator<Item = u32>,
        groups: Option<&[u32]>,
        dims: Option<&[u32]>,
    ) -> Self {
        Self {
            first: ends(nodes_at),
            groups: groups.map(|sizes| ends(sizes.iter().copied())),
            dims: dims.map(<[u32]>::to_vec),
        }
    }

    /// Nodes of the network.
    pub fn nodes(&self) -> u32 {
        self.first.last().copied().unwrap_or(0)
    }

    /// Routers of the network.
    pub fn routers(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// All nodes.
    pub fn all(&self) -> Span {
        Span { first: 0, len: self.nodes() }
    }

    /// The nodes of a router.
    pub fn at(&self, router: u32) -> Span {
        self.nodes_of(&(router..router + 1))
    }

    /// The nodes of routers with consecutive numbers.
    pub fn nodes_of(&self, routers: &Range<u32>) -> Span {
        let [start, end] = [routers.start, routers.end].map(|router| self.first[router as usize]);
        Span { first: start, len: end - start }
    }

    /// The routers of each group.
    ///
    /// # Errors
    /// When there are no groups, or one of them has no node: the pattern speaks of the nodes of groups.
    pub fn groups(&self, pattern: &'static str) -> Result<Vec<Range<u32>>, TrafficError> {
        let ends = self.groups.as_ref().ok_or(TrafficError::NeedsGroups(pattern))?;
        let groups: Vec<_> = ends.windows(2).map(|ends| ends[0]..ends[1]).collect();
        match groups.iter().position(|group| self.nodes_of(group).len == 0) {
            Some(empty) => Err(TrafficError::EmptyGroup(empty)),
            None => Ok(groups),
        }
    }

    /// Routers along each dimension.
    ///
    /// # Errors
    /// When there are no dimensions.
    pub fn dims(&self, pattern: &'static str) -> Result<&[u32], TrafficError> {
        self.dims.as_deref().ok_or(TrafficError::NeedsDimensions(pattern))
    }

    /// The routers that have nodes, and how many each of them has.
    ///
    /// # Errors
    /// When some have more than others: the pattern keeps the index of a node at its router.
    pub fn alike(&self, pattern: &'static str) -> Result<(Vec<u32>, u32), TrafficError> {
        let routers: Vec<u32> = (0..self.routers()).filter(|&router| self.at(router).len > 0).collect();
        let each = routers.first().map_or(0, |&router| self.at(router).len);
        if routers.iter().any(|&router| self.at(router).len != each) {
            return Err(TrafficError::NeedsEqualRouters(pattern));
        }
        Ok((routers, each))
    }
}

/// Where each stretch of these lengths starts, and where the last one ends.
fn ends(lengths: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let ends = lengths.into_iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

impl Span {
    /// All of them.
    pub fn nodes(self) -> impl Iterator<Item = u32> {
        self.first..self.first + self.len
    }

    /// Whether `node` is one of them.
    pub fn contains(self, node: u32) -> bool {
        node.wrapping_sub(self.first) < self.len
    }
}
