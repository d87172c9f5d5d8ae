//! The textbook's figure 3.45: the more adaptive the routing of a torus, the less latencies scatter (`docs/shapes.md` has the numbers).

use desvio_sim::blueprint::Blueprint;
use desvio_tests::draw::third;
use desvio_tests::measure::measure;
use desvio_tests::textbook::grid;
use rayon::prelude::*;

/// `shapes.toml` on a torus of 16×16.
fn torus(routing: &str, vcs: u32, flits: u32, sets: &[&str]) -> Blueprint {
    grid("torus", routing, (vcs, flits), sets)
}

const STRICT: &str = "algorithm = \"dateline-adaptive\", datelines = \"strict\"";
const PARTIAL: &str = "algorithm = \"dateline-adaptive\"";
const FULL: &str = "algorithm = \"duato\"";

fn is_near(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 0.05, "{value}, not near {expected}");
}

/// Almost alike in an empty network; and the more adaptive, the lower.
#[test]
fn adaptive_routing_makes_latency_predictable() {
    let expected = [
        (torus(STRICT, 2, 16, &[]), [17.9, 32.2, f64::INFINITY]),
        (torus(PARTIAL, 2, 16, &[]), [17.4, 23.4, 31.6]),
        (torus(FULL, 3, 11, &[]), [17.1, 19.2, 21.2]),
    ];
    for (at, load) in [0.005, 0.02, 0.03].into_iter().enumerate() {
        let found: Vec<_> = expected.par_iter().map(|(on, _)| measure(on, load).latency_sd).collect();
        println!("{load}: {found:?}");
        assert!(found.is_sorted_by(|more, less| more > less), "{found:?}");
        let held = found.iter().zip(&expected).map(|(&value, (_, expected))| (value, expected[at]));
        held.filter(|(_, expected)| expected.is_finite())
            .for_each(|(value, expected)| is_near(value, expected));
    }
}

/// At .12 of a flit per router and cycle the deterministic routing is at its knee: short runs differ by four times, long ones by a seventh.
#[test]
fn a_deterministic_routing_near_its_maximum_scatters_most() {
    if !third("latencies near the maximum") {
        return;
    }
    let seeds: [&[&str]; 3] = [&["run.seed=1"], &["run.seed=2"], &["run.seed=3"]];
    let longer = ["run.warmup_cycles=20000", "run.measure_cycles=60000"];
    let on = seeds.map(|seed| torus(STRICT, 2, 16, &[&longer, seed].concat()));
    let found: Vec<_> = on.par_iter().map(|on| measure(on, 0.03).latency_sd).collect();
    println!("{found:?}");
    is_near(found.iter().sum::<f64>() / 3.0, 130.2);
}
