//! Minimal, Valiant, dimension-order and table routing, searched exhaustively: every packet state that can be
//! reached on small networks, held against distances and orders found from the wiring alone.

use desvio_sim::topology::{self, Wiring};
use desvio_tests::networks::{ARRANGEMENTS, Dependencies, Network, Reach, Shape, order_index};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use router_core::PortClass;
use router_core::header::{Address, Header, Progress};
use router_core::map::grid::Grid;
use router_core::map::table::Table;
use router_core::route::dimension_order::DimensionOrder;
use router_core::route::minimal::Minimal;
use router_core::route::valiant::{Groups, Intermediate, Valiant};
use router_core::route::{Arrival, HopKind, Route};
use router_core::units::{PortId, PortSet, VcId};
use std::io::Write;

/// Dragonflies with one link per pair of groups, with several, and with groups of unequal size.
fn shapes() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for arrangement in ARRANGEMENTS {
        shapes.extend([2, 3, 5, 7, 8, 9].map(|groups| Shape::balanced(2, groups, arrangement)));
        for (h, sizes) in [(4, vec![4, 2, 3, 4, 1]), (2, vec![2, 5, 3]), (1, vec![7, 4, 5, 6, 4])] {
            shapes.push(Shape { p: 1, sizes, h, arrangement });
        }
    }
    assert_eq!(shapes.len(), 27);
    shapes
}

/// Checks that all hops of a search are minimal ones and rise in an order.
fn check_rising(reach: &Reach, order: impl Fn(Arrival) -> i32) {
    for (number, place) in reach.places.iter().enumerate() {
        for hop in reach.hops(number) {
            assert_eq!(hop.by.kind, HopKind::Minimal);
            let to = &reach.places[hop.to];
            assert!(order(to.from) > order(place.from), "{place:?} by {hop:?}");
        }
    }
}

fn dragonfly_vcs(locals: u8) -> impl Fn(PortClass, VcId) -> bool {
    move |kind, vc| vc.number() < if kind == PortClass::LOCAL { locals } else { 2 }
}

#[test]
fn minimal_routes_rise_and_never_wait_in_a_circle() {
    let mut hops = 0;
    let mut all = shapes();
    all.push(Shape::balanced(3, 19, ARRANGEMENTS[0]));
    for shape in all {
        let network = shape.network();
        let routing = Minimal { map: shape.map() };
        let mut dependencies = Dependencies::new(&network);
        for destination in 0..network.routers() {
            let reach =
                network.reach(&routing, destination, network.header_to(destination), dragonfly_vcs(2));
            check_rising(&reach, order_index);
            assert!(reach.longest_route() <= 3);
            dependencies.add_all(&network, &reach, |_, _| true);
            hops += reach.places.len();
        }
        assert!(!dependencies.is_empty() && dependencies.are_acyclic(), "{shape:?}");
    }
    assert!(hops > 40_000, "{hops}");
}

#[test]
fn valiant_routes_by_way_of_a_group_rise_and_never_wait_in_a_circle() {
    let searches: usize = shapes()
        .par_iter()
        .map(|shape| {
            let network = shape.network();
            let routing =
                Valiant { map: shape.map(), intermediate: Intermediate::Group, groups: Groups::Other };
            let mut dependencies = Dependencies::new(&network);
            let mut searches = 0;
            for destination in 0..network.routers() {
                for via in 0..shape.sizes.len() as u32 {
                    let header = header_by_way_of(&network, destination, via);
                    let reach = network.reach(&routing, destination, header, dragonfly_vcs(3));
                    check_rising(&reach, order_index);
                    assert!(reach.longest_route() <= 5);
                    dependencies.add_all(&network, &reach, |_, _| true);
                    searches += 1;
                }
            }
            assert!(!dependencies.is_empty() && dependencies.are_acyclic(), "{shape:?}");
            searches
        })
        .sum();
    assert!(searches > 3000, "{searches}");
}

#[test]
fn valiant_routes_by_way_of_a_router_rise_and_never_wait_in_a_circle() {
    // Local and global VCs in the order l0 g0 l1, l2 g1 l3.
    let order = |from: Arrival| match from.kind {
        PortClass::NODE => -1,
        PortClass::GLOBAL => [1, 4][from.vc.index()],
        _ => [0, 2, 3, 5][from.vc.index()],
    };
    let searches: usize = shapes()
        .par_iter()
        .map(|shape| {
            let network = shape.network();
            let routing =
                Valiant { map: shape.map(), intermediate: Intermediate::Router, groups: Groups::Other };
            let mut dependencies = Dependencies::new(&network);
            let (mut searches, mut longest) = (0, 0);
            for destination in 0..network.routers() {
                for (via, &address) in network.addresses.iter().enumerate() {
                    let header = header_by_way_of(&network, destination, address);
                    let reach = network.reach(&routing, destination, header, dragonfly_vcs(4));
                    check_rising(&reach, order);
                    check_passes(&reach, via);
                    longest = longest.max(reach.longest_route());
                    dependencies.add_all(&network, &reach, |_, _| true);
                    searches += 1;
                }
            }
            assert!((3..=6).contains(&longest), "{longest}");
            assert!(!dependencies.is_empty() && dependencies.are_acyclic(), "{shape:?}");
            searches
        })
        .sum();
    assert_eq!(
        searches,
        3 * (8 * 8 + 12 * 12 + 20 * 20 + 28 * 28 + 32 * 32 + 36 * 36 + 14 * 14 + 10 * 10 + 26 * 26)
    );
}

fn header_by_way_of(network: &Network, destination: usize, via: u32) -> Header {
    let progress = Progress::default().with_via_ahead(true);
    Header { via, progress, ..network.header_to(destination) }
}

/// No packet arrives without having been at router `via`.
fn check_passes(reach: &Reach, via: usize) {
    // All that is reached from the sources without going on from `via`.
    let mut seen = vec![false; reach.places.len()];
    let mut next: Vec<usize> = (0..reach.sources).collect();
    while let Some(place) = next.pop() {
        if std::mem::replace(&mut seen[place], true) || reach.places[place].router == via {
            continue;
        }
        assert!(!reach.is_arrived(place), "{:?} has not been at router {via}", reach.places[place]);
        next.extend(reach.hops(place).iter().map(|hop| hop.to));
    }
}

/// The intermediate point is drawn evenly: outside the source group, or inside it for traffic that stays there.
#[test]
fn valiant_draws_every_intermediate_point_equally_often() {
    const DRAWS: usize = 8000;
    let shape = Shape::balanced(2, 9, ARRANGEMENTS[0]);
    let network = shape.network();
    let group = shape.groups_of_routers();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for source in [0, 14, 35] {
        for destination in [1, 13, 34] {
            for intermediate in [Intermediate::Group, Intermediate::Router] {
                let routing = Valiant { map: shape.map(), intermediate, groups: Groups::Other };
                let to = Address { router: network.addresses[destination], port: 1 };
                let mut drawn = vec![0_usize; network.routers()];
                for _ in 0..DRAWS {
                    let header = routing.launch(&network.heres[source], to, 5, &mut random);
                    assert_eq!((header.to, header.length), (to, 5));
                    let inside = group[source] == group[destination];
                    let direct = inside && intermediate == Intermediate::Group;
                    assert_eq!(header.progress, Progress::default().with_via_ahead(!direct));
                    if direct {
                        continue;
                    }
                    let router = match intermediate {
                        Intermediate::Group => group.iter().position(|&g| g == header.via as usize),
                        Intermediate::Router => network.addresses.iter().position(|&a| a == header.via),
                    };
                    let router = router.expect("the intermediate point exists");
                    assert_eq!(group[router] == group[source], inside);
                    drawn[router] += 1;
                }
                let places = drawn.iter().filter(|&&count| count > 0).count();
                let expected = match (intermediate, group[source] == group[destination]) {
                    (Intermediate::Group, true) => 0,
                    (Intermediate::Group, false) => 8,
                    (Intermediate::Router, true) => 4,
                    (Intermediate::Router, false) => 32,
                };
                assert_eq!(places, expected);
                for &count in drawn.iter().filter(|&&count| count > 0) {
                    // Five standard deviations of a binomial, at most.
                    let mean = DRAWS / expected;
                    assert!(count.abs_diff(mean) * count.abs_diff(mean) < 25 * mean, "{count} of {mean}");
                }
            }
        }
    }
}

/// A grid and its map.
pub(crate) fn grid(dims: &[u32], wraps: bool) -> (Network, Grid) {
    let nodes_per_router = 2;
    let grid = topology::Grid { dims: dims.to_vec(), nodes_per_router };
    let topology = if wraps { topology::Torus(grid).into() } else { topology::Mesh(grid).into() };
    let wiring = Wiring::build(&topology).expect("a grid");
    let map = Grid::new(dims, nodes_per_router, wraps).expect("a grid");
    let addresses: Vec<u32> = (0..wiring.routers() as u32)
        .map(|router| {
            let mut rest = router;
            let coordinates: Vec<u32> = dims
                .iter()
                .map(|k| {
                    let x = rest % k;
                    rest /= k;
                    x
                })
                .collect();
            // Each coordinate in as many bits as its size needs.
            let (mut address, mut at) = (0, 0);
            for (&x, &k) in coordinates.iter().zip(dims) {
                address |= x << at;
                at += k.next_power_of_two().trailing_zeros();
            }
            assert_eq!(map.address(&coordinates), address, "{coordinates:?} of {dims:?}");
            address
        })
        .collect();
    (Network::new(wiring, addresses), map)
}

const GRIDS: [&[u32]; 14] = [
    &[2],
    &[3],
    &[4],
    &[5],
    &[8],
    &[2, 2],
    &[3, 3],
    &[4, 3],
    &[5, 2],
    &[4, 4],
    &[2, 6],
    &[3, 4, 2],
    &[2, 2, 2],
    &[3, 3, 3],
];

/// Every route is a shortest one, goes through the dimensions in order, and no circle of buffers can form.
fn check_dimension_order(dims: &[u32], wraps: bool, vcs: u8) {
    let what = format!("{dims:?}, wraps {wraps}, {vcs} VCs");
    let (network, map) = grid(dims, wraps);
    let routing = DimensionOrder { grid: map, vcs };
    let mut dependencies = Dependencies::new(&network);
    let mut used = vec![0; usize::from(vcs)];
    let mut pairs = 0;
    for destination in 0..network.routers() {
        let distances = network.distances_to(destination);
        let reach =
            network.reach(&routing, destination, network.header_to(destination), |_, vc| vc.number() < vcs);
        for (number, place) in reach.places.iter().enumerate() {
            let dimension_of = |port: PortId| (port.index() - 2) / 2;
            for hop in reach.hops(number) {
                let to = &reach.places[hop.to];
                assert_eq!(distances[to.router] + 1, distances[place.router], "{what}: {place:?} by {hop:?}");
                let in_order = place.from.kind == PortClass::NODE
                    || dimension_of(place.from.port) <= dimension_of(hop.by.port);
                assert!(in_order, "{what}: {place:?} by {hop:?}");
                assert!(routing.keeps_order(&network.heres[to.router], to.from, &to.header));
                used[hop.by.vc.index()] += 1;
            }
        }
        assert_eq!(reach.longest_route(), distances.iter().copied().max().unwrap_or(0), "{what}");
        dependencies.add_all(&network, &reach, |_, _| true);
        pairs += reach.sources / 4;
    }
    assert_eq!(pairs, network.routers() * network.routers());
    assert!(used.iter().all(|&hops| hops > 0), "{what}: VCs that no route uses: {used:?}");
    assert_eq!(dependencies.is_empty(), dims.iter().all(|&k| k < 3 + u32::from(wraps)) && dims.len() == 1);
    assert!(dependencies.are_acyclic(), "{what}");
}

#[test]
fn dimension_order_is_shortest_and_never_waits_in_a_circle() {
    let mut checked = 0;
    for dims in GRIDS {
        for vcs in 1..=5 {
            check_dimension_order(dims, false, vcs);
            checked += 1;
            if vcs >= 2 {
                check_dimension_order(dims, true, vcs);
                checked += 1;
            }
        }
    }
    assert_eq!(checked, GRIDS.len() * 9);
}

/// A wiring from pairs of routers.
fn graph(edges: &[(usize, usize)]) -> Network {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    for (a, b) in edges {
        writeln!(file, "{a} {b}").expect("a line");
    }
    let nodes_per_router = topology::NodesPerRouter::Same(2);
    let topology = topology::Graph::new(file.path(), nodes_per_router);
    let wiring = Wiring::build(&topology.into()).expect("a graph");
    let addresses = (0..wiring.routers() as u32).collect();
    Network::new(wiring, addresses)
}

/// All ports on shortest routes, from breadth-first distances.
fn shortest(network: &Network) -> Vec<PortSet> {
    let distances: Vec<_> = (0..network.routers()).map(|to| network.distances_to(to)).collect();
    (0..network.routers())
        .flat_map(|here| distances.iter().map(move |to| (here, to)))
        .map(|(here, to)| {
            let mut ports = PortSet::EMPTY;
            for (port, _) in network.wiring.neighbours(here).filter(|&(_, next)| to[next] + 1 == to[here]) {
                ports.insert(PortId::new(port as u8));
            }
            ports
        })
        .collect()
}

#[test]
fn tables_of_shortest_routes_offer_them_all_and_a_vc_per_hop() {
    // Petersen graph: diameter 2, one shortest route per pair. Two parallel edges. A ring of six. A cube.
    let petersen: Vec<_> =
        (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]).collect();
    let ring: Vec<_> = (0..6).map(|i| (i, (i + 1) % 6)).collect();
    let cube: Vec<_> =
        (0..8).flat_map(|i| [1, 2, 4].map(|bit| (i, i ^ bit))).filter(|(a, b)| a < b).collect();
    let mut dragonfly = Shape::balanced(2, 9, ARRANGEMENTS[0]).network();
    dragonfly = Network::new(dragonfly.wiring.clone(), (0..36).collect());
    let worlds = [
        (graph(&petersen), 2),
        (graph(&[(0, 1), (0, 1), (1, 2)]), 2),
        (graph(&ring), 3),
        (graph(&cube), 3),
        (dragonfly, 3),
    ];
    let mut choices = 0;
    for (network, diameter) in worlds {
        let ports = shortest(&network);
        let routers = network.routers();
        let wired = |router: u32| {
            let mut ports = PortSet::EMPTY;
            for (port, _) in network.wiring.neighbours(router as usize) {
                ports.insert(PortId::new(port as u8));
            }
            ports
        };
        let table = Table::load(&ports, routers as u32, wired).expect("a table");
        let mut dependencies = Dependencies::new(&network);
        for destination in 0..routers {
            let distances = network.distances_to(destination);
            let reach = network
                .reach(&table, destination, network.header_to(destination), |_, vc| vc.number() < diameter);
            for (number, place) in reach.places.iter().enumerate() {
                let hops = reach.hops(number);
                let offered: Vec<usize> = hops.iter().map(|hop| hop.by.port.index()).collect();
                let closer = |&(_, next): &(usize, usize)| distances[next] + 1 == distances[place.router];
                let expected: Vec<usize> =
                    network.wiring.neighbours(place.router).filter(closer).map(|(port, _)| port).collect();
                assert_eq!(offered, expected, "{place:?}");
                choices += offered.len();
                for hop in hops {
                    let vc = if place.from.kind == PortClass::NODE { 0 } else { place.from.vc.number() + 1 };
                    assert_eq!((hop.by.vc.number(), hop.by.kind), (vc, HopKind::Minimal));
                }
            }
            assert_eq!(Some(reach.longest_route()), distances.iter().copied().max());
            dependencies.add_all(&network, &reach, |_, _| true);
        }
        assert!(!dependencies.is_empty() && dependencies.are_acyclic());
    }
    assert!(choices > 8000, "{choices}");
}
