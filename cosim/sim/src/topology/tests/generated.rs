//! Topologies that are a rule for their edges: sizes, degrees, distances and bisections in closed form.

use std::collections::BTreeSet;

use super::*;

fn hypercube(dims: u8) -> Topology {
    Hypercube { dims, nodes_per_router: 1 }.into()
}

fn ring(routers: u32, chords: &[u32]) -> Topology {
    Ring { routers, chords: chords.to_vec(), nodes_per_router: 1 }.into()
}

fn complete(routers: u32) -> Topology {
    Complete { routers, nodes_per_router: 1 }.into()
}

fn star(leaves: u32) -> Topology {
    Star { leaves, nodes_per_router: 1 }.into()
}

fn binary_tree(levels: u8) -> Topology {
    BinaryTree { levels, nodes_per_router: 1 }.into()
}

fn illiac(side: u32) -> Topology {
    Illiac { side, nodes_per_router: 1 }.into()
}

fn barrel_shifter(bits: u8) -> Topology {
    BarrelShifter { bits, nodes_per_router: 1 }.into()
}

fn cube_connected_cycles(dims: u8) -> Topology {
    CubeConnectedCycles { dims, nodes_per_router: 1 }.into()
}

fn hyperx(dims: &[u32]) -> Topology {
    HyperX { dims: dims.to_vec(), nodes_per_router: 1 }.into()
}

fn slim_fly(q: u32) -> Topology {
    SlimFly { q, nodes_per_router: 1 }.into()
}

fn random_regular(routers: u32, degree: u32, wiring_seed: u64) -> Topology {
    RandomRegular { routers, degree, wiring_seed, nodes_per_router: 1 }.into()
}

/// Checks a network whose routers all have `degree` links, and its mean distance of routers.
fn check(topology: &Topology, routers: usize, degree: usize, diameter: u32, mean: f64) {
    let facts = Facts::of(&wired(topology));
    assert_eq!((facts.routers, facts.nodes), (routers, routers), "{topology:?}");
    assert_eq!((facts.degree_min, facts.degree_max), (degree, degree), "{topology:?}");
    assert_eq!(facts.links_of(PortClass::NODE), routers as u64);
    assert_eq!(facts.links_of(PortClass::LOCAL), (routers * degree / 2) as u64);
    assert_eq!(facts.links_of(PortClass::GLOBAL), 0);
    assert_eq!(facts.distances.diameter, diameter, "{topology:?}");
    let found = facts.distances.router_mean;
    assert!((found - mean).abs() < 1e-9, "{topology:?}: {found} instead of {mean}");
}

/// Small ones of each kind: both ends of each link, and all distances against the slow way, which does not take one router for all.
#[test]
fn small_ones_are_wired_both_ways_and_measured_right() {
    let chords = [ring(3, &[]), ring(12, &[3, 6]), ring(15, &[7, 2])];
    let cliques = [complete(2), complete(7), hyperx(&[2, 3, 2]), hyperx(&[5]), hypercube(1), hypercube(4)];
    let trees = [star(1), star(9), binary_tree(2), binary_tree(5)];
    let others = [illiac(3), illiac(5), barrel_shifter(2), barrel_shifter(5), cube_connected_cycles(3)];
    let random = [slim_fly(3), slim_fly(5), random_regular(4, 3, 0), random_regular(30, 5, 2)];
    for topology in [&chords[..], &cliques, &trees, &others, &random].concat() {
        let wiring = wired(&topology);
        check_wiring(&wiring);
        check_distances(&wiring);
        assert_eq!(topology.nodes(), Some(wiring.nodes() as u32), "{topology:?}");
        // No two links are parallel, no router has a port too many.
        for router in 0..wiring.routers() {
            let neighbours: Vec<usize> = wiring.neighbours(router).map(|(_, there)| there).collect();
            assert_eq!(neighbours.iter().collect::<BTreeSet<_>>().len(), neighbours.len(), "{topology:?}");
        }
        let widest = (0..wiring.routers()).map(|router| wiring.neighbours(router).count()).max();
        assert_eq!(Some(wiring.ports() - 1), widest, "{topology:?}");
    }
}

#[test]
fn several_nodes_at_each_router() {
    let wiring = wired(&Star { leaves: 3, nodes_per_router: 2 }.into());
    check_wiring(&wiring);
    assert_eq!((wiring.nodes(), wiring.ports()), (8, 5));
    assert_eq!((wiring.nodes_of(0).count(), wiring.nodes_of(3).count()), (2, 2));
    assert_eq!([1, 2].map(|port| wiring.class_names()[wiring.class(1, port).index()]), ["node", "local"]);
}

#[test]
fn hypercubes() {
    for n in 1..=10_u8 {
        let routers = 1_usize << n;
        let mean = f64::from(n) * (routers / 2) as f64 / (routers - 1) as f64;
        check(&hypercube(n), routers, n.into(), n.into(), mean);
        let bisection = Facts::of(&wired(&hypercube(n))).bisection;
        assert_eq!((bisection.links, bisection.is_least), (1 << (n - 1), true));
    }
    // The mesh of 2s has the same links.
    let (cube, mesh) = (wired(&hypercube(5)), wired(&mesh(&[2; 5])));
    for router in 0..32 {
        let of = |wiring: &Wiring| wiring.neighbours(router).map(|(_, there)| there).collect::<Vec<_>>();
        assert_eq!(of(&cube), of(&mesh));
        assert_eq!(of(&cube), [1, 2, 4, 8, 16].map(|bit| router ^ bit));
    }
}

#[test]
fn rings_and_chordal_rings() {
    for n in 3..20_u32 {
        let hops = if n % 2 == 0 { n * n / 4 } else { (n * n - 1) / 4 };
        check(&ring(n, &[]), n as usize, 2, n / 2, f64::from(hops) / f64::from(n - 1));
    }
    // Links across: a quarter of the way round at most (Spidergon).
    check(&ring(16, &[8]), 16, 3, 4, 39.0 / 15.0);
    // By chords of all lengths any router is one hop away.
    check(&ring(9, &[2, 3, 4]), 9, 8, 1, 1.0);
    check(&ring(10, &[5, 4, 3, 2]), 10, 9, 1, 1.0);
    let wiring = wired(&ring(8, &[3]));
    assert_eq!(wiring.neighbours(0).map(|(_, there)| there).collect::<BTreeSet<_>>(), [1, 3, 5, 7].into());
}

#[test]
fn complete_graphs_and_stars() {
    for n in [2, 3, 4, 8, 13, 63] {
        check(&complete(n as u32), n, n - 1, 1, 1.0);
        let bisection = Facts::of(&wired(&complete(n as u32))).bisection;
        let half = n as u64 / 2;
        // (N / 2)² holds for an even number of routers only.
        assert_eq!(bisection.links, half * (n as u64 - half));
        assert_eq!(bisection.is_least, n % 2 == 0);
    }
    for leaves in [1, 2, 7, 63] {
        let facts = Facts::of(&wired(&star(leaves)));
        assert_eq!(
            (facts.routers, facts.degree_min, facts.degree_max),
            (leaves as usize + 1, 1, leaves as usize)
        );
        assert_eq!(facts.distances.diameter, if leaves == 1 { 1 } else { 2 });
        let mean = 2.0 * f64::from(leaves) / f64::from(leaves + 1);
        assert!((facts.distances.router_mean - mean).abs() < 1e-9);
    }
}

#[test]
fn binary_trees() {
    for levels in 2..=9_u8 {
        let facts = Facts::of(&wired(&binary_tree(levels)));
        let routers = (1 << levels) - 1;
        assert_eq!((facts.routers, facts.links_of(PortClass::LOCAL)), (routers, routers as u64 - 1));
        assert_eq!((facts.degree_min, facts.degree_max), (1, if levels == 2 { 2 } else { 3 }));
        assert_eq!((facts.distances.diameter, facts.bisection.links), (2 * (u32::from(levels) - 1), 1));
    }
}

/// The diameter is `n − 1`; an Illiac is a chordal ring.
#[test]
fn illiacs() {
    for n in [3, 4, 5, 8, 16, 17] {
        let facts = Facts::of(&wired(&illiac(n)));
        assert_eq!((facts.routers, facts.degree_min, facts.degree_max), ((n * n) as usize, 4, 4));
        assert_eq!(facts.distances.diameter, n - 1);
    }
    let (one, other) = (wired(&illiac(6)), wired(&ring(36, &[6])));
    assert_eq!(one.minimal_ports(), other.minimal_ports());
}

/// Degree `2 n − 1`, diameter `n / 2`, rounded up.
#[test]
fn barrel_shifters() {
    for n in 2..=10_u8 {
        let facts = Facts::of(&wired(&barrel_shifter(n)));
        let degree = 2 * usize::from(n) - 1;
        assert_eq!((facts.routers, facts.degree_min, facts.degree_max), (1 << n, degree, degree));
        assert_eq!(facts.distances.diameter, u32::from(n).div_ceil(2), "{n}");
    }
}

/// Diameters by search; `2 k + ⌊k / 2⌋ − 2` from `k = 4` on. Textbooks have `2 k`, which is too low from `k = 6` on.
#[test]
fn cubes_of_cycles() {
    for (k, diameter) in (3..).zip([6, 8, 10, 13, 15, 18]) {
        let facts = Facts::of(&wired(&cube_connected_cycles(k)));
        let routers = usize::from(k) << k;
        assert_eq!((facts.routers, facts.degree_min, facts.degree_max), (routers, 3, 3));
        assert_eq!(facts.links_of(PortClass::LOCAL), 3 * routers as u64 / 2);
        assert_eq!(facts.distances.diameter, diameter, "{k}");
        assert!(k == 3 || diameter == 2 * u32::from(k) + u32::from(k) / 2 - 2);
    }
    // One dimension of the cube is cut.
    assert_eq!(Facts::of(&wired(&cube_connected_cycles(4))).bisection.links, 8);
}

#[test]
fn hyperx_is_one_hop_per_dimension() {
    for dims in [&[4][..], &[4, 4], &[3, 5], &[2, 3, 4], &[8, 8], &[6, 6, 6]] {
        let routers = dims.iter().product::<u32>() as usize;
        let degree = dims.iter().map(|k| *k as usize - 1).sum();
        let hops: f64 = dims.iter().map(|&k| 1.0 - 1.0 / f64::from(k)).sum();
        let mean = hops * routers as f64 / (routers - 1) as f64;
        check(&hyperx(dims), routers, degree, dims.len() as u32, mean);
        let least = dims.iter().copied().min().unwrap();
        let bisection = Facts::of(&wired(&hyperx(dims))).bisection;
        assert_eq!(bisection.is_least, least % 2 == 0, "{dims:?}");
        if least % 2 == 0 {
            assert_eq!(bisection.links, routers as u64 * u64::from(least) / 4, "{dims:?}");
        }
    }
}

/// All that fit into 64 ports, of powers of primes. Each misses the Moore bound for diameter 2, `d² + 1`, by little; the one of `q = 5` reaches it: the
/// graph of Hoffman and Singleton.
#[test]
fn slim_flies_have_diameter_two() {
    for q in [3_u32, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 37, 41] {
        let delta = [0, 1, 2, -1][q as usize % 4];
        let (routers, degree) = (2 * q * q, (3 * q).strict_sub_signed(delta) / 2);
        if q < 19 {
            let others = f64::from(routers - 1);
            let mean = (f64::from(degree) + 2.0 * (others - f64::from(degree))) / others;
            check(&slim_fly(q), routers as usize, degree as usize, 2, mean);
        } else {
            let wiring = wired(&slim_fly(q));
            for router in (0..wiring.routers()).step_by(q as usize * 7 + 1) {
                assert_eq!(wiring.neighbours(router).count(), degree as usize, "{q}");
                assert_eq!(wiring.distances_from(router).into_iter().max(), Some(2), "{q}");
            }
        }
        let share = f64::from(routers) / f64::from(degree * degree + 1);
        assert!(share > [0.86, 0.88, 1.0, 0.69][q as usize % 4], "{q}: {share}");
        assert!(share < 1.0 || q == 5);
    }
    assert_eq!(wired(&slim_fly(5)).routers(), 7 * 7 + 1);
}

#[test]
fn random_graphs_are_regular_and_repeat_themselves() {
    for (routers, degree) in [(4, 3), (10, 9), (50, 3), (51, 4), (64, 63), (200, 8), (1000, 3)] {
        let wiring = wired(&random_regular(routers, degree, 1));
        for router in 0..wiring.routers() {
            let neighbours: BTreeSet<usize> = wiring.neighbours(router).map(|(_, there)| there).collect();
            assert_eq!(neighbours.len(), degree as usize, "{routers} {degree}");
            assert!(!neighbours.contains(&router));
        }
    }
    let ports = |seed| wired(&random_regular(40, 4, seed)).minimal_ports();
    assert_eq!(ports(3), ports(3));
    assert_ne!(ports(3), ports(4));
}

/// A random graph of degree `d` has about `(d − 1)³ / 6` triangles, however large; the circulant graph that it is made from has three
/// per router.
#[test]
fn random_graphs_have_as_few_triangles_as_chance_has() {
    const GRAPHS: usize = 30;
    let triangles = |seed| {
        let wiring = wired(&random_regular(120, 5, seed));
        let of = |router| wiring.neighbours(router).map(|(_, there)| there).collect::<BTreeSet<_>>();
        let sets: Vec<_> = (0..120).map(of).collect();
        let pairs = (0..120).flat_map(|a| sets[a].iter().map(move |&b| (a, b))).filter(|(a, b)| a < b);
        pairs.map(|(a, b)| sets[a].intersection(&sets[b]).filter(|&&c| c > b).count()).sum::<usize>()
    };
    let mean = (0..GRAPHS as u64).map(triangles).sum::<usize>() as f64 / GRAPHS as f64;
    let expected = 4.0_f64.powi(3) / 6.0;
    // Four standard deviations of a Poisson mean.
    assert!(
        (mean - expected).abs() < 4.0 * (expected / GRAPHS as f64).sqrt(),
        "{mean} instead of {expected}"
    );
}

/// Every pair of halves of small networks whose bisection is said to be proven.
#[test]
fn proven_bisections_are_the_least_ones() {
    let networks = [
        hypercube(1),
        hypercube(2),
        hypercube(3),
        ring(4, &[]),
        ring(10, &[]),
        complete(2),
        complete(8),
        hyperx(&[2, 3]),
        hyperx(&[4, 3]),
        hyperx(&[2, 5]),
        hyperx(&[4, 2]),
        hyperx(&[3, 2, 2]),
    ];
    let mut proven = 0;
    for topology in networks {
        let wiring = wired(&topology);
        let bisection = Facts::of(&wiring).bisection;
        assert_eq!(bisection.links, least_cut(&wiring), "{topology:?}");
        proven += usize::from(bisection.is_least);
    }
    assert_eq!(proven, 11);
}

/// What a file may not say, a program may.
#[test]
fn numbers_out_of_range_are_refused() {
    let mut refused =
        vec![hypercube(0), hypercube(19), hypercube(u8::MAX), ring(2, &[]), ring(u32::MAX, &[])];
    refused.extend([ring(8, &[5]), ring(8, &[1]), ring(8, &[2, 2]), ring(1 << 18, &[u32::MAX])]);
    refused.extend([complete(0), complete(65), star(0), star(64), binary_tree(1), binary_tree(19)]);
    refused.extend([illiac(2), illiac(513), barrel_shifter(1), barrel_shifter(19)]);
    refused.extend([cube_connected_cycles(2), cube_connected_cycles(15), hyperx(&[]), hyperx(&[2, 1])]);
    refused.extend([hyperx(&[2; 9]), hyperx(&[63, 63, 63, 63]), slim_fly(2), slim_fly(6), slim_fly(43)]);
    refused.extend([random_regular(5, 3, 1), random_regular(4, 4, 1), random_regular(0, 0, 1)]);
    for topology in refused {
        let error = Wiring::build(&topology).unwrap_err();
        assert!(matches!(error, TopologyError::Numbers { .. }), "{topology:?}: {error}");
        assert_eq!(error.to_string(), format!("topology: its numbers make no {}", topology.word()));
        assert_eq!(topology.nodes(), None);
    }
    let wide = Hypercube { dims: 4, nodes_per_router: 253 };
    assert!(matches!(Wiring::build(&wide.into()), Err(TopologyError::TooManyPorts { ports: 257 })));
}
