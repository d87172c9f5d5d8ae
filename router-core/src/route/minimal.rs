//! Shortest routes on a Dragonfly: at most local, global, local (rules a–e).

use super::{Arrival, CandidateSet, Candidates, Full, Here, HopKind, Route, consume, ladder};
use crate::header::Header;
use crate::map::dragonfly::{Dragonfly, Place, Towards};
use crate::units::{PortKind, PortSet, VcSet};

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
        } else if at.group == to.group {
            let port = self.map.local_port(at.index, to.index);
            Candidates::of([hop(from, PortSet::only(port), PortKind::Local)])
        } else {
            hop_to_group(&self.map, at, from, to.group)
        })
    }
}

/// An order-respecting hop by any of `ports`.
#[inline]
pub(super) fn hop(from: Arrival, ports: PortSet, kind: PortKind) -> CandidateSet {
    CandidateSet::new(ports, VcSet::only(ladder::next(from, kind)), HopKind::Minimal)
}

/// An order-respecting hop towards another group.
#[inline]
pub(super) fn hop_to_group(map: &Dragonfly<'_>, at: Place, from: Arrival, group: u32) -> Candidates {
    Candidates::of([match map.towards_group(at, group) {
        Towards::Link(own) => hop(from, own, PortKind::Global),
        Towards::Exit(exits) => hop(from, exits, PortKind::Local),
    }])
}
