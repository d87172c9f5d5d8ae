//! Links that carry less than a flit in each cycle.

use super::super::{Network, Partition};
use super::blueprint;
use crate::run::{Outcome, run};
use crate::traffic::Traffic;
use router_core::units::PortId;

/// Two routers with a node each, whose flits all cross the link between them.
const PAIR: &str = "[topology]\nkind = \"mesh\"\ndims = [2]\n[routing]\nalgorithm = \"dimension-order\"\n\
    [traffic]\nloads = [1]\npacket_flits = 8\n[run]\nwarmup_cycles = 2000\nmeasure_cycles = 8000\n";

fn outcome(text: &str, changes: &[&str], load: f64) -> Outcome {
    run(&blueprint(text, changes), load, &|_| ()).unwrap()
}

/// What a link accepts is its rate, whether it leads from a node, to one, or on; a FIFO before it changes nothing.
#[test]
fn a_link_carries_what_its_rate_says() {
    for (rate, share) in [("1/4", 0.25), ("4/25", 0.16), ("3/4", 0.75), ("2/3", 2.0 / 3.0)] {
        for class in ["node", "local"] {
            for fifo in ["2", "6"] {
                let rate = format!("links.rate={{{class}=\"{rate}\"}}");
                let of = outcome(PAIR, &[&rate, &format!("router.output_flits={fifo}")], 1.0);
                assert!(of.violation.is_none(), "{:?}", of.violation);
                let accepted = of.summary.accepted;
                assert!((accepted - share).abs() < 0.003, "{rate}, {class}, {fifo}: {accepted}");
            }
        }
    }
}

/// In an empty network, each flit of a packet is on a slow link as many cycles behind the one before as the rate says; the flits cross
/// links before and behind it at their own pace.
#[test]
fn an_empty_network_adds_the_time_of_a_packet() {
    let latency = |changes: &[&str]| outcome(PAIR, changes, 0.002).summary;
    let full = latency(&[]);
    for (rate, extra) in [("1/4", 7.0 * 3.0), ("1/2", 7.0), ("1/10", 7.0 * 9.0)] {
        let slow = latency(&[&format!("links.rate={{local=\"{rate}\"}}")]);
        assert_eq!(slow.latency_p50 - full.latency_p50, extra as u64, "{rate}");
        // One slow link after the other: the later ones wait for no flit.
        let all = latency(&[&format!("links.rate=\"{rate}\"")]);
        assert_eq!(all.latency_p50, slow.latency_p50, "{rate}");
    }
    assert_eq!(format!("{:?}", latency(&["links.rate=1"])), format!("{full:?}"));
}

/// Flits that wait before a slow link are counted, credits agree with places, in one shard and in several, under stress.
#[test]
fn books_agree_where_links_are_slow() {
    let text = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[routing]\nalgorithm = \"olm\"\n[traffic]\nloads = [1]\n";
    let slow = blueprint(
        text,
        &["links.rate={local=\"3/4\", global=\"2/5\", node=\"9/10\"}", "router.output_flits=3"],
    );
    let traffic = Traffic::new(&slow.scenario().traffic, &slow.node_map(), 0.9, 1).unwrap();
    let told = |shards| {
        let partition = Partition::with(&slow, shards);
        let mut network = Network::<8, 4>::new(&slow, &traffic, &partition, &|| false).unwrap();
        for end in (500..=4000).step_by(500) {
            network.run_to(end);
            network.audit();
            assert_eq!(network.violation(), None);
        }
        format!("{:?} {:?}", network.tally(), network.injected())
    };
    assert_eq!(told(1), told(3));
}

/// In a file a link has a rate of its own, and the others have that of their class.
#[test]
fn a_link_of_a_file_has_its_own_rate() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ring.txt");
    std::fs::write(&file, "0 1 rate=1/4\n1 2\n2 3 width=2 rate=3/4\n").unwrap();
    let text = format!(
        "[topology]\nkind = \"graph\"\nfile = \"{}\"\n[traffic]\nloads = [1]\n[links]\nrate = \"9/10\"\n",
        file.display()
    );
    let blueprint = blueprint(&text, &[]);
    let rate = |router, port| {
        let rate = blueprint.port_rate(router, PortId::new(port));
        (rate.flits(), rate.cycles())
    };
    assert_eq!(
        [rate(0, 0), rate(0, 1), rate(1, 2), rate(2, 2), rate(2, 3)],
        [(9, 10), (1, 4), (9, 10), (3, 4), (3, 4)]
    );
    assert_eq!(blueprint.slowest().cycles(), 4);
}
