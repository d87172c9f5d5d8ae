//! Latency against load, kept as text.

use desvio_sim::summary::Summary;
use desvio_tests::draw::third;
use desvio_tests::measure::{dragonfly, measure, patterns};
use desvio_tests::snapshot;
use rayon::prelude::*;

const LOADS: [f64; 8] = [0.05, 0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70];
const SCHEMES: [(&str, &[&str]); 4] = [
    ("minimal", &["routing.algorithm=minimal"]),
    ("valiant", &["routing.algorithm=valiant"]),
    ("olm", &[]),
    ("contention", &["selection.trigger=contention"]),
];
/// UN, ADV+1 and ADV+h.
const PATTERNS: usize = 3;

/// A network takes what it is offered, but for chance.
fn keeps_up(summary: &Summary) -> bool {
    summary.accepted > 0.95 * summary.offered
}

#[test]
fn latency_against_load() {
    if !third("latency against load") {
        return;
    }
    let cells: Vec<_> = (0..PATTERNS)
        .flat_map(|pattern| LOADS.map(|load| (pattern, load)))
        .flat_map(|(pattern, load)| SCHEMES.map(|scheme| (pattern, load, scheme.1)))
        .collect();
    let run = |&(pattern, load, sets): &(usize, f64, &[&str])| {
        let window = ["run.warmup_cycles=2000", "run.measure_cycles=3000"];
        measure(&dragonfly(2, &[&window, sets, &[&patterns(2)[pattern].1]].concat()), load)
    };
    let measured: Vec<Summary> = cells.par_iter().map(run).collect();
    let at = |pattern: usize, load: usize, scheme: usize| {
        &measured[(pattern * LOADS.len() + load) * SCHEMES.len() + scheme]
    };

    let heads: Vec<&str> = ["load"].into_iter().chain(SCHEMES.map(|scheme| scheme.0)).collect();
    let mut text = String::new();
    for (pattern, (name, _)) in patterns(2).iter().enumerate().take(PATTERNS) {
        let cell = |summary: &Summary| match keeps_up(summary) {
            true => format!("{:.1}", summary.latency_mean),
            false => "full".to_owned(),
        };
        let row = |load: usize| {
            let cells = (0..SCHEMES.len()).map(|scheme| cell(at(pattern, load, scheme)));
            [format!("{:.2}", LOADS[load])].into_iter().chain(cells).collect()
        };
        let rows: Vec<Vec<String>> = (0..LOADS.len()).map(row).collect();
        let title = format!("{name}, Dragonfly h=2 (72 nodes), mean latency in cycles");
        text += &format!("{}\n", snapshot::table(&title, &heads, &rows));
    }
    eprintln!("{text}");

    for pattern in 0..PATTERNS {
        for (scheme, (name, _)) in SCHEMES.iter().enumerate() {
            for (load, at_load) in LOADS.iter().enumerate().skip(1) {
                let (less, more) = (at(pattern, load - 1, scheme), at(pattern, load, scheme));
                assert!(keeps_up(less) || !keeps_up(more), "{name}: full below {at_load}, but not there");
                let grows = more.latency_mean > 0.98 * less.latency_mean;
                // Where transit misrouting sets in, it can be quicker than a queue that is about to fill.
                assert!(grows || !keeps_up(more) || scheme > 1, "{name}: faster at {at_load}");
            }
        }
    }
    // Minimal routing is full beyond 1/8 under adversarial traffic, Valiant beyond 1/2 and 1/3; OLM goes on.
    let is_full = |pattern, load, scheme| !keeps_up(at(pattern, load, scheme));
    assert!(!is_full(1, 1, 0) && is_full(1, 2, 0) && is_full(2, 2, 0));
    assert!(!is_full(1, 4, 1) && is_full(1, 6, 1) && !is_full(2, 2, 1) && is_full(2, 4, 1));
    assert!(!is_full(1, 3, 2) && !is_full(2, 3, 2) && is_full(2, 6, 2));
    assert!(!is_full(1, 5, 3) && !is_full(2, 5, 3) && is_full(2, 6, 3));
    // Uniform traffic is best off with minimal routes, and OLM takes them.
    for (load, at_load) in LOADS.iter().enumerate().take(5) {
        let [minimal, valiant, olm] = [0, 1, 2].map(|scheme| at(0, load, scheme).latency_mean);
        assert!(olm < 1.05 * minimal && minimal < 0.7 * valiant, "load {at_load}: {minimal} {valiant} {olm}");
    }
    snapshot::check("curves.txt", &text);
}
