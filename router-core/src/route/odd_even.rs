//! The odd-even turn model on meshes of two dimensions: partially adaptive, minimal routing on any VC.
//!
//! Which turns are forbidden depends on the column (Chiu, 2000): in an even one those from east to north and to south, in an odd one those
//! from north and from south to west. The easternmost column of a cycle of channels would have a turn of each kind, which no column has:
//! there is no cycle. Every direction is restricted somewhere and none everywhere, unlike in the turn model of Glass and Ni.
//!
//! The first coordinate is x, the column; the second y. East is `+x`, to the router whose x is one higher, west is `−x`, north is
//! `+y`, south is `−y`; a packet turns east to north when it has moved east and moves north next.
//!
//! Chiu's function `ROUTE` asks for the column of the source, to see whether a packet in an even column has just moved east. The port
//! by which it came says the same, so that the header's source, which routers only carry, is not read. A packet never comes to a place
//! where all of its ways on are forbidden. Eastwards it does not enter an even destination column before its row is right; westwards it
//! changes its row in even columns alone.

use super::{Arrival, Candidates, Full, Here, Route, Scheme, Vcs, consume};
use crate::header::Header;
use crate::layout;
use crate::map::grid::Grid;
use crate::map::{AnyMap, MapKind};
use crate::units::{PortClass, PortSet, VcId, VcSet};

/// The odd-even turn model, on a mesh of two dimensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OddEvenScheme;

crate::no_settings!(OddEvenScheme);

impl Scheme for OddEvenScheme {
    const WORD: &'static str = "odd-even";
    const RTL: Option<u32> = Some(layout::ROUTING_ODD_EVEN);
    type Routing<'m> = OddEven;

    fn map(on: MapKind) -> Option<MapKind> {
        (on == MapKind::Mesh).then_some(on)
    }

    fn dimensions(&self) -> Option<u8> {
        Some(2)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<OddEven> {
        let AnyMap::Grid(grid) = *map else { return None };
        (grid.dimensions() == 2).then_some(OddEven { grid, vcs: vcs.local })
    }
}

/// Routing by the odd-even turn model.
#[derive(Clone, Copy, Debug)]
pub struct OddEven {
    /// The map: a mesh of two dimensions.
    pub grid: Grid,
    /// VCs of each port between routers.
    pub vcs: u8,
}

impl OddEven {
    /// Of the ports that lead closer, those that the packet may take.
    #[inline]
    fn allowed(&self, here: u32, to: u32, from: Arrival, closer: PortSet) -> PortSet {
        let (x, goal) = (self.grid.first(here), self.grid.first(to));
        let (is_odd, is_goal_odd) = (x & 1 == 1, goal & 1 == 1);
        let columns = PortSet::only(self.grid.port(0, true)).union(PortSet::only(self.grid.port(0, false)));
        let (along, across) = (closer.and(columns), closer.minus(columns));
        if along.is_empty() || across.is_empty() {
            return closer;
        }
        let may_go_across = if goal > x { is_odd || !self.moved_east(from) } else { !is_odd };
        let may_go_along = goal < x || is_goal_odd || goal != x.wrapping_add(1);
        let of = |may: bool, ports| if may { ports } else { PortSet::EMPTY };
        of(may_go_along, along).union(of(may_go_across, across))
    }

    /// Whether it came by the port that leads west.
    #[inline]
    fn moved_east(&self, from: Arrival) -> bool {
        from.kind != PortClass::NODE && from.port == self.grid.port(0, false)
    }
}

impl Route for OddEven {
    #[inline]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let Some(closer) = self.grid.closer(here.router, header.to.router) else {
            return Ok(Candidates::NONE);
        };
        if closer.is_empty() {
            return Ok(consume(here, header.to));
        }
        let ports = self.allowed(here.router, header.to.router, from, closer);
        Ok(Candidates::minimal(ports.and(here.wired), VcSet::first_n(usize::from(self.vcs))))
    }

    /// A packet is never where all of its ways on are forbidden. Such places are in an even column after a hop east, with its row yet to be
    /// changed and no column. In an odd one they are after a hop north or south, with columns to the west to go to.
    fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
        if from.kind == PortClass::NODE {
            return true;
        }
        let (x, goal) = (self.grid.first(here.router), self.grid.first(header.to.router));
        let moved_west = from.port == self.grid.port(0, true);
        let is_stuck = if self.moved_east(from) {
            x & 1 == 0 && x == goal && here.router != header.to.router
        } else {
            !moved_west && x & 1 == 1 && goal < x
        };
        from.vc < VcId::new(self.vcs) && !is_stuck
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Address;

    #[test]
    fn a_packet_is_out_of_order_where_its_ways_on_are_forbidden() {
        let grid = Grid::new(&[5, 4], 1, false).unwrap();
        let [east, west] = [true, false].map(|up| grid.port(0, up));
        let south = grid.port(1, false);
        for (at, port, to, keeps) in [
            ([2, 1], west, [2, 3], false), // east to north in an even column
            ([1, 1], west, [1, 3], true),
            ([2, 1], west, [4, 3], true), // it may turn in column 3
            ([2, 1], west, [2, 1], true),
            ([1, 1], south, [0, 3], false), // north to west in an odd column
            ([2, 1], south, [0, 3], true),
            ([1, 1], south, [4, 3], true),
            ([1, 1], east, [0, 3], true),
        ] {
            let here = Here { router: grid.address(&at), ..Here::default() };
            let header = Header { to: Address { router: grid.address(&to), port: 0 }, ..Header::default() };
            let from = |vc| Arrival { port, kind: PortClass::LOCAL, vc: VcId::new(vc) };
            let routing = OddEven { grid, vcs: 2 };
            assert_eq!(routing.keeps_order(&here, from(1), &header), keeps, "at {at:?} to {to:?}");
            assert!(!routing.keeps_order(&here, from(2), &header), "there is no VC 2");
        }
    }

    #[test]
    fn it_is_built_in_two_dimensions_alone() {
        let vcs = Vcs { node: 1, local: 1, global: 1 };
        for (dims, fits) in [(&[4][..], false), (&[4, 4], true), (&[2, 3, 2], false)] {
            let map = AnyMap::Grid(Grid::new(dims, 1, false).unwrap());
            assert_eq!(OddEvenScheme.build(&map, vcs).is_some(), fits, "{dims:?}");
        }
    }
}
