//! What the tests of the traffic share.

mod generators;
mod patterns;
mod permutations;
mod processes;
mod random;

use super::{Generated, Layout, Shape, Traffic, TrafficError};
use crate::scenario::{Loads, Pattern, Process, TrafficSettings};

/// Single-flit packets, Bernoulli.
fn settings(pattern: Pattern) -> TrafficSettings {
    TrafficSettings {
        pattern,
        packet_flits: 1,
        process: Process::Bernoulli,
        burst_packets: 4.0,
        loads: Loads::List(vec![1.0]),
    }
}

fn graph(nodes: u32) -> Layout {
    Layout { nodes, shape: Shape::Graph { nodes_per_router: 1 } }
}

fn grid(dims: &[u32], nodes_per_router: u32) -> Layout {
    let nodes = dims.iter().product::<u32>() * nodes_per_router;
    Layout { nodes, shape: Shape::Grid { dims: dims.to_vec(), nodes_per_router } }
}

fn dragonfly(p: u32, group_sizes: &[u32]) -> Layout {
    let nodes = group_sizes.iter().sum::<u32>() * p;
    Layout { nodes, shape: Shape::Dragonfly { p, group_sizes: group_sizes.to_vec() } }
}

/// A packet in each cycle, by this pattern.
fn at_full_load(pattern: Pattern, layout: &Layout, seed: u64) -> Result<Traffic, TrafficError> {
    Traffic::new(&settings(pattern), layout, 1.0, seed)
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
