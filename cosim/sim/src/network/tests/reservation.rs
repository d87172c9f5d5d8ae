//! Questions, answers and places in a network.

use super::super::reservation::{Owner, Reservations};
use super::{blueprint, drain, with};
use crate::blueprint::Blueprint;
use crate::scenario::Scenario;
use crate::topology::Peer;
use router_core::map::dragonfly::Place;
use std::path::Path;

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[routing]\nalgorithm = \"ugal-dragonfly\"\n\
                         knowledge = \"reservation\"\n[traffic]\nloads = [1]\n";

const ADVERSARIAL: &str = "traffic.pattern={ adversarial = 1 }";

/// Every link between groups is that of one pair, and the map's shortest ways lead to its owner.
#[test]
fn each_pair_of_groups_has_one_link_and_one_owner() {
    for sets in
        [&[][..], &["topology.arrangement=absolute"], &["topology.a=6", "topology.h=3", "topology.p=1"]]
    {
        let blueprint = blueprint(DRAGONFLY, sets);
        let (reservations, wiring) = (Reservations::new(&blueprint).unwrap(), blueprint.wiring());
        let group = |router: usize| Place::of(blueprint.here(router).router).group;
        for (from, to) in (0..wiring.nodes()).flat_map(|from| (0..wiring.nodes()).map(move |to| (from, to))) {
            let addresses = (blueprint.address(from).router, blueprint.address(to).router);
            let owner = reservations.owner(from, addresses);
            let groups = (Place::of(addresses.0).group, Place::of(addresses.1).group);
            assert_eq!(owner.is_some(), groups.0 != groups.1);
            let Some(Owner { router, port, node }) = owner else { continue };
            let Some(Peer::Router { router: there, .. }) = wiring.peer(router, port.index()) else {
                panic!("no link at router {router}")
            };
            assert_eq!((group(router), group(there as usize)), groups);
            assert_eq!(wiring.attachment(node as usize).0, router);
        }
    }
}

/// Of several links between two groups a packet could take another one than it has a place on.
#[test]
fn a_network_with_several_links_between_groups_is_refused() {
    for sets in [["topology.groups=5"], ["topology.groups=2"], ["topology.a=[1, 1, 2]"]] {
        let sets: Vec<_> = sets.iter().map(ToString::to_string).collect();
        let scenario = Scenario::parse(DRAGONFLY, "net.toml", Path::new("."), &sets).unwrap();
        let refused = Blueprint::new(scenario).err().unwrap().to_string();
        assert!(refused.contains("the one link between two groups, of which some have several"), "{refused}");
    }
}

/// At any load no link has more packets with a place than places, each question has one answer, and when the network is empty each place is
/// free.
#[test]
fn each_question_is_answered_once_and_each_place_given_back() {
    let cases: [(f64, &[&str]); 5] = [
        (0.05, &[]),
        (0.9, &[]),
        (0.6, &[ADVERSARIAL, "routing.reservation_threshold=3"]),
        (0.9, &[ADVERSARIAL, "routing.intermediate=node", "traffic.packet_flits=1"]),
        (0.4, &["router.flow_control=wormhole", "routing.reservation_window=1", "router.speedup=1"]),
    ];
    for (load, sets) in cases {
        let blueprint = blueprint(DRAGONFLY, sets);
        let threshold = usize::from(blueprint.scenario().reservation().unwrap().threshold);
        with(&blueprint, (load, 1), |network| {
            let mut most = 0;
            for cycle in (10..2000).step_by(10) {
                network.run_to(cycle);
                let taken = network.shards[0].reservations.as_ref().unwrap().taken(cycle);
                most = most.max(taken.max().unwrap());
            }
            assert!(most > 0 && most <= threshold, "{most} of {threshold}: {sets:?}");
            assert!(most == threshold || load < 0.5, "{most} of {threshold}: {sets:?}");
            drain(network);
            let shard = &network.shards[0];
            assert_eq!(shard.reservations.as_ref().unwrap().taken(network.cycle()).sum::<usize>(), 0);
            // Nothing waits for an answer, and nothing is left to say.
            assert!(shard.nodes.iter().all(|node| node.wait(0).is_none()));
            // Questions, and as many answers, are no part of the load.
            let tally = network.tally();
            let flits = u64::from(blueprint.scenario().traffic.packet_flits.longest()) * tally.packets;
            assert!(tally.ack_flits > 0 && tally.ack_flits.is_multiple_of(2), "{}", tally.ack_flits);
            assert_eq!((tally.load_flits(), tally.packets > 100), (flits, true));
            assert_eq!(network.injected().into_iter().map(u64::from).sum::<u64>(), flits);
        });
    }
}

/// Under ADV+1 the one link of a group takes an eighth of what its nodes may send. Well below that nothing takes a detour; above it the link
/// is used in full, and the rest takes detours.
#[test]
fn what_the_shortest_way_cannot_take_goes_by_detours() {
    let blueprint = blueprint(DRAGONFLY, &[ADVERSARIAL]);
    let misrouted = |load| {
        with(&blueprint, (load, 1), |network| {
            network.run_to(2000);
            network.reset_tally();
            network.run_to(8000);
            assert_eq!(network.violation(), None);
            let tally = network.tally();
            let accepted = tally.load_flits() as f64 / 6000.0 / 72.0;
            (tally.misrouted as f64 / tally.packets as f64, accepted)
        })
    };
    assert_eq!(misrouted(0.05).0, 0.0);
    for load in [0.2, 0.3] {
        let (share, accepted) = misrouted(load);
        let least = 1.0 - 0.125 / accepted;
        assert!((accepted / load - 1.0).abs() < 0.02, "{accepted} of {load}");
        assert!(share > least - 0.01 && share < least + 0.02, "{share}, at least {least}");
    }
}
