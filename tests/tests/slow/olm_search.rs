//! OLM routing, searched exhaustively: every packet state that can be reached on small Dragonflies, held against a
//! second, slow reading of the patent's rules that knows only the wiring.

use desvio_sim::scenario::Arrangement;
use desvio_tests::networks::{ARRANGEMENTS, Dependencies, Hop, Network, Place, Reach, Shape, order_index};
use rayon::prelude::*;
use router_core::PortClass;
use router_core::links::{PortSizes, VcOrder};
use router_core::plan::Plan;
use router_core::route::olm::{Olm, OlmScheme, Policy, Rules, Scope};
use router_core::route::{Arrival, HopKind, Route};
use router_core::units::{PortId, VcId};
use std::collections::BTreeSet;

const POLICIES: [Policy; 4] = [Policy::Rrg, Policy::Crg, Policy::Nrg, Policy::Mm];
const LIMITS: [u8; 4] = [0, 1, 2, 7];

/// A Dragonfly as the wiring shows it.
struct World {
    network: Network,
    group: Vec<usize>,
}

/// A hop as the rules see it: port, and order index of the VC.
type Step = (usize, i32);

impl World {
    fn new(shape: &Shape) -> Self {
        Self { network: shape.network(), group: shape.groups_of_routers() }
    }

    fn ports(&self, router: usize, kind: PortClass) -> impl Iterator<Item = (usize, usize)> {
        let wiring = &self.network.wiring;
        wiring.neighbours(router).filter(move |&(port, _)| wiring.class(router, port) == kind)
    }

    /// `has(E, G)`: the ports of router `E` to group `G`.
    fn own_links(&self, router: usize, group: usize) -> Vec<usize> {
        let links = self.ports(router, PortClass::GLOBAL).filter(|&(_, there)| self.group[there] == group);
        links.map(|(port, _)| port).collect()
    }

    /// Hops of the shortest local–global–local route.
    fn distance(&self, from: usize, to: usize) -> i32 {
        if self.group[from] == self.group[to] {
            return i32::from(from != to);
        }
        (0..self.network.routers())
            .filter(|&exit| self.group[exit] == self.group[from])
            .flat_map(|exit| self.ports(exit, PortClass::GLOBAL).map(move |(_, landing)| (exit, landing)))
            .filter(|&(_, landing)| self.group[landing] == self.group[to])
            .map(|(exit, landing)| i32::from(exit != from) + 1 + i32::from(landing != to))
            .min()
            .expect("a link between each pair of groups")
    }

    /// Rules a–e: every minimal step.
    fn minimal(&self, place: &Place, destination: usize, at_origin: bool) -> BTreeSet<Step> {
        let (here, goal) = (place.router, self.group[destination]);
        let own = self.own_links(here, goal);
        if self.group[here] == goal {
            let port = self.ports(here, PortClass::LOCAL).find(|&(_, there)| there == destination);
            return port.into_iter().map(|(port, _)| (port, next(place, PortClass::LOCAL))).collect();
        }
        if !own.is_empty() {
            return own.into_iter().map(|port| (port, next(place, PortClass::GLOBAL))).collect();
        }
        let index = if at_origin { 0 } else { next(place, PortClass::LOCAL) };
        self.ports(here, PortClass::LOCAL)
            .filter(|&(_, there)| !self.own_links(there, goal).is_empty())
            .map(|(port, _)| (port, index))
            .collect()
    }

    /// Every local step with this order index, but not back by the port the packet came by (a free choice, T7).
    fn all_local(&self, place: &Place, index: i32) -> BTreeSet<Step> {
        let back = if place.from.kind == PortClass::LOCAL { place.from.port.index() } else { usize::MAX };
        let ports = self.ports(place.router, PortClass::LOCAL).map(|(port, _)| port);
        ports.filter(|&port| port != back).map(|port| (port, index)).collect()
    }

    fn all_global(&self, place: &Place) -> BTreeSet<Step> {
        self.ports(place.router, PortClass::GLOBAL).map(|(port, _)| (port, 1)).collect()
    }

    /// Rules f–l for a packet in its origin group, as far as the policy offers them.
    fn detours(&self, olm: &Olm<'_>, place: &Place, destination: usize) -> BTreeSet<Step> {
        let owner = !self.own_links(place.router, self.group[destination]).is_empty();
        let injected = place.from.kind == PortClass::NODE;
        let (local, global) = match (olm.scheme.rules, injected, owner) {
            (Rules::Free, true, _) | (Rules::Free, false, true) => (true, true), // h
            (Rules::Free, false, false) => (false, true),                        // g
            (Rules::Restricted, true, _) | (Rules::Restricted, false, false) => (false, true), // j, k
            (Rules::Restricted, false, true) => (true, false),                   // l
        };
        let (local_offered, global_offered) = match (olm.scheme.policy, injected) {
            (Policy::Rrg, _) => (true, true),
            (Policy::Crg, _) | (Policy::Mm, true) => (false, true),
            (Policy::Nrg, _) | (Policy::Mm, false) => (true, false),
        };
        let mut steps = BTreeSet::new();
        if local && local_offered {
            // The packet has to leave the group from there, which takes a global link.
            let exits: BTreeSet<usize> = self
                .ports(place.router, PortClass::LOCAL)
                .filter(|&(_, there)| self.ports(there, PortClass::GLOBAL).next().is_some())
                .map(|(port, _)| port)
                .collect();
            steps.extend(self.all_local(place, 0).into_iter().filter(|step| exits.contains(&step.0)));
        }
        if global && global_offered {
            steps.extend(self.all_global(place));
        }
        steps
    }

    /// Rules m–o.
    fn local_misroutes(&self, olm: &Olm<'_>, place: &Place, destination: usize) -> BTreeSet<Step> {
        let goal = self.group[destination];
        let m = self.group[place.router] == goal;
        let n = self.own_links(place.router, goal).is_empty();
        if !olm.scheme.local_misrouting
            || place.header.progress.local_misroutes() >= olm.scheme.limit
            || !(m || n)
        {
            return BTreeSet::new();
        }
        self.all_local(
            place,
            match place.from.kind {
                PortClass::NODE => 0,
                PortClass::GLOBAL => order_index(place.from) - 1,
                _ => order_index(place.from),
            },
        )
    }

    /// `R_esc`: the steps that remain when no packet takes a detour any more.
    fn escape(&self, place: &Place, destination: usize) -> BTreeSet<Step> {
        let goal = self.group[destination];
        let at_origin = !place.header.progress.left_origin();
        if at_origin && self.group[place.router] != goal && place.from.kind == PortClass::LOCAL {
            let own: BTreeSet<Step> =
                self.own_links(place.router, goal).into_iter().map(|port| (port, 1)).collect();
            return if own.is_empty() { self.all_global(place) } else { own };
        }
        self.minimal(place, destination, at_origin)
    }
}

/// The order index of an order-respecting hop.
fn next(place: &Place, to: PortClass) -> i32 {
    let kind = if place.from.kind == PortClass::NODE { PortClass::GLOBAL } else { place.from.kind };
    order_index(place.from) + if kind == to { 2 } else { 1 }
}

fn step(world: &World, router: usize, hop: &Hop) -> Step {
    let kind = world.network.wiring.class(router, hop.by.port.index());
    (hop.by.port.index(), order_index(Arrival { port: PortId::new(0), kind, vc: hop.by.vc }))
}

/// What a search has seen.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    places: usize,
    hops: usize,
    detours: usize,
    mandatory_exits: usize,
    longest: usize,
    most_places: usize,
    highest_local: i32,
    highest_global: i32,
}

impl Seen {
    fn and(self, other: Self) -> Self {
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

fn reach(world: &World, olm: &Olm<'_>, destination: usize) -> Reach {
    world.network.reach(olm, destination, world.network.header_to(destination), |kind, vc| {
        vc.number() < if kind == PortClass::LOCAL { 3 } else { 2 }
    })
}

/// Checks the candidates of one place against the rules.
fn check_candidates(world: &World, olm: &Olm<'_>, reach: &Reach, number: usize, seen: &mut Seen) {
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
fn check_progress(world: &World, olm: &Olm<'_>, from: &Place, hop: &Hop, to: &Place) {
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

fn to_group(world: &World, place: &Place) -> usize {
    let router = world.network.addresses.iter().position(|&address| address == place.header.to.router);
    world.group[router.expect("the destination exists")]
}

/// Order index plus distance is at most 4 wherever a packet can be, under both labellings.
fn check_order(world: &World, olm: &Olm<'_>, reach: &Reach) {
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

fn descending() -> Plan<1> {
    let sizes = |vcs| PortSizes { vcs, buffer: 32 };
    let mut plan = Plan::new(&[PortClass::LOCAL], &[sizes(3), sizes(3), sizes(2)]).expect("a plan");
    plan.links.vc_order = VcOrder::Descending;
    plan
}

/// From every place the destination is reached by hops that only rise, all of them offered.
fn check_rising_routes(olm: &Olm<'_>, reach: &Reach) {
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
fn search(world: &World, olm: &Olm<'_>, destination: usize) -> Seen {
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

fn search_all(world: &World, olm: &Olm<'_>) -> Seen {
    let destinations = 0..world.network.routers();
    destinations.into_par_iter().map(|to| search(world, olm, to)).reduce(Seen::default, Seen::and)
}

/// Every OLM that a scenario can ask for, with these limits.
fn every_olm<'s>(shape: &'s Shape, limits: &[u8]) -> Vec<Olm<'s>> {
    let mut all = Vec::new();
    for rules in [Rules::Restricted, Rules::Free] {
        for policy in POLICIES {
            all.push(Olm {
                map: shape.map(),
                scheme: OlmScheme { rules, policy, local_misrouting: false, limit: 1, scope: Scope::Group },
            });
            for &limit in limits {
                for scope in [Scope::Group, Scope::Route] {
                    all.push(Olm {
                        map: shape.map(),
                        scheme: OlmScheme { rules, policy, local_misrouting: true, limit, scope },
                    });
                }
            }
        }
    }
    assert_eq!(all.len(), 8 * (1 + 2 * limits.len()));
    all
}

/// The most hops of a route. In the origin group there are one minimal and one misrouted hop, then out. With `limit` local misroutes in
/// each later group there are 1 + limit hops and out, and 1 + limit hops to the destination (8 with one).
fn most_hops(olm: &Olm<'_>) -> usize {
    let limit = if olm.scheme.local_misrouting { usize::from(olm.scheme.limit) } else { 0 };
    let plain = match (olm.scheme.policy, olm.scheme.rules) {
        // No second local hop in the origin group; by rule l none by any other link after the first either.
        (Policy::Crg, Rules::Restricted) => 4,
        (Policy::Crg, Rules::Free) => 5,
        _ => 6,
    };
    match olm.scheme.scope {
        Scope::Group => plain + 2 * limit,
        // A misroute in the origin group counts too.
        Scope::Route if olm.scheme.policy == Policy::Crg => plain + limit,
        Scope::Route => plain + limit.saturating_sub(1),
    }
}

fn check_full_dragonfly(arrangement: Arrangement) {
    let shape = Shape::balanced(2, 9, arrangement);
    let world = World::new(&shape);
    let mut total = Seen::default();
    for olm in every_olm(&shape, &LIMITS) {
        let seen = search_all(&world, &olm);
        println!(
            "{:?} {:?} {:?}, +L {}, {} per {:?}: {seen:?}",
            arrangement,
            olm.scheme.rules,
            olm.scheme.policy,
            olm.scheme.local_misrouting,
            olm.scheme.limit,
            olm.scheme.scope
        );
        assert_eq!(seen.longest, most_hops(&olm), "{olm:?}");
        assert_eq!(seen.highest_global, 3, "{olm:?}");
        assert_eq!(seen.highest_local, 4, "{olm:?}");
        assert_eq!(seen.mandatory_exits > 0, olm.scheme.policy != Policy::Crg, "{olm:?}");
        assert!(seen.places > 36 * 250 && seen.hops > seen.places && seen.detours > 36 * 36, "{seen:?}");
        total = total.and(seen);
    }
    assert!(total.places > 1_000_000, "{total:?}");
}

#[test]
fn every_state_of_a_full_palmtree_dragonfly_follows_the_rules() {
    check_full_dragonfly(Arrangement::Palmtree);
}

#[test]
fn every_state_of_a_full_consecutive_dragonfly_follows_the_rules() {
    check_full_dragonfly(Arrangement::Consecutive);
}

#[test]
fn every_state_of_a_full_absolute_dragonfly_follows_the_rules() {
    check_full_dragonfly(Arrangement::Absolute);
}

/// Fewer groups than a full Dragonfly has: parallel links, ports and whole routers without a global link.
#[test]
fn every_state_of_dragonflies_with_fewer_groups_follows_the_rules() {
    let mut searched = 0;
    for groups in 2..=8 {
        for arrangement in ARRANGEMENTS {
            let shape = Shape::balanced(2, groups, arrangement);
            let world = World::new(&shape);
            for olm in every_olm(&shape, &[1]) {
                let seen = search_all(&world, &olm);
                assert!(seen.longest <= most_hops(&olm) && seen.hops > 0, "{olm:?}: {seen:?}");
                searched += 1;
            }
        }
    }
    assert_eq!(searched, 7 * 3 * 24);
}

#[test]
fn every_state_of_dragonflies_with_unequal_groups_follows_the_rules() {
    let mut searched = 0;
    let shapes: [(u8, &[u8]); 4] =
        [(4, &[4, 2, 3, 4, 1]), (2, &[2, 5, 3]), (3, &[3, 1, 2, 2]), (1, &[7, 4, 5, 6, 4])];
    for (h, sizes) in shapes {
        for arrangement in ARRANGEMENTS {
            let shape = Shape { p: 2, sizes: sizes.to_vec(), h, arrangement };
            let world = World::new(&shape);
            for olm in every_olm(&shape, &[1]) {
                let seen = search_all(&world, &olm);
                assert!(seen.longest <= most_hops(&olm) && seen.hops > 0, "{olm:?}: {seen:?}");
                searched += 1;
            }
        }
    }
    assert_eq!(searched, 4 * 3 * 24);
}

/// The escape's dependencies, between all buffers of the network and from wherever a packet can be, have no circle;
/// those of all candidates do have one, so the search for circles finds them.
#[test]
fn the_escape_is_free_of_circles_and_the_whole_is_not() {
    for arrangement in ARRANGEMENTS {
        let shape = Shape::balanced(2, 9, arrangement);
        let world = World::new(&shape);
        for rules in [Rules::Restricted, Rules::Free] {
            let (policy, scope) = (Policy::Rrg, Scope::Group);
            let olm = Olm {
                map: shape.map(),
                scheme: OlmScheme { rules, policy, local_misrouting: true, limit: 1, scope },
            };
            let mut escape = Dependencies::new(&world.network);
            let mut whole = Dependencies::new(&world.network);
            for destination in 0..world.network.routers() {
                let reach = reach(&world, &olm, destination);
                whole.add_all(&world.network, &reach, |_, _| true);
                escape.add_all(&world.network, &reach, |place, hop| {
                    world.escape(place, destination).contains(&step(&world, place.router, hop))
                });
            }
            println!(
                "{arrangement:?}, {rules:?}: {} dependencies, {} of the escape",
                whole.len(),
                escape.len()
            );
            assert!(escape.len() > 500 && whole.len() > escape.len());
            assert!(escape.are_acyclic(), "{arrangement:?}, {rules:?}");
            assert!(!whole.are_acyclic(), "{arrangement:?}, {rules:?}: misroutes wait for each other");
        }
    }
}

/// `VC-ORDER` says yes where order index plus distance is at most 4 and no elsewhere, reachable or not.
#[test]
fn the_order_is_kept_exactly_where_the_formula_says() {
    for (groups, h) in [(9, 2), (5, 2), (3, 2)] {
        let shape = Shape::balanced(h, groups, Arrangement::Palmtree);
        let world = World::new(&shape);
        let (rules, policy, scope) = (Rules::Free, Policy::Rrg, Scope::Group);
        let olm = Olm {
            map: shape.map(),
            scheme: OlmScheme { rules, policy, local_misrouting: true, limit: 1, scope },
        };
        let mut verdicts = [0, 0];
        for (router, destination) in pairs(world.network.routers()) {
            let header = world.network.header_to(destination);
            for (kind, vc) in [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL]
                .into_iter()
                .flat_map(|kind| (0..4).map(move |vc| (kind, VcId::new(vc))))
            {
                let from = Arrival { port: PortId::new(0), kind, vc };
                let kept = order_index(from) + world.distance(router, destination) <= 4;
                assert_eq!(olm.keeps_order(&world.network.heres[router], from, &header), kept);
                verdicts[usize::from(kept)] += 1;
            }
        }
        assert!(verdicts.iter().all(|&count| count > 500), "{verdicts:?}");
    }
}

fn pairs(routers: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..routers).flat_map(move |from| (0..routers).map(move |to| (from, to)))
}
