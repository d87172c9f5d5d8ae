//! Fat trees: sizes, distances and bisection in closed form.

use super::*;

fn fat_tree(radix: u8, levels: u8) -> Wiring {
    wired(&FatTree { radix, levels }.into())
}

#[test]
fn sizes() {
    // radix, levels, routers, nodes: 2n − 1 times kⁿ⁻¹ and 2 kⁿ with k = radix / 2.
    for (radix, levels, routers, nodes) in
        [(4, 2, 6, 8), (12, 2, 18, 72), (36, 2, 54, 648), (4, 3, 20, 16), (16, 3, 320, 1024)]
    {
        let wiring = fat_tree(radix, levels);
        check_wiring(&wiring);
        assert_eq!((wiring.routers(), wiring.nodes(), wiring.ports()), (routers, nodes, radix.into()));
        let with_nodes = (0..routers).filter(|&router| wiring.nodes_of(router).next().is_some());
        let leaves = 2 * nodes / usize::from(radix);
        assert!(with_nodes.eq(0..leaves), "the leaves come first, and the others have no nodes");
        assert_eq!(wiring.router_classes(), usize::from(levels));
        let facts = Facts::of(&wiring);
        assert!(facts.links.iter().all(|&(_, links)| links == nodes as u64), "{:?}", facts.links);
        assert_eq!(facts.links.len(), usize::from(levels));
    }
}

/// A leaf has `k − 1` nodes of its own in reach of no hop, `kᵐ⁺¹ − kᵐ` behind `2 m` hops, and behind the top twice as many
/// leaves.
#[test]
fn distances() {
    for (radix, levels) in [(4, 2), (12, 2), (4, 3), (8, 3), (4, 4)] {
        let k = u64::from(radix / 2);
        let (n, nodes) = (u32::from(levels), 2 * k.pow(levels.into()));
        let at = |m: u32| if m == n - 1 { nodes - k.pow(n - 1) } else { k.pow(m + 1) - k.pow(m) };
        let hops: u64 = (1..n).map(|m| 2 * u64::from(m) * at(m)).sum();
        let distances = Facts::of(&fat_tree(radix, levels)).distances;
        let mean = hops as f64 / (nodes - 1) as f64;
        assert!((distances.node_mean - mean).abs() < 1e-9, "{} instead of {mean}", distances.node_mean);
        assert_eq!(distances.diameter, 2 * (n - 1));
    }
}

/// Half as many links as nodes: uniform traffic is bounded by the links of the nodes alone.
#[test]
fn full_bisection() {
    for (radix, is_least) in [(4, true), (8, true), (12, true), (6, false), (10, false)] {
        let facts = Facts::of(&fat_tree(radix, 2));
        assert_eq!(facts.bisection.is_least, is_least);
        let half = facts.nodes as u64 / 2;
        // With an odd `k` the spines cannot be halved.
        assert!((half..=half + half / 4).contains(&facts.bisection.links), "{:?}", facts.bisection);
        assert!((facts.throughput() - 1.0).abs() < 1e-12);
    }
}

/// Every pair of halves of the smallest fat trees.
#[test]
fn no_halves_have_fewer_links_than_the_bisection_says() {
    let wiring = fat_tree(4, 2);
    assert_eq!(least_cut(&wiring), Facts::of(&wiring).bisection.links);
}
