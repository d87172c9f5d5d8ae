//! Paths by LIDs in a network: notifications name them, and shards change nothing.

use super::super::Network;
use super::{blueprint, drain, with_size};
use router_core::congestion::PathSet;

const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[router]\nvcs = 8\n[routing]\nalgorithm = \"drb-infiniband\"\n\
     [congestion]\nthreshold = 15\n[traffic]\npattern = \"transpose\"\nloads = [1]\n";

fn with<T>(sets: &[&str], run: (f64, usize), test: impl FnOnce(&mut Network<'_, 64, 8>) -> T) -> T {
    with_size(&blueprint(TORUS, sets), run, test)
}

/// The sets of paths of all nodes.
fn sets(network: &Network<'_, 64, 8>) -> Vec<PathSet> {
    let nodes = network.shards.iter().flat_map(|shard| &shard.nodes);
    nodes
        .filter_map(|node| node.choice.as_deref()?.lids())
        .flat_map(|adapter| adapter.sets().to_vec())
        .collect()
}

/// Without marks, one path each and no notification. With marks each one is answered, by a packet of its own or in the reply, whose
/// path is known to its source: counts and paths grow, and no set has what it should not have. Nothing is lost.
#[test]
fn each_mark_is_answered_and_opens_paths() {
    let long = "routing.contraction_timer=0";
    for (marks, set) in [(false, "congestion.threshold=0"), (true, long), (true, "traffic.reply_flits=2")] {
        with(&[set], (0.9, 1), |network| {
            network.run_to(3000);
            let open = |sets: &[PathSet]| sets.iter().filter(|set| set.open() > 1).count();
            assert_eq!(open(&sets(network)) > 6, marks, "{set}");
            assert!(sets(network).iter().flat_map(PathSet::counts).all(|(lid, count)| lid < 8 && count > 0));
            drain(network);
            let tally = network.tally();
            assert_eq!((tally.marked > 0, tally.notices > 0), (marks, marks), "{set}");
            // Marked replies are not answered.
            let answered = if set.contains("reply") {
                tally.notices <= tally.marked
            } else {
                tally.notices == tally.marked
            };
            assert!(answered, "{set}: {} of {}", tally.notices, tally.marked);
            assert_eq!(tally.paths_open > tally.paths_chosen, marks);
        });
    }
}

/// Idle sources come back to the shortest path.
#[test]
fn quiet_sources_close_their_paths() {
    with(&["routing.contraction_timer=500"], (0.9, 1), |network| {
        network.run_to(3000);
        let before: u32 = sets(network).iter().map(|set| u32::from(set.open())).sum();
        let closed = |expiries: u64| {
            let mut sets = sets(network);
            sets.iter_mut().for_each(|set| set.expire(6 + expiries));
            sets.iter().map(|set| u32::from(set.open())).sum::<u32>()
        };
        let steps: Vec<u32> = (0..6).map(closed).collect();
        assert!(before > 256 && steps.is_sorted_by(|a, b| a >= b) && steps[5] == 256, "{before}: {steps:?}");
        assert!(steps[1] > 256, "not at once: {steps:?}");
    });
}

#[test]
fn shards_change_nothing() {
    let run = |shards| {
        with(&["links.latency=4"], (0.8, shards), |network| {
            network.run_to(2000);
            assert_eq!(network.violation(), None);
            format!("{:?} {:?} {:?}", network.tally(), network.injected(), sets(network))
        })
    };
    let one = run(1);
    assert!(one.contains("paths_open"));
    assert_eq!(one, run(4));
}
