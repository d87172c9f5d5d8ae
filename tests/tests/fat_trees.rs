//! Fat trees under up/down routing accept nearly what the links of their nodes carry.

use desvio_sim::topology::Facts;
use desvio_tests::measure::{blueprint, measure};
use rayon::prelude::*;

/// Uniform traffic: nothing but the links of the nodes bounds it, as there are as many links up as down at each level.
#[test]
fn uniform_traffic_comes_close_to_the_bound() {
    [(8, 2), (12, 2), (4, 3), (8, 3)].par_iter().for_each(|&(radix, levels)| {
        let text = format!(
            "topology = {{ kind = \"fat-tree\", radix = {radix}, levels = {levels} }}
            traffic = {{ loads = [1.0] }}
            run = {{ warmup_cycles = 2000, measure_cycles = 3000 }}"
        );
        let tree = blueprint(&text, &[]);
        let bound = Facts::of(tree.wiring()).throughput();
        let full = measure(&tree, 1.0);
        let (radix, share) = (f64::from(radix), full.accepted / bound);
        assert!((0.8..=1.001).contains(&share), "radix {radix}, {levels} levels: {share} of {bound}");
        let half = measure(&tree, 0.5);
        assert!((half.accepted - half.offered).abs() < 0.02, "{half:?}");
        let mean = Facts::of(tree.wiring()).distances.node_mean;
        assert!((half.hops_mean - mean).abs() < 0.05, "every route is minimal: {} {mean}", half.hops_mean);
    });
}

/// A packet of `L` flits over `H` hops of one cycle each takes `2 + H + (H + 1)·2 + L − 1` cycles at speedup 2.
#[test]
fn an_empty_tree_has_the_latency_of_the_formula() {
    let text = "topology = { kind = \"fat-tree\", radix = 8, levels = 3 }
        traffic = { loads = [0.0005] }
        run = { warmup_cycles = 0, measure_cycles = 20000 }";
    let summary = measure(&blueprint(text, &[]), 0.0005);
    let expected = 2.0 + summary.hops_mean + (summary.hops_mean + 1.0) * 2.0 + 8.0 - 1.0;
    let late = summary.latency_mean - expected;
    // A packet in a hundred or so meets another one.
    assert!((0.0..0.15).contains(&late), "{} instead of {expected}", summary.latency_mean);
}
