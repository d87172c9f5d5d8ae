//! Networks of leaves and spines: sizes, common spines, distances, and the chances of random wiring.

use std::collections::BTreeSet;

use super::*;

fn orthogonal(q: u8) -> Topology {
    OrthogonalFatTree { q }.into()
}

fn full_mesh(h: u8) -> Topology {
    MultiLayerFullMesh { h }.into()
}

fn xgft(children: &[u32], parents: &[u32]) -> Topology {
    Xgft { children: children.to_vec(), parents: parents.to_vec() }.into()
}

fn random_clos(radix: u8, leaves: u32, levels: u8, wiring_seed: u64) -> Topology {
    RandomFoldedClos { size: Clos::Radix { radix, leaves, levels }, wiring_seed }.into()
}

fn any_clos(sizes: &[u32], up: &[u32], nodes_per_leaf: u8) -> Topology {
    let size = Clos::Sizes { sizes: sizes.to_vec(), up: up.to_vec(), nodes_per_leaf };
    RandomFoldedClos { size, wiring_seed: 1 }.into()
}

fn plus(p: u8, leaves: u8, spines: u8, h: u8, groups: u32) -> Topology {
    DragonflyPlus { p, leaves, spines, h, groups }.into()
}

/// The routers above a router.
fn above(wiring: &Wiring, levels: &[u32], router: usize) -> BTreeSet<usize> {
    let ends: Vec<usize> = super::super::ends(levels.iter().copied());
    let level = |router| ends.partition_point(|&end| end <= router);
    wiring.neighbours(router).map(|(_, there)| there).filter(|&there| level(there) > level(router)).collect()
}

/// Leaves by the spines above each.
fn spines(topology: &Topology) -> Vec<BTreeSet<usize>> {
    let (wiring, levels) = (wired(topology), topology.levels().unwrap());
    (0..levels[0] as usize).map(|leaf| above(&wiring, &levels, leaf)).collect()
}

/// How many pairs of leaves have so many spines in common, by that number.
fn in_common(leaves: &[BTreeSet<usize>]) -> Vec<(usize, usize)> {
    let mut pairs = std::collections::BTreeMap::new();
    for (number, a) in leaves.iter().enumerate() {
        for b in &leaves[..number] {
            *pairs.entry(a.intersection(b).count()).or_insert(0) += 1;
        }
    }
    pairs.into_iter().collect()
}

/// Links of every router to others and to nodes.
fn check_degrees(wiring: &Wiring, radix: usize) {
    for router in 0..wiring.routers() {
        let used = (0..wiring.ports()).filter(|&port| wiring.peer(router, port).is_some()).count();
        assert_eq!(used, radix, "ports of router {router}");
        let others: BTreeSet<usize> = wiring.neighbours(router).map(|(_, there)| there).collect();
        assert_eq!(others.len(), wiring.neighbours(router).count(), "parallel links of router {router}");
    }
}

#[test]
fn small_ones_are_wired_both_ways_and_measured_right() {
    let trees = [xgft(&[2, 3], &[1, 2]), xgft(&[1, 4, 2], &[1, 3, 2]), xgft(&[2, 2, 2, 2], &[1, 2, 1, 2])];
    let others = [orthogonal(2), orthogonal(4), full_mesh(2), full_mesh(3)];
    let random = [random_clos(4, 6, 2, 1), random_clos(6, 10, 3, 2)];
    let groups = [plus(2, 2, 2, 2, 5), plus(1, 3, 2, 2, 4), plus(3, 1, 4, 1, 2), plus(2, 4, 1, 3, 3)];
    for topology in [&trees[..], &others, &random, &groups].concat() {
        let wiring = wired(&topology);
        check_wiring(&wiring);
        check_distances(&wiring);
        assert_eq!(topology.nodes(), Some(wiring.nodes() as u32), "{topology:?}");
        if let Some(levels) = topology.levels() {
            assert_eq!(levels.iter().sum::<u32>() as usize, wiring.routers(), "{topology:?}");
            let with_nodes = (0..wiring.routers()).filter(|&router| wiring.nodes_of(router).next().is_some());
            assert!(with_nodes.eq(0..levels[0] as usize), "{topology:?}: only leaves have nodes");
        }
    }
}

/// Spines, leaves and servers of the closed forms; two leaves have one spine in common, twins all `q + 1`.
#[test]
fn orthogonal_fat_trees_are_projective_planes() {
    for q in [2_u8, 3, 4, 5, 7, 8, 9, 11] {
        let topology = orthogonal(q);
        let (k, points) = (usize::from(q) + 1, usize::from(q) * usize::from(q) + usize::from(q) + 1);
        let wiring = wired(&topology);
        assert_eq!(topology.levels().unwrap(), [2 * points as u32, points as u32]);
        assert_eq!(wiring.nodes(), 2 * k * points);
        check_degrees(&wiring, 2 * k);
        let pairs = points * (2 * points - 1);
        assert_eq!(in_common(&spines(&topology)), [(1, pairs - points), (k, points)], "{q}");
    }
    assert_eq!(in_common(&spines(&orthogonal(5))), [(1, 1860), (6, 31)]);
    assert_eq!(in_common(&spines(&orthogonal(11))), [(1, 35_112), (12, 133)]);
    for (q, servers, routers) in [(2, 42, 21), (3, 104, 39), (5, 372, 93), (11, 3192, 399), (17, 11_052, 921)]
    {
        let wiring = wired(&orthogonal(q));
        assert_eq!((wiring.nodes(), wiring.routers()), (servers, routers), "{q}");
    }
}

/// The widest, and a power of a prime: 64 and 52 ports; every point is two hops from the other 2 (q² + q + 1) − 1.
#[test]
fn the_widest_orthogonal_fat_trees() {
    for q in [25_u8, 31] {
        let (wiring, points) = (wired(&orthogonal(q)), usize::from(q) * usize::from(q) + usize::from(q) + 1);
        assert_eq!(wiring.ports(), 2 * (usize::from(q) + 1));
        let hops = wiring.distances_from(points / 3);
        assert!(hops[..2 * points].iter().enumerate().all(|(leaf, &hops)| hops == 2 || leaf == points / 3));
    }
}

/// 3,600 nodes and 360 routers for `h = 15`; two corners have one spine in common, the same corner of two layers has `h`.
#[test]
fn multi_layer_full_meshes() {
    let wiring = wired(&full_mesh(15));
    assert_eq!((wiring.nodes(), wiring.routers(), wiring.ports()), (3600, 360, 30));
    for h in [2_usize, 3, 6] {
        let topology = full_mesh(h as u8);
        check_degrees(&wired(&topology), 2 * h);
        let leaves = h * (h + 1);
        let alike = (h + 1) * h * (h - 1) / 2;
        assert_eq!(in_common(&spines(&topology)), [(1, leaves * (leaves - 1) / 2 - alike), (h, alike)]);
    }
}

/// With as many parents as children, and twice as many children at the top, the fat tree; fewer parents give a slimmed one.
#[test]
fn extended_generalised_fat_trees() {
    for (children, parents, radix, levels) in [
        (&[3_u32, 6][..], &[1_u32, 3][..], 6, 2),
        (&[2, 2, 4], &[1, 2, 2], 4, 3),
        (&[2, 2, 2, 4], &[1, 2, 2, 2], 4, 4),
    ] {
        let (one, other) = (wired(&xgft(children, parents)), wired(&FatTree { radix, levels }.into()));
        let (facts, others) = (Facts::of(&one), Facts::of(&other));
        assert_eq!((facts.routers, facts.nodes), (others.routers, others.nodes));
        assert_eq!(facts.distances, others.distances);
        check_degrees(&one, radix.into());
    }
    // m₂ m₃ = 15 leaves, w₂ m₃ = 6 routers above them, w₂ w₃ = 8 roots.
    let topology = xgft(&[4, 5, 3], &[1, 2, 4]);
    let wiring = wired(&topology);
    assert_eq!(topology.levels().unwrap(), [15, 6, 8]);
    assert_eq!((wiring.nodes(), wiring.ports()), (60, 9));
    let leaves = spines(&topology);
    assert_eq!(
        in_common(&leaves),
        [(0, 3 * 25), (2, 3 * 10)],
        "one subtree has both of its routers in common"
    );
    let hops = wiring.distances_from(0);
    assert_eq!([1, 4, 5, 14].map(|leaf| hops[leaf]), [2, 2, 4, 4]);
}

/// Every router has all ports in use, whatever the seed.
#[test]
fn random_folded_clos_networks_are_regular_and_repeat_themselves() {
    for (radix, leaves, levels) in [(4, 4, 2), (12, 22, 2), (12, 62, 2), (36, 90, 2), (8, 30, 3), (6, 100, 3)]
    {
        let topology = random_clos(radix, leaves, levels, 1);
        let wiring = wired(&topology);
        check_degrees(&wiring, radix.into());
        assert_eq!(wiring.nodes() as u32, leaves * u32::from(radix) / 2);
        assert_eq!(wiring.routers() as u32, leaves * (u32::from(levels) - 1) + leaves / 2);
    }
    // Six and six of eleven roots always have one in common.
    assert!(in_common(&spines(&random_clos(12, 22, 2, 3))).iter().all(|&(common, _)| common > 0));
    assert_eq!(spines(&random_clos(12, 62, 2, 3)), spines(&random_clos(12, 62, 2, 3)));
    assert_ne!(spines(&random_clos(12, 62, 2, 3)), spines(&random_clos(12, 62, 2, 4)));
}

/// The thesis' figure 2.5 has four levels, its table 2.2 any number of routers and links in each. The numbers are half of the links of a
/// leaf, twice as many nodes as links up, and those of the short form.
#[test]
fn random_folded_clos_networks_of_any_parameters() {
    let four = random_clos(4, 16, 4, 1);
    assert_eq!(four.levels(), Some(vec![16, 16, 16, 8]));
    check_degrees(&wired(&four), 4);
    let uneven = any_clos(&[24, 12, 18, 4], &[2, 3, 2], 4);
    let (wiring, levels) = (wired(&uneven), uneven.levels().unwrap());
    check_wiring(&wiring);
    assert_eq!((wiring.nodes(), &levels[..]), (96, &[24, 12, 18, 4][..]));
    let degrees = [(0, 6), (24, 7), (36, 4), (54, 9)];
    for (router, degree) in degrees {
        let used = (0..wiring.ports()).filter(|&port| wiring.peer(router, port).is_some()).count();
        assert_eq!(used, degree, "router {router}");
        assert!(above(&wiring, &levels, router).len() == wiring.neighbours(router).count() || router > 23);
    }
    let said = any_clos(&[22, 11], &[6], 6);
    assert_eq!(wired(&said).neighbour_table(), wired(&random_clos(12, 22, 2, 1)).neighbour_table());
}

/// Theorem 4.2's threshold, and the share that `desvio topology` prints beside the thesis' table 4.2. By free choice it is none of 132
/// servers, .2405 of 372 and .326 of 11052, and a little more with as many links at each root.
#[test]
fn the_share_of_leaves_without_a_root_in_common() {
    for (radix, leaves, share, threshold) in
        [(12, 22, 0.0, 16.5), (12, 62, 0.270, 32.0), (36, 90, 0.0, 40.2), (36, 614, 0.337, 125.6)]
    {
        let facts = Facts::of(&wired(&random_clos(radix, leaves, 2, 1)));
        let (found, sampled) = facts.apart.unwrap();
        assert!((found - share).abs() < 0.03 && sampled.is_none(), "{radix} {leaves}: {found}");
        assert!((facts.connecting_radix.unwrap() - threshold).abs() < 0.05, "{:?}", facts.connecting_radix);
        let rows = facts.rows();
        let row = rows.iter().find(|row| row.name == "pairs of leaves without a common root").unwrap();
        assert_eq!(row.value, format!("{found:.4}"));
    }
    // By three levels, (leaves · ln leaves) to the power of 1/4.
    let three = Facts::of(&wired(&random_clos(8, 64, 3, 1)));
    assert!((three.connecting_radix.unwrap() - 2.0 * (64.0_f64 * 64.0_f64.ln()).sqrt().sqrt()).abs() < 1e-9);
    let counted = |topology: &Topology| {
        let apart = in_common(&spines(topology));
        let pairs: usize = apart.iter().map(|&(_, pairs)| pairs).sum();
        apart.iter().find(|&&(common, _)| common == 0).map_or(0.0, |&(_, none)| none as f64 / pairs as f64)
    };
    for topology in [random_clos(12, 62, 2, 3), orthogonal(3), xgft(&[4, 8], &[1, 4])] {
        let (share, _) = Facts::of(&wired(&topology)).apart.unwrap();
        assert!((share - counted(&topology)).abs() < 1e-12, "{topology:?}");
    }
    assert_eq!(Facts::of(&wired(&FatTree { radix: 4, levels: 3 }.into())).apart, Some((0.0, None)));
}

/// Pairs of leaves without a root in common, over seeds.
///
/// A leaf that picks `r` of `n` roots, whose links may be any number, misses those of another one with probability
/// `C(n − r, r) / C(n, r)`: 0.0041 and 0.2405. Where each root has `2 r` links, two leaves have fewer in common, on average
/// `n · C(2 r, 2) / C(N, 2)`. Choices with `k` of them count `wᵏ`, with the weight `w` that gives this mean.
#[test]
fn as_many_leaves_have_no_root_in_common_as_chance_has() {
    let rows = [
        (12, 26, 0.004_08, 0.006_10, 60),
        (12, 62, 0.240_5, 0.270_2, 12),
        (36, 130, 0.000_917, 0.001_108, 8),
        (36, 614, 0.326_3, 0.336_6, 1),
    ];
    for (radix, leaves, free, regular, seeds) in rows {
        let (r, n) = (u64::from(radix) / 2, u64::from(leaves) / 2);
        assert!((missing(r, n, 1.0).0 / free - 1.0).abs() < 0.02);
        let pairs = f64::from(leaves * (leaves - 1) / 2);
        let mean = n as f64 * choose(2 * r, 2) / pairs;
        let weight =
            (0..10_000).map(|nth| f64::from(nth) / 10_000.0).find(|&w| missing(r, n, w).1 >= mean).unwrap();
        assert!((missing(r, n, weight).0 / regular - 1.0).abs() < 0.01, "{:?}", missing(r, n, weight));
        let apart = |seed| match in_common(&spines(&random_clos(radix, leaves, 2, seed)))[0] {
            (0, pairs) => pairs as f64,
            _ => 0.0,
        };
        let found = (0..seeds).map(apart).sum::<f64>() / seeds as f64;
        let sigma = (pairs * regular * (1.0 - regular) / seeds as f64).sqrt();
        assert!((found - pairs * regular).abs() < 3.0 * sigma, "{found} of {pairs}, not {}", pairs * regular);
    }
}

/// How likely a choice of `r` of `n` has none of `r` others, and how many of them it has on average, where each counts `weight`.
fn missing(r: u64, n: u64, weight: f64) -> (f64, f64) {
    let ways = |k: u64| choose(r, k) * choose(n - r, r - k) * weight.powi(k as i32);
    let all: f64 = (0..=r).map(ways).sum();
    (ways(0) / all, (0..=r).map(|k| k as f64 * ways(k)).sum::<f64>() / all)
}

fn choose(n: u64, k: u64) -> f64 {
    (0..k).fold(1.0, |product, nth| product * (n as f64 - nth as f64) / (nth + 1) as f64)
}

/// Three hops between leaves of two groups, two inside one; as many links between any two groups.
#[test]
fn dragonflies_plus() {
    for (p, leaves, spines, h, groups) in
        [(2, 2, 2, 2, 5), (2, 2, 2, 2, 3), (4, 4, 4, 4, 17), (1, 3, 2, 4, 4)]
    {
        let topology = plus(p, leaves, spines, h, groups);
        let wiring = wired(&topology);
        let size = usize::from(leaves + spines);
        assert_eq!(
            (wiring.routers(), topology.nodes()),
            (size * groups as usize, Some(groups * u32::from(leaves * p)))
        );
        let each = u32::from(spines * h) / (groups - 1);
        for group in 0..groups as usize {
            let mut links = vec![0; groups as usize];
            for (router, spine) in (group * size..).take(size).zip(0..size) {
                for (_, there) in wiring.neighbours(router) {
                    let is_inside = there / size == group;
                    let is_leaf = spine < usize::from(leaves);
                    let far_leaf = there % size < usize::from(leaves);
                    assert!(if is_inside { is_leaf != far_leaf } else { !is_leaf && !far_leaf });
                    links[there / size] += u32::from(!is_inside);
                }
            }
            assert!(links.iter().enumerate().all(|(to, &links)| links == if to == group { 0 } else { each }));
        }
        let hops = wiring.distances_from(0);
        let leaf = |router: &usize| *router != 0 && router % size < usize::from(leaves);
        let right = |router: usize| hops[router] == if router < size { 2 } else { 3 };
        assert!(each > 1 || (0..wiring.routers()).filter(leaf).all(right), "{topology:?}");
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    let mut refused = vec![orthogonal(0), orthogonal(6), orthogonal(32), full_mesh(1), full_mesh(33)];
    refused.extend([random_clos(7, 20, 2, 1), random_clos(66, 90, 2, 1), random_clos(12, 10, 2, 1)]);
    refused.extend([random_clos(12, 23, 2, 1), random_clos(12, 24, 5, 1), random_clos(4, 1 << 20, 3, 1)]);
    refused.extend([any_clos(&[8], &[], 1), any_clos(&[8, 4], &[5], 1), any_clos(&[8, 5], &[3], 1)]);
    refused.extend([any_clos(&[8, 4], &[4], 0), any_clos(&[8, 4], &[4], 61), any_clos(&[8, 4, 2], &[4], 1)]);
    refused.extend([xgft(&[], &[]), xgft(&[4], &[1]), xgft(&[4, 4], &[2, 4]), xgft(&[4, 4], &[1])]);
    refused.extend([xgft(&[4, 65], &[1, 2]), xgft(&[40, 4], &[1, 30]), xgft(&[4, 0], &[1, 1])]);
    refused.extend([xgft(&[2; 5], &[1; 5]), xgft(&[4, 20, 60, 64], &[1, 60, 4, 4])]);
    refused.extend([plus(0, 2, 2, 2, 3), plus(40, 2, 30, 2, 3), plus(2, 40, 2, 30, 3), plus(2, 2, 2, 2, 6)]);
    refused.extend([plus(2, 2, 2, 2, 1), plus(1, 63, 63, 1, u32::MAX)]);
    for topology in refused {
        let error = Wiring::build(&topology).err().unwrap_or_else(|| panic!("{topology:?} is not refused"));
        assert!(matches!(error, TopologyError::Numbers { .. }), "{topology:?}: {error}");
        assert_eq!(topology.nodes(), None);
    }
}
