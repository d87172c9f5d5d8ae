//! Patterns that permute, against definitions written down anew.

use super::*;

/// Where each node sends; itself: nowhere.
fn targets(pattern: impl Into<Pattern>, layout: &NodeMap, seed: u64) -> Vec<u32> {
    let traffic = at_full_load(pattern, layout, seed).unwrap();
    let target = |node| {
        let packets = first(20, node, &traffic);
        assert!(packets.iter().all(|packet| packet.to == packets[0].to), "more than one destination");
        packets.first().map_or(node, |packet| packet.to)
    };
    (0..layout.nodes()).map(target).collect()
}

/// Applies `change` to the bits of each node number, the highest first.
fn by_bits(bits: usize, change: impl Fn(&mut Vec<char>)) -> Vec<u32> {
    let changed = |node: u32| {
        let mut digits: Vec<char> = format!("{node:0bits$b}").chars().collect();
        change(&mut digits);
        u32::from_str_radix(&digits.iter().collect::<String>(), 2).unwrap()
    };
    (0..1 << bits).map(changed).collect()
}

#[test]
fn bits_of_the_node_number() {
    for bits in 1..=7 {
        let nodes = graph(1 << bits);
        let complement = by_bits(bits, |d| d.iter_mut().for_each(|c| *c = if *c == '0' { '1' } else { '0' }));
        assert_eq!(targets(BitComplement, &nodes, 1), complement);
        if bits >= 2 {
            assert_eq!(targets(BitReversal, &nodes, 1), by_bits(bits, |d| d.reverse()));
            assert_eq!(targets(Shuffle, &nodes, 1), by_bits(bits, |d| d.rotate_left(1)));
            assert_eq!(targets(Butterfly, &nodes, 1), by_bits(bits, |d| d.swap(0, bits - 1)));
        }
        if bits % 2 == 0 {
            assert_eq!(targets(Transpose, &nodes, 1), by_bits(bits, |d| d.rotate_left(bits / 2)));
        }
    }
}

#[test]
fn transpose_swaps_the_coordinates_of_a_square_grid() {
    let to = targets(Transpose, &grid(&[8, 8], 1), 1);
    for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
        assert_eq!(to[x + 8 * y], (y + 8 * x) as u32);
    }
}

#[test]
fn tornado_and_neighbour_move_in_each_dimension() {
    for (kx, ky, kz, p) in [(4, 4, 4, 1), (5, 3, 2, 3), (2, 7, 6, 2), (9, 1, 1, 1)] {
        let layout = grid(&[kx, ky, kz], p);
        let tornado = targets(Tornado, &layout, 1);
        let neighbour = targets(Neighbour, &layout, 1);
        let number = |x: u32, y: u32, z: u32, i: u32| (x + kx * (y + ky * z)) * p + i;
        let half = |k: u32| if k.is_multiple_of(2) { k / 2 - 1 } else { k / 2 };
        for (z, y, x, i) in (0..kz)
            .flat_map(|z| (0..ky).map(move |y| (z, y)))
            .flat_map(|(z, y)| (0..kx).map(move |x| (z, y, x)))
            .flat_map(|(z, y, x)| (0..p).map(move |i| (z, y, x, i)))
        {
            let from = number(x, y, z, i) as usize;
            let next = number((x + 1) % kx, (y + 1) % ky, (z + 1) % kz, i);
            let far = number((x + half(kx)) % kx, (y + half(ky)) % ky, (z + half(kz)) % kz, i);
            assert_eq!((neighbour[from], tornado[from]), (next, far), "at {x}, {y}, {z}, {i}");
        }
    }
}

#[test]
fn adversarial_index_keeps_the_index_in_the_group() {
    let sizes = [4, 2, 3];
    let layout = dragonfly(2, &sizes);
    let groups: Vec<Vec<u32>> = vec![(0..8).collect(), (8..12).collect(), (12..18).collect()];
    for n in [1, 2, 4, 3_000_000_001] {
        let to = targets(AdversarialIndex(n), &layout, 1);
        for (g, group) in groups.iter().enumerate() {
            let target = &groups[(g + (n % 3) as usize) % 3];
            for (index, &node) in group.iter().enumerate() {
                assert_eq!(to[node as usize], target[index % target.len()]);
            }
        }
    }
}

#[track_caller]
fn assert_derangement(to: &[u32]) {
    let mut sorted = to.to_vec();
    sorted.sort_unstable();
    assert!(sorted.iter().zip(0..).all(|(&a, b)| a == b), "not a permutation: {to:?}");
    assert!(to.iter().zip(0..).all(|(&a, b)| a != b), "a fixed point: {to:?}");
}

#[test]
fn permutations_have_no_fixed_points() {
    for (nodes, seed) in (2..40).flat_map(|nodes| (0..10).map(move |seed| (nodes, seed))) {
        assert_derangement(&targets(Permutation, &graph(nodes), seed));
    }
}

#[test]
fn switch_permutations_permute_routers_and_keep_the_index() {
    for (p, layout) in [(5, grid(&[3, 4], 5)), (3, dragonfly(3, &[2, 5])), (1, grid(&[2], 1))] {
        for seed in 0..10 {
            let to = targets(SwitchPermutation, &layout, seed);
            assert!(to.iter().zip(0..).all(|(to, node)| to % p == node % p));
            let routers: Vec<u32> = to.iter().step_by(p as usize).map(|to| to / p).collect();
            assert!(to.iter().zip(0..).all(|(to, node)| to / p == routers[(node / p) as usize]));
            assert_derangement(&routers);
        }
    }
}

#[test]
fn every_derangement_is_as_likely() {
    // Of four things: nine, six of them one cycle, three of them two pairs.
    const DRAWS: u64 = 9000;
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..DRAWS {
        *counts.entry(targets(Permutation, &graph(4), seed)).or_insert(0) += 1;
    }
    let counts: Vec<u64> = counts.into_values().collect();
    assert_frequencies(&counts, &[DRAWS as f64 / 9.0; 9]);
}

#[test]
fn the_permutation_depends_on_the_seed_only() {
    let layout = graph(100);
    let pattern = || Permutation;
    assert_eq!(targets(pattern(), &layout, 5), targets(pattern(), &layout, 5));
    assert_ne!(targets(pattern(), &layout, 5), targets(pattern(), &layout, 6));
    let light = Traffic::new(&settings(pattern()), &layout, 0.1, 5).unwrap();
    let to: Vec<u32> = (0..100).map(|node| first(1, node, &light)[0].to).collect();
    assert_eq!(to, targets(pattern(), &layout, 5));
}

/// A box of the nodes' numbers, or the routers of a grid with the index of the node kept.
#[test]
fn cartesian_changes_each_coordinate_by_its_own_rule() {
    let transforms = vec![Transform::Shift(2), Transform::Complement, Transform::Identity];
    let routers = Cartesian { sides: vec![], transforms: transforms.clone() };
    let nodes = Cartesian { sides: vec![5, 4, 3], transforms };
    let of_routers = targets(routers, &grid(&[5, 4, 3], 2), 1);
    let of_nodes = targets(nodes, &graph(60), 1);
    for (x, y, z) in (0..5).flat_map(|x| (0..4).flat_map(move |y| (0..3).map(move |z| (x, y, z)))) {
        let number = |x: usize, y: usize, z: usize| x + 5 * (y + 4 * z);
        let to = number((x + 2) % 5, 3 - y, z);
        assert_eq!(of_nodes[number(x, y, z)] as usize, to);
        for index in 0..2 {
            assert_eq!(of_routers[2 * number(x, y, z) + index] as usize, 2 * to + index);
        }
    }
    let tornado = Cartesian { sides: vec![], transforms: vec![Transform::Tornado; 2] };
    assert_eq!(targets(tornado, &grid(&[8, 5], 1), 1), targets(Tornado, &grid(&[8, 5], 1), 1));
    // A permutation of 7 rows: all nodes of a row to one other row, each in its column.
    let rows = Cartesian { sides: vec![3, 7], transforms: vec![Transform::Identity, Transform::Permutation] };
    let to = targets(rows, &graph(21), 5);
    let mut row: Vec<u32> = (0..7).map(|y| to[3 * y] / 3).collect();
    assert!((0..21).all(|node| to[node] == 3 * row[node / 3] + node as u32 % 3));
    assert!(row.iter().zip(0..).all(|(&to, from)| to != from), "{row:?}");
    row.sort_unstable();
    assert_eq!(row, [0, 1, 2, 3, 4, 5, 6]);
}
