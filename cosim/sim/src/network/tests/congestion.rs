//! Congestion control: what marks and notifications do to a whole network, its books checked.

use super::super::violation::Violation;
use super::{blueprint, with};
use crate::blueprint::Blueprint;
use crate::stats::jain;

/// Seven nodes of a line send to the last one.
const PARKING_LOT: &str = "[topology]\nkind = \"mesh\"\ndims = [8]\n[traffic]\nloads = [1]\n\
    pattern = { pairs = [[0, 7], [1, 7], [2, 7], [3, 7], [4, 7], [5, 7], [6, 7]] }\n";

/// Fourteen nodes send to node 0, two at each leaf but its own; six others, by the same spine, to as many other nodes.
const VICTIMS: &str = "[topology]\nkind = \"fat-tree\"\nradix = 8\n[router]\nvcs = 1\n\
    [routing]\nalgorithm = \"up-down\"\nascent = \"destination\"\n[traffic]\nloads = [1]\n\
    pattern = { pairs = [[4, 0], [8, 0], [12, 0], [16, 0], [20, 0], [24, 0], [28, 0], [5, 0], [9, 0], [13, 0], [17, 0], \
    [21, 0], [25, 0], [29, 0], [6, 12], [10, 16], [14, 20], [18, 24], [22, 28], [26, 4]] }\n";
const VICTIM_NODES: [usize; 6] = [6, 10, 14, 18, 22, 26];

const HOT_SPOT: &str =
    "dims = [4, 4]\n[traffic]\nloads = [1]\npattern = { hot-spot = { nodes = [5], share = 0.2 } }\n";

const CONTROL: &str = "injection.control=congestion-control";
const MARKS: &str = "congestion.threshold=15";
const DESTINATION: &str = "congestion.scope=destination";
const REPLIES: &str = "traffic.reply_flits=2";

/// Flits that each node injects from cycle `start` to `end`; the books are right.
fn injected(text: &str, sets: &[&str], (start, end): (u64, u64)) -> Vec<u32> {
    with(&blueprint(text, sets), (1.0, 1), |network| {
        network.run_to(start);
        network.reset_tally();
        network.run_to(end);
        network.audit();
        assert_eq!((network.violation(), network.lost_packets()), (None, 0), "{sets:?}");
        network.injected()
    })
}

/// What the nodes in `of` inject in each cycle.
fn rate(injected: &[u32], of: &[usize], cycles: u32) -> f64 {
    of.iter().map(|&node| f64::from(injected[node])).sum::<f64>() / f64::from(cycles)
}

/// All that a run tells, but for congestion control's own state.
fn tell(blueprint: &Blueprint, load: f64) -> String {
    with(blueprint, (load, 1), |network| {
        network.run_to(2500);
        let (tally, injected, violation) =
            (network.tally(), network.injected(), network.violation().cloned());
        format!("{tally:?} {injected:?} {violation:?} {:?}", network.waits())
    })
}

#[test]
fn without_thresholds_nothing_is_marked_and_nothing_changes() {
    for (text, load) in [(PARKING_LOT, 1.0), (VICTIMS, 0.6)] {
        for replies in [&[][..], &[REPLIES]] {
            let free = tell(&blueprint(text, replies), load);
            assert!(free.contains("marked: 0, notices: 0"), "{free}");
            let listening = [replies, &[CONTROL, "congestion.victim_mask=true"]].concat();
            assert_eq!(free, tell(&blueprint(text, &listening), load));
            // Marks alone change nothing but their own count.
            let marking = tell(&blueprint(text, &[replies, &[MARKS]].concat()), load);
            assert!(!marking.contains("marked: 0"), "{marking}");
            let rest = |told: &str| {
                let (before, after) = told.split_once("marked: ").unwrap();
                before.to_owned() + after.split_once("latencies").unwrap().1
            };
            assert_eq!(rest(&free), rest(&marking));
        }
    }
}

/// Each packet with a mark has its notification, on its own or in the reply, and all of them come.
#[test]
fn each_mark_is_told_to_its_source() {
    let torus = format!("[topology]\nkind = \"torus\"\n{HOT_SPOT}");
    let cases: [(&str, &[&str], usize); 6] = [
        (VICTIMS, &[], 1),
        (VICTIMS, &["congestion.notification_flits=3", "congestion.victim_mask=true"], 3),
        (&torus, &[REPLIES], 2),
        (&torus, &["router.flow_control=wormhole", "congestion.marking_rate=2"], 1),
        (&torus, &[DESTINATION], 3),
        (&torus, &["router.speedup=1", "router.output_flits=1", "router.vc_allocation=atomic"], 1),
    ];
    for (text, sets, shards) in cases {
        let sets = [sets, &[CONTROL, MARKS]].concat();
        with(&blueprint(text, &sets), (0.7, shards), |network| {
            network.run_to(2000);
            network
                .shards
                .iter_mut()
                .flat_map(|shard| &mut shard.nodes)
                .for_each(|node| node.source.request = None);
            network.run_to(20_000);
            network.audit();
            assert_eq!((network.violation(), network.live), (None, 0), "{sets:?}");
            let tally = network.tally();
            assert!(tally.marked > 100, "{} marks: {sets:?}", tally.marked);
            if sets.contains(&REPLIES) {
                // Replies are marked, too, and nothing answers them.
                assert!(
                    (100..=tally.marked).contains(&tally.notices) && tally.notice_flits == 0,
                    "{tally:?}"
                );
            } else {
                assert_eq!(tally.notices, tally.marked, "{sets:?}");
                let flits = u64::from(network.constants.adapters.notification_flits);
                assert_eq!(tally.notice_flits, flits * tally.notices);
            }
        });
    }
}

#[test]
fn a_notification_too_few_is_missed() {
    with(&blueprint(PARKING_LOT, &[CONTROL, MARKS]), (1.0, 1), |network| {
        network.run_to(1000);
        network.audit();
        assert_eq!(network.violation(), None);
        network.shards[0].replies_out -= 1;
        network.audit();
        assert!(matches!(network.violation(), Some(Violation::Replies { .. })), "{:?}", network.violation());
    });
}

/// A link merges more flows the nearer it is to the hot spot, and a fair arbiter halves each time what those from further away get.
#[test]
fn a_parking_lot_becomes_fair() {
    let fairness = |sets: &[&str]| {
        let injected = injected(PARKING_LOT, sets, (40_000, 60_000));
        let flits: u32 = injected[..7].iter().sum();
        (jain(injected[..7].iter().map(|&flits| f64::from(flits))), f64::from(flits) / 20_000.0)
    };
    let (without, all) = fairness(&[]);
    assert!(without < 0.5 && all > 0.99, "{without} {all}");
    let (with, all) = fairness(&[CONTROL, MARKS]);
    assert!(with > 0.99 && all > 0.93, "{with} {all}");
}

/// The victims share links with the flows to the hot spot, and no destination. Their share of links is 6/7 at most: the rest
/// belongs to two flows with 1/14 each. Before marks reach the sources, a network is full; a victim that is marked until then waits long.
#[test]
fn victims_recover_unless_they_are_marked() {
    let victims = |sets: &[&str]| {
        let injected = injected(VICTIMS, sets, (0, 20_000));
        (
            rate(&injected, &VICTIM_NODES, 20_000) / 6.0,
            rate(&injected, &[4, 8, 12, 16, 20, 24, 28], 20_000) / 7.0,
        )
    };
    let (free, hot) = victims(&[]);
    assert!((free - 1.0 / 14.0).abs() < 0.02 && (hot - 1.0 / 14.0).abs() < 0.02, "{free} {hot}");
    let (with, hot) = victims(&[CONTROL, MARKS]);
    let (masked, _) = victims(&[CONTROL, MARKS, "congestion.victim_mask=true"]);
    assert!(with > 2.0 * free && (hot - 1.0 / 14.0).abs() < 0.02, "{with} against {free}, {hot}");
    assert!(masked < 0.7 * with, "{masked} against {with}");
    // Once it has settled.
    let settled = rate(&injected(VICTIMS, &[CONTROL, MARKS], (40_000, 50_000)), &VICTIM_NODES, 10_000) / 6.0;
    assert!(settled > 6.0 * free, "{settled}");
}

/// Every node sends a fifth of its packets to one node. Network latency falls to a tenth; no node starves.
#[test]
fn a_hot_spot_fills_no_grid() {
    for kind in ["mesh", "torus"] {
        let text = format!("[topology]\nkind = \"{kind}\"\n{HOT_SPOT}");
        let run = |sets: &[&str]| {
            with(&blueprint(&text, sets), (0.4, 1), |network| {
                network.run_to(6000);
                network.reset_tally();
                network.run_to(12_000);
                assert_eq!(network.violation(), None);
                let tally = network.tally();
                let least = network.injected().into_iter().min().unwrap_or(0);
                (
                    tally.network_latency as f64 / tally.packets as f64,
                    f64::from(least) / 6000.0,
                    tally.load_flits(),
                )
            })
        };
        let (free, with) = (run(&[]), run(&[CONTROL, MARKS]));
        assert!(with.0 < 0.15 * free.0 && with.1 > 1.5 * free.1, "{kind}: {free:?} {with:?}");
        assert!(with.2 as f64 > 0.85 * free.2 as f64, "{kind}: {free:?} {with:?}");
    }
}

/// Without marks the lowest index is a static rate: L flits in each L + ⌊L · CCTI · step⌋ cycles.
#[test]
fn the_lowest_index_is_a_static_rate() {
    for (length, min, step) in [(8u32, 4u32, "0.25"), (3, 5, "0.125"), (1, 9, "1"), (8, 0, "255")] {
        let sets = [
            "traffic.pattern={ pairs = [[0, 3]] }".to_owned(),
            CONTROL.to_owned(),
            format!("traffic.packet_flits={length}"),
            format!("congestion.ccti_min={min}"),
            format!("congestion.cct_step={step}"),
        ];
        let injected = injected(PARKING_LOT, &sets.each_ref().map(String::as_str), (0, 12_000));
        let wait = (f64::from(length * min) * step.parse::<f64>().unwrap()) as u32;
        let packets = 12_000 / (length + wait);
        let sent = injected[0] / length;
        assert!(sent.abs_diff(packets) <= 1, "{sent} packets instead of {packets}: {sets:?}");
    }
}

/// Five nodes send half their packets to node 0, and half each to a node of its own.
const SHARED_SOURCES: &str = "[topology]\nkind = \"fat-tree\"\nradix = 8\n[router]\nvcs = 1\n\
    [routing]\nalgorithm = \"up-down\"\nascent = \"destination\"\n[traffic]\nloads = [0.8]\n\
    pattern = { mixture = [{ share = 0.5, pattern = { pairs = [[4, 0], [8, 0], [12, 0], [16, 0], [20, 0]] } }, \
    { share = 0.5, pattern = { pairs = [[4, 9], [8, 13], [12, 17], [16, 21], [20, 25]] } }] }\n";

/// A fifth of node 0's link and all of the cold half make 0.6 of a node's load of 0.8. Where a node is held back as a whole, its cold packets
/// wait for the hot ones, and it accepts less than without control.
#[test]
fn by_destination_the_pair_that_causes_congestion_waits_alone() {
    let accepted = |sets: &[&str]| {
        with(&blueprint(SHARED_SOURCES, sets), (0.8, 1), |network| {
            network.run_to(20_000);
            network.reset_tally();
            network.run_to(40_000);
            network.audit();
            assert_eq!((network.violation(), network.lost_packets()), (None, 0), "{sets:?}");
            network.tally().load_flits() as f64 / (5.0 * 20_000.0)
        })
    };
    let free = accepted(&[]);
    let (node, destination) = (accepted(&[CONTROL, MARKS]), accepted(&[CONTROL, MARKS, DESTINATION]));
    assert!((free - 0.4).abs() < 0.02 && node < 0.33, "{free} without control, {node} by node");
    assert!((0.55..0.61).contains(&destination), "{destination} by destination");
}

/// Where each source has one destination, nothing can wait for another one.
#[test]
fn with_one_destination_for_each_source_both_scopes_are_one() {
    for (text, load) in [(PARKING_LOT, 1.0), (VICTIMS, 0.6)] {
        for replies in [&[][..], &[REPLIES]] {
            let control = [replies, &[CONTROL, MARKS]].concat();
            let by_node = tell(&blueprint(text, &control), load);
            assert!(!by_node.contains("marked: 0"), "{by_node}");
            assert_eq!(by_node, tell(&blueprint(text, &[&control[..], &[DESTINATION]].concat()), load));
        }
    }
}

#[test]
fn shards_change_nothing_by_destination() {
    let run = |shards| {
        with(&blueprint(SHARED_SOURCES, &[CONTROL, MARKS, DESTINATION]), (0.8, shards), |network| {
            network.run_to(4000);
            let indexes = network.congestion_indexes();
            format!("{:?} {:?} {indexes:?} {:?}", network.tally(), network.injected(), network.waits())
        })
    };
    let one = run(1);
    assert!(!one.contains("marked: 0"), "{one}");
    assert_eq!(one, run(3));
}
