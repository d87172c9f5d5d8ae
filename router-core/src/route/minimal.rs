//! Shortest routes on a Dragonfly: at most local, global, local (rules a–e).

use super::{
    Arrival, CandidateSet, Candidates, Full, Here, HopKind, Needs, Route, Scheme, Vcs, consume, ladder,
};
use crate::header::Header;
use crate::layout;
use crate::map::dragonfly::{Dragonfly, Place, Towards};
use crate::map::{AnyMap, MapKind};
use crate::units::{PortClass, PortSet, VcSet};

/// Shortest routes on a Dragonfly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MinimalScheme;

crate::no_settings!(MinimalScheme);

impl Scheme for MinimalScheme {
    const WORD: &'static str = "minimal";
    const RTL: Option<u32> = Some(layout::ROUTING_MINIMAL);
    type Routing<'m> = Minimal<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        (on == MapKind::Dragonfly).then_some(on)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        Needs::between_routers(2, 1, "minimal routing")
    }

    fn default_vcs(&self) -> Vcs {
        Vcs { node: 3, local: 3, global: 2 }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<Minimal<'m>> {
        let AnyMap::Dragonfly(map) = *map else { return None };
        Some(Minimal { map })
    }
}

/// Minimal routing.
#[derive(Clone, Copy, Debug)]
pub struct Minimal<'t> {
    /// The map.
    pub map: Dragonfly<'t>,
}

impl Route for Minimal<'_> {
    #[inline]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let at = Place::of(here.router);
        let to = Place::of(header.to.router);
        Ok(if !self.map.has(header.to) {
            Candidates::NONE
        } else if at == to {
            consume(here, header.to)
        } else {
            let (ports, kind) = shortest(&self.map, at, to);
            Candidates::of([hop(from, ports, kind)])
        })
    }
}

/// The ports of the minimal hops of a packet that is not at its destination, and what they are.
#[inline]
pub(super) fn shortest(map: &Dragonfly<'_>, at: Place, to: Place) -> (PortSet, PortClass) {
    if at.group == to.group {
        return (map.local_ports_to(at.index, to.index), PortClass::LOCAL);
    }
    match map.towards_group(at, to.group) {
        Towards::Link(own) => (own, PortClass::GLOBAL),
        Towards::Exit(exits) => (exits, PortClass::LOCAL),
    }
}

/// An order-respecting hop by any of `ports`.
#[inline]
pub(super) fn hop(from: Arrival, ports: PortSet, kind: PortClass) -> CandidateSet {
    CandidateSet::new(ports, VcSet::only(ladder::next(from, kind)), HopKind::Minimal)
}

/// An order-respecting hop towards another group.
#[inline]
pub(super) fn hop_to_group(map: &Dragonfly<'_>, at: Place, from: Arrival, group: u32) -> Candidates {
    Candidates::of([match map.towards_group(at, group) {
        Towards::Link(own) => hop(from, own, PortClass::GLOBAL),
        Towards::Exit(exits) => hop(from, exits, PortClass::LOCAL),
    }])
}
