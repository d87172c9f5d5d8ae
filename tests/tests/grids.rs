//! Meshes and tori under dimension-order routing: they saturate below, and not far below, the load at which the busiest
//! link is full.

use desvio_sim::campaign::find_saturation;
use desvio_tests::bounds::{Loads, Ratio};
use desvio_tests::draw::long;
use desvio_tests::measure::{Sound, blueprint, measure};
use desvio_tests::snapshot;
use rayon::prelude::*;

/// Routers along each dimension.
const K: usize = 8;

/// One router further along a ring or a line; half-way round, even coordinates go up and odd ones down.
fn next(wraps: bool, x: usize, to: usize) -> usize {
    let ahead = (to + K - x) % K;
    let up = if wraps { ahead < K - ahead || (ahead == K - ahead && x.is_multiple_of(2)) } else { to > x };
    (if up { x + 1 } else { x + K - 1 }) % K
}

/// The routers that a packet visits: along the first dimension, then along the second. A tie is decided where it is met.
fn route(wraps: bool, from: usize, to: usize) -> Vec<usize> {
    let (mut x, mut y) = (from % K, from / K);
    let mut route = vec![from];
    while (x, y) != (to % K, to / K) {
        if x == to % K {
            y = next(wraps, y, to / K)
        } else {
            x = next(wraps, x, to % K)
        }
        route.push(y * K + x);
    }
    route
}

/// The destinations of a node.
fn destinations(pattern: &str, node: usize) -> Vec<usize> {
    match pattern {
        "uniform" => (0..K * K).collect(),
        "transpose" => vec![node / K + node % K * K],
        "bit-reversal" => vec![(node as u8).reverse_bits() as usize >> 2],
        _ => panic!("no such pattern"),
    }
}

/// One sender in eight of a permutation is cut off beyond the bound; that takes longer to see.
fn text(kind: &str, pattern: &str) -> String {
    let limit = if pattern == "uniform" { 20_000 } else { 40_000 };
    format!(
        "topology = {{ kind = \"{kind}\", dims = [{K}, {K}] }}
        router = {{ vcs = 4 }}
        traffic = {{ pattern = \"{pattern}\", loads = \"saturation\" }}
        run = {{ limit_cycles = {limit} }}"
    )
}

/// The load at which the busiest link is full, by routing every pair over the wiring.
fn bound(kind: &str, pattern: &str) -> Ratio {
    let blueprint = blueprint(&text(kind, pattern), &[]);
    let mut loads = Loads::new(blueprint.wiring());
    for from in 0..K * K {
        for to in destinations(pattern, from).into_iter().filter(|&to| to != from) {
            loads.add(from, to, &route(kind == "torus", from, to), 1);
        }
    }
    loads.bound()
}

const CASES: [(&str, &str); 6] = [
    ("mesh", "uniform"),
    ("mesh", "transpose"),
    ("mesh", "bit-reversal"),
    ("torus", "uniform"),
    ("torus", "transpose"),
    ("torus", "bit-reversal"),
];

/// Uniform traffic without sending to oneself: 63 destinations instead of 64, so 1/64 less than 4/k and 8/k. Of the two
/// published values for transpose and bit reversal on a torus, 1/4 and 2/7, our rule for ties gives the first.
#[test]
fn bounds_are_the_exact_rationals() {
    let bounds = CASES.map(|(kind, pattern)| bound(kind, pattern));
    let expected = [(63, 128), (1, 7), (1, 7), (63, 64), (1, 4), (1, 4)];
    for ((case, bound), (over, under)) in CASES.iter().zip(bounds).zip(expected) {
        assert_eq!(bound, Ratio::new(over, under), "{case:?}");
    }
}

/// The share of the bound that each case carries, from the table of the long test, less a twentieth.
const CARRIED: [f64; 6] = [0.90, 0.93, 0.93, 0.78, 0.93, 0.91];

/// The table of saturation loads.
#[test]
fn saturation_loads() {
    if !long("saturation loads of grids by bisection") {
        return;
    }
    let find = |&(kind, pattern): &(&str, &str)| {
        find_saturation(&blueprint(&text(kind, pattern), &[]), &Sound)
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let found: Vec<_> = CASES.par_iter().map(find).collect();
    let mut rows = Vec::new();
    for ((&(kind, pattern), saturation), carried) in CASES.iter().zip(&found).zip(CARRIED) {
        let bound = bound(kind, pattern).value();
        let share = saturation.load / bound;
        assert!((carried..1.015).contains(&share), "{kind} {pattern}: {share} of the bound");
        rows.push(vec![
            kind.to_owned(),
            pattern.to_owned(),
            format!("{:.4}", saturation.load),
            format!("{bound:.4}"),
            format!("{share:.3}"),
            format!("{:.4}", saturation.at_full_load),
        ]);
    }
    let heads = ["8×8", "pattern", "saturation", "bound", "share", "accepted at 1"];
    let title = "saturation load, dimension-order routing, 4 VCs of 32 flits, 8-flit packets, speedup 2";
    let text = snapshot::table(title, &heads, &rows);
    eprintln!("{text}");
    snapshot::check("grids.txt", &text);
}

/// Odd sizes, three dimensions, several nodes per router: nothing is lost at any load.
#[test]
fn other_grids_lose_nothing() {
    let window = ["run.warmup_cycles=500", "run.measure_cycles=2500"];
    for topology in [
        "kind = \"mesh\", dims = [4, 3, 2]",
        "kind = \"torus\", dims = [5, 3]",
        "kind = \"torus\", dims = [3, 3, 3]",
        "kind = \"torus\", dims = [7], nodes_per_router = 3",
        "kind = \"torus\", dims = [2, 2, 2, 2]",
        "kind = \"mesh\", dims = [2, 2], nodes_per_router = 60",
    ] {
        for (pattern, load) in [("uniform", 0.1), ("uniform", 1.0), ("tornado", 1.0), ("permutation", 1.0)] {
            // In a ring of two, half-way round less one is nowhere.
            if pattern == "tornado" && (topology.contains("[2") || topology.contains(" 2]")) {
                continue;
            }
            let text =
                format!("topology = {{ {topology} }}\ntraffic = {{ pattern = \"{pattern}\", loads = [1] }}");
            let summary = measure(&blueprint(&text, &window), load);
            assert!(summary.accepted <= 1.02 && summary.accepted > 0.0, "{topology} {pattern}");
        }
    }
}

/// The slow half of the tests.
mod slow {
    use super::*;

    /// Each carries nearly as much as the table says, and nothing beyond the bound.
    #[test]
    fn saturation_is_close_to_the_bound() {
        let runs: Vec<_> =
            CASES.iter().zip(CARRIED).flat_map(|(case, share)| [(case, share), (case, 1.015)]).collect();
        runs.par_iter().for_each(|&(&(kind, pattern), share)| {
            let load = share * bound(kind, pattern).value();
            let summary = measure(&blueprint(&text(kind, pattern), &[]), load);
            assert_eq!(
                summary.state.keeps_up(),
                share < 1.0,
                "{kind} {pattern} at {share} of the bound: {summary:?}"
            );
        });
    }
}
