//! Topologies that textbooks name: de Bruijn, star graph, trees, hypermesh, bus and one crossbar, in closed form.

use super::*;

fn de_bruijn(bits: u8) -> Topology {
    DeBruijn { bits, nodes_per_router: 1 }.into()
}

fn star_graph(symbols: u8) -> Topology {
    StarGraph { symbols, nodes_per_router: 1 }.into()
}

fn tree(children: Children) -> Topology {
    Tree { children, nodes_per_router: 1 }.into()
}

fn hypermesh(dims: &[u32]) -> Topology {
    Hypermesh { dims: dims.to_vec(), nodes_per_router: 1 }.into()
}

fn bus(routers: u32) -> Topology {
    Bus { routers, nodes_per_router: 1 }.into()
}

#[test]
fn small_ones_are_wired_both_ways_and_measured_right() {
    let unbalanced = tree(Children::Each(vec![2, 2, 0, 0, 3]));
    let balanced = [(1, 3), (2, 2), (3, 3)].map(|(each, levels)| tree(Children::Same { each, levels }));
    let others = [de_bruijn(2), de_bruijn(5), star_graph(3), star_graph(4), unbalanced];
    let nets = [hypermesh(&[2]), hypermesh(&[3, 2]), hypermesh(&[2, 3, 4])];
    for topology in [&balanced[..], &others, &nets].concat() {
        let wiring = wired(&topology);
        check_wiring(&wiring);
        check_distances(&wiring);
        assert_eq!(topology.nodes(), Some(wiring.nodes() as u32), "{topology:?}");
    }
}

/// 2ⁿ routers and diameter `n`; of 2ⁿ⁺¹ arcs two are loops and two are one link.
#[test]
fn de_bruijn_graphs() {
    for n in 2..=10_u8 {
        let facts = Facts::of(&wired(&de_bruijn(n)));
        let routers = 1_usize << n;
        assert_eq!((facts.routers, facts.links_of(PortClass::LOCAL)), (routers, 2 * routers as u64 - 3));
        assert_eq!((facts.degree_min, facts.distances.diameter), (2, n.into()), "{n}");
        assert_eq!(facts.degree_max, if n == 2 { 3 } else { 4 });
    }
}

/// Akers and Krishnamurthy (1989): degree `n − 1`, diameter `⌊3 (n − 1) / 2⌋`, mean distance `n − 4 + 2 / n + Hₙ`, itself included.
#[test]
fn star_graphs() {
    for n in 3..=7_u32 {
        let facts = Facts::of(&wired(&star_graph(n as u8)));
        let routers = (1..=n as usize).product::<usize>();
        assert_eq!(
            (facts.routers, facts.degree_min, facts.degree_max),
            (routers, n as usize - 1, n as usize - 1)
        );
        assert_eq!(facts.distances.diameter, 3 * (n - 1) / 2, "{n}");
        let harmonic: f64 = (1..=n).map(|i| 1.0 / f64::from(i)).sum();
        let mean = f64::from(n) - 4.0 + 2.0 / f64::from(n) + harmonic;
        let found = facts.distances.router_mean * (routers as f64 - 1.0) / routers as f64;
        assert!((found - mean).abs() < 1e-9, "{n}: {found}, not {mean}");
    }
    // Every router sees what the first one sees.
    let wiring = wired(&star_graph(4));
    let profile = |router| {
        let mut distances = wiring.distances_from(router);
        distances.sort_unstable();
        distances
    };
    assert!((1..24).all(|router| profile(router) == profile(0)));
}

/// `(kʰ − 1) / (k − 1)` routers, diameter `2 (h − 1)`; the binary one is the binary tree.
#[test]
fn trees_balanced_and_not() {
    for (k, h) in [(2_u32, 5_u8), (3, 4), (5, 3), (63, 2)] {
        let facts = Facts::of(&wired(&tree(Children::Same { each: k, levels: h })));
        let routers = (k.pow(h.into()) - 1) / (k - 1);
        assert_eq!(
            (facts.routers, facts.links_of(PortClass::LOCAL)),
            (routers as usize, u64::from(routers) - 1)
        );
        assert_eq!(facts.distances.diameter, 2 * (u32::from(h) - 1));
        assert_eq!(facts.degree_max, k as usize + usize::from(h > 2));
    }
    let binary = BinaryTree { levels: 4, nodes_per_router: 1 };
    let same = tree(Children::Same { each: 2, levels: 4 });
    assert_eq!(wired(&binary.into()).minimal_ports(), wired(&same).minimal_ports());
    let listed = tree(Children::Each(vec![2; 7]));
    assert_eq!(wired(&listed).minimal_ports(), wired(&same).minimal_ports());
    // The longest branch on the left: 0, 1, 3, 5; 2, 4 and 6 are leaves.
    let wiring = wired(&tree(Children::Each(vec![2, 2, 0, 2])));
    assert_eq!(wiring.distances_from(2), [1, 2, 0, 3, 3, 4, 4]);
}

/// Two links for each coordinate that differs.
#[test]
fn hypermeshes_take_a_net_for_each_dimension() {
    for dims in [&[8][..], &[4, 4], &[2, 3, 4], &[64, 2]] {
        let facts = Facts::of(&wired(&hypermesh(dims)));
        let grid: u32 = dims.iter().product();
        let nets: u32 = dims.iter().map(|k| grid / k).sum();
        assert_eq!((facts.routers, facts.nodes), ((grid + nets) as usize, grid as usize));
        assert_eq!(facts.links_of(PortClass::LOCAL), u64::from(grid) * dims.len() as u64);
        assert_eq!(facts.distances.diameter, 2 * dims.len() as u32);
        let hops: f64 = dims.iter().map(|&k| 2.0 - 2.0 / f64::from(k)).sum();
        let mean = hops * f64::from(grid) / f64::from(grid - 1);
        assert!((facts.distances.node_mean - mean).abs() < 1e-9, "{dims:?}");
    }
}

/// Three hops to any other station, and one way.
#[test]
fn a_bus_is_one_link_for_all() {
    for n in [2, 3, 63] {
        let wiring = wired(&bus(n));
        check_wiring(&wiring);
        let (stations, arbiter) = (n as usize, n as usize);
        for station in 0..stations {
            assert_eq!(wiring.onward(station).map(|(_, there)| there).collect::<Vec<_>>(), [arbiter]);
            let hops = wiring.distances_from(station);
            assert!((0..stations).all(|other| other == station || hops[other] == 3));
        }
        assert_eq!(wiring.onward(arbiter).map(|(_, there)| there).collect::<Vec<_>>(), [arbiter + 1]);
        assert_eq!(wiring.nodes(), stations);
    }
}

#[test]
fn a_crossbar_is_one_router() {
    for nodes_per_router in [2, 64, 255] {
        let facts = Facts::of(&wired(&Crossbar { nodes_per_router }.into()));
        let nodes = usize::from(nodes_per_router);
        assert_eq!((facts.routers, facts.nodes, facts.radix, facts.degree_max), (1, nodes, nodes, 0));
        assert!((facts.throughput() - 1.0).abs() < 1e-9);
    }
}

/// What a file may not say, a program may.
#[test]
fn numbers_out_of_range_are_refused() {
    let mut refused = vec![de_bruijn(1), de_bruijn(19), star_graph(2), star_graph(9), bus(1), bus(64)];
    refused.extend([hypermesh(&[]), hypermesh(&[1]), hypermesh(&[65]), hypermesh(&[2; 5])]);
    refused.push(hypermesh(&[64, 64, 64]));
    refused.extend([0, 1].map(|nodes_per_router| Crossbar { nodes_per_router }.into()));
    let same = [(0, 3), (64, 2), (2, 1), (2, 19), (63, 5)];
    refused.extend(same.map(|(each, levels)| tree(Children::Same { each, levels })));
    let each = [vec![], vec![0], vec![1, 0, 2], vec![64], vec![u32::MAX, u32::MAX]];
    refused.extend(each.map(|children| tree(Children::Each(children))));
    for topology in refused {
        let error = Wiring::build(&topology).unwrap_err();
        assert!(matches!(error, TopologyError::Numbers { .. }), "{topology:?}: {error}");
        assert_eq!(topology.nodes(), None, "{topology:?}");
    }
}
