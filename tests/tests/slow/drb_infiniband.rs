//! Distributed Routing Balancing on InfiniBand in whole networks, against congestion control in dimension order on as many lanes.

use desvio_sim::run::Outcome;
use desvio_sim::summary::{State, Summary};
use desvio_tests::draw::long;
use desvio_tests::measure::{blueprint, longest_wait, outcome};
use rayon::prelude::*;

const NETWORK: &str = "\
    traffic = { packet_flits = 16, process = \"exponential\", loads = [1.0] }\n\
    congestion = { threshold = 15 }\n\
    run = { warmup_cycles = 8000, measure_cycles = 8000 }\n";

/// A torus or mesh, with lanes.
type Grid = (&'static str, u32, u32);

const TORUS: Grid = ("torus", 4, 8);
const MESH: Grid = ("mesh", 4, 2);

const STATIC: [&str; 2] = ["routing.algorithm=\"dimension-order\"", "injection.control=\"free\""];
const CONTROL: [&str; 2] =
    ["routing.algorithm=\"dimension-order\"", "injection.control=\"congestion-control\""];
const LIDS: [&str; 2] = ["routing.algorithm=\"drb-infiniband\"", "routing.open_after=4"];

/// One load; nothing is lost, and nothing locks up, whatever it is.
fn one((kind, side, vcs): Grid, pattern: &str, load: f64, sets: &[&str], more: &[&str]) -> Summary {
    let text = format!(
        "topology = {{ kind = \"{kind}\", dims = [{side}, {side}] }}\n\
         router = {{ vcs = {vcs}, buffer_flits = 32, output_flits = 16 }}\n{NETWORK}"
    );
    let pattern = format!("traffic.pattern={pattern}");
    let sets = [&[pattern.as_str()], more, sets].concat();
    let Outcome { summary, violation, .. } = outcome(&blueprint(&text, &sets), load);
    assert_eq!((violation, summary.packets_lost), (None, 0), "{sets:?} at {load}");
    summary
}

/// Congestion control in dimension order, and DRB.
fn both(grid: Grid, pattern: &str, load: f64, more: &[&str]) -> [Summary; 2] {
    let of = |sets: &[&str]| one(grid, &format!("\"{pattern}\""), load, sets, more);
    let (a, b) = rayon::join(|| of(&CONTROL), || of(&LIDS));
    [a, b]
}

/// The bands of the publication that hold (docs/infiniband.md has all of them). Both are alike below a quarter of the link, with
/// alternatives from there on, and all of them beyond a half. More is accepted than by congestion control, by a quarter at least, or a half
/// on the torus.
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

/// Four flows of an 8×8 torus meet on one link under dimension order. Sources that spread them make the longest wait for a link a quarter of
/// that, with nothing held back.
#[test]
fn a_link_where_four_flows_meet_is_relieved() {
    let meeting = "{ pairs = [[0, 4], [1, 12], [2, 20], [3, 28]] }";
    let of = |sets: &[&str], load| one(("torus", 8, 8), meeting, load, sets, &["run.details=true"]);
    let (of_static, balanced) = (of(&STATIC, 0.24), of(&LIDS, 0.24));
    let waits = [of_static, balanced].map(|summary| longest_wait(&summary));
    assert!(waits[0] > 4.0 * waits[1], "{waits:?}");
    // All four get through twice as much as the link carries.
    let all = of(&LIDS, 0.5);
    assert!(all.accepted > 0.48, "{all:?}");
}

/// The longer the packets, the more is gained beside static routes: the latency at 0.45 on the torus falls to a half, a third, and less.
#[test]
fn long_packets_gain_more() {
    let gains: Vec<f64> = [4, 16, 64]
        .into_par_iter()
        .map(|flits| {
            let (packet, buffer) =
                (format!("traffic.packet_flits={flits}"), format!("router.buffer_flits={}", 2 * flits));
            let more = [packet.as_str(), &buffer, "run.measure_cycles=16000"];
            let of = |sets: &[&str]| one(TORUS, "\"transpose\"", 0.45, sets, &more).latency_mean;
            of(&STATIC) / of(&LIDS)
        })
        .collect();
    assert!(gains[0] > 1.5 && gains[1] > 1.25 * gains[0] && gains[2] > gains[1], "{gains:?}");
}

/// On a mesh with two lanes complement gets worse, and by detours: where each link is loaded as every other one they find no room.
#[test]
fn detours_are_what_complement_loses_by() {
    let of = |hops: &str| one(("mesh", 8, 2), "\"bit-complement\"", 0.2, &LIDS, &[hops]);
    let [short, long] = ["routing.detour_hops=0", "routing.detour_hops=4"].map(of);
    assert!(short.state.keeps_up() && long.state == State::Saturated, "{short:?} {long:?}");
    assert!(short.open_paths_mean > 1.9, "{short:?}");
}

/// What `docs/infiniband.md` says of the published numbers, row by row, beside congestion control on as many lanes.
#[test]
fn published_bands() {
    if !long("all networks and patterns of DRB on InfiniBand") {
        return;
    }
    let patterns = ["butterfly", "bit-reversal", "shuffle", "transpose", "bit-complement"];
    for grid in [TORUS, MESH, ("torus", 8, 8), ("mesh", 8, 2)] {
        patterns.par_iter().for_each(|&pattern| bands(grid, pattern));
    }
    // Beside congestion control the gain in what is accepted does not grow with the packets.
    let gains = [4, 16, 64].map(|flits| {
        let (packet, buffer) =
            (format!("traffic.packet_flits={flits}"), format!("router.buffer_flits={}", 2 * flits));
        let [control, lids] = both(MESH, "transpose", 1.0, &[&packet, &buffer, "run.measure_cycles=32000"]);
        lids.accepted / control.accepted
    });
    assert!(gains[0] > gains[2] && gains[2] > 1.3, "{gains:?}");
}

/// The rows of one network and pattern: alike at a low load; paths that open from a quarter of the link on; what is accepted at 1.0; latency at
/// the highest load that congestion control takes.
fn bands(grid: Grid, pattern: &str) {
    let (kind, side, _) = grid;
    let loads = [0.1, 0.25, 0.45, 1.0];
    let rows: Vec<_> = loads.into_par_iter().map(|load| both(grid, pattern, load, &[])).collect();
    let [low, quarter, half, full] = &rows[..] else { unreachable!() };
    let case = format!("{grid:?} {pattern}: {rows:?}");
    let ratio = low[1].latency_mean / low[0].latency_mean;
    assert!((0.9..1.06).contains(&ratio), "{ratio} {case}");
    let paths = [quarter, half].map(|row| row[1].open_paths_mean);
    let gain = full[1].accepted / full[0].accepted;
    // In a torus of 4×4 these meet nowhere.
    if grid == TORUS && ["butterfly", "shuffle", "bit-complement"].contains(&pattern) {
        assert!((gain - 1.0).abs() < 0.01 && full[1].open_paths_mean < 1.01, "{case}");
        return;
    }
    assert!(paths[0] > 1.1 && paths[1] > if kind == "torus" { 2.5 } else { 1.6 }, "{case}");
    // The highest load that congestion control takes, and the least gain in latency there; the least gain in load.
    let (end, times, more) = match (kind, side, pattern) {
        ("torus", 4, _) => (0.35, 2.0, 1.5),
        ("mesh", 4, "butterfly") => (0.4, 3.0, 1.25),
        ("mesh", 4, "shuffle") => (0.4, 2.0, 1.0),
        ("mesh", 4, "bit-reversal" | "transpose") => (0.3, 3.0, 1.25),
        ("torus", _, "butterfly") => (0.35, 1.2, 1.25),
        ("torus", _, "shuffle") => (0.25, 1.3, 1.0),
        ("torus", _, "bit-reversal" | "transpose") => (0.2, 2.0, 2.0),
        ("mesh", _, "butterfly") => (0.2, 1.7, 1.5),
        ("mesh", _, "shuffle") => (0.2, 1.3, 0.7),
        ("mesh", _, "bit-reversal" | "transpose") => (0.15, 3.0, 1.1),
        ("torus", ..) => (0.35, 1.1, 0.9),
        _ => (0.15, 0.7, 0.5),
    };
    let [control, lids] = both(grid, pattern, end, &[]);
    let faster = control.latency_mean / lids.latency_mean;
    assert!(faster > times && gain > more, "{faster} {gain} {case}");
}
