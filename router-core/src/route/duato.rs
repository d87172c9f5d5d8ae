//! Duato's fully adaptive routing on meshes and tori: every shortest way on the adaptive VCs, dimension order on the escape VCs.
//!
//! On a mesh VC 0 is the escape VC and takes dimension order alone, whose dependencies have no cycle; the other VCs take any port that
//! leads closer. On a torus the escape VCs are VC 0 and VC 1, in dimension order with the datelines of [`super::dateline_adaptive`]; half-way
//! round a ring both of its ports are shortest ways. A packet at the front of any VC requests the escape VC as long as nothing else is
//! free. So a packet that waits for adaptive VCs is never stuck behind a cycle of them (Duato, 1993 and 1995). This holds where a buffer
//! that takes a head has room for the whole packet: behind the tail of one packet another may stand in the same VC.

use super::dateline_adaptive::adaptive_vcs;
use super::{Arrival, CandidateSet, Candidates, Full, Here, HopKind, Needs, Route, Scheme, Vcs, consume};
use crate::header::Header;
use crate::layout;
use crate::map::grid::Grid;
use crate::map::{AnyMap, MapKind};
use crate::units::{PortClass, PortSet, VcId, VcSet};

/// Fully adaptive with escape VCs, on a mesh or torus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DuatoScheme;

crate::no_settings!(DuatoScheme);

impl Scheme for DuatoScheme {
    const WORD: &'static str = "duato";
    const RTL: Option<u32> = Some(layout::ROUTING_DUATO);
    type Routing<'m> = Duato;

    fn rtl_on(on: MapKind) -> bool {
        on == MapKind::Mesh
    }

    fn map(on: MapKind) -> Option<MapKind> {
        matches!(on, MapKind::Mesh | MapKind::Torus).then_some(on)
    }

    fn whole_packets(&self) -> bool {
        true
    }

    fn needs(&self, on: MapKind) -> Needs {
        match on {
            MapKind::Torus => Needs::between_routers(3, 0, "duato routing on a torus"),
            _ => Needs::between_routers(2, 0, "duato routing"),
        }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<Duato> {
        let AnyMap::Grid(grid) = *map else { return None };
        Some(Duato { grid, vcs: vcs.local })
    }
}

/// Fully adaptive routing with escape VCs.
#[derive(Clone, Copy, Debug)]
pub struct Duato {
    /// The map.
    pub grid: Grid,
    /// VCs of each port between routers, at least 2; at least 3 on a torus.
    pub vcs: u8,
}

impl Duato {
    /// Escape VCs of each port.
    #[inline]
    const fn escapes(&self) -> u8 {
        if self.grid.wraps { 2 } else { 1 }
    }
}

impl Route for Duato {
    /// Two sets, which overlap in a port: the adaptive VCs of all minimal ports, then the escape VCs of one of them.
    #[inline]
    fn offer(&self, here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let mut ports = PortSet::EMPTY;
        let mut escape = (PortSet::EMPTY, VcSet::EMPTY);
        for (dimension, size, x, y) in self.grid.differences(here.router, header.to.router) {
            let up = self.grid.goes_up(size, x, y);
            let port = self.grid.port(dimension, up);
            if y >= size || !here.wired.contains(port) {
                return Ok(Candidates::NONE);
            }
            if ports.is_empty() {
                let vcs = if self.grid.wraps { adaptive_vcs(2, up, x, y) } else { VcSet::first_n(1) };
                escape = (PortSet::only(port), vcs);
            }
            ports.insert(port);
            if self.grid.is_halfway(size, x, y) {
                ports.insert(self.grid.port(dimension, !up));
            }
        }
        if ports.is_empty() {
            return Ok(consume(here, header.to));
        }
        let hops = self.grid.distance(here.router, header.to.router);
        let hops = u8::try_from(hops).unwrap_or(u8::MAX);
        let adaptive = VcSet::range(usize::from(self.escapes()), usize::from(self.vcs));
        let set = |ports: PortSet, vcs| CandidateSet {
            ports: ports.and(here.wired),
            vcs,
            kind: HopKind::Minimal,
            hops,
        };
        Ok(Candidates::of([set(ports, adaptive), set(escape.0, escape.1)]))
    }

    fn keeps_order(&self, _here: &Here, from: Arrival, _header: &Header) -> bool {
        from.kind == PortClass::NODE || from.vc < VcId::new(self.vcs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Address;
    use crate::map::{Map, Peer};
    use crate::route::dimension_order::DimensionOrder;

    /// From every router to every other: each candidate leads closer by one hop, as the sets say; the escape VC is offered
    /// last and on the port of dimension order alone.
    #[test]
    fn every_hop_is_minimal_and_the_escape_is_dimension_order() {
        let grid = Grid::new(&[3, 4, 2], 1, false).unwrap();
        let (duato, order) = (Duato { grid, vcs: 3 }, DimensionOrder { grid, vcs: 1 });
        let distance = |a: u32, b: u32| grid.differences(a, b).map(|(_, _, x, y)| x.abs_diff(y)).sum::<u32>();
        for (at, to) in grid.routers().flat_map(|at| grid.routers().map(move |to| (at, to))) {
            let wired = (0..7).map(crate::units::PortId::new).filter(|&port| grid.peer(at, port).is_some());
            let here = Here { router: at, wired: wired.collect(), ..Here::default() };
            let header = Header { to: Address { router: to, port: 0 }, length: 1, ..Header::default() };
            let offered = duato.offer(&here, Arrival::default(), &header).unwrap();
            if at == to {
                assert_eq!(offered, consume(&here, header.to));
                continue;
            }
            let sets: Vec<_> = offered.sets().collect();
            let [adaptive, escape] = sets[..] else { panic!("{sets:?}") };
            assert_eq!((adaptive.vcs, escape.vcs), (VcSet::range(1, 3), VcSet::first_n(1)));
            assert_eq!(escape.ports, order.offer(&here, Arrival::default(), &header).unwrap().ports());
            assert_eq!(adaptive.ports.len(), grid.differences(at, to).count());
            for port in adaptive.ports {
                let Some(Peer::Router { router, .. }) = grid.peer(at, port) else { panic!("{port:?}") };
                assert_eq!(distance(router, to) + 1, distance(at, to));
            }
            assert_eq!([adaptive.hops, escape.hops].map(u32::from), [distance(at, to); 2]);
        }
    }

    /// On a torus every candidate leads closer as well; both ports of a ring are offered half-way round it, and the escape VCs on the
    /// port of dimension order: VC 1 behind the wrap-around link alone.
    #[test]
    fn on_a_torus_the_escape_has_datelines() {
        let grid = Grid::new(&[4, 5], 1, true).unwrap();
        let (duato, order) = (Duato { grid, vcs: 4 }, DimensionOrder { grid, vcs: 2 });
        let is_ahead = |at, to| {
            let (_, size, x, y) = grid.differences(at, to).next().unwrap();
            if grid.goes_up(size, x, y) { y < x } else { y > x }
        };
        for (at, to) in grid.routers().flat_map(|at| grid.routers().map(move |to| (at, to))) {
            if at == to {
                continue;
            }
            let here = Here { router: at, wired: grid.ways(), ..Here::default() };
            let header = Header { to: Address { router: to, port: 0 }, length: 1, ..Header::default() };
            let offered = duato.offer(&here, Arrival::default(), &header).unwrap();
            let sets: Vec<_> = offered.sets().collect();
            let [adaptive, escape] = sets[..] else { panic!("{sets:?}") };
            let ordered = order.offer(&here, Arrival::default(), &header).unwrap();
            assert_eq!((adaptive.vcs, escape.ports), (VcSet::range(2, 4), ordered.ports()));
            let escapes = if is_ahead(at, to) { 1 } else { 2 };
            assert_eq!(
                escape.vcs,
                VcSet::first_n(escapes),
                "VC 0, and VC 1 where no wrap-around link is ahead"
            );
            for port in adaptive.ports {
                let Some(Peer::Router { router, .. }) = grid.peer(at, port) else { panic!("{port:?}") };
                assert_eq!(grid.distance(router, to) + 1, grid.distance(at, to));
            }
            let halfway = at & 3 != to & 3 && (at & 3).abs_diff(to & 3) == 2;
            assert_eq!(adaptive.ports.len(), grid.differences(at, to).count() + usize::from(halfway));
        }
    }
}
