//! Mesh and torus: routers on a grid of any dimensions.

use crate::scenario;

use super::{Known, Layout, PortKind};

/// A grid of routers, with or without wrap links.
///
/// The first coordinate counts fastest. Ports: the nodes, then for each dimension the port up and the port down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    dims: Vec<usize>,
    /// Entry `dimension`: how far apart the numbers of two neighbours are.
    strides: Vec<usize>,
    routers: usize,
    nodes_per_router: usize,
    wraps: bool,
}

/// Which way along a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The coordinate rises.
    Up,
    /// The coordinate falls.
    Down,
}

impl Direction {
    /// The other way.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }
}

impl Grid {
    /// A grid that ends at its edges.
    #[must_use]
    pub fn mesh(dims: &[u32], nodes_per_router: u32) -> Self {
        Self::new(dims, nodes_per_router, false)
    }

    /// A grid whose edges are joined; a ring of two routers has two links.
    #[must_use]
    pub fn torus(dims: &[u32], nodes_per_router: u32) -> Self {
        Self::new(dims, nodes_per_router, true)
    }

    /// The grid of a scenario; `None` for any other topology.
    #[must_use]
    pub fn of(topology: &scenario::Topology) -> Option<Self> {
        match topology {
            scenario::Topology::Mesh { dims, nodes_per_router } => Some(Self::mesh(dims, *nodes_per_router)),
            scenario::Topology::Torus { dims, nodes_per_router } => {
                Some(Self::torus(dims, *nodes_per_router))
            }
            _ => None,
        }
    }

    fn new(dims: &[u32], nodes_per_router: u32, wraps: bool) -> Self {
        let dims: Vec<usize> = dims.iter().map(|&k| k as usize).collect();
        let mut strides = Vec::with_capacity(dims.len());
        let mut routers = usize::from(!dims.is_empty());
        for &k in &dims {
            strides.push(routers);
            routers = routers.saturating_mul(k);
        }
        Self { dims, strides, routers, nodes_per_router: nodes_per_router as usize, wraps }
    }

    /// Routers along each dimension.
    #[must_use]
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Nodes at each router.
    #[must_use]
    pub fn nodes_per_router(&self) -> usize {
        self.nodes_per_router
    }

    /// Whether this is a torus.
    #[must_use]
    pub fn wraps(&self) -> bool {
        self.wraps
    }

    /// Where `router` is along `dimension`.
    #[must_use]
    pub fn coordinate(&self, router: usize, dimension: usize) -> usize {
        router / self.strides[dimension] % self.dims[dimension]
    }

    /// The router at `coordinates`, one for each dimension.
    #[must_use]
    pub fn router(&self, coordinates: &[usize]) -> usize {
        coordinates.iter().zip(&self.strides).map(|(x, stride)| x * stride).sum()
    }

    /// The port that leads one way along `dimension`.
    #[must_use]
    pub fn port(&self, dimension: usize, direction: Direction) -> usize {
        self.nodes_per_router + 2 * dimension + usize::from(direction == Direction::Down)
    }

    /// Dimension and direction of `port`; `None` for the port of a node.
    #[must_use]
    pub fn way(&self, port: usize) -> Option<(usize, Direction)> {
        let n = port.checked_sub(self.nodes_per_router)?;
        let direction = if n % 2 == 0 { Direction::Up } else { Direction::Down };
        (n / 2 < self.dims.len()).then_some((n / 2, direction))
    }

    /// The neighbour of `router` one way along `dimension`; `None` at the edge of a mesh.
    #[must_use]
    pub fn neighbour(&self, router: usize, dimension: usize, direction: Direction) -> Option<usize> {
        let (k, stride) = (self.dims[dimension], self.strides[dimension]);
        let from = self.coordinate(router, dimension);
        let (edge, to) = match direction {
            Direction::Up => (k - 1, (from + 1) % k),
            Direction::Down => (0, (from + k - 1) % k),
        };
        let is_link = from != edge || (self.wraps && k > 1);
        is_link.then(|| router - from * stride + to * stride)
    }

    /// Links cut by halving the longest dimension, where that is the least possible.
    ///
    /// Dimension-order routes of all pairs load a link of dimension `k` with at most `N k / 4` pairs (half of it on a
    /// torus), and `N² / 4` pairs lie across two halves: no cut is smaller when the longest `k` is even.
    fn bisection(&self) -> Option<u64> {
        let longest = self.dims.iter().copied().max().filter(|k| k % 2 == 0)?;
        let links = self.routers / longest * if self.wraps { 2 } else { 1 };
        Some(links as u64)
    }
}

impl Layout for Grid {
    fn routers(&self) -> usize {
        self.routers
    }

    fn ports(&self) -> usize {
        self.nodes_per_router + 2 * self.dims.len()
    }

    fn nodes_at(&self, _router: usize) -> usize {
        self.nodes_per_router
    }

    fn kind(&self, port: usize) -> PortKind {
        if port < self.nodes_per_router { PortKind::Node } else { PortKind::Local }
    }

    fn across(&self, router: usize, port: usize) -> Option<(usize, usize)> {
        let (dimension, direction) = self.way(port)?;
        let there = self.neighbour(router, dimension, direction)?;
        Some((there, self.port(dimension, direction.opposite())))
    }

    fn known(&self) -> Known {
        Known { bisection: self.bisection(), representatives: self.wraps.then_some(1), minimal_hops: None }
    }
}
