//! Distributed Routing Balancing in a network: what ACKs say, to the cycle, and that shards change nothing.

use super::super::Network;
use super::super::endpoint::Chooser;
use super::{blueprint, drain, with_size};

const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[routing]\nalgorithm = \"drb\"\n[traffic]\npacket_flits = 10\nloads = [1]\n";

/// Does something with a torus of 16 routers in so many shards.
fn with<T>(sets: &[&str], run: (f64, usize), test: impl FnOnce(&mut Network<'_, 64, 8>) -> T) -> T {
    with_size(&blueprint(TORUS, sets), run, test)
}

/// Where packets hardly ever meet, ACKs say what a path was expected to take in an empty network, whatever its length and theirs.
#[test]
fn alone_in_the_network_a_packet_takes_what_its_path_was_said_to_take() {
    let lengths = "traffic.packet_flits=[{ flits = 3, share = 0.5 }, { flits = 16, share = 0.5 }]";
    let cases: [&[&str]; 6] = [
        &[],
        &["router.speedup=1", "links.latency=3"],
        &["router.speedup=3", "links.latency=7", lengths],
        &["router.flow_control=store-and-forward"],
        &["router.flow_control=wormhole", "topology.kind=mesh", "routing.ack_flits=4"],
        &["traffic.reply_flits=5", "router.speedup=4"],
    ];
    for sets in cases {
        with(sets, (1e-4, 1), |network| {
            network.run_to(300_000);
            drain(network);
            let sources = network
                .shards
                .iter()
                .flat_map(|shard| &shard.nodes)
                .filter_map(|node| node.choice.as_deref()?.multi_step());
            let metapaths: Vec<_> = sources.flat_map(|balance| balance.metapaths()).collect();
            assert!(metapaths.len() > 20, "{} destinations", metapaths.len());
            // No ACK has moved the mean.
            for metapath in metapaths {
                assert_eq!(metapath.latency(), metapath.canonical(), "{sets:?}: {metapath:?}");
            }
        });
    }
}

/// Each packet has an ACK, and none is part of what the nodes accept; nothing is lost, at any load.
#[test]
fn each_packet_has_an_ack_that_is_no_part_of_the_load() {
    for (load, sets) in
        [(0.2, "routing.ack_flits=1"), (0.9, "routing.ack_flits=3"), (0.5, "traffic.pattern=transpose")]
    {
        with(&[sets], (load, 1), |network| {
            network.run_to(3000);
            drain(network);
            let requests: u64 = network.shards.iter().map(|shard| shard.requests_out).sum();
            let replies: u64 = network.shards.iter().map(|shard| shard.replies_out).sum();
            let tally = network.tally();
            assert_eq!(
                (requests, replies, tally.paths_chosen),
                (tally.packets, tally.packets, tally.packets)
            );
            assert_eq!(tally.load_flits(), 10 * tally.packets);
            let injected: u64 = network.injected().into_iter().map(u64::from).sum();
            assert_eq!(injected, 10 * tally.packets);
        });
    }
}

#[test]
fn shards_change_nothing() {
    let run = |shards| {
        with(&["traffic.pattern=transpose", "links.latency=4"], (0.6, shards), |network| {
            network.run_to(2000);
            assert_eq!(network.violation(), None);
            format!("{:?} {:?}", network.tally(), network.injected())
        })
    };
    let one = run(1);
    assert!(one.contains("paths_open"));
    assert_eq!(one, run(4));
}

/// Where packets meet, paths open, each learns its own latency, and none falls below what it takes in an empty network.
#[test]
fn paths_open_under_load_and_learn() {
    with(&["traffic.pattern=transpose"], (0.7, 1), |network| {
        network.run_to(3000);
        let Some(Chooser::MultiStep(balancer)) = &network.constants.chooser else {
            panic!("the routing balances")
        };
        let sources = network
            .shards
            .iter()
            .flat_map(|shard| &shard.nodes)
            .filter_map(|node| node.choice.as_deref()?.multi_step());
        let (mut open, mut moved) = (0, 0);
        for (from, to, path) in sources.flat_map(|balance| balance.alternatives()) {
            let empty = balancer.path(from, to, path.via).latency;
            assert!(path.latency >= empty, "{path:?} from {from} to {to}");
            open += 1;
            moved += u32::from(path.latency > empty);
        }
        assert!(open > 12 && moved > open * 3 / 4, "{moved} of {open}");
    });
}
