//! Networks of one-way links, by their definitions.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// The links by which flits leave a router.
fn onward(wiring: &Wiring, router: usize) -> Vec<(usize, usize)> {
    wiring.onward(router).collect()
}

/// The routers from which flits come to a router.
fn sources(wiring: &Wiring, router: usize) -> Vec<usize> {
    let comes = |&(port, there): &(usize, usize)| wiring.sends(there, wiring.far_port(router, port));
    wiring.neighbours(router).filter(comes).map(|(_, there)| there).collect()
}

/// All ways of so many hops from one router to another: the router and the output of each hop.
fn ways(wiring: &Wiring, from: usize, to: usize, hops: u32) -> Vec<Vec<(usize, usize)>> {
    if hops == 0 {
        return if from == to { vec![Vec::new()] } else { Vec::new() };
    }
    let behind = |(port, next): (usize, usize)| {
        let rest = ways(wiring, next, to, hops - 1).into_iter();
        rest.map(move |rest| [vec![(from, port)], rest].concat()).collect::<Vec<_>>()
    };
    onward(wiring, from).into_iter().flat_map(behind).collect()
}

/// Digit `place` of a number to the base `k`.
fn digit(number: usize, k: usize, place: u32) -> usize {
    number / k.pow(place) % k
}

const WIRINGS: [StageWiring; 4] =
    [StageWiring::Butterfly, StageWiring::Cube, StageWiring::Omega, StageWiring::Baseline];

/// The digits of the source that the channel behind a stage of `n` still tells apart.
fn kept(wiring: StageWiring, n: u32, stage: u32) -> std::ops::Range<u32> {
    match wiring {
        StageWiring::Butterfly => 1..n - stage,
        StageWiring::Cube | StageWiring::Omega => 0..n - 1 - stage,
        StageWiring::Baseline => stage..n - 1,
    }
}

/// Delta networks as Dally and Towles (2004, 4.1) and Duato, Yalamanchili and Ni (2003, 1.7.5) define them: n stages of kⁿ⁻¹ switches with
/// k inputs and k outputs, one way from each node to each other. The channel behind stage s has two parts: the n − 1 − s digits of the
/// source that have not been given away, and the s + 1 highest digits of the destination.
#[test]
fn a_butterfly_has_one_way_from_each_node_to_each_other() {
    let sizes = [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2)];
    for (stage_wiring, (k, stages)) in WIRINGS.into_iter().flat_map(|one| sizes.map(|size| (one, size))) {
        let wiring = wired(&Butterfly { k, stages, wiring: stage_wiring }.into());
        check_wiring(&wiring);
        let (k, n) = (usize::from(k), u32::from(stages));
        let nodes = k.pow(n);
        assert_eq!((wiring.nodes(), wiring.routers()), (nodes, nodes + n as usize * nodes / k));
        for router in 0..wiring.routers() {
            let degree = if router < nodes { 1 } else { k };
            let both = (onward(&wiring, router).len(), sources(&wiring, router).len());
            assert_eq!(both, (degree, degree), "{k}-ary {n}-fly, router {router}");
        }
        let mut channels: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
            let found = ways(&wiring, from, to, n + 1);
            let [way] = &found[..] else { panic!("{k}-ary {n}-fly, {from} to {to}: {} ways", found.len()) };
            assert!(from == to || wiring.distances_from(from)[to] == n + 1, "no shorter way");
            for (stage, &channel) in (0..n).zip(&way[1..]) {
                let kept: Vec<_> = kept(stage_wiring, n, stage).map(|place| digit(from, k, place)).collect();
                let given: Vec<_> = (n - 1 - stage..n).map(|place| digit(to, k, place)).collect();
                channels.entry((stage, kept, given)).or_default().insert(channel);
            }
        }
        let all: BTreeSet<_> = channels.values().flatten().collect();
        assert!(channels.values().all(|one| one.len() == 1), "a channel for each label");
        assert_eq!(
            (all.len(), channels.len()),
            (n as usize * nodes, n as usize * nodes),
            "and a label for each"
        );
    }
}

/// Lawrie (1975): packets from every node to the one `c` further share no channel of an Omega network, nor of the cube, which has its
/// labels; they do in the other two. No two of the four have the same links.
#[test]
fn wirings_of_a_butterfly_differ() {
    let busiest = |wiring: &Wiring, n: u32, c: usize| {
        let nodes = wiring.nodes();
        let mut users: BTreeMap<_, usize> = BTreeMap::new();
        for from in 0..nodes {
            let way = ways(wiring, from, (from + c) % nodes, n + 1).concat();
            way.into_iter().for_each(|channel| *users.entry(channel).or_default() += 1);
        }
        users.into_values().max().unwrap()
    };
    for (k, n) in [(2_u8, 3_u8), (2, 4), (3, 3)] {
        let all = WIRINGS.map(|wiring| wired(&Butterfly { k, stages: n, wiring }.into()));
        for (at, one) in all.iter().enumerate() {
            assert!(all[at + 1..].iter().all(|other| one.neighbour_table() != other.neighbour_table()));
            let shifts = (0..one.nodes()).map(|c| busiest(one, n.into(), c));
            let most = shifts.max().unwrap();
            let is_free = matches!(WIRINGS[at], StageWiring::Omega | StageWiring::Cube);
            assert_eq!(most == 1, is_free, "{k} {n} {:?}: {most}", WIRINGS[at]);
        }
    }
}

/// The router whose coordinate is one higher, in each dimension, modulo its size; and packets go round.
#[test]
fn a_one_way_torus_leads_up_alone() {
    for dims in [vec![5], vec![3, 4], vec![2, 3, 4]] {
        let wiring = wired(&OneWayTorus(Grid { dims: dims.clone(), nodes_per_router: 1 }).into());
        check_wiring(&wiring);
        let place = |router: usize| {
            let digits = dims.iter().scan(router, |rest, &size| {
                let digit = *rest % size as usize;
                *rest /= size as usize;
                Some(digit)
            });
            digits.collect::<Vec<_>>()
        };
        let moved = |router: usize, by: fn(usize, usize) -> usize| {
            let mut at: Vec<_> = dims
                .iter()
                .enumerate()
                .map(|(dimension, &size)| {
                    let mut at = place(router);
                    at[dimension] = by(at[dimension], size as usize);
                    at.iter().zip(&dims).rev().fold(0, |number, (x, size)| number * *size as usize + x)
                })
                .collect();
            at.sort_unstable();
            at
        };
        for router in 0..wiring.routers() {
            let mut next: Vec<_> = onward(&wiring, router).into_iter().map(|(_, there)| there).collect();
            let mut before = sources(&wiring, router);
            next.sort_unstable();
            before.sort_unstable();
            assert_eq!(next, moved(router, |x, size| (x + 1) % size), "{dims:?}: {router}");
            assert_eq!(before, moved(router, |x, size| (x + size - 1) % size), "{dims:?}: {router}");
            let round = |(x, y, size): (usize, usize, u32)| (y + size as usize - x) % size as usize;
            for (there, distance) in wiring.distances_from(router).into_iter().enumerate() {
                let pairs = place(router).into_iter().zip(place(there)).zip(&dims);
                let hops: usize = pairs.map(|((x, y), &size)| round((x, y, size))).sum();
                assert_eq!(distance as usize, hops, "{dims:?}: {router} to {there}");
            }
        }
    }
}
