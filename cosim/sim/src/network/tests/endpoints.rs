//! End nodes: lengths, replies and windows, to the flit and to the cycle.

use super::super::Network;
use super::super::violation::Violation;
use super::{blueprint, with};
use router_core::units::PortClass;

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n";
const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nloads = [1]\n";
const LINE: &str = "[topology]\nkind = \"mesh\"\ndims = [4]\n[traffic]\nloads = [1]\n";

/// The nodes for which it holds generate nothing more.
fn silence(network: &mut Network<'_, 8, 4>, whom: impl Fn(usize) -> bool) {
    let nodes = network.shards.iter_mut().flat_map(|shard| &mut shard.nodes).enumerate();
    nodes.filter(|(node, _)| whom(*node)).for_each(|(_, node)| node.source.request = None);
}

/// Lets the nodes send for 3,000 cycles, and all that is inside come to its end: nothing is left, nothing is wrong.
fn drain(network: &mut Network<'_, 8, 4>) {
    network.run_to(3000);
    silence(network, |_| true);
    network.run_to(20_000);
    network.audit();
    assert_eq!((network.violation(), network.live), (None, 0));
}

/// Sums over the shards of a network.
fn sum(network: &Network<'_, 8, 4>, of: impl Fn(&super::super::Shard<8, 4>) -> u64) -> u64 {
    network.shards.iter().map(of).sum()
}

#[test]
fn delivered_packets_have_the_lengths_that_were_asked_for() {
    let lengths = "traffic.packet_flits=[{ flits = 1, share = 0.75 }, { flits = 9, share = 0.25 }]";
    for (text, shards) in [(DRAGONFLY, 1), (DRAGONFLY, 3), (TORUS, 1)] {
        with(&blueprint(text, &[lengths]), (0.3, shards), |network| {
            drain(network);
            let (packets, flits) = (network.tally().packets, network.tally().flits);
            assert_eq!(flits, network.injected().into_iter().map(u64::from).sum::<u64>());
            let nodes = network.constants.addresses.len() as f64;
            let (expected, long) = (nodes * 3000.0 * 0.3, (flits - packets) as f64 / 8.0);
            assert_eq!(long.fract(), 0.0, "{flits} flits of {packets} packets with 1 or 9 flits");
            let deviation = (0.75 * 0.25 * packets as f64).sqrt();
            assert!((long - 0.25 * packets as f64).abs() < 5.0 * deviation, "{long} of {packets} are long");
            assert!((flits as f64 / expected - 1.0).abs() < 0.05, "{flits} instead of {expected} flits");
        });
    }
}

#[test]
fn each_request_has_one_reply() {
    let mixed = "traffic.packet_flits=[{ flits = 3, share = 0.5 }, { flits = 16, share = 0.5 }]";
    let window = ["injection.control=window", "injection.window=3"];
    let cases: [(&str, &[&str], usize); 6] = [
        (DRAGONFLY, &[], 1),
        (DRAGONFLY, &[mixed], 3),
        (DRAGONFLY, &["routing.algorithm=valiant", "router.speedup=1"], 3),
        (
            DRAGONFLY,
            &["traffic.pattern={ hot-spot = { nodes = [0], share = 0.1 } }", window[0], window[1]],
            3,
        ),
        (TORUS, &["router.flow_control=wormhole", mixed], 2),
        (TORUS, &["router.flow_control=store-and-forward", "router.speedup=1"], 1),
    ];
    for (text, sets, shards) in cases {
        let sets = [sets, &["traffic.reply_flits=5"][..]].concat();
        with(&blueprint(text, &sets), (0.25, shards), |network| {
            drain(network);
            let requests = sum(network, |shard| shard.requests_out);
            assert!(requests > 500, "{requests} requests: {sets:?}");
            assert_eq!(sum(network, |shard| shard.replies_out), requests, "{sets:?}");
            assert_eq!(network.tally().packets, 2 * requests, "{sets:?}");
            assert_eq!(
                sum(network, |shard| shard.flits_through().0),
                sum(network, |shard| shard.flits_through().1)
            );
        });
    }
}

#[test]
fn a_reply_too_few_is_missed() {
    with(&blueprint(TORUS, &["traffic.reply_flits=1"]), (0.3, 1), |network| {
        network.run_to(1000);
        network.audit();
        assert_eq!(network.violation(), None);
        network.shards[0].requests_out += 1;
        network.audit();
        assert!(matches!(network.violation(), Some(Violation::Replies { .. })), "{:?}", network.violation());
    });
}

/// The first node of a line sends to the last, which replies: nothing else is on the way.
///
/// A packet of `F` flits takes `T(F) = 2n + D + (H + 1)·⌈4/S⌉ + F − 1` cycles. A node takes `⌈2/S⌉` cycles from the tail of a packet to the
/// head of the one that it allows. So `W` packets leave in each round trip of `T(L) + T(N) + 2·⌈2/S⌉` cycles.
#[test]
fn a_window_lets_through_its_packets_in_each_round_trip() {
    for speedup in [1, 2, 3, 4] {
        for (length, reply) in [(1, 1), (4, 1), (8, 3), (2, 9)] {
            for window in [1, 2, 3, 5] {
                let sets = [
                    "traffic.pattern={ hot-spot = { nodes = [3], share = 1.0 } }".to_owned(),
                    "links.latency={ node = 2, local = 13 }".to_owned(),
                    format!("router.speedup={speedup}"),
                    format!("traffic.packet_flits={length}"),
                    format!("traffic.reply_flits={reply}"),
                    "injection.control=window".to_owned(),
                    format!("injection.window={window}"),
                ];
                let blueprint = blueprint(LINE, &sets.each_ref().map(String::as_str));
                let latency = &blueprint.scenario().links.latency;
                let (node, link) = (latency[PortClass::NODE], latency[PortClass::LOCAL]);
                let one_way = |flits: u32| 2 * node + 3 * link + 4 * 4_u32.div_ceil(speedup) + flits - 1;
                let round_trip = one_way(length) + one_way(reply) + 2 * 2_u32.div_ceil(speedup);
                assert!(2 * window * length.max(reply) < round_trip, "the window is what limits");
                let (cycles, trips) = (u64::from(round_trip) * 20, 20);
                let injected = with(&blueprint, (1.0, 1), |network| {
                    silence(network, |node| node != 0);
                    network.run_to(5000);
                    network.reset_tally();
                    network.run_to(5000 + cycles);
                    network.audit();
                    assert_eq!(network.violation(), None);
                    network.injected()
                });
                let (sent, replied) = (trips * window * length, trips * window * reply);
                assert_eq!(injected, [sent, 0, 0, replied], "{sets:?}");
            }
        }
    }
}

/// In a busy network the bound of an idle path is not passed, and a wide window is none.
#[test]
fn a_window_bounds_what_a_node_injects() {
    let injected = |window: u32| {
        let sets =
            ["traffic.reply_flits=1", "injection.control=window", &format!("injection.window={window}")];
        with(&blueprint(DRAGONFLY, &sets), (0.6, 1), |network| {
            network.run_to(4000);
            assert_eq!(network.violation(), None);
            network.injected()
        })
    };
    let free = with(&blueprint(DRAGONFLY, &["traffic.reply_flits=1"]), (0.6, 1), |network| {
        network.run_to(4000);
        network.injected()
    });
    assert_eq!(injected(60_000), free);
    // The nearest node is two node links, two routers and a reply of one flit away: 2·(2 + 2) + 8 + 2·1 cycles at least.
    let shortest = 2 * (2 * 2) + 7 + 2;
    let most = 8 * (4000 / shortest + 1) + 4000;
    let narrow = injected(1);
    assert!(narrow.iter().all(|&flits| flits < most), "{narrow:?}");
    assert!(narrow.iter().sum::<u32>() < free.iter().sum::<u32>() / 2, "{narrow:?} {free:?}");
}
