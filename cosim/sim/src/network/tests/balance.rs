//! Distributed Routing Balancing in a network: what ACKs say, to the cycle, and that shards change nothing.

use super::super::Network;
use super::super::endpoint::{Balance, Chooser};
use super::{blueprint, drain, with_size};

const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[routing]\nalgorithm = \"drb\"\n[traffic]\npacket_flits = 10\nloads = [1]\n";

/// Does something with a torus of 16 routers in so many shards.
fn with<T>(sets: &[&str], run: (f64, usize), test: impl FnOnce(&mut Network<'_, 64, 8>) -> T) -> T {
    with_size(&blueprint(TORUS, sets), run, test)
}

/// The sources of a network.
fn sources<'a>(network: &'a Network<'_, 64, 8>) -> impl Iterator<Item = &'a Balance> {
    let nodes = network.shards.iter().flat_map(|shard| &shard.nodes);
    nodes.filter_map(|node| node.choice.as_deref()?.multi_step())
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
            let metapaths: Vec<_> = sources(network).flat_map(Balance::metapaths).collect();
            assert!(metapaths.len() > 20, "{} destinations", metapaths.len());
            // No ACK has moved the mean.
            for metapath in metapaths {
                assert_eq!(metapath.latency(), metapath.canonical(), "{sets:?}: {metapath:?}");
            }
        });
    }
}

/// The same on graphs, by the links of a path, whose latencies differ between the groups of a Dragonfly and inside them.
#[test]
fn alone_in_any_graph_a_packet_takes_what_its_path_was_said_to_take() {
    for (topology, sets) in [
        ("kind = \"hypercube\", dims = 4", "router.speedup=1"),
        ("kind = \"ring\", routers = 16, chords = [6]", "links.latency=3"),
        ("kind = \"random-regular\", routers = 16, degree = 4", "router.flow_control=store-and-forward"),
        ("kind = \"fat-tree\", radix = 4, levels = 3", "routing.ack_flits=4"),
        ("kind = \"dragonfly\", p = 1, a = 2, h = 1", "links.latency={ node = 1, local = 2, global = 9 }"),
    ] {
        let text = format!(
            "topology = {{ {topology} }}\nrouting = {{ algorithm = \"drb\" }}\nrouter = {{ vcs = 6 }}\n\
             traffic = {{ packet_flits = 10, loads = [1] }}\n"
        );
        with_size(&blueprint(&text, &[sets]), (1e-4, 1), |network: &mut Network<'_, 64, 8>| {
            network.run_to(300_000);
            drain(network);
            let metapaths: Vec<_> = sources(network).flat_map(Balance::metapaths).collect();
            assert!(metapaths.len() > 10, "{} destinations", metapaths.len());
            for metapath in metapaths {
                assert_eq!(metapath.latency(), metapath.canonical(), "{topology}: {metapath:?}");
            }
        });
    }
}

/// Buffers shorter than the round trip of a credit let flits pass in windows. No ACK takes that for waiting, to the cycle.
#[test]
fn a_short_buffer_alone_is_no_delay() {
    let lengths = "traffic.packet_flits=[{ flits = 3, share = 0.5 }, { flits = 16, share = 0.5 }]";
    let cases: [(&[&str], [&str; 3]); 8] = [
        (&[], ["1", "2", "4"]),
        (&["router.speedup=1"], ["1", "3", "8"]),
        (&["router.speedup=3", lengths], ["1", "2", "{ node = 2, local = 5 }"]),
        (
            &["router.speedup=5", "links.latency=3", "links.credit_latency={ node = 2, local = 9 }"],
            ["1", "3", "8"],
        ),
        (&["router.speedup=1", "router.pipeline=5", lengths], ["3", "8", "{ node = 3, local = 16 }"]),
        (&["router.speedup=3", "router.pipeline=6"], ["1", "2", "4"]),
        (&["links.latency={ node = 6, local = 1 }", lengths], ["1", "4", "{ node = 16, local = 1 }"]),
        (
            &["topology.kind=mesh", "router.speedup=4", "router.pipeline=5", "links.latency=2"],
            ["1", "3", "16"],
        ),
    ];
    for (sets, buffers) in cases {
        for buffer in buffers {
            let buffer = format!("router.buffer_flits={buffer}");
            let sets = [sets, &["router.flow_control=wormhole", buffer.as_str()]].concat();
            with(&sets, (2e-5, 1), |network| {
                network.run_to(600_000);
                drain(network);
                let metapaths: Vec<_> = sources(network).flat_map(Balance::metapaths).collect();
                assert!(metapaths.len() > 10, "{} destinations", metapaths.len());
                for metapath in metapaths {
                    assert_eq!(metapath.latency(), metapath.canonical(), "{sets:?}: {metapath:?}");
                }
            });
        }
    }
}

/// The publication's network: packets of ten flits, buffers down to one flit. Where packets hardly meet, one path is open, and packets take
/// as long as by static routes.
#[test]
fn an_empty_network_has_one_path_open_whatever_its_buffers() {
    const PUBLISHED: &str = include_str!("../../../../../scenarios/drb.toml");
    let run = |routing: &str, buffer: u32| {
        let sets = [format!("routing.algorithm={routing}"), format!("router.buffer_flits={buffer}")];
        let blueprint = blueprint(PUBLISHED, &sets.each_ref().map(String::as_str));
        with_size(&blueprint, (0.002, 1), |network: &mut Network<'_, 64, 8>| {
            network.run_to(20_000);
            assert_eq!(network.violation(), None);
            let tally = network.tally();
            assert!(tally.packets > 200, "{tally:?}");
            let mean = |sum: u64, of: u64| sum as f64 / of as f64;
            (mean(tally.paths_open, tally.paths_chosen), mean(tally.latency, tally.packets))
        })
    };
    for buffer in [1, 2, 4, 8, 16] {
        let ((open, balanced), (_, fixed)) = (run("drb", buffer), run("dimension-order", buffer));
        assert!(open < 1.005, "{open} paths with {buffer} flits");
        assert!(balanced < 1.02 * fixed, "{balanced} cycles, static {fixed}, with {buffer} flits");
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
        let (mut open, mut moved) = (0, 0);
        for (from, to, path) in sources(network).flat_map(Balance::alternatives) {
            let empty = balancer.path(from, to, path.via).latency;
            assert!(path.latency >= empty, "{path:?} from {from} to {to}");
            open += 1;
            moved += u32::from(path.latency > empty);
        }
        assert!(open > 12 && moved > open * 3 / 4, "{moved} of {open}");
    });
}
