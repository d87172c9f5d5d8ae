//! On-the-fly adaptive routing (OFAR) on a Dragonfly: misrouting in transit on VCs without an order, and a ring to escape by.
//!
//! Source: García et al., ICPP 2012, and The Journal of Supercomputing 71, 2015; what a packet may be misrouted to is as in the authors'
//! simulator (MM+L). A packet for another group may take any global link of the router that it is injected at. One that came to another
//! router of its origin group by a local hop may take one more, and has to leave the group from there by any global link. In later groups,
//! and where it goes to its own, a packet may take one local hop more than it needs, before it is at the owner of its global link. Each of
//! these hops takes any canonical VC: all of a port but the last one.
//!
//! The last VC of each port is the escape's: on the links of a Hamiltonian ring through all routers. A packet from another router that
//! finds neither its minimal output nor a misroute open comes on to the ring, if there is room for two packets. It goes on along the ring
//! if there is room for one ([`VcAllocation::Bubble`](crate::links::VcAllocation::Bubble)). So one buffer of the ring always has room for a
//! packet, and those on the ring move. A packet leaves the ring where its minimal output is open, but only `ring_exits` times; after that
//! it stays on the ring to its destination. Packets that have not left their first router do not come on to it: they hold nothing that
//! others need.

use super::in_transit::passed_over;
use super::minimal::shortest;
use super::{Arrival, CandidateSet, Candidates, Full, Here, HopKind, Misfit, Needs, Route, Scheme, Vcs};
use super::{consume, way_out};
use crate::header::Header;
use crate::map::dragonfly::ring::HamiltonianRing;
use crate::map::dragonfly::{Dragonfly, Place};
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
        if cfg!(feature = "small") {
            return None;
        }
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

    /// The misroutes of a packet that is not on the ring, beside its minimal hops.
    fn misroutes(
        &self,
        here: &Here,
        from: Arrival,
        header: &Header,
        (minimal, kind): (PortSet, PortClass),
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
        let minimal @ (ports, kind) = shortest(&self.map, at, to);
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

    /// Those of a packet that stays on the ring, too.
    fn passed_over(&self, here: &Here, header: &Header) -> PortSet {
        passed_over(&self.map, here, header)
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

#[cfg(test)]
#[cfg(not(feature = "small"))]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;
    use crate::header::Address;
    use crate::map::Map;
    use crate::map::dragonfly::Arrangement;
    use crate::units::PortId;

    const SIZES: [u8; 9] = [4; 9];
    const VCS: Vcs = Vcs { node: 3, local: 4, global: 3 };

    fn ofar(ring_exits: u8) -> Ofar<'static> {
        let map = Dragonfly::new(2, 2, &SIZES, Arrangement::Palmtree).unwrap();
        let scheme = OfarScheme { ring_exits };
        scheme.build(&AnyMap::Dragonfly(map), VCS).unwrap()
    }

    /// At router 3 of group 0, which owns the links to groups 1 and 2.
    fn here() -> Here {
        let router = Place { group: 0, index: 3 }.address();
        Here { router, wired: PortSet::first_n(7), group_exits: PortSet::range(2, 5), ..Here::default() }
    }

    fn arrival(kind: PortClass, vc: u8) -> Arrival {
        let port = PortId::new(if kind == PortClass::NODE { 0 } else { 2 });
        Arrival { port, kind, vc: VcId::new(vc) }
    }

    fn header(group: u32, index: u32) -> Header {
        let to = Address { router: Place { group, index }.address(), port: 0 };
        Header { to, length: 8, ..Header::default() }
    }

    fn ports(offered: &Candidates) -> [PortSet; 4] {
        HopKind::ALL.map(|kind| offered.ports_of(kind))
    }

    const NONE: PortSet = PortSet::EMPTY;

    fn port(number: u8) -> PortSet {
        PortSet::only(PortId::new(number))
    }

    /// From a node global misroutes and no ring; from another router a local one, which has to be followed by a global one; then none.
    #[test]
    fn what_is_offered_in_the_origin_group() {
        let (ofar, here) = (ofar(4), here());
        let offer = |from, header: &Header| ports(&ofar.offer(&here, from, header).unwrap());
        let (node, local) = (arrival(PortClass::NODE, 0), arrival(PortClass::LOCAL, 0));
        let header = header(1, 0);
        let ring = PortSet::only(ofar.ring.onward(&ofar.map, Place::of(here.router)));
        let [own, other] = [PortId::new(6), PortId::new(5)].map(PortSet::only);
        assert_eq!(offer(node, &header), [own, other, NONE, NONE]);
        assert_eq!(offer(local, &header), [own, NONE, PortSet::range(3, 5), ring]);
        let misrouted = ofar.onward(&here, &header, PortClass::LOCAL, HopKind::LocalMisroute);
        assert!(misrouted.progress.must_leave());
        // Elsewhere in the group, as if no link to group 5 were here.
        let misrouted = Header { to: super::tests::header(5, 0).to, ..misrouted };
        assert_eq!(offer(local, &misrouted), [NONE, PortSet::range(5, 7), NONE, ring]);
        let escaped = ofar.onward(&here, &misrouted, PortClass::LOCAL, HopKind::Escape);
        let back = ofar.onward(&here, &escaped, PortClass::LOCAL, HopKind::Minimal);
        let [minimal, global, local, escape] = offer(local, &back);
        assert!(!minimal.is_empty(), "the ring ends the duty to leave");
        assert_eq!([global, local, escape], [NONE, NONE, ring], "but not the count of local misroutes");
    }

    /// One local misroute in each later group, before the owner of the global link; none for a packet on the ring.
    #[test]
    fn what_is_offered_in_later_groups() {
        let (ofar, here) = (ofar(4), here());
        let offer = |from, header: &Header| ports(&ofar.offer(&here, from, header).unwrap());
        let global = Arrival { port: PortId::new(5), ..arrival(PortClass::GLOBAL, 1) };
        let progress = header(0, 0).progress.with_origin_left();
        let inside = Header { progress, ..header(0, 0) };
        let ring = PortSet::only(ofar.ring.onward(&ofar.map, Place::of(here.router)));
        assert_eq!(offer(global, &inside), [port(2), NONE, PortSet::range(3, 5), ring]);
        let misrouted = ofar.onward(&here, &inside, PortClass::LOCAL, HopKind::LocalMisroute);
        assert!(!misrouted.progress.must_leave());
        assert_eq!(offer(arrival(PortClass::LOCAL, 2), &misrouted)[2], NONE);
        let through = Header { progress, ..header(1, 0) };
        assert_eq!(offer(global, &through)[1..3], [NONE, NONE], "at the owner");
        let on = ofar.onward(&here, &inside, PortClass::LOCAL, HopKind::Escape);
        assert_eq!(offer(arrival(PortClass::LOCAL, 3), &on), [port(2), NONE, NONE, ring]);
    }

    /// Canonical VCs are all but the last; a packet comes on to the ring by it, and counts. After so many exits it stays.
    #[test]
    fn the_ring_has_the_last_vc_and_is_left_so_often() {
        let (ofar, here) = (ofar(1), here());
        let at_front = |vc| arrival(PortClass::LOCAL, vc);
        let mut header = header(1, 0);
        for time in 1..=2 {
            let offered = ofar.offer(&here, at_front(0), &header).unwrap();
            assert!(offered.enters() && ofar.keeps_order(&here, at_front(0), &header));
            let [minimal, .., escape] = [0, 1, 2].map(|at| offered.sets().nth(at).unwrap());
            assert_eq!(minimal.vcs, VcSet::first_n(2), "of a global port");
            let vc = if escape.ports.and(ofar.map.global_ports()).is_empty() { 3 } else { 2 };
            assert_eq!((escape.kind, escape.vcs), (HopKind::Escape, VcSet::only(VcId::new(vc))));
            header = ofar.onward(&here, &header, PortClass::LOCAL, HopKind::Escape);
            let along = ofar.onward(&here, &header, PortClass::LOCAL, HopKind::Escape);
            assert_eq!((along, OnRing(along.via).times()), (header, time));
            assert!(ofar.keeps_order(&here, at_front(3), &header));
            assert!(!ofar.keeps_order(&here, at_front(2), &header));
            let offered = ofar.offer(&here, at_front(3), &header).unwrap();
            assert!(!offered.enters());
            assert_eq!(offered.minimal_ports().is_empty(), time == 2, "it has left the ring once");
            header = ofar.onward(&here, &header, PortClass::LOCAL, HopKind::Minimal);
        }
    }

    /// Whatever is offered is connected, and the destination is reached along the ring from everywhere.
    #[test]
    fn the_ring_leads_to_every_destination() {
        let ofar = ofar(0);
        let routers: Vec<u32> = ofar.map.routers().collect();
        let start = arrival(PortClass::LOCAL, 3);
        for &to in &routers {
            let header = Header { to: Address { router: to, port: 0 }, via: 3, ..header(0, 0) };
            let mut at = ofar.map.routers().find(|&router| router != to).unwrap();
            for _ in 0..routers.len() {
                let here = Here { router: at, wired: PortSet::first_n(7), ..Here::default() };
                let offered = ofar.offer(&here, start, &header).unwrap();
                let Some(crate::map::Peer::Router { router, .. }) =
                    ofar.map.peer(at, offered.ports().first().unwrap())
                else {
                    break;
                };
                at = router;
            }
            assert_eq!(at, to);
        }
    }
}
