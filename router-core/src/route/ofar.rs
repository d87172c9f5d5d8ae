//! On-the-fly adaptive routing (OFAR) on a Dragonfly: misrouting in transit on VCs without an order, and a ring to escape by.
//!
//! Source: García et al., ICPP 2012, and The Journal of Supercomputing 71, 2015; what a packet may be misrouted to is as in the authors'
//! simulator (MM+L). A packet for another group may take any global link of the router that it is injected at. One that came to another
//! router of its origin group by a local hop may take one more, and has to leave the group from there by any global link. In later groups,
//! and where it goes to its own, a packet may take one local hop more than it needs, before it is at the owner of its global link. Each of
//! these hops takes any canonical VC: all of a port but the last one.
//!
//! The last VC of each port is the escape's: on the links of a Hamiltonian ring through all routers. A packet from another router that finds
//! neither its minimal output nor a misroute open comes on to the ring, if there is room for two packets, and goes on along it if there is
//! room for one ([`VcAllocation::Bubble`](crate::plan::VcAllocation::Bubble)): so one buffer of the ring always has room for a packet, and
//! those on the ring move. A packet leaves the ring where its minimal output is open, but only `ring_exits` times; after that it stays on
//! the ring to its destination. Packets that have not left their first router do not come on to it: they hold nothing that others need.

use super::{Arrival, CandidateSet, Candidates, Full, Here, HopKind, Misfit, Needs, Route, Scheme, Vcs};
use super::{consume, way_out};
use crate::header::Header;
use crate::map::dragonfly::ring::HamiltonianRing;
use crate::map::dragonfly::{Dragonfly, Place, Towards};
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortSet, VcId, VcSet};

/// On-the-fly adaptive routing on a Dragonfly: its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OfarScheme {
    /// How often a packet leaves the ring before its destination. Range: 0…15.
    pub ring_exits: u8,
}

impl Default for OfarScheme {
    fn default() -> Self {
        Self { ring_exits: 4 }
    }
}

impl Settings for OfarScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("ring_exits", 0..=15, &mut self.ring_exits)
    }
}

impl Scheme for OfarScheme {
    const WORD: &'static str = "ofar";
    const DETOURS: &'static [HopKind] = &[HopKind::GlobalMisroute, HopKind::LocalMisroute];
    const COUNTS_GROUPS: bool = true;
    const BUBBLES: bool = true;
    type Routing<'m> = Ofar<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        // The feature `small` has no escapes.
        (on == MapKind::Dragonfly && !cfg!(feature = "small")).then_some(on)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        Needs::between_routers(2, 2, "ofar routing")
    }

    fn whole_packets(&self) -> bool {
        true
    }

    fn default_vcs(&self) -> Vcs {
        Vcs { node: 3, local: 4, global: 3 }
    }

    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        match *map {
            AnyMap::Dragonfly(map) if HamiltonianRing::of(&map).is_none() => Err(Misfit::NoRing),
            _ => Ok(()),
        }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<Ofar<'m>> {
        let AnyMap::Dragonfly(map) = *map else { return None };
        Some(Ofar { map, ring: HamiltonianRing::of(&map)?, vcs, ring_exits: self.ring_exits })
    }
}

/// OFAR.
#[derive(Clone, Copy, Debug)]
pub struct Ofar<'t> {
    map: Dragonfly<'t>,
    ring: HamiltonianRing,
    /// Of each kind of port, the last one the ring's.
    vcs: Vcs,
    ring_exits: u8,
}

/// What a header says of the ring, in its field `via`: in bit 0 whether the packet is on it, above that how often it has come on to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OnRing(u32);

impl OnRing {
    const fn is_on(self) -> bool {
        self.0 & 1 != 0
    }
    const fn times(self) -> u32 {
        self.0.wrapping_shr(1)
    }
    /// By a hop along the ring, or on to it.
    const fn on(self) -> Self {
        if self.is_on() { self } else { Self(self.0.wrapping_add(3)) }
    }
    /// By another hop.
    const fn off(self) -> Self {
        Self(self.0 & !1)
    }
}

impl Ofar<'_> {
    const fn vcs_of(&self, kind: PortClass) -> usize {
        (if matches!(kind, PortClass::GLOBAL) { self.vcs.global } else { self.vcs.local }) as usize
    }

    /// The VC of the ring.
    fn ring_vc(&self, kind: PortClass) -> VcId {
        VcId::new(self.vcs_of(kind).wrapping_sub(1) as u8)
    }

    /// Hops by any canonical VC, to ports of one kind.
    fn hop(&self, kind: PortClass, ports: PortSet, hop: HopKind) -> CandidateSet {
        CandidateSet::new(ports, VcSet::first_n(self.vcs_of(kind).wrapping_sub(1)), hop)
    }

    /// The minimal hops of a packet that is not at its destination.
    fn minimal(&self, at: Place, to: Place) -> (PortClass, PortSet) {
        if at.group == to.group {
            return (PortClass::LOCAL, PortSet::only(self.map.local_port(at.index, to.index)));
        }
        match self.map.towards_group(at, to.group) {
            Towards::Link(own) => (PortClass::GLOBAL, own),
            Towards::Exit(exits) => (PortClass::LOCAL, exits),
        }
    }

    /// The misroutes of a packet that is not on the ring, beside its minimal hops.
    fn misroutes(
        &self,
        here: &Here,
        from: Arrival,
        header: &Header,
        (kind, minimal): (PortClass, PortSet),
    ) -> CandidateSet {
        let progress = header.progress;
        let local = |ports: PortSet| self.hop(PortClass::LOCAL, ports, HopKind::LocalMisroute);
        let locals = self.map.local_detours(here.wired, from.port, minimal);
        if is_abroad(here, header) && !progress.left_origin() {
            return match from.kind {
                PortClass::LOCAL if progress.local_misroutes() > 0 => local(PortSet::EMPTY),
                PortClass::LOCAL => local(locals.and(here.group_exits)),
                _ => self.global_misroutes(here, minimal),
            };
        }
        let may = progress.local_misroutes() == 0 && kind == PortClass::LOCAL;
        local(if may { locals } else { PortSet::EMPTY })
    }

    fn global_misroutes(&self, here: &Here, minimal: PortSet) -> CandidateSet {
        self.hop(PortClass::GLOBAL, self.map.global_detours(here.wired, minimal), HopKind::GlobalMisroute)
    }
}

impl Route for Ofar<'_> {
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let (at, to) = (Place::of(here.router), Place::of(header.to.router));
        if !self.map.has(header.to) {
            return Ok(Candidates::NONE);
        }
        if at == to {
            return Ok(consume(here, header.to));
        }
        let minimal @ (kind, ports) = self.minimal(at, to);
        let ring = OnRing(header.via);
        let minimal_set = self.hop(kind, ports, HopKind::Minimal);
        let others = match ring.is_on() {
            true if ring.times() > self.ring_exits.into() => Candidates::NONE,
            true => Candidates::of([minimal_set]),
            false if header.progress.must_leave() => {
                let own = if kind == PortClass::GLOBAL { ports } else { PortSet::EMPTY };
                let own_set = self.hop(PortClass::GLOBAL, own, HopKind::Minimal);
                Candidates::of([own_set, self.global_misroutes(here, own)])
            }
            false => Candidates::of([minimal_set, self.misroutes(here, from, header, minimal)]),
        };
        if from.kind == PortClass::NODE {
            return Ok(others);
        }
        let port = self.ring.onward(&self.map, at);
        let vc = VcSet::only(self.ring_vc(self.map.class(port)));
        Ok(others.escaping(PortSet::only(port), vc, !ring.is_on()))
    }

    /// A global hop leaves the origin group, and the local misroutes of a group are over. One in the origin group has to be followed by a
    /// global hop, unless the ring comes between.
    fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        let ring = OnRing(header.via);
        let ring = if hop == HopKind::Escape { ring.on() } else { ring.off() };
        let mut progress = header.progress;
        if hop == HopKind::LocalMisroute {
            progress = progress.with_local_misroute();
            if is_abroad(here, header) && !progress.left_origin() {
                progress = progress.with_duty_to_leave();
            }
        }
        if hop == HopKind::Escape {
            progress = progress.without_duty_to_leave();
        }
        if out_kind == PortClass::GLOBAL {
            progress = progress.with_origin_left().without_local_misroutes();
        }
        Header { progress, via: ring.0, ..*header }
    }

    fn leaves_for(&self, here: &Here, from: Arrival, header: &Header) -> Option<u32> {
        way_out(here, from, header)
    }

    /// The last VC of a port between routers is for packets on the ring, the others are for the rest.
    fn keeps_order(&self, _here: &Here, from: Arrival, header: &Header) -> bool {
        from.kind == PortClass::NODE || OnRing(header.via).is_on() == (from.vc == self.ring_vc(from.kind))
    }
}

/// Whether a packet is for another group.
const fn is_abroad(here: &Here, header: &Header) -> bool {
    Place::of(here.router).group != Place::of(header.to.router).group
}
