//! Negative-hop routing: every shortest way, on VCs that rise with each second hop, on meshes, and tori of even sides.
//!
//! The routers have two colours, as the fields of a chess board; each link joins an even router, whose coordinates add up to an even
//! number, with an odd one. A hop from an odd router to an even one is negative. A packet that comes to an even router by a negative
//! hop leaves it by a higher VC than it came by; everywhere else it leaves by the same or a higher one (Gopal, 1985). So VCs, and on one VC
//! the colours, only rise along a route: there is no cycle, on half as many VCs as hops and one more.
//!
//! A packet whose way is shorter than the longest one has VCs to spare. It takes any of them, as long as enough are left for the rest of
//! its way (the bonus cards of Boppana and Chalasani, 1993).

use super::{Arrival, Candidates, Full, Here, Misfit, Route, Scheme, Vcs, consume};
use crate::header::Header;
use crate::map::grid::Grid;
use crate::map::{AnyMap, MapKind};
use crate::units::{PortClass, VcSet};

/// Every shortest way, on VCs that rise with each second hop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NegativeHopScheme;

crate::no_settings!(NegativeHopScheme);

impl Scheme for NegativeHopScheme {
    const WORD: &'static str = "negative-hop";
    type Routing<'m> = NegativeHop;

    fn map(on: MapKind) -> Option<MapKind> {
        matches!(on, MapKind::Mesh | MapKind::Torus).then_some(on)
    }

    fn vcs_for(&self, hops: u32) -> u32 {
        (hops / 2).saturating_add(1)
    }

    /// Round a ring of an odd number of routers two neighbours would be of one colour.
    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        let AnyMap::Grid(grid) = *map else { return Ok(()) };
        let odd = grid.sizes().copied().find(|size| grid.wraps && size & 1 == 1);
        odd.map_or(Ok(()), |size| Err(Misfit::OddSide { size }))
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<NegativeHop> {
        let AnyMap::Grid(grid) = *map else { return None };
        self.check(map).is_ok().then_some(NegativeHop { grid, vcs: vcs.local })
    }
}

/// Negative-hop routing.
#[derive(Clone, Copy, Debug)]
pub struct NegativeHop {
    /// The map: a mesh, or a torus of even sides.
    pub grid: Grid,
    /// VCs of each port between routers, more than half of the hops of the longest route.
    pub vcs: u8,
}

impl NegativeHop {
    /// The lowest VC that a packet may leave by.
    #[inline]
    fn lowest(&self, here: u32, from: Arrival) -> u32 {
        match from.kind {
            PortClass::NODE => 0,
            _ => u32::from(from.vc.number()).wrapping_add(u32::from(!self.grid.is_odd(here))),
        }
    }

    /// The VCs that the rest of a way of so many hops, the next one included, leaves for that one.
    #[inline]
    fn left(&self, here: u32, hops: u32) -> u32 {
        let odd = u32::from(self.grid.is_odd(here));
        let rises = hops.saturating_sub(1).wrapping_add(odd) / 2;
        u32::from(self.vcs).saturating_sub(rises)
    }
}

impl Route for NegativeHop {
    #[inline]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let Some(closer) = self.grid.closer(here.router, header.to.router) else {
            return Ok(Candidates::NONE);
        };
        if closer.is_empty() {
            return Ok(consume(here, header.to));
        }
        let hops = self.grid.distance(here.router, header.to.router);
        let (lowest, end) = (self.lowest(here.router, from), self.left(here.router, hops));
        Ok(Candidates::minimal(closer.and(here.wired), VcSet::range(lowest as usize, end as usize)))
    }

    fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
        let hops = self.grid.distance(here.router, header.to.router);
        from.kind == PortClass::NODE
            || hops == 0 && from.vc.number() < self.vcs
            || self.lowest(here.router, from) < self.left(here.router, hops)
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;
    use crate::header::Address;
    use crate::map::{Map, Peer};
    use crate::units::VcId;

    /// With as many VCs as the longest route needs, and one less.
    fn needs(grid: Grid, vcs: u8) -> bool {
        let routing = NegativeHop { grid, vcs };
        let mut states: Vec<(u32, u32, Arrival)> = Vec::new();
        for from in grid.routers() {
            states.extend(grid.routers().map(|to| (from, to, Arrival::default())));
        }
        // Every packet by every way: it has a VC at each router, and never one that is too low.
        while let Some((at, to, from)) = states.pop() {
            if at == to {
                continue;
            }
            let here = Here { router: at, wired: grid.ways(), ..Here::default() };
            let header = Header { to: Address { router: to, port: 0 }, length: 1, ..Header::default() };
            let offered = routing.offer(&here, from, &header).unwrap();
            if offered.is_empty() {
                return false;
            }
            for set in offered.sets() {
                let rises = from.kind != PortClass::NODE && !grid.is_odd(at);
                assert!(set.vcs.iter().all(|vc| vc.number() >= from.vc.number() + u8::from(rises)));
                for port in set.ports {
                    let Some(Peer::Router { router, port }) = grid.peer(at, port) else { panic!("{port:?}") };
                    // The highest VC leaves the least.
                    let vc = set.vcs.iter().last().unwrap_or(VcId::new(0));
                    states.push((router, to, Arrival { port, kind: PortClass::LOCAL, vc }));
                }
            }
        }
        true
    }

    #[test]
    fn half_of_the_longest_route_and_one_are_enough_and_no_less() {
        for (dims, wraps, hops) in
            [(&[4, 3][..], false, 5), (&[4, 4], false, 6), (&[3, 2, 2], false, 4), (&[4, 4], true, 4)]
        {
            let grid = Grid::new(dims, 1, wraps).unwrap();
            let vcs = NegativeHopScheme.vcs_for(hops) as u8;
            assert!(needs(grid, vcs), "{dims:?}");
            assert!(!needs(grid, vcs - 1), "{dims:?}");
        }
    }

    #[test]
    fn a_ring_of_an_odd_number_of_routers_has_no_two_colours() {
        let vcs = Vcs { node: 1, local: 8, global: 1 };
        for (dims, wraps, fits) in [(&[4, 3][..], false, true), (&[4, 6], true, true), (&[4, 3], true, false)]
        {
            let map = AnyMap::Grid(Grid::new(dims, 1, wraps).unwrap());
            assert_eq!(NegativeHopScheme.build(&map, vcs).is_some(), fits, "{dims:?}");
        }
    }
}
