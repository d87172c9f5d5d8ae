//! Distributed Routing Balancing on InfiniBand in whole networks, against congestion control in dimension order on as many lanes.

use desvio_sim::run::Outcome;
use desvio_sim::summary::Summary;
use desvio_tests::measure::{blueprint, long, outcome};
use rayon::prelude::*;

const NETWORK: &str = "\
    traffic = { packet_flits = 16, process = \"exponential\", loads = [1.0] }\n\
    congestion = { threshold = 15 }\n\
    run = { warmup_cycles = 8000, measure_cycles = 8000 }\n";

/// A torus or mesh, with lanes.
type Grid = (&'static str, u32, u32);

const TORUS: Grid = ("torus", 4, 8);
const MESH: Grid = ("mesh", 4, 2);

/// Congestion control in dimension order, and DRB; nothing is lost, and nothing locks up, whatever the load.
fn both((kind, side, vcs): Grid, pattern: &str, load: f64, more: &[&str]) -> [Summary; 2] {
    let text = format!(
        "topology = {{ kind = \"{kind}\", dims = [{side}, {side}] }}\n\
         router = {{ vcs = {vcs}, buffer_flits = 32, output_flits = 16 }}\n{NETWORK}"
    );
    let of = |sets: &[&str]| {
        let pattern = format!("traffic.pattern=\"{pattern}\"");
        let sets: Vec<&str> =
            [pattern.as_str()].into_iter().chain(more.iter().copied()).chain(sets.iter().copied()).collect();
        let Outcome { summary, violation, .. } = outcome(&blueprint(&text, &sets), load);
        assert_eq!((violation, summary.packets_lost), (None, 0), "{sets:?} at {load}");
        summary
    };
    let control = ["routing.algorithm=\"dimension-order\"", "injection.control=\"congestion-control\""];
    let lids = ["routing.algorithm=\"drb-infiniband\"", "routing.open_after=4"];
    let (a, b) = rayon::join(|| of(&control), || of(&lids));
    [a, b]
}

/// The bands of the publication that hold (docs/infiniband.md has all of them): alike below a quarter of the link, alternatives from there
/// on, all of them beyond a half; more is accepted than by congestion control, by a quarter at least, or a half on the torus.
#[test]
fn lids_gain_where_static_routes_meet() {
    let cases: [(Grid, _, _); 4] = [
        (TORUS, "transpose", 1.5),
        (TORUS, "bit-reversal", 1.3),
        (MESH, "transpose", 1.25),
        (MESH, "shuffle", 1.0),
    ];
    cases.par_iter().for_each(|&(grid, pattern, gain)| {
        let [low, middle, high] = [0.15, 0.45, 1.0].map(|load| both(grid, pattern, load, &[]));
        let case = format!("{grid:?} {pattern}: {low:?} {middle:?} {high:?}");
        assert!((low[1].network_latency_mean / low[0].network_latency_mean - 1.0).abs() < 0.1, "{case}");
        assert!(low[1].open_paths_mean < 1.3 && middle[1].open_paths_mean > low[1].open_paths_mean, "{case}");
        // A mesh has two paths for most pairs on these lanes: they are open before half of the link.
        assert!(grid == MESH || high[1].open_paths_mean > middle[1].open_paths_mean, "{case}");
        assert!(high[1].accepted > gain * high[0].accepted, "{case}");
    });
}

/// The tables of `docs/infiniband.md`: accepted load, network latency and open paths, by network, pattern and load.
#[test]
fn published_bands() {
    if !long("all networks and patterns of DRB on InfiniBand") {
        return;
    }
    let patterns = ["butterfly", "bit-reversal", "shuffle", "transpose", "bit-complement"];
    for grid in [TORUS, MESH, ("torus", 8, 8), ("mesh", 8, 2)] {
        for pattern in patterns {
            let rows = [0.15, 0.25, 0.35, 0.45, 0.75, 1.0].into_par_iter().map(|load| {
                let [control, lids] = both(grid, pattern, load, &[]);
                format!(
                    "{load} {:.3} {:.0} | {:.3} {:.0} {:.2}",
                    control.accepted,
                    control.network_latency_mean,
                    lids.accepted,
                    lids.network_latency_mean,
                    lids.open_paths_mean
                )
            });
            println!("{grid:?} {pattern}: {}", rows.collect::<Vec<_>>().join("; "));
        }
    }
    for pattern in ["butterfly", "shuffle"] {
        for flits in [4, 16, 64] {
            let (packet, buffer) =
                (format!("traffic.packet_flits={flits}"), format!("router.buffer_flits={}", 2 * flits));
            let [control, lids] = both(("torus", 8, 8), pattern, 0.3, &[&packet, &buffer]);
            println!(
                "{pattern} {flits}: {:.3} {:.0} | {:.3} {:.0}",
                control.accepted, control.network_latency_mean, lids.accepted, lids.network_latency_mean
            );
        }
    }
}
