//! Messages for groups of nodes: each member gets one copy, by the edges of a tree.

use super::super::{Network, Partition};
use super::{blueprint, drain, with};
use crate::blueprint::Blueprint;
use crate::topology::Peer;
use crate::traffic::Traffic;
use proptest::prelude::*;
use router_core::units::PortClass;
use std::collections::HashSet;

const MESH: &str = "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[traffic]\nloads = [0.1]\n";
const GROUPS: &str = "traffic.pattern={ multicast = { groups = 3, size = 5 } }";

/// The routers of a group's tree with its links, each seen from both ends, and the members at their ports.
fn tree(blueprint: &Blueprint, group: u32) -> (HashSet<(usize, usize)>, Vec<u32>) {
    let (wiring, trees) = (blueprint.wiring(), blueprint.groups().unwrap().trees().unwrap());
    let (mut links, mut members) = (HashSet::new(), Vec::new());
    for router in 0..wiring.routers() {
        let here = blueprint.here(router);
        let Some(row) = trees.row(group, here.router) else { continue };
        let (ports, ends) = trees.branches::<usize>(row, router_core::units::PortId::new(63));
        for port in ports {
            let Some(Peer::Router { router: next, .. }) = wiring.peer(router, port.index()) else {
                panic!("no link")
            };
            assert!(links.insert((router, next as usize)));
        }
        for port in ends {
            let Some(Peer::Node(node)) = wiring.peer(router, port.index()) else { panic!("no node") };
            members.push(node);
        }
    }
    (links, members)
}

/// A tree has a link less than routers, joins them all, and has each member once.
fn check_trees(blueprint: &Blueprint) {
    let groups = blueprint.groups().unwrap();
    for (group, expected) in (0..).zip(groups.members()) {
        let (links, mut members) = tree(blueprint, group);
        members.sort_unstable();
        assert_eq!(&members, expected);
        assert!(links.iter().all(|&(a, b)| links.contains(&(b, a))), "both ends have each link");
        let start = blueprint.wiring().attachment(expected[0] as usize).0;
        let (mut seen, mut next) = (HashSet::from([start]), vec![start]);
        while let Some(at) = next.pop() {
            let joined = links.iter().filter(|(from, _)| *from == at).map(|&(_, to)| to);
            next.extend(joined.filter(|&to| seen.insert(to)).collect::<Vec<_>>());
        }
        assert_eq!(links.len(), 2 * (seen.len() - 1), "no link closes a ring");
        assert_eq!(groups.edges(group), seen.len() - 1);
        assert!(members.iter().all(|&node| seen.contains(&blueprint.wiring().attachment(node as usize).0)));
    }
}

/// Runs until nothing is inside: each message has come to each other member once, and has crossed each link of its tree once.
fn check_copies(blueprint: &Blueprint, load: f64, shards: usize, cycles: u64) {
    check_trees(blueprint);
    with(blueprint, (load, shards), |network| {
        network.run_to(cycles);
        network.audit();
        drain(network);
        let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), load, 1).unwrap();
        let groups = blueprint.groups().unwrap();
        let (mut flits, mut packets, mut crossed) = (0, 0, 0);
        let injected = network.injected();
        for (group, members) in (0..).zip(groups.members()) {
            let own: u64 = members.iter().map(|&node| u64::from(injected[node as usize])).sum();
            flits += own * (members.len() as u64 - 1);
            crossed += own * groups.edges(group) as u64;
            packets += members.len() as u64;
        }
        assert!(packets > 0 && traffic.active_nodes().count() as u64 == packets, "all members send");
        let tally = network.tally();
        assert!(tally.flits > 0);
        assert_eq!(tally.flits, flits, "n − 1 copies of each message");
        let carried = network.carried();
        let on = |is_node: bool| -> u64 {
            let links = carried.iter().filter(|link| (link.class == PortClass::NODE.number()) == is_node);
            links.map(|link| u64::from(link.flits)).sum()
        };
        assert_eq!(on(false), crossed, "each message is once on each link of its tree");
        assert_eq!(on(true), flits);
    });
}

#[test]
fn each_member_gets_each_message_once_by_the_links_of_its_tree() {
    for load in [0.02, 0.1, 0.9] {
        check_copies(&blueprint(MESH, &[GROUPS]), load, 1, 2000);
    }
    check_copies(&blueprint(MESH, &[GROUPS, "router.flow_control=store-and-forward"]), 0.5, 1, 2000);
    check_copies(
        &blueprint(MESH, &[GROUPS, "traffic.packet_flits=1", "router.buffer_flits=1"]),
        0.5,
        1,
        2000,
    );
    check_copies(&blueprint(MESH, &[GROUPS, "router.allocation_unit=packet", "router.vcs=1"]), 0.5, 1, 2000);
    let all = "traffic.pattern={ multicast = { groups = 1, size = 16 } }";
    check_copies(&blueprint(MESH, &[all, "router.speedup=1", "selection.trigger=always"]), 0.5, 1, 2000);
}

/// Nothing is lost in networks of levels, of one crossbar, and of groups of routers.
#[test]
fn any_topology_has_trees() {
    let tree = "[topology]\nkind = \"fat-tree\"\nradix = 8\n[traffic]\nloads = [1]\n";
    let dragonfly = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[routing]\nalgorithm = \"minimal\"\n[router]\nvcs = 4\n[traffic]\nloads = [1]\n";
    let star = "[topology]\nkind = \"star\"\nleaves = 4\nnodes_per_router = 1\n[traffic]\nloads = [1]\n";
    for text in [tree, dragonfly] {
        check_copies(&blueprint(text, &[GROUPS]), 0.4, 1, 1500);
    }
    let few = "traffic.pattern={ multicast = { groups = 1, size = 3 } }";
    check_copies(&blueprint(star, &[few]), 0.4, 1, 1500);
}

/// An empty network: the head takes the pipeline of each router, and a copy of `L` flits keeps the next one waiting for `L` cycles. The last
/// of the three copies of one router leaves two packets after the first.
#[test]
fn copies_leave_one_after_the_other() {
    let text = "[topology]\nkind = \"complete\"\nrouters = 2\nnodes_per_router = 4\n[traffic]\nloads = [1]\n";
    let sets = [
        "traffic.pattern={ multicast = { groups = 1, size = 8 } }",
        "router.speedup=1",
        "traffic.packet_flits=8",
    ];
    let latencies = |load: f64| {
        with(&blueprint(text, &sets), (load, 1), |network| {
            network.run_to(20_000);
            let tally = network.tally();
            (tally.latencies.quantile(0.0), tally.packets)
        })
    };
    let (least, packets) = latencies(0.001);
    assert!(packets > 7);
    // Two links of one cycle, a router of four cycles, seven more flits.
    assert_eq!(least, 2 + 4 + 7);
}

/// Groups beside single nodes: their VC is their own, and both are delivered.
#[test]
fn groups_and_single_nodes_share_a_network() {
    let mixed = "traffic.pattern={ mixture = [{ share = 0.3, pattern = { multicast = { groups = 2, size = 4 } } }, { share = 0.7, pattern = \"uniform\" }] }";
    for sets in [&[mixed][..], &[mixed, "routing.algorithm=multipath"], &[mixed, "router.vcs=1"]] {
        let blueprint = blueprint(MESH, sets);
        with(&blueprint, (0.3, 1), |network| {
            network.run_to(3000);
            drain(network);
            assert!(network.tally().packets > 1000);
        });
    }
}

/// Links of a flit in three cycles between routers: copies wait for them, and none is lost.
#[test]
fn slow_links_lose_no_copy() {
    for algorithm in ["dimension-order", "up*/down*"] {
        let algorithm = format!("routing.algorithm={algorithm}");
        let slow = blueprint(MESH, &[GROUPS, &algorithm, "links.rate={ local = \"1/3\" }"]);
        check_copies(&slow, 0.3, 1, 1500);
        let turns = blueprint(MESH, &[GROUPS, &algorithm, "selection.ports=cyclic", "run.details=true"]);
        check_copies(&turns, 0.3, 1, 1500);
    }
}

/// The results of a network do not depend on the number of its shards.
#[test]
fn any_number_of_shards_copies_alike() {
    let blueprint = blueprint(MESH, &[GROUPS, "links.latency=3"]);
    let told = |shards: usize| {
        with(&blueprint, (0.3, shards), |network: &mut Network<'_, 8, 4>| {
            network.run_to(700);
            network.run_to(2500);
            network.audit();
            let (tally, violation) = (network.tally(), network.violation().cloned());
            format!("{tally:?} {violation:?} {:?} {:?}", network.injected(), network.waits())
        })
    };
    let one = told(1);
    for shards in [2, 3, 5] {
        assert_eq!(Partition::with(&blueprint, shards).shards(), shards);
        assert_eq!(told(shards), one, "{shards} shards");
    }
}

/// The groups follow from the seed.
#[test]
fn groups_are_drawn_from_the_seed() {
    let one = blueprint(MESH, &[GROUPS]);
    let other = one.with_seed(2);
    assert_ne!(one.groups().unwrap().members(), other.groups().unwrap().members());
    assert_eq!(one.groups().unwrap().members(), other.with_seed(1).groups().unwrap().members());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Any graph, any groups, under more load than it takes, with buffers of one packet.
    #[test]
    fn random_graphs_lose_nothing(
        routers in 4u32..12, wiring_seed in 0u64..100, groups in 1u32..4, size in 2u32..5, seed in 0u64..100, vcs in 1u32..3, saf: bool,
    ) {
        let routers = routers.max((groups * size).div_ceil(2));
        let text = format!(
            "[topology]\nkind = \"random-regular\"\nrouters = {}\ndegree = 3\nwiring_seed = {wiring_seed}\nnodes_per_router = 2\n[router]\nvcs = {vcs}\nbuffer_flits = 4\nflow_control = \"{}\"\n[run]\nseed = 1\n[traffic]\npacket_flits = 4\npattern = {{ multicast = {{ groups = {groups}, size = {size} }} }}\nloads = [1]\n",
            routers.next_multiple_of(2), if saf { "store-and-forward" } else { "vct" },
        );
        let blueprint = blueprint(&text, &[]);
        check_copies(&blueprint, 0.9, 1 + seed as usize % 2, 400);
    }
}
