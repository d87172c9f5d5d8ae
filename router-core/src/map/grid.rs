//! The map of a mesh or torus of any dimensions: coordinates, and which port leads which way. Pure arithmetic, no state.

use super::{Map, Peer, RouterClass};
use crate::header::ROUTER_BITS;
use crate::units::{PortClass, PortId, PortSet};

/// Most dimensions of a grid.
pub const MAX_DIMENSIONS: usize = 8;

/// A mesh or torus. Ports of a router: its nodes, then for each dimension `+` and `−`. An address packs the
/// coordinates, the first dimension lowest, each in as many bits as its size needs.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    sizes: [u32; MAX_DIMENSIONS],
    dimensions: u8,
    nodes: u8,
    pub(crate) wraps: bool,
    one_way: bool,
    ties: Ties,
}

/// Which way a packet goes where both ways round a ring of a torus are as long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Ties {
    /// Up from even coordinates, down from odd ones: both directions carry the same.
    #[default]
    Parity,
    /// Up, as a table of one route to each destination may have it.
    Up,
    /// Either, drawn for each packet and each dimension where the packet is injected.
    Random,
}

crate::words!(Ties {
    "parity" => [Self::Parity],
    "up" => [Self::Up],
    "random" => [Self::Random],
});

/// Why some numbers do not make a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum GridError {
    /// A grid has 1 to 8 dimensions.
    Dimensions,
    /// A dimension has at least 2 routers, and the coordinates fit an address.
    Size,
    /// A router has no more ports than a port set holds.
    Ports,
}

impl core::fmt::Display for GridError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Dimensions => "a grid has 1 to 8 dimensions",
            Self::Size => "a dimension has at least 2 routers, and all coordinates together at most 18 bits",
            Self::Ports => "a router has more ports than a port set holds",
        })
    }
}

impl core::error::Error for GridError {}

/// Bits that a coordinate below `size` needs.
const fn bits(size: u32) -> u32 {
    u32::BITS.wrapping_sub(size.wrapping_sub(1).leading_zeros())
}

impl Grid {
    /// A grid with `nodes` nodes at each router; a torus if it `wraps`.
    ///
    /// # Errors
    /// When the numbers are out of range.
    pub fn new(dims: &[u32], nodes: u8, wraps: bool) -> Result<Self, GridError> {
        if dims.is_empty() || dims.len() > MAX_DIMENSIONS {
            return Err(GridError::Dimensions);
        }
        let mut address_bits = 0u32;
        let mut sizes = [1; MAX_DIMENSIONS];
        for (place, &size) in sizes.iter_mut().zip(dims) {
            address_bits = address_bits.saturating_add(bits(size));
            if size < 2 || address_bits > ROUTER_BITS {
                return Err(GridError::Size);
            }
            *place = size;
        }
        let ports = usize::from(nodes).wrapping_add(dims.len().wrapping_mul(2));
        if ports > <PortSet>::CAPACITY {
            return Err(GridError::Ports);
        }
        Ok(Self { sizes, dimensions: dims.len() as u8, nodes, wraps, one_way: false, ties: Ties::Parity })
    }

    /// The torus of these sizes whose links lead up alone: flits leave by the ports up, and come by those down.
    #[must_use]
    pub const fn one_way(self) -> Self {
        Self { wraps: true, one_way: true, ..self }
    }

    /// The grid with another way half-way round its rings.
    #[must_use]
    pub const fn with_ties(self, ties: Ties) -> Self {
        Self { ties, ..self }
    }

    /// Which way packets go half-way round its rings.
    #[inline]
    pub const fn ties(&self) -> Ties {
        self.ties
    }

    /// Whether links lead up alone.
    #[inline]
    pub const fn is_one_way(&self) -> bool {
        self.one_way
    }

    /// The largest ring in which each packet takes one hop at most.
    #[inline]
    pub(crate) const fn single_hop(&self) -> u32 {
        if self.one_way { 2 } else { 3 }
    }

    /// How many dimensions it has.
    #[inline]
    pub(crate) const fn dimensions(&self) -> u8 {
        self.dimensions
    }

    /// Whether it is a torus.
    pub const fn wraps(&self) -> bool {
        self.wraps
    }

    /// The address of the router with these coordinates.
    pub fn address(&self, coordinates: &[u32]) -> u32 {
        let mut at = 0u32;
        let mut address = 0u32;
        for (&size, &coordinate) in self.sizes().zip(coordinates) {
            address |= coordinate.wrapping_shl(at);
            at = at.wrapping_add(bits(size));
        }
        address
    }

    /// The address with the highest coordinates.
    pub fn last(&self) -> u32 {
        let mut at = 0u32;
        self.sizes().fold(0, |address, &size| {
            let coordinate = size.wrapping_sub(1).wrapping_shl(at);
            at = at.wrapping_add(bits(size));
            address | coordinate
        })
    }

    /// How many routers it has.
    pub(crate) fn count(&self) -> u32 {
        self.sizes().fold(1u32, |product, &size| product.saturating_mul(size))
    }

    /// The address of router `number`.
    pub(crate) fn nth(&self, number: u32) -> u32 {
        let (mut rest, mut at, mut address) = (number, 0u32, 0u32);
        for &size in self.sizes() {
            address |= rest.checked_rem(size).unwrap_or(0).wrapping_shl(at);
            rest = rest.checked_div(size).unwrap_or(0);
            at = at.wrapping_add(bits(size));
        }
        address
    }

    /// Bits of an address.
    pub(crate) fn address_bits(&self) -> u32 {
        self.sizes().fold(0u32, |sum, &size| sum.wrapping_add(bits(size)))
    }

    /// The lowest bit of each coordinate in an address.
    pub fn starts(&self) -> u32 {
        let mut at = 0u32;
        self.sizes().fold(0, |starts, &size| {
            let lowest = 1u32.wrapping_shl(at);
            at = at.wrapping_add(bits(size));
            starts | lowest
        })
    }

    pub(crate) fn sizes(&self) -> impl Iterator<Item = &u32> {
        self.sizes.iter().take(usize::from(self.dimensions))
    }

    /// The dimensions in which two routers differ, in their order: number, size, and both coordinates.
    #[inline]
    pub(crate) fn differences(
        &self,
        mut here: u32,
        mut there: u32,
    ) -> impl Iterator<Item = (u8, u32, u32, u32)> {
        let all = (0u8..).zip(self.sizes()).map(move |(dimension, &size)| {
            let width = bits(size);
            let mask = 1u32.wrapping_shl(width).wrapping_sub(1);
            let (x, y) = (here & mask, there & mask);
            here = here.wrapping_shr(width);
            there = there.wrapping_shr(width);
            (dimension, size, x, y)
        });
        all.filter(|(_, _, x, y)| x != y)
    }

    /// The first of these dimensions. Not an iterator: of its methods the compiler makes calls where it optimises for size.
    #[inline]
    pub(crate) fn first_difference(&self, mut here: u32, mut there: u32) -> Option<(u8, u32, u32, u32)> {
        let mut dimension = 0u8;
        while dimension < self.dimensions {
            let &size = self.sizes.get(usize::from(dimension))?;
            let width = bits(size);
            let mask = 1u32.wrapping_shl(width).wrapping_sub(1);
            let (x, y) = (here & mask, there & mask);
            if x != y {
                return Some((dimension, size, x, y));
            }
            here = here.wrapping_shr(width);
            there = there.wrapping_shr(width);
            dimension = dimension.wrapping_add(1);
        }
        None
    }

    /// The first coordinate of a router.
    #[inline]
    pub(crate) fn first(&self, router: u32) -> u32 {
        let width = self.sizes().next().map_or(0, |&size| bits(size));
        router & 1u32.wrapping_shl(width).wrapping_sub(1)
    }

    /// Whether the coordinates of a router add up to an odd number.
    #[inline]
    pub(crate) fn is_odd(&self, router: u32) -> bool {
        self.differences(router, 0).fold(false, |odd, (_, _, x, _)| odd ^ (x & 1 == 1))
    }

    /// Hops of the shortest routes between two routers.
    #[inline]
    pub(crate) fn distance(&self, here: u32, there: u32) -> u32 {
        let hops = |(_, size, x, y): (u8, u32, u32, u32)| {
            let straight = x.abs_diff(y);
            if self.one_way {
                if y >= x { straight } else { size.saturating_sub(straight) }
            } else if self.wraps {
                straight.min(size.saturating_sub(straight))
            } else {
                straight
            }
        };
        self.differences(here, there).fold(0, |sum, way| sum.saturating_add(hops(way)))
    }

    /// The first hop of the route in dimension order between two routers: the output, and the router behind it.
    pub(crate) fn next_hop(&self, here: u32, to: u32) -> Option<(PortId, u32)> {
        let (dimension, size, x, y) = self.first_difference(here, to)?;
        let port = self.port(dimension, self.goes_up(size, x, y));
        let Some(Peer::Router { router, .. }) = self.peer(here, port) else { return None };
        Some((port, router))
    }

    /// Whether `router` is in the cube with `side` routers along each of the first `dimensions` dimensions round `centre`, and in its place in
    /// the others. The centre is in the middle; a side that is even has one more above it. A cube that would lie beyond the edge of a
    /// mesh is moved inside. A side that is too long is all of the dimension.
    pub(crate) fn is_in_cube(&self, centre: u32, router: u32, side: u32, dimensions: u8) -> bool {
        self.differences(centre, router).all(|(dimension, size, x, y)| {
            let side = if dimension < dimensions { side.min(size) } else { 1 };
            let below = side.saturating_sub(1) / 2;
            if self.wraps {
                let up = y.wrapping_add(size).wrapping_sub(x).wrapping_add(below);
                return up.checked_rem(size).is_some_and(|place| place < side);
            }
            let first = x.saturating_sub(below).min(size.saturating_sub(side));
            y >= first && y.wrapping_sub(first) < side
        })
    }

    /// Whether both ways round a ring of `size` routers from `x` to `y` are as long.
    #[inline]
    pub(crate) const fn is_halfway(&self, size: u32, x: u32, y: u32) -> bool {
        self.wraps && !self.one_way && x.abs_diff(y).wrapping_mul(2) == size
    }

    /// The ports that lead closer in each dimension in which two routers differ, two half-way round a ring; `None` where the other one lies
    /// beyond the grid.
    #[inline]
    pub(crate) fn closer(&self, here: u32, there: u32) -> Option<PortSet> {
        let mut ports = PortSet::EMPTY;
        for (dimension, size, x, y) in self.differences(here, there) {
            if y >= size {
                return None;
            }
            let up = self.goes_up(size, x, y);
            ports.insert(self.port(dimension, up));
            if self.is_halfway(size, x, y) {
                ports.insert(self.port(dimension, !up));
            }
        }
        Some(ports)
    }

    /// Whether the shorter way from `x` to `y` goes up, as all do where links lead up alone. Half-way round, even coordinates go up and odd
    /// ones down, so that both directions carry as much, unless all are to go [up](Ties::Up) there.
    #[inline]
    pub(crate) const fn goes_up(&self, size: u32, x: u32, y: u32) -> bool {
        if self.one_way {
            return true;
        }
        if !self.wraps {
            return y > x;
        }
        let ahead = if y >= x { y.wrapping_sub(x) } else { y.wrapping_add(size).wrapping_sub(x) };
        let behind = size.wrapping_sub(ahead);
        ahead < behind || (ahead == behind && (matches!(self.ties, Ties::Up) || x & 1 == 0))
    }

    /// The coordinate one further up or down in a dimension of `size` routers; `None` beyond the edge of a mesh.
    const fn neighbour(&self, size: u32, x: u32, up: bool) -> Option<u32> {
        let last = size.wrapping_sub(1);
        match (up, x == if up { last } else { 0 }) {
            (true, false) => Some(x.wrapping_add(1)),
            (false, false) => Some(x.wrapping_sub(1)),
            (_, true) if !self.wraps => None,
            (true, true) => Some(0),
            (false, true) => Some(last),
        }
    }

    /// The port of a dimension and a direction.
    #[inline]
    pub(crate) const fn port(&self, dimension: u8, up: bool) -> PortId {
        let first = self.nodes.wrapping_add(dimension.wrapping_mul(2));
        PortId::new(if up { first } else { first.wrapping_add(1) })
    }

    /// The number of a port's direction, from 0 on; 0 for a port to a node.
    #[inline]
    pub(crate) const fn way(&self, port: PortId) -> u8 {
        port.number().saturating_sub(self.nodes)
    }

    /// The ports to other routers.
    #[inline]
    pub(crate) fn ways(&self) -> PortSet {
        PortSet::range(self.nodes.into(), self.ports())
    }

    /// The port that leads where a packet was heading that came by `port`: straight on.
    #[inline]
    pub(crate) const fn heading(&self, port: PortId) -> PortId {
        let way = port.number().wrapping_sub(self.nodes);
        self.port(way >> 1, way & 1 == 1)
    }
}

impl Map for Grid {
    /// The first coordinate counts fastest.
    fn routers(&self) -> impl Iterator<Item = u32> {
        (0..self.count()).map(|number| self.nth(number))
    }

    fn ports(&self) -> usize {
        usize::from(self.nodes.wrapping_add(self.dimensions.wrapping_mul(2)))
    }

    fn port_class(&self, _of: RouterClass, port: PortId) -> PortClass {
        if port.number() < self.nodes { PortClass::NODE } else { PortClass::LOCAL }
    }

    fn sends(&self, _router: u32, port: PortId) -> bool {
        port.number() < self.nodes || !self.one_way || self.way(port) & 1 == 0
    }

    fn peer(&self, router: u32, port: PortId) -> Option<Peer> {
        let Some(way) = port.number().checked_sub(self.nodes) else { return Some(Peer::Node) };
        let (dimension, up) = (way >> 1, way & 1 == 0);
        let mut at = 0u32;
        for (number, &size) in (0u8..).zip(self.sizes()) {
            let width = bits(size);
            if number == dimension {
                let mask = 1u32.wrapping_shl(width).wrapping_sub(1);
                let to = self.neighbour(size, router.wrapping_shr(at) & mask, up)?;
                let router = router & !mask.wrapping_shl(at) | to.wrapping_shl(at);
                return Some(Peer::Router { router, port: self.port(dimension, !up) });
            }
            at = at.wrapping_add(width);
        }
        None
    }
}
