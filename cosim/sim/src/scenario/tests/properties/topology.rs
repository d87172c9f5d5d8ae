//! Any topology, and any of its links that go down.

use proptest::prelude::*;

use super::word;
use crate::scenario::*;
use crate::topology::{
    BarrelShifter, BinaryTree, Bus, Butterfly, Children, Clos, Complete, Crossbar, CubeConnectedCycles,
    DeBruijn, Dragonfly, DragonflyPlus, FatTree, Graph, Grid, HyperX, Hypercube, Hypermesh, Illiac, Mesh,
    MultiLayerFullMesh, NodesPerRouter, OrthogonalFatTree, RandomFoldedClos, RandomRegular, Ring, SlimFly,
    Star, StarGraph, Torus, Tree, Wiring, Xgft,
};

/// Any topology.
pub(super) fn topology() -> impl Strategy<Value = Topology> {
    let dragonfly =
        (1u8..=8, 1u8..=8, 1u8..=8, word(), 0usize..1000).prop_map(|(p, a, h, arrangement, n)| {
            let groups = 2 + n % (usize::from(a) * usize::from(h));
            Topology::from(Dragonfly { p, group_sizes: vec![a; groups], h, local_links: 1, arrangement })
        });
    let unequal =
        (1u8..=8, prop::collection::vec(1u8..=8, 2..=9), word()).prop_map(|(p, group_sizes, arrangement)| {
            Dragonfly { p, group_sizes, h: 8, local_links: 1, arrangement }.into()
        });
    let grid = || {
        let dims = prop::collection::vec(2u32..=4, 1..=8).prop_filter("of a size that exists", |dims| {
            dims.iter().map(|k| k.next_power_of_two().ilog2()).sum::<u32>() <= 18
        });
        (dims, 1u8..=40).prop_map(|(dims, nodes_per_router)| Grid { dims, nodes_per_router })
    };
    let nodes = prop_oneof![
        (1u8..=40).prop_map(NodesPerRouter::Same),
        Just(NodesPerRouter::File),
        prop::collection::vec(0u8..=40, 1..9)
            .prop_filter("with two nodes", |nodes| nodes.iter().any(|&nodes| nodes > 1))
            .prop_map(NodesPerRouter::Each),
    ];
    prop_oneof![
        dragonfly,
        unequal,
        grid().prop_map(|grid| Mesh(grid).into()),
        grid().prop_map(|grid| Torus(grid).into()),
        ("/[^\0]{1,20}", nodes, prop::option::of(0u32..9)).prop_map(|(file, nodes_per_router, plane)| {
            Graph { plane, ..Graph::new(file, nodes_per_router) }.into()
        }),
        (2u8..=16, 2u8..=3).prop_map(|(half, levels)| FatTree { radix: 2 * half, levels }.into()),
        generated(),
        named(),
        levels(),
    ]
}

/// A topology of leaves and spines.
fn levels() -> impl Strategy<Value = Topology> {
    let children = prop::collection::vec(1u32..=9, 2..=4)
        .prop_filter("with two nodes", |children| children.iter().any(|&children| children > 1));
    (0..5, 1u8..=20, children, any::<u32>()).prop_map(|(kind, n, children, wiring_seed)| {
        let (q, wiring_seed) = ([2, 3, 4, 8, 31][usize::from(n) % 5], wiring_seed.into());
        let parents = (0..children.len() as u32).map(|level| 1 + level % 3).collect();
        match kind {
            0 => OrthogonalFatTree { q }.into(),
            1 => MultiLayerFullMesh { h: n + 1 }.into(),
            2 => {
                let (radix, leaves) = (2 * n + 2, 4 * u32::from(n) + 4);
                let size = if n.is_multiple_of(3) {
                    Clos::Sizes { sizes: vec![leaves, leaves], up: vec![u32::from(n)], nodes_per_leaf: n }
                } else {
                    Clos::Radix { radix, leaves, levels: 2 + n % 3 }
                };
                RandomFoldedClos { size, wiring_seed }.into()
            }
            3 => Xgft { children, parents }.into(),
            _ => DragonflyPlus { p: n, leaves: 3, spines: n, h: 2, groups: 1 + 2 * u32::from(n) }.into(),
        }
    })
}

/// A topology that is a rule for its edges.
fn generated() -> impl Strategy<Value = Topology> {
    let chords = prop::collection::btree_set(2u32..=20, 0..4);
    let hyperx = prop::collection::vec(2u32..=5, 1..=4);
    (0..10, 1u8..=20, chords, hyperx, any::<u32>()).prop_map(|(kind, n, chords, dims, seed)| {
        let nodes_per_router = n;
        let size = u32::from(n);
        match kind {
            0 => Hypercube { dims: n.min(18), nodes_per_router }.into(),
            1 => Ring { routers: 40 + size, chords: chords.into_iter().collect(), nodes_per_router }.into(),
            2 => Complete { routers: size + 1, nodes_per_router }.into(),
            3 => Star { leaves: size, nodes_per_router }.into(),
            4 => BinaryTree { levels: n.clamp(2, 18), nodes_per_router }.into(),
            5 => Illiac { side: size + 2, nodes_per_router }.into(),
            6 => BarrelShifter { bits: n.clamp(2, 18), nodes_per_router }.into(),
            7 => CubeConnectedCycles { dims: n.clamp(3, 14), nodes_per_router }.into(),
            8 => HyperX { dims, nodes_per_router }.into(),
            _ if seed % 2 == 0 => {
                SlimFly { q: [3, 5, 7, 23][seed as usize / 2 % 4], nodes_per_router }.into()
            }
            _ => {
                let wiring_seed = seed.into();
                RandomRegular { routers: 2 * size + 2, degree: 3, wiring_seed, nodes_per_router }.into()
            }
        }
    })
}

/// A topology that textbooks name.
fn named() -> impl Strategy<Value = Topology> {
    let dims = prop::collection::vec(2u32..=5, 1..=4);
    let children = prop::collection::vec(1u32..=3, 1..=6);
    (0..8, 2u8..=6, dims, children, word()).prop_map(|(kind, n, dims, children, wiring)| {
        let nodes_per_router = n;
        match kind {
            0 => Crossbar { nodes_per_router }.into(),
            1 => DeBruijn { bits: n, nodes_per_router }.into(),
            2 => StarGraph { symbols: n.max(3), nodes_per_router }.into(),
            3 => Tree { children: Children::Each(children), nodes_per_router }.into(),
            4 => Tree { children: Children::Same { each: n.into(), levels: 3 }, nodes_per_router }.into(),
            5 => Hypermesh { dims, nodes_per_router }.into(),
            6 => Bus { routers: n.into(), nodes_per_router }.into(),
            _ => Butterfly { k: 2, stages: n, wiring }.into(),
        }
    })
}

/// Links that go down: some of those there are. None of a large network, which takes long to wire; any of a graph, whose file
/// is not there to be looked into.
pub(super) fn down(topology: &Topology) -> impl Strategy<Value = Vec<LinkDown>> + use<> {
    let ports = |wiring: &Wiring, router| {
        wiring.neighbours(router).map(|(port, _)| (router as u32, port as u32)).collect::<Vec<_>>()
    };
    let links: Vec<(u32, u32)> = match topology.nodes() {
        Some(1..=2000) => Wiring::build(topology).map_or_else(
            |_| Vec::new(),
            |wiring| (0..wiring.routers()).flat_map(|router| ports(&wiring, router)).collect(),
        ),
        Some(_) => Vec::new(),
        None => vec![(0, 0), (u32::MAX, 63)],
    };
    let one = (any::<prop::sample::Index>(), 0u64..1_000_000);
    prop::collection::vec(one, 0..3).prop_map(move |all| {
        let link = |(index, at): (prop::sample::Index, u64)| {
            let (router, port) = *links.get(index.index(links.len().max(1)))?;
            Some(LinkDown { router, port, at, discards: at % 2 == 0 })
        };
        all.into_iter().filter_map(link).collect()
    })
}
