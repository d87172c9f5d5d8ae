//! Distributed Routing Balancing: the published sizes and numbers, and that its control comes to rest.

use super::*;
use crate::header::{Address, Header};
use crate::map::grid::Grid;
use crate::map::{Map as _, Peer};
use crate::route::drb::{Drb, header};
use crate::route::{Arrival, Here, HopKind, Route as _};
use crate::units::{PortClass, PortSet};
use std::collections::{HashMap, HashSet};

const RULES: Balancing =
    Balancing { max_paths: 4, low: U8F8::ratio(3, 2), high: U8F8::ratio(7, 4), tolerance: U8F8::ratio(1, 4) };

fn grid(dims: &[u32], wraps: bool) -> Grid {
    Grid::new(dims, 1, wraps).unwrap()
}

/// A metapath of as many paths as there are latencies, which no ACK has changed.
fn metapath(latencies: &[u32]) -> Metapath<[Path; 8]> {
    let path =
        |n: usize| Path { via: MultiStep::canonical(n as u32, 99), latency: Latency::cycles(latencies[n]) };
    let mut metapath = Metapath::new([path(0); 8]);
    // A threshold of nought opens one with each ACK.
    let open_all = Balancing { max_paths: 8, high: U8F8::ZERO, tolerance: U8F8::from_bits(1), ..RULES };
    for next in 1..latencies.len() {
        metapath.report(0, Latency::cycles(latencies[0]), &open_all, |_| Some(path(next)));
    }
    assert_eq!(usize::from(metapath.width()), latencies.len());
    metapath
}

/// A threshold of nought opens 64 paths, although they are together faster than a cycle.
#[test]
fn all_of_64_paths_open() {
    let path = Path { via: MultiStep::default(), latency: Latency::cycles(16) };
    let mut metapath = Metapath::new([path; MOST_PATHS as usize]);
    let rules = Balancing { max_paths: MOST_PATHS, low: U8F8::ZERO, high: U8F8::ZERO, tolerance: U8F8::ZERO };
    for _ in 0..MOST_PATHS {
        let before = metapath.width();
        let opened = match metapath.width() {
            MOST_PATHS => Change::None,
            _ => Change::Opened(1),
        };
        let change = metapath.report(0, path.latency, &rules, |_| Some(path));
        assert!(
            change == opened || matches!(change, Change::Opened(more) if before + more == metapath.width()),
            "{change:?}"
        );
    }
    assert_eq!((metapath.width(), metapath.latency().in_256ths()), (MOST_PATHS, 64));
}

#[test]
fn supernodes_have_the_published_sizes() {
    let sizes = |grid: Grid, radii: u8| -> Vec<usize> {
        (0..radii).map(|radius| routers(grid, grid.nth(5), SupernodeShape::gravity(radius)).len()).collect()
    };
    assert_eq!(sizes(grid(&[8, 8], true), 9), [1, 5, 13, 25, 39, 51, 59, 63, 64]);
    assert_eq!(sizes(grid(&[4, 4], true), 5), [1, 5, 11, 15, 16]);
    assert_eq!(sizes(grid(&[2; 6], false), 7), [1, 7, 22, 42, 57, 63, 64]);
    // The corner of a mesh has fewer neighbours.
    assert_eq!(routers(grid(&[4, 4], false), 0, SupernodeShape::gravity(1)).len(), 3);
    // Widths [5] of metapaths with radius 1 at both ends.
    let width = |grid: Grid| routers(grid, 0, SupernodeShape::gravity(1)).len().pow(2);
    assert_eq!((width(grid(&[8, 8], true)), width(grid(&[2; 6], false))), (25, 49));
}

/// The routers of a supernode: the nearest first, from the centre on, as many as it says.
fn routers(grid: Grid, centre: u32, shape: SupernodeShape) -> Vec<u32> {
    let supernode = Supernode { network: Network::Grid(grid), centre, shape };
    let routers: Vec<u32> = supernode.routers().collect();
    assert_eq!(routers.len(), supernode.size());
    assert_eq!(routers.first(), Some(&centre), "the nearest is the router itself");
    assert!(routers.is_sorted_by_key(|&router| grid.distance(centre, router)));
    routers
}

/// A subtopology is a cube of j routers along each of m dimensions: as many routers everywhere, also at the edge of a mesh. Each of its
/// routers is at most as far as the cube is long.
#[test]
fn subtopologies_are_cubes() {
    let of = |size, dimensions| SupernodeShape { kind: SupernodeKind::Subtopology, size, dimensions };
    for (sides, wraps, shape, expected) in [
        ([8, 8].as_slice(), true, of(4, 8), 16),
        (&[8, 8], true, of(8, 1), 8),
        (&[8, 8], true, of(3, 2), 9),
        (&[8, 8], true, of(255, 8), 64),
        (&[8, 8], true, of(0, 8), 1),
        (&[8, 8], true, of(1, 8), 1),
        (&[8, 8], false, of(4, 8), 16),
        (&[8, 8], false, of(8, 1), 8),
        (&[2; 6], false, of(2, 3), 8),
        (&[5, 3, 2], true, of(4, 8), 4 * 3 * 2),
    ] {
        let grid = grid(sides, wraps);
        for centre in grid.routers() {
            let found = routers(grid, centre, shape);
            assert_eq!(found.len(), expected, "{sides:?} {shape:?} round {centre}");
            let fixed = sides.len() - sides.len().min(shape.dimensions.into());
            let is_alike = |&router: &u32| {
                grid.differences(centre, router)
                    .all(|(dimension, ..)| usize::from(dimension) < sides.len() - fixed)
            };
            assert!(found.iter().all(is_alike));
        }
    }
    // Along one dimension, from as many below the centre as above it or one less. On a mesh the nearest such stretch that is inside.
    for (count, side, wraps) in (2..=8u32)
        .flat_map(|count| (1..=count).flat_map(move |side| [(count, side, false), (count, side, true)]))
    {
        let below = (0..side).find(|below| [2 * below + 1, 2 * below + 2].contains(&side)).unwrap();
        for centre in 0..count {
            let mut expected: Vec<_> = if wraps {
                (0..side).map(|place| (count + centre + place - below) % count).collect()
            } else {
                let first = (0..=count - side).min_by_key(|first| (first + below).abs_diff(centre)).unwrap();
                (first..first + side).collect()
            };
            expected.sort_unstable();
            let mut found = routers(grid(&[count], wraps), centre, of(side as u8, 1));
            found.sort_unstable();
            assert_eq!(found, expected, "{side} of {count} round {centre}, torus: {wraps}");
        }
    }
    // Round (3, 3): (2, 2) to (5, 5) of a torus. In the corner of a mesh: (0, 0) to (3, 3).
    let corners = |wraps, at: [u32; 2]| {
        let grid = grid(&[8, 8], wraps);
        let all = routers(grid, grid.address(&at), of(4, 8));
        (all.iter().copied().min(), all.iter().copied().max())
    };
    let address = |x: u32, y: u32| Some(y << 3 | x);
    assert_eq!(corners(true, [3, 3]), (address(2, 2), address(5, 5)));
    assert_eq!(corners(false, [0, 7]), (address(0, 4), address(3, 7)));
}

/// A bandwidth is the nearest to 1 / latency, and so is a latency to 1 / bandwidth.
#[test]
fn bandwidths_are_the_nearest() {
    for cycles in (1..3000).chain([4095, 4097, 65_537, 200_001]) {
        let latency = Latency::cycles(cycles);
        let [product, parts] =
            [latency.bandwidth().bits(), 1].map(|bits| u64::from(bits) * u64::from(latency.in_256ths()));
        assert!(product.abs_diff(1 << 36) * 2 <= parts, "{cycles} cycles");
    }
}

/// With Thl 1.5, Thh 1.75 and Tol 0.25: from 1.25 to 2 canonical latencies nothing changes.
#[test]
fn thresholds_have_a_band_round_them() {
    let canonical = Latency::cycles(100);
    for cycles in 1..400 {
        let latency = Latency::cycles(cycles);
        let found = (RULES.shrinks(latency, canonical), RULES.widens(latency, canonical));
        assert_eq!(found, (cycles < 125, cycles > 200), "{cycles}");
    }
}

/// Latencies of 10, 20 and 40 cycles: \[4\], \[7\] and \[11\].
#[test]
fn the_worked_numbers_are_exact() {
    let metapath = metapath(&[10, 20, 40]);
    let close =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-7, "{found} {expected}");
    let bandwidths: Vec<f64> =
        metapath.open().map(|path| f64::from(path.latency.bandwidth().bits()) / f64::from(1 << 28)).collect();
    [0.1, 0.05, 0.025].into_iter().zip(&bandwidths).for_each(|(expected, &found)| close(found, expected));
    // 5.714 cycles, to the nearest 256th.
    assert_eq!(metapath.latency().in_256ths(), (256.0_f64 * 40.0 / 7.0).round() as u32);
    // F: where the choice changes from one path to the next.
    let bound = |number: u8| {
        let (mut low, mut high) = (0, u64::from(u32::MAX) + 1);
        while low < high {
            let middle = (low + high) / 2;
            if metapath.select(middle as u32).0 <= number { low = middle + 1 } else { high = middle }
        }
        low as f64 / 2_f64.powi(32)
    };
    close(bound(0), 4.0 / 7.0);
    close(bound(1), 6.0 / 7.0);
    close(bound(2), 1.0);
    // R = 0 is the first path's.
    assert_eq!((metapath.select(0).0, metapath.select(u32::MAX).0), (0, 2));
}

/// n paths of latency T are one of T/n.
#[test]
fn equal_paths_share_the_latency_and_the_packets() {
    for n in 1..=8 {
        let metapath = metapath(&[120; 8][..n]);
        assert!(metapath.latency().in_256ths().abs_diff(120 * 256 / n as u32) <= 1);
        let mut counts = [0u32; 8];
        (0..8000u32).for_each(|k| counts[usize::from(metapath.select(k * (u32::MAX / 8000)).0)] += 1);
        let share = 8000 / n as u32;
        assert!(counts[..n].iter().all(|count| count.abs_diff(share) <= 2), "{counts:?}");
    }
}

/// Δ of \[9\]: the smallest that reaches the lower bound, also where none is below the upper one; never beyond all paths.
#[test]
fn widening_reaches_the_canonical_bandwidth() {
    // ABc = 1 and AB = 0.4 are latencies of 1 and 2.5.
    let delta = |max_paths, tolerance: f64, at: u32, canonical: u32| {
        let rules = Balancing { max_paths, tolerance: U8F8::nearest(tolerance), ..RULES };
        rules.widening(Latency::cycles(at), Latency::cycles(canonical))
    };
    // Tol = 0.8 is 205/256, a little more: Δ = 2 has 6 · 0.8008 ≥ 4.8. A little less asks for 3, beyond the upper bound.
    assert_eq!((delta(4, 0.8, 250, 100), delta(4, 0.796, 250, 100)), (2, 3));
    assert_eq!(delta(4, 0.25, 1000, 100), 4, "as many as there are");
    assert_eq!(delta(8, 4.0, 250, 100), 2);
    assert_eq!(delta(4, 2.0, 101, 100), 1, "at least one");
    for (at, tolerance) in (101..900).step_by(7).flat_map(|at| [(at, 0.25), (at, 0.75)]) {
        let needed = (1.0 - 100.0 / f64::from(at)) * 8.0 / tolerance;
        let least = (1..8).find(|&d| f64::from(d * (d + 1)) * 0.5 >= needed).unwrap_or(8);
        assert_eq!(delta(8, tolerance, at, 100), least, "{at} {tolerance}");
    }
}

/// Where the latency of each path grows with its share of a load, the number of paths comes to rest at every load, and more load never
/// means fewer paths.
#[test]
fn the_number_of_paths_comes_to_rest() {
    let mut widths = Vec::new();
    for load in 0..60 {
        let canonical = Path { via: MultiStep::default(), latency: Latency::cycles(30) };
        let mut metapath = Metapath::new([canonical; 8]);
        let mut random = 12345u32;
        let mut changes = 0;
        for ack in 0..6000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (number, _) = metapath.select(random);
            // A queue whose wait is proportional to the load.
            let latency = 30 + 4 * u32::from(number) + 3 * load / u32::from(metapath.width());
            let change = metapath.report(number, Latency::cycles(latency), &RULES, |metapath| {
                let latency = Latency::cycles(30 + 4 * u32::from(metapath.width()));
                Some(Path { via: MultiStep::default(), latency })
            });
            changes += u32::from(ack >= 3000 && change != Change::None);
        }
        assert_eq!(changes, 0, "load {load}: {metapath:?}");
        widths.push(metapath.width());
    }
    assert!(widths.is_sorted() && widths[0] == 1 && widths[59] > 1, "{widths:?}");
}

#[test]
fn a_metapath_shrinks_to_the_canonical_path_and_forgets_what_closed_paths_say() {
    let mut metapath = metapath(&[30, 34, 38]);
    let calm = |metapath: &mut Metapath<[Path; 8]>, number| {
        metapath.report(number, Latency::cycles(30), &RULES, |_| panic!("nothing to open"))
    };
    let mut acks = 0;
    while metapath.width() > 1 {
        let before = metapath.width();
        let change = calm(&mut metapath, 0);
        acks += 1;
        assert_eq!(change == Change::Closed, metapath.width() < before);
    }
    assert_eq!(acks, 2 * u32::from(Metapath::<[Path; 8]>::PATIENCE));
    let before = metapath;
    assert_eq!(metapath.report(2, Latency::cycles(9999), &RULES, |_| None), Change::None);
    assert_eq!(metapath, before);
    assert!(size_of::<Metapath<[Path; 8]>>() == 8 * 12 + 8, "as the page of the module says");
}

/// The routers and outputs of a packet on a path, as the routing function leads it.
fn walk(grid: Grid, from: u32, to: u32, path: MultiStep) -> Vec<(u32, u8)> {
    let area = SupernodeShape::gravity(1);
    let vcs = if grid.wraps() { 6 } else { 3 };
    let routing = Drb { network: Network::Grid(grid), vcs, ack_vcs: 0, source: area, destination: area };
    let mut header: Header = header(from, Address { router: to, port: 0 }, 1, path);
    let wired = PortSet::range(0, grid.ports());
    let (mut router, mut from) = (from, Arrival::default());
    let mut links = Vec::new();
    while links.len() < 100 {
        let here = Here { router, wired, ..Here::default() };
        assert!(routing.keeps_order(&here, from, &header), "{header:?} {from:?}");
        let offered = routing.offer(&here, from, &header).unwrap();
        let candidate = offered.iter().last().expect("a way on");
        let Some(Peer::Router { router: next, port }) = grid.peer(router, candidate.port) else {
            return links;
        };
        header = routing.onward(&here, &header, PortClass::LOCAL, HopKind::Minimal);
        links.push((router, candidate.port.number()));
        (router, from) = (next, Arrival { port, kind: PortClass::LOCAL, vc: candidate.vc });
    }
    panic!("endless: {path:?}");
}

/// Paths with supernodes of one shape at both ends.
fn alternatives(grid: Grid, shape: SupernodeShape) -> Alternatives<'static> {
    Alternatives { network: Network::Grid(grid), source: shape, destination: shape, own_links: true }
}

/// From the corner of a torus, a hypercube and a mesh to every router there are three or four, four, and two paths. They have no link in
/// common, and none is more than 4 links longer than the shortest. The routing function leads each to its end, by its stated number of
/// links.
#[test]
fn alternatives_are_disjoint_and_short() {
    for (grid, disjoint, expected) in [
        (grid(&[8, 8], true), 3, 39 * 3 + 24 * 4),
        (grid(&[2; 4], false), 4, 15 * 4),
        (grid(&[3, 3], false), 2, 8 * 2),
    ] {
        let mut all = 0;
        let alternatives = alternatives(grid, SupernodeShape::gravity(1));
        for to in grid.routers().skip(1) {
            let from = 0;
            let mut open = vec![MultiStep::canonical(from, to)];
            while let Some(path) =
                (open.len() < 8).then(|| alternatives.next(from, to, open.iter().copied())).flatten()
            {
                assert!(!open.contains(&path));
                open.push(path);
            }
            let mut seen = HashSet::new();
            let mut apart = 0;
            for &path in &open {
                let length = alternatives.length(from, to, path);
                let links = walk(grid, from, to, path);
                assert_eq!(links.len() as u32, length, "{path:?}");
                assert!(length <= grid.distance(from, to) + 4, "{path:?} from {from} to {to}");
                let shared = links.into_iter().filter(|link| !seen.insert(*link)).count();
                apart += usize::from(shared == 0);
            }
            assert!(apart >= disjoint, "{apart} of {open:?} to {to}");
            all += apart;
        }
        assert_eq!(all, expected);
    }
}

/// A corner of a mesh has two links: the third path overlaps. With supernodes of one router there is the canonical path alone.
#[test]
fn paths_may_overlap_where_links_are_few() {
    let around = |radius| alternatives(grid(&[4, 4], false), SupernodeShape::gravity(radius));
    let alternatives = around(1);
    let open = [MultiStep::canonical(0, 5)];
    assert!(alternatives.next(0, 5, open.into_iter()).is_some());
    let alone = around(0);
    assert_eq!(alone.next(0, 5, open.into_iter()), None);
    assert_eq!(
        alternatives.next(3, 3, [MultiStep::canonical(3, 3)].into_iter()),
        None,
        "between nodes of a router"
    );
}

/// A new path starts by its latency in an empty network, and an ACK counts for an eighth.
#[test]
fn acks_are_averaged() {
    let mut metapath = metapath(&[80, 80]);
    metapath.report(1, Latency::cycles(160), &RULES, |_| None);
    let latencies: Vec<u32> = metapath.open().map(|path| path.latency.in_256ths()).collect();
    assert_eq!(latencies, [80 * 256, 90 * 256]);
    metapath.report(1, Latency::cycles(10), &RULES, |_| None);
    let latencies: Vec<u32> = metapath.open().map(|path| path.latency.in_256ths()).collect();
    assert_eq!(latencies, [80 * 256, 80 * 256]);
    // What does not fit an ACK's 18 bits is the most that does, and nothing is no time at all.
    assert_eq!(Latency::cycles(u32::MAX), Latency::cycles(1 << Latency::BITS));
    assert_eq!(Latency::cycles(0), Latency::cycles(1));
}

/// Random routing is the extreme in which the source's supernode is the whole network: where all pairs open, and packets take each as often,
/// the load of each link under transpose is that of a random router on the way. Where paths need links of their own, half of them open.
#[test]
fn the_whole_network_as_supernode_is_random_routing() {
    let network = Network::Grid(grid(&[8, 8], true));
    let [source, destination] = [255, 0].map(SupernodeShape::gravity);
    let [all, apart] =
        [false, true].map(|own_links| Alternatives { network, source, destination, own_links });
    let mut loads: HashMap<(u32, u8), f64> = HashMap::new();
    for from in 0..64u32 {
        let to = from >> 3 | (from & 7) << 3;
        let metapath = |alternatives: Alternatives<'_>| {
            let mut open = vec![MultiStep::canonical(from, to)];
            while let Some(path) = alternatives.next(from, to, open.iter().copied()) {
                open.push(path);
            }
            open
        };
        let open = metapath(all);
        if from == to {
            assert_eq!(open.len(), 1);
            continue;
        }
        let points: HashSet<u32> = open.iter().map(|path| path.first).collect();
        assert_eq!((open.len(), points.len()), (64, 64), "from {from}");
        assert!((30..45).contains(&metapath(apart).len()));
        for (router, port) in open.iter().flat_map(|&path| all.links(from, to, path)) {
            *loads.entry((router, port.number())).or_default() += 1.0 / 64.0;
        }
    }
    // A packet takes 4 hops to a random router, and as many from there; 56 of the 64 routers send, over 256 links.
    let mean = loads.values().sum::<f64>() / 256.0;
    let [least, most] = [f64::min, f64::max].map(|of| loads.values().copied().reduce(of).unwrap());
    assert_eq!((loads.len(), mean), (256, 2.0 * 4.0 * 56.0 / 256.0));
    assert!(least > 0.75 * mean && most < 1.1 * mean, "{least} {most}");
}
