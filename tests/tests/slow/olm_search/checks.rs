//! The checks of each place that a packet can reach.

use super::world::{Step, World, step};
use desvio_tests::networks::{Hop, Place, Reach, order_index};
use rayon::prelude::*;
use router_core::PortClass;
use router_core::links::{PortSizes, VcOrder};
use router_core::plan::Plan;
use router_core::route::olm::{Olm, Scope};
use router_core::route::{Arrival, HopKind, Route};
use std::collections::BTreeSet;

/// What a search has seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) places: usize,
    pub(super) hops: usize,
    pub(super) detours: usize,
    pub(super) mandatory_exits: usize,
    pub(super) longest: usize,
    pub(super) most_places: usize,
    pub(super) highest_local: i32,
    pub(super) highest_global: i32,
}

impl Seen {
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            places: self.places + other.places,
            hops: self.hops + other.hops,
            detours: self.detours + other.detours,
            mandatory_exits: self.mandatory_exits + other.mandatory_exits,
            longest: self.longest.max(other.longest),
            most_places: self.most_places.max(other.most_places),
            highest_local: self.highest_local.max(other.highest_local),
            highest_global: self.highest_global.max(other.highest_global),
        }
    }
}

pub(super) fn reach(world: &World, olm: &Olm<'_>, destination: usize) -> Reach {
    world.network.reach(olm, destination, world.network.header_to(destination), |kind, vc| {
        vc.number() < if kind == PortClass::LOCAL { 3 } else { 2 }
    })
}

/// Checks the candidates of one place against the rules.
pub(super) fn check_candidates(world: &World, olm: &Olm<'_>, reach: &Reach, number: usize, seen: &mut Seen) {
    let (place, destination) = (&reach.places[number], reach.destination);
    let progress = place.header.progress;
    let at_origin = !progress.left_origin();
    let abroad = world.group[place.router] != world.group[destination];
    let of = |minimal: bool| -> BTreeSet<Step> {
        let hops = reach.hops(number).iter().filter(|hop| (hop.by.kind == HopKind::Minimal) == minimal);
        hops.map(|hop| step(world, place.router, hop)).collect()
    };
    let (offered_minimal, offered_detours) = (of(true), of(false));
    let minimal = world.minimal(place, destination, at_origin);
    let what = || format!("{olm:?}, {place:?}, to router {destination}");
    if progress.must_leave() {
        assert!(at_origin && abroad && place.from.kind == PortClass::LOCAL, "{}", what());
        let all = world.all_global(place);
        let direct: BTreeSet<Step> = minimal.intersection(&all).copied().collect();
        assert_eq!(offered_detours, all.difference(&direct).copied().collect(), "{}", what());
        assert_eq!(offered_minimal, direct, "{}", what());
        seen.mandatory_exits += 1;
    } else {
        let detours = if at_origin && abroad {
            world.detours(olm, place, destination)
        } else {
            world.local_misroutes(olm, place, destination)
        };
        let minimal_ports: BTreeSet<usize> = minimal.iter().map(|step| step.0).collect();
        let expected: BTreeSet<Step> =
            detours.into_iter().filter(|step| !minimal_ports.contains(&step.0)).collect();
        assert_eq!(offered_minimal, minimal, "{}", what());
        assert_eq!(offered_detours, expected, "{}", what());
    }
    seen.detours += offered_detours.len();
    let mut offered = offered_minimal;
    offered.extend(offered_detours);
    let escape = world.escape(place, destination);
    assert!(!escape.is_empty() && escape.is_subset(&offered), "no escape: {}", what());
    assert!(escape.iter().all(|&(_, index)| index > order_index(place.from)), "falling escape: {}", what());
}

/// Checks that a hop leaves behind in the header what it was.
pub(super) fn check_progress(world: &World, olm: &Olm<'_>, from: &Place, hop: &Hop, to: &Place) {
    let (before, after) = (from.header.progress, to.header.progress);
    let is_global = to.from.kind == PortClass::GLOBAL;
    let is_local_misroute = hop.by.kind == HopKind::LocalMisroute;
    assert_eq!(is_local_misroute, !is_global && hop.by.kind != HopKind::Minimal);
    let count = before.local_misroutes() + u8::from(is_local_misroute);
    let expected = if is_global && olm.scheme.scope == Scope::Group { 0 } else { count.min(7) };
    assert_eq!(after.local_misroutes(), expected, "{olm:?}: {from:?} by {hop:?}");
    assert_eq!(after.left_origin(), before.left_origin() || is_global, "{olm:?}: {from:?} by {hop:?}");
    // After a local misroute in the origin group a packet for another group has to leave.
    let at_origin = !before.left_origin() && world.group[from.router] != to_group(world, to);
    assert_eq!(after.must_leave(), is_local_misroute && at_origin, "{olm:?}: {from:?} by {hop:?}");
}

pub(super) fn to_group(world: &World, place: &Place) -> usize {
    let router = world.network.addresses.iter().position(|&address| address == place.header.to.router);
    world.group[router.expect("the destination exists")]
}

/// Order index plus distance is at most 4 wherever a packet can be, under both labellings.
pub(super) fn check_order(world: &World, olm: &Olm<'_>, reach: &Reach) {
    let distances = world.network.distances_to(reach.destination);
    for place in &reach.places {
        let index = order_index(place.from);
        let distance = world.distance(place.router, reach.destination);
        assert!(distances[place.router] as i32 <= distance);
        assert!(
            index + distance <= 4,
            "{olm:?}: {place:?} is {distance} hops from router {}",
            reach.destination
        );
        let here = &world.network.heres[place.router];
        assert!(olm.keeps_order(here, place.from, &place.header), "{olm:?}: {place:?}");
        if place.from.kind != PortClass::NODE {
            let label = descending().links.relabel_of_class(place.from.kind, place.from.vc);
            assert_eq!(
                descending().links.relabel_of_class(place.from.kind, label),
                place.from.vc,
                "the way back"
            );
            let falling = order_index(Arrival { vc: label, ..place.from });
            assert_eq!(falling, 4 - index);
            assert!(distance <= falling, "the descending order is not kept");
        }
    }
}

pub(super) fn descending() -> Plan<1> {
    let sizes = |vcs| PortSizes { vcs, buffer: 32 };
    let mut plan = Plan::new(&[PortClass::LOCAL], &[sizes(3), sizes(3), sizes(2)]).expect("a plan");
    plan.links.vc_order = VcOrder::Descending;
    plan
}

/// From every place the destination is reached by hops that only rise, all of them offered.
pub(super) fn check_rising_routes(olm: &Olm<'_>, reach: &Reach) {
    let mut by_index: Vec<usize> = (0..reach.places.len()).collect();
    let index = |place: usize| order_index(reach.places[place].from);
    by_index.sort_by_key(|&place| -index(place));
    let mut arrives = vec![false; reach.places.len()];
    for place in by_index {
        let rises = |hop: &Hop| index(hop.to) > index(place) && arrives[hop.to];
        arrives[place] = reach.is_arrived(place) || reach.hops(place).iter().any(rises);
        assert!(arrives[place], "{olm:?}: no rising route from {:?}", reach.places[place]);
    }
}

/// Everything about one destination.
pub(super) fn search(world: &World, olm: &Olm<'_>, destination: usize) -> Seen {
    let reach = reach(world, olm, destination);
    let mut seen = Seen { places: reach.places.len(), most_places: reach.places.len(), ..Seen::default() };
    for (number, place) in reach.places.iter().enumerate() {
        if !reach.is_arrived(number) {
            check_candidates(world, olm, &reach, number, &mut seen);
        }
        for hop in reach.hops(number) {
            check_progress(world, olm, place, hop, &reach.places[hop.to]);
            seen.hops += 1;
        }
        match place.from.kind {
            PortClass::GLOBAL => seen.highest_global = seen.highest_global.max(order_index(place.from)),
            PortClass::NODE => {}
            _ => seen.highest_local = seen.highest_local.max(order_index(place.from)),
        }
    }
    check_order(world, olm, &reach);
    check_rising_routes(olm, &reach);
    seen.longest = reach.longest_route();
    seen
}

pub(super) fn search_all(world: &World, olm: &Olm<'_>) -> Seen {
    let destinations = 0..world.network.routers();
    destinations.into_par_iter().map(|to| search(world, olm, to)).reduce(Seen::default, Seen::and)
}
