//! Cut into any number of shards, on any number of threads, a network does the same in every cycle.

use super::super::signal::Signal;
use super::super::violation::Violation;
use super::super::wheel::{End, ROUTERS};
use super::super::{Network, Partition};
use super::blueprint;
use crate::blueprint::Blueprint;
use crate::run::repeat_single_sharded;
use crate::traffic::Traffic;
use proptest::prelude::*;
use router_core::units::{PortClass, VcId};

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n";
const TREE: &str = "[topology]\nkind = \"fat-tree\"\nradix = 8\n[traffic]\nloads = [1]\n";
const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [5, 4]\n[traffic]\nloads = [1]\n";

const MIXED: &str = "traffic.packet_flits=[{ flits = 1, share = 0.4 }, { flits = 11, share = 0.6 }]";

/// The results of a network in so many shards after each of several runs, with `harm` done to the network between runs.
fn told(
    blueprint: &Blueprint,
    (load, shards, ends): (f64, usize, &[u64]),
    harm: impl Fn(&mut Network<'_, 8, 4>, &Partition),
) -> Vec<String> {
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), load, 1).unwrap();
    let partition = Partition::with(blueprint, shards);
    assert_eq!(partition.shards(), shards);
    let mut network = Network::<8, 4>::new(blueprint, &traffic, &partition, &|| true).unwrap();
    network.record_series(100, 30);
    let tell = |&end: &u64| {
        network.run_to(end);
        let used = [0, 1, 2].map(|class| network.utilisation(PortClass::new(class), end));
        let (tally, series) = (network.tally(), network.series());
        let (injected, waits, lost) = (network.injected(), network.waits(), network.lost_packets());
        let (cycle, moved, violation) = (network.cycle(), network.moved, network.violation().cloned());
        harm(&mut network, &partition);
        format!("{cycle} {moved} {violation:?} {tally:?} {series:?} {injected:?} {waits:?} {lost} {used:?}")
    };
    ends.iter().map(tell).collect()
}

#[test]
fn any_number_of_shards_tells_the_same() {
    let dragonfly = |sets: &[&str]| blueprint(DRAGONFLY, sets);
    let adversarial = "traffic.pattern={ adversarial = 1 }";
    let cases = [
        dragonfly(&[]),
        dragonfly(&["routing.algorithm=minimal", adversarial]),
        dragonfly(&["routing.algorithm=valiant", adversarial]),
        dragonfly(&["routing.algorithm=valiant", "routing.intermediate=node", "links.latency=7"]),
        dragonfly(&["routing.algorithm=ugal-dragonfly", "routing.knowledge=group", adversarial]),
        dragonfly(&["routing.algorithm=ugal-dragonfly", "routing.knowledge=oracle", adversarial]),
        dragonfly(&[
            "routing.algorithm=ugal-dragonfly",
            "routing.knowledge=group-each-cycle",
            "routing.piggyback_factor=1.25",
            adversarial,
        ]),
        dragonfly(&["selection.trigger=ectn", "selection.combined_threshold=5", adversarial]),
        dragonfly(&["router.flow_control=wormhole", "router.speedup=1", "traffic.packet_flits=1"]),
        dragonfly(&["traffic.pattern={ switch-at = 500, from = \"uniform\", to = { adversarial = 1 } }"]),
        dragonfly(&[MIXED, "traffic.reply_flits=3"]),
        dragonfly(&["traffic.injection_vc=random", adversarial]),
        dragonfly(&[
            MIXED,
            "traffic.reply_flits=12",
            "injection.control=window",
            "routing.algorithm=valiant",
        ]),
        blueprint(
            TREE,
            &["traffic.reply_flits=1", "injection.control=window", "injection.window=2", "router.speedup=1"],
        ),
        blueprint(
            TREE,
            &[
                "injection.control=congestion-control",
                "congestion.threshold=12",
                "routing.ascent=random",
                "traffic.pattern={ hot-spot = { nodes = [3], share = 0.3 } }",
            ],
        ),
        blueprint(TREE, &[]),
        blueprint(TREE, &["links.latency={ level1 = 5 }", "router.vcs=1", "traffic.pattern=permutation"]),
        blueprint(TORUS, &[]),
        blueprint(TORUS, &["links.latency=3", "traffic.process=burst", "router.output_flits=2"]),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.txt");
    let edges: String =
        (0..10).map(|a| format!("{a} {} latency={}\n", (a + 1) % 10, 1 + a * 5 % 7)).collect();
    std::fs::write(&file, edges + "2 7\n").unwrap();
    let graph = format!("[topology]\nkind = \"graph\"\nfile = {file:?}\n[traffic]\nloads = [1]\n");
    let lengths = blueprint(&graph, &["routing.algorithm=up*/down*", "links.latency={ local = 9 }"]);
    for blueprint in cases.into_iter().chain([lengths]) {
        for load in [0.02, 0.6] {
            let run = |shards| told(&blueprint, (load, shards, &[1, 333, 1200]), |_, _| ());
            let one = run(1);
            assert!(one[2].contains("None"), "{}", one[2]);
            for shards in [2, 3, 5] {
                assert_eq!(one, run(shards), "{shards} shards, load {load}, {:?}", blueprint.scenario());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn whatever_the_network_and_wherever_it_is_cut(
        latency in (1u32..4, 1u32..30, 1u32..60),
        credits in (1u32..4, 1u32..30, 1u32..60),
        settings in (1u32..4, 1u32..12, 1u64..1000),
        algorithm in prop::sample::select(vec!["minimal", "valiant", "olm"]),
        (shards, load, pause) in (2usize..10, 0.001f64..1.0, 1u64..600),
    ) {
        let ((node, local, global), (speedup, flits, seed)) = (latency, settings);
        let sets = [
            format!("routing.algorithm={algorithm}"),
            format!("links.latency={{ node = {node}, local = {local}, global = {global} }}"),
            format!("links.credit_latency={{ node = {}, local = {}, global = {} }}", credits.0, credits.1, credits.2),
            format!("router.speedup={speedup}"),
            format!("traffic.packet_flits={flits}"),
            format!("run.seed={seed}"),
        ];
        let blueprint = blueprint(DRAGONFLY, &sets.each_ref().map(String::as_str));
        let run = |shards, ends: &[u64]| told(&blueprint, (load, shards, ends), |_, _| ());
        let (many, at_once) = (run(shards, &[pause, 600]), run(shards, &[600]));
        prop_assert_eq!(&run(1, &[pause, 600]), &many);
        prop_assert_eq!(many.last(), at_once.last());
    }
}

/// A network that waits for too little, so that a packet on a long wire looks like a deadlock.
#[test]
fn a_standstill_is_found_in_the_same_cycle() {
    let blueprint = blueprint(DRAGONFLY, &[]);
    for patience in [5, 60, 90] {
        let impatient = |network: &mut Network<'_, 8, 4>, _: &Partition| network.patience = patience;
        let run = |shards| told(&blueprint, (0.0004, shards, &[1, 20_000]), impatient);
        let one = run(1);
        assert!(one[1].contains("Deadlock"), "{}", one[1]);
        for shards in [2, 3, 9] {
            assert_eq!(one, run(shards));
        }
    }
}

/// Sends router 30 credits that it never gave.
fn spoil(network: &mut Network<'_, 8, 4>, partition: &Partition) {
    let (shard, at) = partition.place(30);
    let when = network.cycle * network.constants.speedup + 1;
    for _ in 0..300 {
        network.shards[shard].wheel.put(when, End::port::<8>(at, 2), Signal::Credit(VcId::new(0)));
    }
}

/// The router, port and cycle of a violation are those of the network, not of the shard.
#[test]
fn the_violation_of_a_shard_is_told_as_that_of_the_network() {
    let blueprint = blueprint(DRAGONFLY, &[]);
    for shards in [1, 2, 3, 5] {
        let found = told(&blueprint, (0.3, shards, &[1000, 1001, 1002]), spoil);
        assert!(found[1].contains("Protocol { cycle: 1000, router: 30, port: 2, vc: 0"), "{}", found[1]);
    }
}

/// Shards that had gone further when another one found a violation leave no trace.
#[test]
fn a_run_that_ends_with_a_violation_ends_as_in_one_shard() {
    let blueprint = blueprint(DRAGONFLY, &[]);
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), 0.3, 1).unwrap();
    let run = |partition: &Partition| {
        let mut network = Network::<8, 4>::new(&blueprint, &traffic, partition, &|| true).unwrap();
        network.run_to(1000);
        spoil(&mut network, partition);
        network.run_to(3000);
        let told =
            format!("{} {} {:?} {:?}", network.cycle, network.moved, network.tally(), network.injected());
        Ok::<_, ()>((network.violation().cloned(), told))
    };
    let one = Partition::with(&blueprint, 1);
    let expected = run(&one).unwrap();
    for shards in [2, 3, 9] {
        let many = Partition::with(&blueprint, shards);
        assert_ne!(run(&many).unwrap().1, expected.1, "they stop where the violation is found");
        assert_eq!(
            repeat_single_sharded((&many, &one), run, |(violation, _)| violation.as_ref()).unwrap(),
            expected
        );
    }
}

#[test]
fn a_flit_lost_on_its_way_between_shards_is_missed() {
    let blueprint = blueprint(DRAGONFLY, &[]);
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), 0.5, 1).unwrap();
    let partition = Partition::with(&blueprint, 3);
    let mut network = Network::<8, 4>::new(&blueprint, &traffic, &partition, &|| true).unwrap();
    network.run_to(1000);
    network.audit();
    assert_eq!(network.violation(), None);
    // The last one to have been written: a shard's own flits do not travel that far.
    let far = (network.cycle + 50) * 2..(network.cycle + 120) * 2;
    let lost =
        far.filter(|&when| network.shards[1].wheel.edit_bodies(when, ROUTERS, Vec::pop).is_some()).count();
    assert!(lost > 0);
    network.audit();
    assert!(matches!(network.violation(), Some(Violation::FlitsLost { .. })), "{:?}", network.violation());
}

#[test]
fn groups_stay_whole_and_shards_are_alike() {
    let dragonfly = blueprint(DRAGONFLY, &[]);
    let partition = Partition::with(&dragonfly, 4);
    let sizes: Vec<_> = (0..4).map(|n| (partition.routers(n).len(), partition.nodes(n).len())).collect();
    assert_eq!(sizes, [(8, 16), (8, 16), (8, 16), (12, 24)]);
    assert_eq!(partition.lookahead, 100);
    assert_eq!(Partition::with(&dragonfly, 1000).shards(), 9);
    let torus = blueprint(TORUS, &["links.latency=6"]);
    assert_eq!((Partition::with(&torus, 3).lookahead, Partition::with(&torus, 1000).shards()), (6, 20));
    assert_eq!(Partition::with(&torus, 1).lookahead, u64::MAX);
    let valiant = blueprint(DRAGONFLY, &["routing.algorithm=valiant"]);
    assert_eq!(Partition::with(&valiant, 3).lookahead, 1);
}

/// So small that threads would only wait for each other.
#[test]
fn a_small_network_stays_in_one_piece() {
    assert_eq!(Partition::new(&blueprint(TORUS, &[]), 2, 4096).shards(), 1);
}
