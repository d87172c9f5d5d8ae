//! What holds for every network; the numbers known for some are in the files below.

mod cables;
mod custom;
mod dragonfly;
mod facts;
mod fat_tree;
mod files;
mod formats;
mod generated;
mod graph;
mod grid;
mod indirect;
mod named;
mod one_way;
mod second_dragonfly;
mod second_grid;

use std::path::PathBuf;

use proptest::prelude::*;

use super::Arrangement::{Absolute, Consecutive, Palmtree};
use super::*;
use second_dragonfly::Dragonfly as SecondDragonfly;
use second_grid::{Direction, Grid as SecondGrid};

const ARRANGEMENTS: [Arrangement; 3] = [Palmtree, Consecutive, Absolute];

/// A Dragonfly of `groups` groups of `2 h` routers with `h` nodes each.
fn dragonfly(h: u8, groups: usize, arrangement: Arrangement) -> Topology {
    Dragonfly { p: h, group_sizes: vec![2 * h; groups], h, local_links: 1, arrangement }.into()
}

/// The largest such Dragonfly: one link between each pair of groups.
fn full_dragonfly(h: u8, arrangement: Arrangement) -> Topology {
    dragonfly(h, 2 * usize::from(h) * usize::from(h) + 1, arrangement)
}

/// Groups of these sizes, with `p` nodes and `h` global links at each router.
fn groups(p: u8, group_sizes: &[u8], h: u8, arrangement: Arrangement) -> Topology {
    Dragonfly { p, group_sizes: group_sizes.to_vec(), h, local_links: 1, arrangement }.into()
}

fn mesh(dims: &[u32]) -> Topology {
    Mesh(Grid { dims: dims.to_vec(), nodes_per_router: 1 }).into()
}

fn torus(dims: &[u32]) -> Topology {
    Torus(Grid { dims: dims.to_vec(), nodes_per_router: 1 }).into()
}

/// The network of a file of that name and text.
fn network_of(name: &str, text: &str, nodes: NodesPerRouter) -> Result<Wiring, TopologyError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, text).unwrap();
    Wiring::build(&Graph::new(file, nodes).into())
}

/// The error's text behind the name of the file.
fn behind(name: &str, error: &TopologyError) -> String {
    let message = error.to_string();
    message.split_once(name).unwrap_or_else(|| panic!("{message}")).1.to_owned()
}

/// Routers, nodes, and links between routers.
fn size(wiring: &Wiring) -> [usize; 3] {
    [wiring.routers(), wiring.nodes(), Facts::of(wiring).links_of(PortClass::LOCAL) as usize]
}

/// A graph file of that text, and the folder that keeps it.
fn graph_file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.txt");
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

/// The network of a graph file of that text, one node at each router.
fn graph(text: &str) -> Result<Wiring, TopologyError> {
    let (_folder, file) = graph_file(text);
    Wiring::build(&Graph::new(file, NodesPerRouter::Same(1)).into())
}

fn wired(topology: &Topology) -> Wiring {
    Wiring::build(topology).unwrap_or_else(|error| panic!("{topology:?}: {error}"))
}

/// The router at the other end of a port that is known to lead to one.
fn router_across(wiring: &Wiring, router: usize, port: usize) -> usize {
    match wiring.peer(router, port) {
        Some(Peer::Router { router, .. }) => router as usize,
        other => panic!("port {port} of router {router} leads to {other:?}"),
    }
}

/// Holds for every network: links have two ends, nodes are where they say, and kinds fit.
fn check_wiring(wiring: &Wiring) {
    let mut nodes = 0;
    for router in 0..wiring.routers() {
        for port in 0..wiring.ports() {
            match wiring.peer(router, port) {
                None => {}
                Some(Peer::Node(node)) => {
                    assert_eq!(node, nodes, "nodes are numbered router by router");
                    assert_eq!(wiring.attachment(node as usize), (router, port));
                    assert_eq!(wiring.class(router, port), PortClass::NODE);
                    nodes += 1;
                }
                Some(Peer::Router { router: there, port: far }) => {
                    let back = wiring.peer(there as usize, usize::from(far));
                    let here = Peer::Router { router: router as u32, port: port as u8 };
                    assert_eq!(back, Some(here), "the other end of router {router} port {port}");
                    assert_ne!(there as usize, router, "no router is joined with itself");
                    let class = wiring.class(router, port);
                    assert_eq!(class, wiring.class(there as usize, usize::from(far)));
                    assert_ne!(class, PortClass::NODE);
                }
            }
        }
    }
    assert_eq!(nodes as usize, wiring.nodes());
}

fn any_arrangement() -> impl Strategy<Value = Arrangement> {
    prop::sample::select(ARRANGEMENTS.to_vec())
}

fn any_dragonfly() -> impl Strategy<Value = Topology> {
    let sizes = prop::collection::vec(1_u8..7, 2..12);
    (1_u8..4, sizes, 1_u8..5, any_arrangement())
        .prop_map(|(p, sizes, h, arrangement)| groups(p, &sizes, h, arrangement))
}

/// Dragonflies of equal groups, which random sizes rarely give.
fn any_even_dragonfly() -> impl Strategy<Value = Topology> {
    (1_u8..4, 2_usize..10, any_arrangement())
        .prop_map(|(h, groups, arrangement)| dragonfly(h, groups, arrangement))
}

fn any_grid() -> impl Strategy<Value = Topology> {
    (prop::collection::vec(2_u32..6, 1..4), 0_u8..3, any::<bool>()).prop_map(
        |(dims, nodes_per_router, wraps)| {
            let grid = Grid { dims, nodes_per_router };
            if wraps { Torus(grid).into() } else { Mesh(grid).into() }
        },
    )
}

fn any_fat_tree() -> impl Strategy<Value = Topology> {
    (2_u8..7, 2_u8..4).prop_map(|(half, levels)| FatTree { radix: 2 * half, levels }.into())
}

/// Distances between all routers the slow way: relaxed until nothing changes.
fn slow_distances(wiring: &Wiring) -> Vec<Vec<u32>> {
    let routers = wiring.routers();
    let mut table = vec![vec![u32::MAX / 2; routers]; routers];
    (0..routers).for_each(|router| table[router][router] = 0);
    for _ in 0..routers {
        let before = table.clone();
        for (from, row) in table.iter_mut().enumerate() {
            for (_, there) in wiring.neighbours(from) {
                row.iter_mut().zip(&before[there]).for_each(|(hops, far)| *hops = (*hops).min(far + 1));
            }
        }
        if table == before {
            break;
        }
    }
    table
}

fn check_distances(wiring: &Wiring) {
    let slow = slow_distances(wiring);
    let found = Facts::of(wiring).distances;
    let all = slow.iter().flatten();
    assert_eq!(Some(&found.diameter), all.clone().max());
    let pairs = (wiring.routers() * (wiring.routers() - 1)) as f64;
    let mean = f64::from(all.sum::<u32>()) / pairs;
    assert!(
        pairs == 0.0 || (found.router_mean - mean).abs() < 1e-9,
        "{} instead of {mean}",
        found.router_mean
    );
    let masks = wiring.minimal_ports();
    for (here, row) in slow.iter().enumerate() {
        assert_eq!(&wiring.distances_from(here), row);
        for there in 0..wiring.routers() {
            let closer = wiring.neighbours(here).filter(|&(_, next)| slow[next][there] + 1 == row[there]);
            let expected = closer.fold(0, |mask, (port, _)| mask | 1_u64 << port);
            assert_eq!(masks[here * wiring.routers() + there], expected, "from {here} to {there}");
        }
    }
}

/// The fewest links between two halves of a small network, of all its halves.
fn least_cut(wiring: &Wiring) -> u64 {
    let half = wiring.routers() as u32 / 2;
    let halves = (0_u32..1 << wiring.routers()).filter(|set| set.count_ones() == half);
    let cut = |set: u32| {
        let side = |router: usize| set >> router & 1;
        let links =
            (0..wiring.routers()).flat_map(|r| wiring.neighbours(r).map(move |(_, there)| (r, there)));
        links.filter(|&(here, there)| side(here) < side(there)).count() as u64
    };
    halves.map(cut).min().unwrap()
}

/// Every port of every router.
fn all_ports(wiring: &Wiring) -> impl Iterator<Item = (usize, usize)> + use<> {
    let ports = wiring.ports();
    (0..wiring.routers()).flat_map(move |router| (0..ports).map(move |port| (router, port)))
}

/// Router and port, if a port leads to a router.
fn end(peer: Option<Peer>) -> Option<(usize, usize)> {
    match peer? {
        Peer::Node(_) => None,
        Peer::Router { router, port } => Some((router as usize, port.into())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_dragonfly_is_wired_both_ways_or_refused(topology in any_dragonfly()) {
        let second = SecondDragonfly::of(&topology).unwrap();
        match Wiring::build(&topology) {
            Ok(wiring) => {
                check_wiring(&wiring);
                prop_assert_eq!((wiring.routers(), wiring.ports()), (second.routers(), second.ports()));
                for (router, port) in all_ports(&wiring) {
                    prop_assert_eq!(wiring.class(router, port), second.class(port));
                    let across = (port >= second.p()).then(|| second.across(router, port)).flatten();
                    prop_assert_eq!(end(wiring.peer(router, port)), across, "router {} port {}", router, port);
                }
            }
            Err(TopologyError::Dragonfly(_)) => {
                let pairs = (0..second.groups()).flat_map(|from| (0..from).map(move |to| (from, to)));
                prop_assert!(pairs.into_iter().any(|(from, to)| second.links_between(from, to).count() == 0));
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn every_grid_is_wired_both_ways(topology in any_grid()) {
        let (wiring, second) = (wired(&topology), SecondGrid::of(&topology).unwrap());
        check_wiring(&wiring);
        prop_assert_eq!((wiring.routers(), wiring.ports()), (second.routers(), second.ports()));
        for (router, port) in all_ports(&wiring) {
            let across = (port >= second.nodes_per_router()).then(|| second.across(router, port)).flatten();
            prop_assert_eq!(end(wiring.peer(router, port)), across, "router {} port {}", router, port);
        }
    }

    #[test]
    fn searches_agree_with_slow_distances(topology in prop_oneof![any_grid(), any_dragonfly(), any_even_dragonfly(), any_fat_tree()]) {
        if let Ok(wiring) = Wiring::build(&topology) {
            check_distances(&wiring);
        }
    }
}

#[test]
fn sizes_that_cannot_be_held_are_refused() {
    let huge = Wiring::build(&torus(&[u32::MAX; 8]));
    assert!(matches!(huge, Err(TopologyError::Grid(_))));
    let none = Wiring::build(&mesh(&[]));
    assert!(matches!(none, Err(TopologyError::Grid(_))));
    let wide = Wiring::build(&full_dragonfly(17, Palmtree));
    assert!(matches!(wide, Err(TopologyError::Dragonfly(_))));
}
