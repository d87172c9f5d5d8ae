//! ACKs with VCs of their own: they hardly wait, whatever waits beside them, and their books agree.

use super::{blueprint, drain, with_size};
use crate::network::Network;

const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [8, 8]\n[router]\nvcs = 8\nbuffer_flits = 8\n[routing]\nalgorithm = \"drb\"\n\
    [traffic]\npattern = \"transpose\"\npacket_flits = 10\nloads = [1]\n";
const WORMHOLE: &str = "router.flow_control=wormhole";
const APART: &str = "routing.ack_priority=true";

/// Mean cycles of an ACK, from when it may leave until it is there, and flits of data that each node accepts per cycle.
fn run(sets: &[&str], load: f64) -> (f64, f64) {
    with_size(&blueprint(TORUS, sets), (load, 1), |network: &mut Network<'_, 64, 8>| {
        network.run_to(1500);
        network.reset_tally();
        network.run_to(4000);
        network.audit();
        assert_eq!((network.violation(), network.lost_packets()), (None, 0), "{sets:?}");
        let tally = network.tally();
        assert!(tally.acks > 100);
        (tally.ack_latency as f64 / tally.acks as f64, tally.load_flits() as f64 / (64.0 * 2500.0))
    })
}

/// Full load, transpose: more than the torus accepts. Output FIFOs are as short as the speedup: what is in one leaves in its order.
#[test]
fn acks_hardly_wait_at_saturation() {
    let short = "router.output_flits=2";
    for sets in [&[WORMHOLE, short][..], &[WORMHOLE]] {
        let apart = [sets, &[APART]].concat();
        let (empty, (plain, _), (alone, accepted)) = (run(&apart, 0.01).0, run(sets, 1.0), run(&apart, 1.0));
        println!(
            "{sets:?}: {empty:.1} cycles empty, {alone:.1} at saturation, {plain:.1} without VCs of their own"
        );
        let most = if sets.contains(&short) { 1.5 } else { 3.0 };
        assert!(alone < most * empty && plain > 6.0 * empty && accepted > 0.2, "{sets:?}: {accepted}");
    }
}

/// All allocators, all kinds of ports and answers; in one shard and in several, until nothing is left.
#[test]
fn books_agree() {
    let cases: [&[&str]; 7] = [
        &[WORMHOLE],
        &["router.buffer_flits=16", "router.allocator=wavefront", "routing.ack_flits=3"],
        &[WORMHOLE, "router.allocator=separable-output-first", "router.priority=transit"],
        &[WORMHOLE, "router.allocator=separable-one-arbiter", "traffic.reply_flits=4"],
        &["router.buffer_flits=16", "router.allocation_unit=packet", "topology.kind=mesh"],
        &[WORMHOLE, "router.vc_allocation=atomic", "router.speedup=1", "routing.ack_flits=2"],
        &["router.flow_control=store-and-forward", "router.buffer_flits=16", "router.pipeline=5"],
    ];
    for sets in cases {
        let blueprint = blueprint(TORUS, &[sets, &[APART, "topology.dims=[4,4]"]].concat());
        let run = |shards| {
            with_size(&blueprint, (0.7, shards), |network: &mut Network<'_, 64, 8>| {
                for end in (500..=2500).step_by(500) {
                    network.run_to(end);
                    network.audit();
                    assert_eq!(network.violation(), None, "{sets:?}");
                }
                let told = format!("{:?} {:?}", network.tally(), network.injected());
                drain(network);
                told
            })
        };
        assert_eq!(run(1), run(3), "{sets:?}");
    }
}
