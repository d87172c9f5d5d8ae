//! Misrouting in transit on a Dragonfly, in mixed mode (MM): what PAR and RLM have in common.
//!
//! Source: García et al., ICPP 2013 and INA-OCMC 2013; Jiang et al., ISCA 2009. A packet for another group may take any global link of
//! the router that it is injected at. One that came to the owner of its minimal global link may go to another router of the group
//! instead, and has to leave the group from there by any global link. In later groups a packet may take one local hop more than it needs.
//! So there are at most two local hops in each group, and the one that is not minimal is the first except in the origin group.

use super::minimal::shortest;
use super::{Arrival, CandidateSet, Candidates, Here, HopKind, consume};
use crate::header::Header;
use crate::map::dragonfly::{Dragonfly, Place, Towards};
use crate::units::{Bits, PortClass, PortSet, VcId, VcSet};

/// What differs from one routing to the other.
pub(super) trait InTransit {
    /// The map.
    fn map(&self) -> &Dragonfly<'_>;

    /// The VC of a local hop.
    fn local_vc(&self, from: Arrival) -> VcId;

    /// Whether a packet that enters a group, or starts in its destination's, may take a local hop more.
    fn misroutes_locally(&self, in_destination_group: bool) -> bool;

    /// Of some local ports those that a packet may take after the hop that brought it.
    fn after(&self, _at: Place, _from: Arrival, ports: PortSet) -> PortSet {
        ports
    }

    /// Of some local ports those behind which a packet may go on to where one of the local ports `goals` leads.
    fn before(&self, _at: Place, ports: PortSet, _goals: PortSet) -> PortSet {
        ports
    }
}

/// The second set, where there are no global misroutes: minimal hops, global and local misroutes are offered in this order.
const NO_GLOBAL: CandidateSet = CandidateSet::new(PortSet::EMPTY, VcSet::EMPTY, HopKind::GlobalMisroute);

/// The VC of a global hop: one for each global link of a route.
fn global_vc(header: &Header) -> VcSet {
    VcSet::only(VcId::new(u8::from(header.progress.left_origin())))
}

/// Every legal candidate.
pub(super) fn offer(rules: &impl InTransit, here: &Here, from: Arrival, header: &Header) -> Candidates {
    let at = Place::of(here.router);
    let to = Place::of(header.to.router);
    if !rules.map().has(header.to) {
        return Candidates::NONE;
    }
    if at == to {
        return consume(here, header.to);
    }
    if at.group == to.group {
        let goal = rules.map().local_ports_to(at.index, to.index);
        return within(rules, here, from, goal, true);
    }
    match rules.map().towards_group(at, to.group) {
        Towards::Link(own) => by_own_link(rules, here, from, header, own),
        Towards::Exit(_) if header.progress.must_leave() => leaving(rules, here, header, PortSet::EMPTY),
        Towards::Exit(exits) if header.progress.left_origin() => within(rules, here, from, exits, false),
        Towards::Exit(exits) => Candidates::of([
            local_hop(rules, from, rules.after(at, from, exits), HopKind::Minimal),
            global_detours(rules, here, from, PortSet::EMPTY),
        ]),
    }
}

/// A local hop to one of the routers behind `goals`, or one more before it where the packet has just entered the group.
fn within(
    rules: &impl InTransit,
    here: &Here,
    from: Arrival,
    goals: PortSet,
    in_destination_group: bool,
) -> Candidates {
    let at = Place::of(here.router);
    let minimal = local_hop(rules, from, rules.after(at, from, goals), HopKind::Minimal);
    if from.kind == PortClass::LOCAL || !rules.misroutes_locally(in_destination_group) {
        return Candidates::of([minimal]);
    }
    let detours = rules.map().local_detours(here.wired, from.port, goals);
    let local = local_hop(rules, from, rules.before(at, detours, goals), HopKind::LocalMisroute);
    Candidates::of([minimal, NO_GLOBAL, local])
}

/// A packet at a router that owns links to its destination's group.
fn by_own_link(
    rules: &impl InTransit,
    here: &Here,
    from: Arrival,
    header: &Header,
    own: PortSet,
) -> Candidates {
    if header.progress.must_leave() {
        return leaving(rules, here, header, own);
    }
    let minimal = CandidateSet::new(own, global_vc(header), HopKind::Minimal);
    if header.progress.left_origin() {
        return Candidates::of([minimal]);
    }
    if from.kind == PortClass::NODE {
        return Candidates::of([minimal, global_detours(rules, here, from, own)]);
    }
    // The packet has to leave the group from there: not every router can.
    let exits = rules.map().local_detours(here.wired, from.port, PortSet::EMPTY).and(here.group_exits);
    let local =
        local_hop(rules, from, rules.after(Place::of(here.router), from, exits), HopKind::LocalMisroute);
    Candidates::of([minimal, NO_GLOBAL, local])
}

/// A packet that has to leave its origin group now, by whatever global link.
fn leaving(rules: &impl InTransit, here: &Here, header: &Header, own: PortSet) -> Candidates {
    let vcs = global_vc(header);
    let others = CandidateSet::new(rules.map().global_detours(here.wired, own), vcs, HopKind::GlobalMisroute);
    Candidates::of([CandidateSet::new(own, vcs, HopKind::Minimal), others]).forced()
}

/// Global misroutes, where the packet is injected.
fn global_detours(rules: &impl InTransit, here: &Here, from: Arrival, own: PortSet) -> CandidateSet {
    let vcs = if from.kind == PortClass::NODE { VcSet::only(VcId::new(0)) } else { VcSet::EMPTY };
    CandidateSet::new(rules.map().global_detours(here.wired, own), vcs, HopKind::GlobalMisroute)
}

fn local_hop(rules: &impl InTransit, from: Arrival, ports: PortSet, kind: HopKind) -> CandidateSet {
    CandidateSet::new(ports, VcSet::only(rules.local_vc(from)), kind)
}

/// The header as it leaves: a global hop leaves the origin group, and a local misroute in it has to be followed by one.
pub(super) fn onward(here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
    let mut progress = header.progress;
    let leaves = Place::of(here.router).group != Place::of(header.to.router).group;
    if hop == HopKind::LocalMisroute && leaves && !progress.left_origin() {
        progress = progress.with_duty_to_leave();
    }
    if out_kind == PortClass::GLOBAL {
        progress = progress.with_origin_left();
    }
    Header { progress, ..*header }
}

/// The ports of a packet's shortest way on.
pub(super) fn passed_over(map: &Dragonfly<'_>, here: &Here, header: &Header) -> PortSet {
    shortest(map, Place::of(here.router), Place::of(header.to.router)).0
}

/// The other group that a packet is for, if it came from a node or from another group.
pub(crate) fn way_out<B: Bits>(here: &Here<B>, from: Arrival, header: &Header) -> Option<u32> {
    let group = Place::of(header.to.router).group;
    (from.kind != PortClass::LOCAL && group != Place::of(here.router).group).then_some(group)
}

/// Whether a packet's VC is one that packets with its progress take: local VCs from `later` on are for packets that have left their
/// origin group, those before for the others.
pub(super) fn keeps_order(from: Arrival, header: &Header, later: VcId) -> bool {
    match from.kind {
        PortClass::NODE => true,
        PortClass::GLOBAL => header.progress.left_origin(),
        _ => header.progress.left_origin() == (from.vc >= later),
    }
}
