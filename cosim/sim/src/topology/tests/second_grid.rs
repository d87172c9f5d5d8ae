//! A second opinion on mesh and torus: numbers of routers and strides in place of addresses.

use super::Topology;

/// A grid of routers, with or without wrap links.
///
/// The first coordinate counts fastest. Ports: the nodes, then for each dimension the port up and the port down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Grid {
    dims: Vec<usize>,
    /// Entry `dimension`: how far apart the numbers of two neighbours are.
    strides: Vec<usize>,
    routers: usize,
    nodes_per_router: usize,
    wraps: bool,
}

/// Which way along a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// The coordinate rises.
    Up,
    /// The coordinate falls.
    Down,
}

impl Direction {
    /// The other way.
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }
}

impl Grid {
    /// The grid of a scenario; `None` for any other topology.
    pub(super) fn of(topology: &Topology) -> Option<Self> {
        match topology {
            Topology::Mesh(mesh) => Some(Self::new(&mesh.0.dims, mesh.0.nodes_per_router.into(), false)),
            Topology::Torus(torus) => Some(Self::new(&torus.0.dims, torus.0.nodes_per_router.into(), true)),
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

    /// Nodes at each router.
    pub(super) fn nodes_per_router(&self) -> usize {
        self.nodes_per_router
    }

    /// Where `router` is along `dimension`.
    pub(super) fn coordinate(&self, router: usize, dimension: usize) -> usize {
        router / self.strides[dimension] % self.dims[dimension]
    }

    /// The router at `coordinates`, one for each dimension.
    pub(super) fn router(&self, coordinates: &[usize]) -> usize {
        coordinates.iter().zip(&self.strides).map(|(x, stride)| x * stride).sum()
    }

    /// The port that leads one way along `dimension`.
    pub(super) fn port(&self, dimension: usize, direction: Direction) -> usize {
        self.nodes_per_router + 2 * dimension + usize::from(direction == Direction::Down)
    }

    /// Dimension and direction of `port`; `None` for the port of a node.
    pub(super) fn way(&self, port: usize) -> Option<(usize, Direction)> {
        let n = port.checked_sub(self.nodes_per_router)?;
        let direction = if n % 2 == 0 { Direction::Up } else { Direction::Down };
        (n / 2 < self.dims.len()).then_some((n / 2, direction))
    }

    /// The neighbour of `router` one way along `dimension`; `None` at the edge of a mesh.
    pub(super) fn neighbour(&self, router: usize, dimension: usize, direction: Direction) -> Option<usize> {
        let (k, stride) = (self.dims[dimension], self.strides[dimension]);
        let from = self.coordinate(router, dimension);
        let (edge, to) = match direction {
            Direction::Up => (k - 1, (from + 1) % k),
            Direction::Down => (0, (from + k - 1) % k),
        };
        let is_link = from != edge || (self.wraps && k > 1);
        is_link.then(|| router - from * stride + to * stride)
    }

    /// How many routers there are.
    pub(super) fn routers(&self) -> usize {
        self.routers
    }

    /// Ports of a router.
    pub(super) fn ports(&self) -> usize {
        self.nodes_per_router + 2 * self.dims.len()
    }

    /// Router and port at the other end of a router-to-router port.
    pub(super) fn across(&self, router: usize, port: usize) -> Option<(usize, usize)> {
        let (dimension, direction) = self.way(port)?;
        let there = self.neighbour(router, dimension, direction)?;
        Some((there, self.port(dimension, direction.opposite())))
    }
}
