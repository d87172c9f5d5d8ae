//! Distributed Routing Balancing in whole networks, against dimension order with as many VCs.

use desvio_sim::summary::Summary;
use desvio_tests::measure::{blueprint, measure};
use rayon::prelude::*;

const NETWORK: &str = "\
    router = { vcs = 6, buffer_flits = 8, flow_control = \"wormhole\" }\n\
    traffic = { packet_flits = 10, loads = [1.0] }\n\
    run = { warmup_cycles = 3000, measure_cycles = 3000 }\n";
const TORUS: &str = "kind = \"torus\", dims = [8, 8]";
const CUBE: &str = "kind = \"mesh\", dims = [2, 2, 2, 2, 2, 2]";

/// Dimension order and DRB under one load.
fn both(topology: &str, pattern: &str, load: f64) -> [Summary; 2] {
    let text = format!("topology = {{ {topology} }}\n{NETWORK}");
    let of = |routing: &str| {
        let sets = [format!("traffic.pattern=\"{pattern}\""), format!("routing.algorithm=\"{routing}\"")];
        measure(&blueprint(&text, &sets.each_ref().map(String::as_str)), load)
    };
    let (a, b) = rayon::join(|| of("dimension-order"), || of("drb"));
    [a, b]
}

/// On a torus and a hypercube, static routing is left behind where it is about to saturate (1/γ = 0.286 and 0.25 of a link); where every
/// packet has its links for itself nothing can be gained, and nothing is lost but what ACKs take; under uniform traffic both are alike.
#[test]
fn drb_gains_where_static_routes_meet_and_nowhere_else() {
    let cases = [
        (TORUS, "transpose", 0.24, 0.7),
        (CUBE, "bit-reversal", 0.23, 0.7),
        (TORUS, "uniform", 0.2, 1.1),
        (CUBE, "shuffle", 0.4, 1.1),
    ];
    cases.par_iter().for_each(|&(topology, pattern, load, bound)| {
        let [of_static, balanced] = both(topology, pattern, load);
        let ratio = balanced.latency_mean / of_static.latency_mean;
        let case = format!("{topology} {pattern}: {ratio}\n{of_static:?}\n{balanced:?}");
        assert!(ratio < bound, "{case}");
        assert!(of_static.open_paths_mean.is_nan() && balanced.state.keeps_up(), "{case}");
        assert!(bound < 1.0 || (ratio > 0.9 && balanced.open_paths_mean < 1.05), "{case}");
        assert!(bound > 1.0 || balanced.open_paths_mean > 1.3, "{case}");
        // The load accepted is that of the packets: ACKs are not in it.
        assert!((balanced.accepted - balanced.offered).abs() < 0.03 * load, "{case}");
    });
}

/// The lower the mean interval between packets, the more paths: one where packets hardly meet, more as the interval falls.
#[test]
fn paths_open_as_intervals_shorten() {
    let text = format!("topology = {{ {TORUS} }}\n{NETWORK}");
    let widths: Vec<f64> = [200.0, 60.0, 32.0]
        .into_par_iter()
        .map(|interval| {
            let sets = ["traffic.pattern=\"transpose\"", "routing.algorithm=\"drb\"", "routing.max_paths=3"];
            measure(&blueprint(&text, &sets), 10.0 / interval).open_paths_mean
        })
        .collect();
    assert!(widths.is_sorted() && widths[0] < 1.05 && widths[1] > 1.7 && widths[2] > 2.2, "{widths:?}");
    assert!(widths[2] <= 3.0, "{widths:?}");
}
