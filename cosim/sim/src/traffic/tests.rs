//! What the tests of the traffic share.

mod generators;
mod lengths;
mod patterns;
mod permutations;
mod processes;
mod random;

use super::*;
use generator::Generated;

/// Single-flit packets, Bernoulli.
fn settings(pattern: impl Into<Pattern>) -> TrafficSettings {
    TrafficSettings {
        pattern: pattern.into(),
        packet_flits: PacketFlits::Same(1),
        reply_flits: 0,
        injection_vc: crate::traffic::InjectionVc::Room,
        process: Process::Bernoulli,
        burst_packets: 4.0,
        loads: Loads::List(vec![1.0]),
    }
}

fn graph(nodes: u32) -> NodeMap {
    NodeMap::new((0..nodes).map(|_| 1), None, None)
}

fn grid(dims: &[u32], nodes_per_router: u32) -> NodeMap {
    let routers = dims.iter().product::<u32>();
    NodeMap::new((0..routers).map(|_| nodes_per_router), None, Some(dims))
}

fn dragonfly(p: u32, group_sizes: &[u32]) -> NodeMap {
    let routers = group_sizes.iter().sum::<u32>();
    NodeMap::new((0..routers).map(|_| p), Some(group_sizes), None)
}

/// A fat tree of two levels: the spines come last and have no nodes.
fn fat_tree(leaves: u32, spines: u32, nodes_per_leaf: u32) -> NodeMap {
    let nodes_at = |router| if router < leaves { nodes_per_leaf } else { 0 };
    NodeMap::new((0..leaves + spines).map(nodes_at), None, None)
}

/// A packet in each cycle, by this pattern.
fn at_full_load(pattern: impl Into<Pattern>, on: &NodeMap, seed: u64) -> Result<Traffic, TrafficError> {
    Traffic::new(&settings(pattern), on, 1.0, seed)
}

/// The first `count` packets of `node`, or fewer if it stops.
fn first(count: usize, node: u32, traffic: &Traffic) -> Vec<Generated> {
    let mut generator = traffic.generator(node);
    std::iter::from_fn(|| generator.next(traffic)).take(count).collect()
}

/// The packets of `node` before the cycle `end`.
fn before(end: u64, node: u32, traffic: &Traffic) -> Vec<Generated> {
    let mut generator = traffic.generator(node);
    std::iter::from_fn(|| generator.next(traffic)).take_while(|packet| packet.at < end).collect()
}

/// Fails if the counts differ from what is expected by more than chance explains: five standard deviations of χ².
#[track_caller]
fn assert_frequencies(counts: &[u64], expected: &[f64]) {
    assert_eq!(counts.len(), expected.len());
    assert!(expected.iter().all(|&e| e >= 5.0), "too few samples for χ²: {expected:?}");
    let chi2: f64 = counts.iter().zip(expected).map(|(&c, &e)| (c as f64 - e).powi(2) / e).sum();
    let freedom = counts.len() as f64 - 1.0;
    let limit = freedom + 5.0 * (2.0 * freedom).sqrt() + 10.0;
    assert!(chi2 < limit, "χ² {chi2:.1} > {limit:.1}\n{counts:?}\n{expected:?}");
}

/// Fails if `value` is more than five of its standard deviations from what is expected.
#[track_caller]
fn assert_near(value: f64, expected: f64, deviation: f64) {
    assert!((value - expected).abs() < 5.0 * deviation, "{value} instead of {expected} ± {deviation}");
}
