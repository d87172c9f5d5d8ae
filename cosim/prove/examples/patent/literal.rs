//! Rules a–o of the patent taken to the letter, on a Dragonfly with 3 local and 2 global VCs.
//!
//! Local VCs 0, 1, 2 are the patent's VC0, VC2, VC4; global VCs 0, 1 its VC1, VC3. The one addition is what the letter leaves open: traffic inside
//! a group does not leave it (R_nonmin is for other traffic), and an injected packet counts as one from a global port.

use router_core::header::{Address, Header};
use router_core::map::dragonfly::{Dragonfly, Place};
use router_core::route::{
    Arrival, Candidate, CandidateSet, Candidates, Draw, Full, Here, HopKind, Route, consume, ladder,
};
use router_core::units::{PortClass, PortSet, VcId, VcSet};

/// The rules to the letter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Literal<'t> {
    pub(crate) map: Dragonfly<'t>,
    /// Rules i–l instead of f–h.
    pub(crate) is_restricted: bool,
}

/// A sub-function of the routing: which of its candidates are to exclude deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubFunction {
    /// R_min: rules a–e.
    Minimal,
    /// R_nonmin, the patent's own argument: rules f–h, or i–l.
    NonMinimal,
    /// R_min, but a packet that took a local hop in its origin group leaves it by its next hop.
    Corrected,
}

impl Literal<'_> {
    fn places(here: &Here, header: &Header) -> (Place, Place) {
        (Place::of(here.router), Place::of(header.to.router))
    }

    fn is_at_origin(header: &Header) -> bool {
        !header.progress.left_origin()
    }

    /// R_min: rules b–e.
    fn minimal(&self, here: &Here, from: Arrival, header: &Header) -> CandidateSet {
        let (at, to) = Self::places(here, header);
        let own = self.map.own_links(at, to.group);
        let (ports, vc) = match () {
            () if at.group == to.group => {
                (self.map.local_ports_to(at.index, to.index), ladder::next(from, PortClass::LOCAL))
            }
            () if !own.is_empty() => (own, ladder::next(from, PortClass::GLOBAL)),
            () if Self::is_at_origin(header) => (self.map.exits(at, to.group), VcId::new(0)),
            () => (self.map.exits(at, to.group), ladder::next(from, PortClass::LOCAL)),
        };
        CandidateSet::new(ports, VcSet::only(vc), HopKind::Minimal)
    }

    /// R_nonmin in the origin group, of traffic for another one: global ports, local ports.
    fn nonminimal(&self, here: &Here, from: Arrival, header: &Header) -> (PortSet, PortSet) {
        let (at, to) = Self::places(here, header);
        let owns_link = !self.map.own_links(at, to.group).is_empty();
        let (global, local) =
            (self.map.global_ports().and(here.wired), self.map.local_ports().and(here.wired));
        let is_at_source = here.router == header.via;
        match self.is_restricted {
            true if from.kind == PortClass::NODE || !owns_link => (global, PortSet::EMPTY),
            true => (PortSet::EMPTY, local),
            false if !is_at_source && !owns_link => (global, PortSet::EMPTY),
            false => (global, local),
        }
    }

    /// R_loc: rules m–o, one local misroute in each group.
    fn misroutes(&self, here: &Here, from: Arrival, header: &Header) -> CandidateSet {
        let (at, to) = Self::places(here, header);
        let is_spent = header.progress.local_misroutes() > 0;
        let applies = at.group == to.group || self.map.own_links(at, to.group).is_empty();
        let ports =
            if applies && !is_spent { self.map.local_ports().and(here.wired) } else { PortSet::EMPTY };
        CandidateSet::new(ports, VcSet::only(ladder::misroute(from)), HopKind::LocalMisroute)
    }

    /// Whether a candidate belongs to a sub-function.
    pub(crate) fn is_of(
        &self,
        sub: SubFunction,
        here: &Here,
        from: Arrival,
        header: &Header,
        one: Candidate,
    ) -> bool {
        let (at, to) = Self::places(here, header);
        let is_in = |set: CandidateSet| set.ports.contains(one.port) && set.vcs.contains(one.vc);
        if at == to {
            return true;
        }
        let is_leaving = Self::is_at_origin(header) && at.group != to.group;
        let is_global = self.map.class(one.port) == PortClass::GLOBAL;
        match sub {
            SubFunction::NonMinimal if is_leaving => {
                let (global, local) = self.nonminimal(here, from, header);
                one.vc == VcId::new(0) && global.union(local).contains(one.port)
            }
            SubFunction::Corrected if is_leaving && from.kind == PortClass::LOCAL => {
                let own = self.map.own_links(at, to.group);
                is_global && (own.is_empty() || own.contains(one.port))
            }
            _ => is_in(self.minimal(here, from, header)),
        }
    }
}

impl Route for Literal<'_> {
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let (at, to) = Self::places(here, header);
        if at == to {
            return Ok(consume(here, header.to));
        }
        let minimal = self.minimal(here, from, header);
        if !Self::is_at_origin(header) || at.group == to.group {
            return Ok(Candidates::of([minimal, self.misroutes(here, from, header)]));
        }
        let first = VcSet::only(VcId::new(0));
        let (global, local) = self.nonminimal(here, from, header);
        Ok(Candidates::of([
            minimal,
            CandidateSet::new(global, first, HopKind::GlobalMisroute),
            CandidateSet::new(local, first, HopKind::LocalMisroute),
        ]))
    }

    fn onward(&self, _here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        let mut progress = header.progress;
        if hop == HopKind::LocalMisroute && progress.left_origin() {
            progress = progress.with_local_misroute();
        }
        if out_kind == PortClass::GLOBAL {
            progress = progress.with_origin_left().without_local_misroutes();
        }
        Header { progress, ..*header }
    }

    /// The origin is kept where other routings keep an intermediate point.
    fn launch(&self, here: &Here, to: Address, length: u16, _draw: &mut impl Draw) -> Header {
        Header { to, via: here.router, length, ..Header::default() }
    }
}
