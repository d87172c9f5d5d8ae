//! The network of a metapath: its static minimal routes.

use crate::map::AnyMap;
use crate::map::grid::Grid;
use crate::map::steps::StepTable;
use crate::units::PortId;

/// A network whose static routes are those of dimension order, or those of a table.
#[derive(Clone, Copy, Debug)]
pub enum Network<'m> {
    /// A mesh or torus.
    Grid(Grid),
    /// Any other graph.
    Table(StepTable<'m>),
}

impl<'m> Network<'m> {
    /// That of a map, if it has static routes for single steps.
    #[must_use]
    pub const fn of(map: &AnyMap<'m>) -> Option<Self> {
        match *map {
            AnyMap::Grid(grid) => Some(Self::Grid(grid)),
            AnyMap::Steps(table) => Some(Self::Table(table)),
            _ => None,
        }
    }

    /// Bits of an address.
    pub(crate) fn address_bits(&self) -> u32 {
        match self {
            Self::Grid(grid) => grid.address_bits(),
            Self::Table(table) => u32::BITS.wrapping_sub(table.routers().wrapping_sub(1).leading_zeros()),
        }
    }

    /// The addresses of all routers, in the order of their numbers.
    pub(crate) fn routers(self) -> impl Iterator<Item = u32> {
        let count = match self {
            Self::Grid(grid) => grid.count(),
            Self::Table(table) => table.routers(),
        };
        (0..count).map(move |number| match self {
            Self::Grid(grid) => grid.nth(number),
            Self::Table(_) => number,
        })
    }

    /// Hops of the static route between two routers.
    #[must_use]
    pub fn distance(&self, from: u32, to: u32) -> u32 {
        match self {
            Self::Grid(grid) => grid.distance(from, to),
            Self::Table(table) => table.distance(from, to),
        }
    }

    /// The first hop of the static route between two routers: the output, and the router behind it.
    fn next_hop(&self, here: u32, to: u32) -> Option<(PortId, u32)> {
        match self {
            Self::Grid(grid) => grid.next_hop(here, to),
            Self::Table(table) => table.next_hop(here, to),
        }
    }

    /// The links of the static route between two routers: the router and the output of each hop.
    pub fn links(self, from: u32, to: u32) -> impl Iterator<Item = (u32, PortId)> {
        // As many as the route has: a table whose routes lead nowhere has no endless one.
        let most = self.distance(from, to) as usize;
        let mut here = from;
        let hop = move || {
            let (port, router) = self.next_hop(here, to)?;
            Some((core::mem::replace(&mut here, router), port))
        };
        core::iter::from_fn(hop).take(most)
    }
}
