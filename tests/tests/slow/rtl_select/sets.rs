//! Random candidates of a packet, such as the routings offer.

use super::sizes::Sizes;
use crate::rtl_unit::bench::Chance;
use router_core::PortClass;
use router_core::route::{CandidateSet, Candidates, HopKind};
use router_core::units::{PortSet, VcId, VcSet};

/// A packet's candidates, such as the routings offer.
pub(super) fn random_sets(sizes: &Sizes, chance: &mut Chance) -> (Vec<CandidateSet>, bool) {
    let [nodes, locals, globals] =
        [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL].map(|kind| sizes.all(kind));
    if chance.happens(1, 12) {
        let all = VcSet::from_bits(u8::MAX);
        let node = CandidateSet::new(PortSet::from_bits(chance.one(nodes)), all, HopKind::Minimal);
        let none = |&kind| CandidateSet::new(PortSet::EMPTY, VcSet::EMPTY, kind);
        let mut sets: Vec<_> = sizes.hops.iter().map(none).collect();
        let first = sets.iter_mut().find(|set| set.kind == HopKind::Minimal);
        *first.expect("a set of minimal hops") = node;
        return (sets, false);
    }
    if sizes.has_two_ways() {
        return (two_ways(sizes, locals | globals, chance), false);
    }
    let forced = chance.happens(1, 6);
    let towards = match chance.below(8) {
        0 if !forced => nodes,
        1..4 if !forced => locals,
        _ => globals,
    };
    let minimal = match chance.below(4) {
        0 => chance.some(towards),
        _ if forced && chance.happens(1, 3) => 0,
        _ => chance.one(towards),
    };
    // Now and then a VC beyond those that exist, and several where routings offer one.
    let one = |chance: &mut Chance| VcSet::only(VcId::new(chance.below(sizes.most_vcs().min(7) + 1) as u8));
    let vc = |chance: &mut Chance| {
        let more = if chance.happens(1, 8) { VcSet::from_bits(chance.word() as u8) } else { VcSet::EMPTY };
        one(chance).union(more)
    };
    let some = |of: usize, chance: &mut Chance| match chance.below(3) {
        0 => 0,
        1 => of,
        _ => chance.some(of),
    };
    let mut one_set = |&kind| {
        let ports = match kind {
            HopKind::Minimal => minimal,
            HopKind::GlobalMisroute => some(globals & !minimal, chance),
            HopKind::LocalMisroute if forced => 0,
            HopKind::LocalMisroute => some(locals & !minimal, chance),
            HopKind::Escape => panic!("the RTL has no escapes"),
        };
        // Of two sets of a kind the one may hold fewer ports than the other.
        let fewer = sizes.hops.iter().filter(|&&other| other == kind).count() > 1 && chance.happens(1, 2);
        let ports = if fewer { chance.some(ports) } else { ports };
        let set = CandidateSet::new(PortSet::from_bits(ports), vc(chance), kind);
        CandidateSet { hops: chance.below(8) as u8, ..set }
    };
    (sizes.hops.iter().map(&mut one_set).collect(), forced)
}

/// One minimal hop, and one detour or none.
pub(super) fn two_ways(sizes: &Sizes, transit: usize, chance: &mut Chance) -> Vec<CandidateSet> {
    let none = chance.happens(1, 4);
    let mut one_set = |&kind| {
        let ports = if kind == HopKind::GlobalMisroute && none { 0 } else { chance.one(transit) };
        let vcs = VcSet::only(VcId::new(chance.below(sizes.most_vcs()) as u8));
        let set = CandidateSet::new(PortSet::from_bits(ports), vcs, kind);
        CandidateSet { hops: chance.below(8) as u8, ..set }
    };
    sizes.hops.iter().map(&mut one_set).collect()
}

pub(super) fn candidates_of(sets: &[CandidateSet], forced: bool) -> Candidates {
    let mut all = Candidates::NONE;
    sets.iter().for_each(|&set| all.offer(set).expect("room for all sets"));
    if forced { all.forced() } else { all }
}
