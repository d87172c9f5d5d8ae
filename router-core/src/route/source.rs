//! Source routing: the source writes the outputs of all hops into the header, and each router takes off and obeys its own. On any
//! topology.
//!
//! A route takes as many bits for each hop as name a port, and the header has 24 for all of them: the fields `via` and `progress`. The
//! way is one of the shortest by the setting `routes`, the same for all packets from a router to another one. Routes that go up, then
//! down, exclude deadlock with any VCs, see [`super::up_down_star`]; shortest ones exclude it with a VC for each hop. The shortest ones
//! by the lowest ports are dimension order on meshes and hypercubes, where they exclude it with any VCs; elsewhere they may deadlock, and
//! `desvio prove` says whether they do.
//! Source: Duato, Yalamanchili and Ni, Interconnection Networks, 4.2 (source routing, street-sign routing).

use super::table::next_vc;
use super::{Arrival, Candidates, Draw, Full, Here, HopKind, Misfit, Route, Scheme, Vcs, consume};
use crate::header::{Address, Header, Progress};
use crate::layout;
use crate::map::routes::{ROUTE_BITS, RouteTable};
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortId, PortSet, VcSet};

/// Which routes the sources write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Routes {
    /// Shortest ones of those that go up, then down, by level, or by distance from router 0; on any VC.
    #[default]
    UpDown,
    /// Shortest ones, on a VC for each hop.
    Shortest,
    /// The shortest one that takes the lowest port at each hop, on any VC.
    LowestPort,
}

crate::words!(Routes {
    "up*/down*" => [Self::UpDown],
    "shortest" => [Self::Shortest],
    "lowest-port" => [Self::LowestPort],
});

/// By a route that the source writes into the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SourceScheme {
    /// Which routes.
    pub routes: Routes,
}

impl Settings for SourceScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("routes", &mut self.routes)
    }
}

impl Scheme for SourceScheme {
    const WORD: &'static str = "source";
    const RTL: Option<u32> = Some(layout::ROUTING_SOURCE);
    type Routing<'m> = Source<'m>;

    fn map(_on: MapKind) -> Option<MapKind> {
        Some(MapKind::Routes)
    }

    fn vcs_for(&self, hops: u32) -> u32 {
        if self.routes == Routes::Shortest { hops } else { 0 }
    }

    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        match map {
            AnyMap::Routes(table) if table.bits() > ROUTE_BITS.into() => {
                Err(Misfit::Route { most: ROUTE_BITS, found: table.bits() })
            }
            _ => Ok(()),
        }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<Source<'m>> {
        let AnyMap::Routes(table) = *map else { return None };
        Some(Source { table, rises: self.routes == Routes::Shortest })
    }

    fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
        let rises = self.routes == Routes::Shortest;
        put("HOP_VCS", if rises { layout::HOP_VCS_RISING } else { layout::HOP_VCS_ANY });
    }
}

/// By the route in the header.
#[derive(Clone, Copy, Debug)]
pub struct Source<'t> {
    /// The routes that sources write.
    pub table: RouteTable<'t>,
    /// Whether each hop takes the next VC.
    pub rises: bool,
}

/// What is left of the route in a header.
#[inline]
const fn rest(header: &Header) -> u32 {
    header.via | (header.progress.bits() as u32).wrapping_shl(layout::VIA_BITS)
}

/// The header with this route.
#[inline]
const fn with(header: Header, route: u32) -> Header {
    let via = route & 1u32.wrapping_shl(layout::VIA_BITS).wrapping_sub(1);
    Header { via, progress: Progress::from_bits(route.wrapping_shr(layout::VIA_BITS) as u8), ..header }
}

impl Route for Source<'_> {
    #[inline]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        let sign = header.via & 1u32.wrapping_shl(self.table.sign_bits()).wrapping_sub(1);
        let ports = PortSet::only(PortId::new(sign as u8)).and(here.wired);
        let vcs = if self.rises { VcSet::only(next_vc(from)) } else { VcSet::from_bits(u8::MAX) };
        Ok(Candidates::minimal(ports, vcs))
    }

    /// What this router has read is taken off.
    #[inline]
    fn onward(&self, _here: &Here, header: &Header, _out_kind: PortClass, _hop: HopKind) -> Header {
        with(*header, rest(header).wrapping_shr(self.table.sign_bits()))
    }

    fn launch(&self, here: &Here, to: Address, length: u16, _draw: &mut impl Draw) -> Header {
        with(Header { to, length, ..Header::default() }, self.table.route(here.router, to.router))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A route longer than the field of the intermediate router goes on in the field of the packet's progress.
    #[test]
    fn a_long_route_is_read_as_it_was_written() {
        for route in (0..layout::VIA_BITS + 3).map(|bit| 1_u32 << bit) {
            assert_eq!(rest(&with(Header::default(), route)), route);
            assert_eq!(rest(&with(Header::default(), route - 1)), route - 1);
        }
    }
}
