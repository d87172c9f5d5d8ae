//! OLM routing, searched exhaustively: every packet state that can be reached on small Dragonflies, held against a
//! second, slow reading of the patent's rules that knows only the wiring.

mod checks;
mod world;

use checks::{Seen, reach, search_all};
use desvio_sim::scenario::Arrangement;
use desvio_tests::networks::{ARRANGEMENTS, Dependencies, Shape, order_index};
use router_core::PortClass;
use router_core::route::olm::{Olm, OlmScheme, Policy, Rules, Scope};
use router_core::route::{Arrival, Route};
use router_core::units::{PortId, VcId};
use world::{World, step};

const POLICIES: [Policy; 4] = [Policy::Rrg, Policy::Crg, Policy::Nrg, Policy::Mm];
const LIMITS: [u8; 4] = [0, 1, 2, 7];

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
