//! Facts: bounds, samples and how they are printed.

use std::collections::BTreeSet;

use super::*;
use crate::topology::bisection::spread;

#[test]
fn uniform_bounds_of_grids() {
    // 4 links per direction and cut of k × k mesh, N² / 4 pairs across it, N − 1 destinations.
    let mesh = Facts::of(&wired(&mesh(&[8, 8])));
    assert!((mesh.throughput() - 8.0 * 63.0 / 1024.0).abs() < 1e-12);
    let torus = Facts::of(&wired(&torus(&[16, 16])));
    assert!((torus.throughput() - 32.0 * 255.0 / 16_384.0).abs() < 1e-12);
    assert!((torus.channel_load() * torus.throughput() - 1.0).abs() < 1e-12);
}

#[test]
fn nodes_of_one_router_are_at_distance_zero() {
    let pair = Mesh(Grid { dims: vec![2], nodes_per_router: 2 }).into();
    let distances = Facts::of(&wired(&pair)).distances;
    assert_eq!((distances.router_mean, distances.node_mean), (1.0, 2.0 / 3.0));
}

#[test]
fn a_large_network_is_sampled_and_says_so() {
    let facts = Facts::of(&wired(&mesh(&[160, 160])));
    let from = facts.distances.sampled.unwrap();
    assert!(from < 160 * 160);
    let exact = 2.0 * (160.0 * 160.0 - 1.0) / (3.0 * 160.0) * 25_600.0 / 25_599.0;
    assert!((facts.distances.router_mean / exact - 1.0).abs() < 0.005, "{}", facts.distances.router_mean);
    let text = facts.to_string();
    assert!(text.contains("at least 3") && text.contains("distances measured from"), "{text}");
}

#[test]
fn a_sample_is_spread_over_all_routers() {
    for n in [1, 2, 6, 100, 2064] {
        assert_eq!(spread(n).collect::<BTreeSet<_>>(), (0..n).collect());
    }
    let tenths: BTreeSet<usize> = spread(10_000).take(30).map(|router| router / 1_000).collect();
    assert_eq!(tenths.len(), 10);
}

#[test]
fn a_cut_is_two_halves_and_counts_its_links() {
    let facts = Facts::of(&wired(&full_dragonfly(2, Palmtree)));
    assert_eq!(facts.bisection.nodes, [36, 36]);
    assert!(!facts.bisection.is_least);
    // Four groups and a half on each side: 4 × 4 + 4 global links of whole groups, and 4 local links at least.
    assert!((18..=24).contains(&facts.bisection.links), "{}", facts.bisection.links);
    // Any halves of a complete graph are joined by (n / 2)² links.
    let pairs = (0..8).flat_map(|a| (0..a).map(move |b| format!("{a} {b}\n")));
    assert_eq!(Facts::of(&graph(&pairs.collect::<String>()).unwrap()).bisection.links, 16);
}

#[test]
fn printed_in_columns() {
    let facts = Facts::of(&wired(&mesh(&[8, 8])));
    let expected = "\
routers                                        64
nodes                                          64
ports of the largest router                     5
links to nodes                                 64
local links                                   112
degree                                     2 to 4  links to routers
diameter                                       14  hops
mean distance of routers                   5.3333  hops
mean distance of nodes                     5.3333  hops
bisection                                       8  links
busiest channel, uniform traffic  at least 2.0317  flits/cycle per unit of load
throughput, uniform traffic        at most 0.4922  flits/node/cycle
";
    assert_eq!(facts.to_string(), expected);
}
