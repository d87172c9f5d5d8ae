//! Packets that wait too long: rings of packets that wait for each other go on, and everything else adds up.

use super::super::{Network, Partition};
use super::drain;
use crate::blueprint::Blueprint;
use crate::scenario::Scenario;
use crate::summary::Discards;
use crate::traffic::Traffic;
use router_core::discard::Discard;

/// A ring of five routers by shortest ways, with one VC, and a buffer for one packet: it deadlocks.
const RING: &str = "[topology]\nkind = \"torus\"\ndims = [5]\n[router]\nvcs = 1\nbuffer_flits = 4\n\
                    [routing]\nalgorithm = \"forwarding\"\ntables = \"ring.csv\"\n\
                    [traffic]\nloads = [1]\npacket_flits = 4\n";
const TABLES: &str = include_str!("../../../../../examples/infiniband/ring.csv");

/// What was discarded, flits that came in and flits that went out; whether the network got stuck.
fn run(sets: &[&str], shards: usize) -> (Discards, u64, u64, bool) {
    let sets: Vec<_> = sets.iter().map(ToString::to_string).collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ring.csv"), TABLES).unwrap();
    let blueprint =
        Blueprint::new(Scenario::parse(RING, "ring.toml", folder.path(), &sets).unwrap()).unwrap();
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), 0.9, 1).unwrap();
    let partition = Partition::with(&blueprint, shards);
    let mut network = Network::<8, 4>::new(&blueprint, &traffic, &partition, &|| true).unwrap();
    for end in (50..=4000).step_by(50) {
        network.run_to(end);
        network.audit();
        if network.violation().is_some() {
            return (network.discards(), 0, 0, true);
        }
    }
    drain(&mut network);
    assert_eq!((network.violation(), network.lost_packets()), (None, 0), "{sets:?}");
    let injected = network.injected().iter().map(|&flits| u64::from(flits)).sum();
    (network.discards(), injected, network.tally().flits, false)
}

#[test]
fn a_ring_of_packets_goes_on() {
    assert!(run(&[], 1).3, "without a limit it is stuck");
    let limit = "router.head_lifetime=12";
    let packets = "router.packet_lifetime=20";
    let cases: [&[&str]; 9] = [
        &[limit],
        &[limit, "router.vl_stall_count=2"],
        &[limit, "router.pipeline=5", "selection.count_at=arrival"],
        &[limit, "router.flow_control=wormhole", "router.speedup=1", "router.vl_stall_count=1"],
        &[limit, "router.allocation_unit=packet", "router.allocator=wavefront", "links.latency=7"],
        &[packets],
        &[packets, limit, "router.pipeline=5", "links.latency=3"],
        &[packets, "router.flow_control=wormhole", "router.speedup=1", "traffic.reply_flits=3"],
        &[limit, "traffic.reply_flits=3", "router.flow_control=store-and-forward", "router.speedup=3"],
    ];
    for sets in cases {
        let one = run(sets, 1);
        let (Discards { packets, flits, .. }, injected, left, is_stuck) = one;
        let late = packets[Discard::Lifetime.index()];
        assert!(!is_stuck && late > 20 && packets.iter().sum::<u64>() == late, "{packets:?}: {sets:?}");
        assert_eq!(injected, left + flits, "{sets:?}");
        assert!(left > 2000, "{left}: {sets:?}");
        for shards in [2, 3] {
            assert_eq!(one, run(sets, shards), "{shards} shards: {sets:?}");
        }
    }
}

/// A limit that is longer than all that the simulator waits for is no deadlock; one that nothing comes to changes nothing.
#[test]
fn long_limits_are_waited_for() {
    for limit in ["router.head_lifetime=1500", "router.packet_lifetime=1500"] {
        let (Discards { packets, .. }, .., is_stuck) = run(&[limit], 1);
        assert!(!is_stuck && packets[Discard::Lifetime.index()] > 3, "{packets:?}");
    }
    let roomy = ["router.vcs=2", "router.buffer_flits=64", "traffic.pattern={ pairs = [[0, 2]] }"];
    for limit in ["router.head_lifetime=4000", "router.packet_lifetime=4000"] {
        let with = run(&[roomy.as_slice(), &[limit]].concat(), 1);
        assert_eq!(with, run(&roomy, 1));
    }
}
