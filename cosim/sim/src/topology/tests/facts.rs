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
links between routers                         112
degree                                     2 to 4  links to routers
cables                                     2.7500  per node
ports in use                               4.5000  per node
diameter                                       14  hops
mean distance of routers                   5.3333  hops
mean distance of nodes                     5.3333  hops
shortest routes between routers           47.8671  per pair, mean
kinds of routers                               10  by how many others are at each distance
bisection                                       8  links
busiest channel, uniform traffic  at least 2.0317  flits/cycle per unit of load
throughput, uniform traffic        at most 0.4922  flits/node/cycle
";
    assert_eq!(facts.to_string(), expected);
}

#[test]
fn shortest_routes_are_counted() {
    let of = |wiring: &Wiring| Facts::of(wiring).shortest_routes;
    // As many as there are orders of the bits that differ: the sum of d! over the subsets of n bits, d of which differ.
    let cube = wired(&Hypercube { dims: 5, nodes_per_router: 1 }.into());
    let orders: f64 =
        [(5, 1), (10, 2), (10, 6), (5, 24), (1, 120)].iter().map(|&(n, d)| f64::from(n * d)).sum();
    assert!((of(&cube) - orders / 31.0).abs() < 1e-9);
    // From a corner of a mesh of 3 × 3: 1 1 1 1 2 3 3 6, from the middle of a side: 1 1 1 1 2 2 3 3, from the centre: 1 × 4, 2 × 4.
    let mesh = of(&wired(&mesh(&[3, 3])));
    assert!((mesh - f64::from(4 * 18 + 4 * 14 + 12) / 72.0).abs() < 1e-9, "{mesh}");
    // Each of two parallel links is a route.
    assert_eq!(of(&graph("0 1\n1 0\n").unwrap()), 2.0);
    assert_eq!(of(&graph("0 1\n0 1\n1 2\n1 2\n1 2\n").unwrap()), f64::from(2 * (2 + 3 + 6)) / 6.0);
    // Half-way round a ring there are two.
    assert_eq!(of(&wired(&torus(&[6]))), 6.0 / 5.0);
    assert!(of(&wired(&mesh_of_one())).is_nan());
}

/// A router alone, which a Dragonfly's rule cannot make, but a program can.
fn mesh_of_one() -> Topology {
    struct Lonely;
    impl Map for Lonely {
        fn routers(&self) -> impl Iterator<Item = u32> {
            0..1
        }
        fn ports(&self) -> usize {
            2
        }
        fn port_class(&self, _of: RouterClass, _port: PortId) -> PortClass {
            PortClass::NODE
        }
        fn peer(&self, _router: u32, _port: PortId) -> Option<map::Peer> {
            Some(map::Peer::Node)
        }
    }
    Custom::new("lonely", &Lonely, &["node", "local"]).unwrap().into()
}

#[test]
fn routers_are_of_a_kind_when_they_are_as_far_from_the_others() {
    let kinds = |topology: Topology| Facts::of(&wired(&topology)).distance_profiles;
    assert_eq!(kinds(Star { leaves: 5, nodes_per_router: 1 }.into()), 2);
    assert_eq!(kinds(BinaryTree { levels: 4, nodes_per_router: 1 }.into()), 4);
    assert_eq!(kinds(mesh(&[5])), 3);
    assert_eq!(kinds(SlimFly { q: 7, nodes_per_router: 1 }.into()), 1);
    assert_eq!(kinds(torus(&[4, 3])), 1);
    // Of one kind, and not alike: each has three neighbours and four routers behind them, but only the first three are a triangle.
    let wiring = graph("0 1\n1 2\n2 0\n0 3\n1 4\n2 5\n3 6\n3 7\n4 6\n4 7\n5 6\n5 7\n").unwrap();
    let facts = Facts::of(&wiring);
    assert_eq!((facts.degree_min, facts.degree_max), (3, 3));
    assert_eq!(facts.distance_profiles, 1);
}
