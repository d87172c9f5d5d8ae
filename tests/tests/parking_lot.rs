//! Eight nodes in a row that all send to the last one: arbiters that are fair to inputs are not fair to nodes.

use desvio_tests::measure::measure;
use desvio_tests::rtl::blueprint;

/// Each router gives half of its way on to its node, half to all nodes behind it. What a node sends itself does not count: node 7 is the
/// exit.
#[test]
fn each_node_gets_half_of_what_the_next_one_gets() {
    let summary = measure(&blueprint("parking-lot.toml", &[]), 1.0);
    let nodes = summary.details.expect("details").nodes;
    let shares: Vec<f64> = nodes[..7].iter().map(|node| node.injected).collect();
    let expected = [1.0 / 64.0, 1.0 / 64.0, 1.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0, 1.0 / 4.0, 1.0 / 2.0];
    for (node, (share, expected)) in shares.iter().zip(expected).enumerate() {
        assert!((share / expected - 1.0).abs() < 0.05, "node {node}: {share}, not {expected}");
    }
}
