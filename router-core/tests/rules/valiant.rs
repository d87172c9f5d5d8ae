//! Valiant's routing and UGAL on a Dragonfly by `docs/rivals.md`: all that can be drawn, and what is offered in every state behind it.

use super::dragonfly::{Shape, shapes};
use super::explore::{Net, State, each, explore, flat, injected, longest, sorted, vc};
use super::levels::Script;
use desvio_core::header::{Address, Header};
use desvio_core::map::dragonfly::{Arrangement, Place};
use desvio_core::map::{AnyMap, Map, Peer};
use desvio_core::route::ugal_dragonfly::{Knowledge, UgalDragonfly, UgalDragonflyScheme};
use desvio_core::route::valiant::{Groups, Intermediate, Valiant, ValiantScheme};
use desvio_core::route::{Arrival, HopKind, Misfit, Route, RoutingScheme};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use std::collections::BTreeSet;

const KINDS: [(Intermediate, Groups); 6] = [
    (Intermediate::Group, Groups::Other),
    (Intermediate::Group, Groups::Third),
    (Intermediate::Group, Groups::Any),
    (Intermediate::Router, Groups::Other),
    (Intermediate::Router, Groups::Third),
    (Intermediate::Router, Groups::Any),
];

/// A full network, one with several links between groups, and an uneven one.
fn some() -> [Shape; 3] {
    let of = |p, h, sizes, arrangement| Shape { p, h, sizes, arrangement };
    [
        of(1, 1, &[2; 3], Arrangement::Palmtree),
        of(1, 2, &[4; 4], Arrangement::Consecutive),
        of(2, 2, &[2, 5, 3], Arrangement::Absolute),
    ]
}

fn to(shape: &Shape, place: Place) -> Address {
    Address { router: place.address(), port: shape.p - 1 }
}

/// Proves: intermediate points are drawn from the groups of the setting, each alike, and traffic inside a group has none that is a group.
#[test]
fn intermediate_points_are_those_of_the_setting() {
    for shape in some() {
        let net = Net::of(&shape.map());
        for (intermediate, groups) in KINDS {
            let routing = Valiant { map: shape.map(), intermediate, groups };
            for (from, goal) in shape
                .places()
                .into_iter()
                .flat_map(|from| shape.places().into_iter().map(move |goal| (from, goal)))
            {
                let headers = Script::all(|script| {
                    routing.launch(&net.here(from.address()), to(&shape, goal), 6, script)
                });
                assert!(headers.iter().all(|header| (header.to, header.length) == (to(&shape, goal), 6)));
                let is_inside = from.group == goal.group;
                let allowed = |group: u32| {
                    if is_inside {
                        return group == from.group;
                    }
                    match groups {
                        Groups::Other => group != from.group,
                        Groups::Third => group != from.group && group != goal.group,
                        Groups::Any => true,
                    }
                };
                let ahead: BTreeSet<_> = headers
                    .iter()
                    .filter(|header| header.progress.via_ahead())
                    .map(|header| header.via)
                    .collect();
                let expected: BTreeSet<_> = match intermediate {
                    // Traffic inside a group goes minimally.
                    Intermediate::Group => {
                        (0..shape.sizes.len() as u32).filter(|&group| !is_inside && allowed(group)).collect()
                    }
                    Intermediate::Router => shape
                        .places()
                        .into_iter()
                        .filter(|place| allowed(place.group))
                        .map(Place::address)
                        .collect(),
                };
                assert_eq!(ahead, expected, "{shape:?} {intermediate:?} {groups:?} {from:?} to {goal:?}");
                // Each of them once, where groups are of one size.
                if shape.sizes.iter().all(|size| size == &shape.sizes[0])
                    && !(is_inside && intermediate == Intermediate::Group)
                {
                    let points = if is_inside {
                        shape.sizes[0].into()
                    } else {
                        let groups = (0..shape.sizes.len() as u32).filter(|&group| allowed(group)).count();
                        groups
                            * if intermediate == Intermediate::Router {
                                usize::from(shape.sizes[0])
                            } else {
                                1
                            }
                    };
                    assert_eq!(
                        headers.len(),
                        points,
                        "{shape:?} {intermediate:?} {groups:?} {from:?} to {goal:?}"
                    );
                }
            }
        }
    }
}

/// The ports of the minimal hop to a place, or into its group alone.
fn minimal(shape: &Shape, at: Place, goal: Place, is_group: bool) -> (PortSet, PortClass) {
    if at.group == goal.group && !is_group {
        return (PortSet::only(shape.local(at.index, goal.index)), PortClass::LOCAL);
    }
    let own = shape.own(at, goal.group);
    if own.is_empty() { (shape.exits(at, goal.group), PortClass::LOCAL) } else { (own, PortClass::GLOBAL) }
}

/// Proves: a packet goes by shortest ways to its point and from there; through a group on l0 g0 l1 g1 l2, through a router on VCs of its own for each half.
#[test]
fn each_half_of_the_way_is_minimal_on_its_vcs() {
    for shape in some() {
        let net = Net::of(&shape.map());
        for (intermediate, groups) in KINDS {
            let routing = Valiant { map: shape.map(), intermediate, groups };
            for goal in shape.places() {
                let mut starts = Vec::new();
                for router in net.routers.iter().copied() {
                    let headers =
                        Script::all(|script| routing.launch(&net.here(router), to(&shape, goal), 6, script));
                    starts.extend(headers.into_iter().map(|header| State {
                        router,
                        from: injected(0, 0),
                        header,
                    }));
                }
                let steps = explore(&net, &routing, starts);
                assert!(longest(&steps) <= if intermediate == Intermediate::Group { 5 } else { 6 });
                for step in &steps {
                    let State { router, from, header } = step.state;
                    let at = Place::of(router);
                    let is_ahead = header.progress.via_ahead()
                        && if intermediate == Intermediate::Group {
                            at.group != header.via
                        } else {
                            router != header.via
                        };
                    let point = if intermediate == Intermediate::Group {
                        Place { group: header.via, index: 0 }
                    } else {
                        Place::of(header.via)
                    };
                    let expected = if !is_ahead && at == goal {
                        each(PortSet::only(PortId::new(shape.p - 1)), VcSet::from_bits(255), HopKind::Minimal)
                    } else {
                        let (ports, class) = minimal(
                            &shape,
                            at,
                            if is_ahead { point } else { goal },
                            is_ahead && intermediate == Intermediate::Group,
                        );
                        let is_local = class == PortClass::LOCAL;
                        let number = match (intermediate, from.kind) {
                            (Intermediate::Group, PortClass::NODE) => 0,
                            // l0 g0 l1 g1 l2.
                            (Intermediate::Group, PortClass::LOCAL) => from.vc.number() + u8::from(is_local),
                            (Intermediate::Group, _) => from.vc.number() + 1,
                            (Intermediate::Router, came) => {
                                let half = u8::from(!is_ahead);
                                // Behind the half's global hop; the first half's has VC 0, the second's VC 1.
                                let is_behind = came == PortClass::GLOBAL && from.vc.number() == half;
                                if is_local { 2 * half + u8::from(is_behind) } else { half }
                            }
                        };
                        sorted(each(ports, vc(number), HopKind::Minimal))
                    };
                    assert_eq!(
                        flat(&step.offered),
                        expected,
                        "{shape:?} {intermediate:?} {at:?} to {goal:?}: {from:?} {header:?}"
                    );
                    for &(_, next) in &step.hops {
                        let there = Place::of(steps[next].state.router);
                        let still = is_ahead
                            && if intermediate == Intermediate::Group {
                                there.group != header.via
                            } else {
                                true
                            };
                        let said = steps[next].state.header.progress.via_ahead();
                        assert!(said == is_ahead || said == still, "{header:?}");
                    }
                }
            }
        }
    }
}

/// Proves: two groups have no third one between them.
#[test]
fn a_third_group_has_to_be_there() {
    static TWO: [u8; 2] = [2; 2];
    static THREE: [u8; 3] = [2; 3];
    let map = |sizes: &'static [u8]| {
        AnyMap::Dragonfly(Shape { p: 1, h: 1, sizes, arrangement: Arrangement::Palmtree }.map())
    };
    for groups in [Groups::Other, Groups::Third, Groups::Any] {
        let scheme = RoutingScheme::from(ValiantScheme { groups, ..ValiantScheme::default() });
        let expected = if groups == Groups::Third { Err(Misfit::NoThirdGroup) } else { Ok(()) };
        assert_eq!((scheme.check(&map(&TWO)), scheme.check(&map(&THREE))), (expected, Ok(())));
    }
}

/// Proves: the first router of a packet offers both ways with their hops, no router after it a choice; what is decided goes the way that its header says.
#[test]
fn ugal_chooses_at_the_first_router_alone() {
    for shape in some() {
        let net = Net::of(&shape.map());
        for (intermediate, groups) in KINDS {
            let valiant = Valiant { map: shape.map(), intermediate, groups };
            for is_decided in [false, true] {
                let routing = UgalDragonfly { valiant, is_decided };
                for (from, goal) in shape
                    .places()
                    .into_iter()
                    .flat_map(|from| shape.places().into_iter().map(move |goal| (from, goal)))
                {
                    let here = net.here(from.address());
                    let headers = Script::all(|script| routing.launch(&here, to(&shape, goal), 6, script));
                    let ahead = headers.iter().filter(|header| header.progress.via_ahead()).count();
                    // What sources decide is drawn with either way, as likely as the other.
                    let points = headers.iter().filter(|header| match intermediate {
                        Intermediate::Group => ![from.group, goal.group].contains(&header.via),
                        Intermediate::Router => ![from.address(), goal.address()].contains(&header.via),
                    });
                    assert_eq!(ahead, if is_decided { points.count() / 2 } else { 0 });
                    for header in Script::all(|script| routing.launch(&here, to(&shape, goal), 6, script)) {
                        let is_way = match intermediate {
                            Intermediate::Group => ![from.group, goal.group].contains(&header.via),
                            Intermediate::Router => ![from.address(), goal.address()].contains(&header.via),
                        };
                        assert!(
                            is_decided && is_way || !header.progress.via_ahead(),
                            "nothing is ahead before it is chosen"
                        );
                        let with =
                            |ahead| Header { progress: header.progress.with_via_ahead(ahead), ..header };
                        let arrival = injected(0, 0);
                        let offered = routing.offer(&here, arrival, &header).unwrap();
                        let sets: Vec<_> =
                            offered.sets().map(|set| (set.ports, set.vcs, set.kind, set.hops)).collect();
                        if from == goal {
                            assert_eq!(
                                flat(&offered),
                                flat(&valiant.offer(&here, arrival, &header).unwrap())
                            );
                            continue;
                        }
                        let hops = |goal: Place| shape.map().distance(from, goal) as u8;
                        let set = |ahead, kind, hops| {
                            let one =
                                valiant.offer(&here, arrival, &with(ahead)).unwrap().sets().next().unwrap();
                            (one.ports, one.vcs, kind, hops)
                        };
                        let minimal = set(false, HopKind::Minimal, hops(goal));
                        let through = match intermediate {
                            Intermediate::Group => shape.map().distance_through(
                                from,
                                if header.via == from.group { goal.group } else { header.via },
                                goal,
                            ),
                            Intermediate::Router => {
                                let via = Place::of(header.via);
                                if is_way {
                                    shape.map().distance(from, via) + shape.map().distance(via, goal)
                                } else {
                                    0
                                }
                            }
                        };
                        let expected = match (is_way, is_decided, header.progress.via_ahead()) {
                            (false, ..) | (_, true, false) => vec![minimal],
                            (_, false, _) => vec![minimal, set(true, HopKind::GlobalMisroute, through as u8)],
                            (_, true, true) => vec![set(true, HopKind::GlobalMisroute, through as u8)],
                        };
                        assert_eq!(
                            sets, expected,
                            "{shape:?} {intermediate:?} {from:?} to {goal:?} {header:?}"
                        );
                        assert_eq!(offered.is_forced(), is_decided && header.progress.via_ahead() && is_way);
                        // Behind it: the one or the other of Valiant's ways.
                        for step in explore(
                            &net,
                            &routing,
                            vec![State { router: from.address(), from: arrival, header }],
                        )
                        .iter()
                        .skip(1)
                        {
                            let own = valiant
                                .offer(&net.here(step.state.router), step.state.from, &step.state.header)
                                .unwrap();
                            assert_eq!(flat(&step.offered), flat(&own));
                            assert!(step.offered.sets().all(|set| set.kind == HopKind::Minimal));
                        }
                        let ways = routing.ways(&here, arrival, &header);
                        assert_eq!(ways.is_some(), is_way);
                        let Some(ways) = ways else { continue };
                        assert_eq!(Some(ways.minimal.port), minimal.0.first());
                        assert_eq!(VcSet::only(ways.minimal.vc), minimal.1);
                        let detour = set(true, HopKind::GlobalMisroute, 0);
                        assert_eq!(
                            (Some(ways.detour.port), VcSet::only(ways.detour.vc)),
                            (detour.0.first(), detour.1)
                        );
                        if shape.links().len() == shape.sizes.len() * (shape.sizes.len() - 1) {
                            assert_eq!(ways.minimal.hops, hops(goal).into());
                            assert_eq!(ways.detour.hops, through, "{from:?} to {goal:?} {header:?}");
                        }
                        // The link by which the shortest way leaves the group, and the router behind a local port that has it.
                        assert_eq!(ways.exit.is_some(), from.group != goal.group);
                        if let Some(exit) = ways.exit {
                            let owner = match exit.behind {
                                None => from,
                                Some(port) => match shape.map().peer(from.address(), port) {
                                    Some(Peer::Router { router, .. }) => Place::of(router),
                                    other => panic!("{other:?}"),
                                },
                            };
                            assert!(
                                shape.own(owner, goal.group).contains(exit.port)
                                    && (owner == from) == shape.own(from, goal.group).contains(exit.port)
                            );
                            let same = routing.exit(&here, goal.group).unwrap();
                            assert_eq!((same.behind, same.port, same.vc), (exit.behind, exit.port, exit.vc));
                        }
                        assert!(routing.exit(&here, from.group).is_none());
                    }
                }
            }
        }
    }
    // None for a packet that has come from a router.
    let shape = &some()[0];
    let valiant = Valiant { map: shape.map(), intermediate: Intermediate::Group, groups: Groups::Other };
    let routing = UgalDragonfly { valiant, is_decided: false };
    let from = Arrival { port: PortId::new(2), kind: PortClass::GLOBAL, vc: VcId::new(0) };
    let header = Header { to: to(shape, Place { group: 1, index: 0 }), via: 2, ..Header::default() };
    assert!(routing.ways(&Net::of(&shape.map()).here(0), from, &header).is_none());
}

/// Proves: the group that a packet is leaving for is counted where it has come from a node or from another group, and not for its own.
#[test]
fn packets_are_counted_for_the_group_that_they_leave_for() {
    let shape = &shapes()[0];
    let valiant = Valiant { map: shape.map(), intermediate: Intermediate::Group, groups: Groups::Other };
    let routing = UgalDragonfly { valiant, is_decided: false };
    let here = Net::of(&shape.map()).here(2 << 6 | 1);
    for kind in [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL] {
        let from = Arrival { port: PortId::new(0), kind, vc: VcId::new(0) };
        for group in 0..9 {
            let header = Header { to: Address { router: group << 6, port: 0 }, ..Header::default() };
            let expected = (kind != PortClass::LOCAL && group != 2).then_some(group);
            assert_eq!(routing.leaves_for(&here, from, &header), expected);
        }
    }
}

/// Proves: a rule about the one link between two groups is refused where there are several. Which knowledge lets sources decide, and which needs flags.
#[test]
fn knowledge_says_who_decides() {
    use Knowledge::{Credits, Group, GroupEachCycle, Oracle, Reservation, Router};
    let of_sources =
        [Router, Credits, Group, GroupEachCycle, Oracle, Reservation].map(Knowledge::is_of_sources);
    assert_eq!(of_sources, [false, false, true, false, true, true]);
    let flagged = [Router, Credits, Group, GroupEachCycle, Oracle, Reservation].map(Knowledge::is_flagged);
    assert_eq!(flagged, [false, false, true, true, false, false]);
    let [one, several, _] = some();
    for knowledge in [Router, Credits, Group, GroupEachCycle, Oracle, Reservation] {
        let scheme = RoutingScheme::from(UgalDragonflyScheme { knowledge, ..UgalDragonflyScheme::default() });
        assert_eq!(scheme.check(&AnyMap::Dragonfly(one.map())), Ok(()));
        let refused =
            matches!(scheme.check(&AnyMap::Dragonfly(several.map())), Err(Misfit::SeveralLinks { .. }));
        assert_eq!(refused, [GroupEachCycle, Reservation].contains(&knowledge), "{knowledge:?}");
    }
}
