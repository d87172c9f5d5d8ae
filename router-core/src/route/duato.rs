//! Duato's fully adaptive routing on meshes: every shortest way on the adaptive VCs, dimension order on the escape VC.
//!
//! VC 0 is the escape VC and takes dimension order alone, whose dependencies have no cycle; the other VCs take any port that leads
//! closer. A packet at the front of any VC requests the escape VC as long as nothing else is free, so that a packet that waits
//! for adaptive VCs is never stuck behind a cycle of them (Duato, 1993 and 1995). This holds where a buffer that takes a head has
//! room for the whole packet: behind the tail of one packet another may stand in the same VC.

use super::{Arrival, CandidateSet, Candidates, Full, Here, HopKind, Needs, Route, Scheme, Vcs, consume};
use crate::header::Header;
use crate::layout;
use crate::map::grid::Grid;
use crate::map::{AnyMap, MapKind};
use crate::units::{PortClass, PortSet, VcId, VcSet};

/// Fully adaptive with an escape VC, on a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DuatoScheme;

crate::no_settings!(DuatoScheme);

impl Scheme for DuatoScheme {
    const WORD: &'static str = "duato";
    const WHOLE_PACKETS: bool = true;
    const RTL: Option<u32> = Some(layout::ROUTING_DUATO);
    type Routing<'m> = Duato;

    fn map(on: MapKind) -> Option<MapKind> {
        (on == MapKind::Mesh).then_some(on)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        Needs::between_routers(2, 0, "duato routing")
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<Duato> {
        let AnyMap::Grid(grid) = *map else { return None };
        Some(Duato { grid, vcs: vcs.local })
    }
}

/// Fully adaptive routing with an escape VC.
#[derive(Clone, Copy, Debug)]
pub struct Duato {
    /// The map: a mesh.
    pub grid: Grid,
    /// VCs of each port between routers, at least 2.
    pub vcs: u8,
}

impl Duato {
    const ESCAPE: VcId = VcId::new(0);
}

impl Route for Duato {
    /// Two sets, which overlap in a port: the adaptive VCs of all minimal ports, then the escape VC of one of them.
    #[inline]
    fn offer(&self, here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let mut ports = PortSet::EMPTY;
        let (mut escape, mut hops) = (PortSet::EMPTY, 0u32);
        for (dimension, size, x, y) in self.grid.differences(here.router, header.to.router) {
            let port = self.grid.port(dimension, self.grid.goes_up(size, x, y));
            if y >= size || !here.wired.contains(port) {
                return Ok(Candidates::NONE);
            }
            ports.insert(port);
            hops = hops.saturating_add(x.abs_diff(y));
            if escape.is_empty() {
                escape = ports;
            }
        }
        if ports.is_empty() {
            return Ok(consume(here, header.to));
        }
        let hops = u8::try_from(hops).unwrap_or(u8::MAX);
        let adaptive = VcSet::first_n(usize::from(self.vcs)).minus(VcSet::only(Self::ESCAPE));
        let set = |ports, vcs| CandidateSet { ports, vcs, kind: HopKind::Minimal, hops };
        Ok(Candidates::of([set(ports, adaptive), set(escape, VcSet::only(Self::ESCAPE))]))
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
}
