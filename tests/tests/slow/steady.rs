//! The steady state below saturation: how much is misrouted, and who starves.

use desvio_sim::campaign::find_saturation;
use desvio_sim::summary::{State, Summary};
use desvio_tests::measure::{Sound, dragonfly, measure, outcome};
use desvio_tests::snapshot;
use rayon::prelude::*;

fn run(h: u32, load: f64, sets: &[&str]) -> Summary {
    let window = ["traffic.pattern={adversarial=1}", "run.warmup_cycles=5000", "run.measure_cycles=10000"];
    measure(&dragonfly(h, &[&window, sets].concat()), load)
}

/// Of what a group sends to the next one, one flit per cycle fits through the direct link.
fn least_misrouted(h: u32, accepted: f64) -> f64 {
    (1.0 - 1.0 / (2.0 * f64::from(h * h) * accepted)).max(0.0)
}

/// Each packet is globally misrouted at most once, and as few are as fit nowhere else. The mean that is compared is that
/// of the delivered packets, so what they are is the accepted load.
#[test]
fn no_more_is_misrouted_than_must_be() {
    let contention = &["selection.trigger=contention", "selection.contention_threshold=4"][..];
    let cases: [(u32, f64, &str, &[&str]); 8] = [
        (2, 0.2, "occupancy", &[]),
        (2, 0.3, "occupancy", &[]),
        (2, 0.4, "occupancy", &[]),
        (3, 0.1, "occupancy", &[]),
        (3, 0.2, "occupancy", &[]),
        (3, 0.4, "occupancy", &[]),
        (3, 0.2, "contention 4", contention),
        (3, 0.4, "contention 4", contention),
    ];
    let measured: Vec<_> = cases.par_iter().map(|&(h, load, _, sets)| run(h, load, sets)).collect();
    let mut rows = Vec::new();
    for ((h, load, trigger, _), summary) in cases.into_iter().zip(measured) {
        let least = least_misrouted(h, summary.accepted);
        rows.push(vec![
            format!("h={h}"),
            trigger.to_owned(),
            format!("{load:.2}"),
            format!("{:.4}", summary.accepted),
            format!("{:.4}", summary.global_misroutes_mean),
            format!("{least:.4}"),
            format!("{:.4}", summary.accepted_min_node),
            format!("{:.4}", summary.fairness_jain),
        ]);
    }
    let heads =
        ["nodes", "trigger", "offered", "accepted", "misrouted", "least possible", "worst node", "fairness"];
    let text = snapshot::table("globally misrouted share under ADV+1, OLM", &heads, &rows);
    eprintln!("{text}");
    for row in &rows {
        let (share, least): (f64, f64) = (number(&row[4]), number(&row[5]));
        assert!((share - least).abs() < 0.02, "{row:?}");
    }
    snapshot::check("steady.txt", &text);
}

/// With so few cycles nothing can become steady: what is not seen to grow is not called saturated, and a search for saturation ends
/// near the loads that a longer one finds.
#[test]
fn a_limit_too_low_to_tell_is_no_saturation() {
    let short = ["traffic.pattern=uniform", "run.limit_cycles=900"];
    for load in [0.001, 0.1, 0.5] {
        assert_eq!(measured(&short, load), State::Limit, "load {load}");
    }
    assert_eq!(measured(&["traffic.pattern={adversarial=1}", "run.limit_cycles=900"], 1.0), State::Saturated);
    let found = find_saturation(&dragonfly(2, &short), &Sound).unwrap();
    assert!(
        found.load > 0.5 && found.outcomes.len() < 40,
        "{} after {} loads",
        found.load,
        found.outcomes.len()
    );
}

/// The restriction keeps the nodes of the router that owns the direct link from detours until some 160 flits wait for it. With a
/// factor of 1 they take them as soon as others do (`docs/fairness.md`).
#[test]
fn a_restriction_that_counts_the_minimal_output_starves_its_router() {
    let worst = |sets: &[&str]| run(2, 0.4, sets).accepted_min_node;
    assert!(worst(&[]) < 0.3);
    assert!(worst(&["selection.global_restriction={factor=1,packets=2}"]) > 0.35);
}

/// Of few packets chance makes a large share: what a small load is known to is a share of what a node can send.
#[test]
fn a_small_load_converges_soon() {
    for (load, pattern) in [(0.02, "uniform"), (0.05, "uniform"), (0.1, "{adversarial=1}")] {
        let summary = outcome(&dragonfly(2, &[&format!("traffic.pattern={pattern}")]), load).summary;
        assert_eq!(summary.state, State::Converged, "load {load}");
        assert!(summary.measure_cycles < 40_000 && summary.accepted_ci95 <= 0.002, "{summary:?}");
        assert!(summary.latency_ci95 <= 0.02 * summary.latency_mean, "{summary:?}");
    }
}

fn measured(sets: &[&str], load: f64) -> State {
    outcome(&dragonfly(2, sets), load).summary.state
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// With mixed mode the nodes of the router that owns the direct link are worse off: its transit traffic and their own
/// want the same link (INA-OCMC 2013). A state says so, not the mean.
#[test]
fn starved_nodes_are_told() {
    let automatic = ["traffic.pattern={adversarial=1}", "run.limit_cycles=20000"];
    let loads = [0.2, 0.4, 0.5];
    let runs: Vec<_> = loads.par_iter().map(|&load| measure(&dragonfly(3, &automatic), load)).collect();
    for summary in &runs {
        eprintln!(
            "offered {:.4} accepted {:.4} worst node {:.4} fairness {:.4} {}",
            summary.offered,
            summary.accepted,
            summary.accepted_min_node,
            summary.fairness_jain,
            summary.state.word()
        );
    }
    let (calm, full) = (&runs[0], &runs[2]);
    assert!(calm.state.keeps_up() && calm.fairness_jain > 0.99, "{calm:?}");
    assert_eq!(full.state, State::Saturated);
    assert!(
        full.accepted_min_node < 0.8 * full.accepted && full.fairness_jain < calm.fairness_jain,
        "{full:?}"
    );
    let starved: Vec<_> = runs.iter().filter(|summary| summary.state == State::Starved).collect();
    assert!(
        !starved.is_empty(),
        "between {} and {} some nodes starve and the mean does not show it",
        loads[0],
        loads[2]
    );
    for summary in starved {
        assert!(summary.accepted > 0.98 * summary.offered, "{summary:?}");
        // Of 342 nodes one is 5 % below the others by chance alone; packets that wait ten times as long as most are none.
        assert!(summary.accepted_min_node < 0.95 * summary.accepted, "{summary:?}");
        assert!(summary.latency_max > 10 * summary.latency_p50, "{summary:?}");
    }
}

/// An output that a packet holds is busy, not congested: where packets are allocated, too, hardly any packet is misrouted in a network that is
/// nearly empty.
#[test]
fn a_busy_output_is_no_reason_for_a_detour() {
    for load in [0.05, 0.2] {
        let sets = ["router.allocation_unit=packet", "traffic.pattern=uniform"];
        let window = ["run.warmup_cycles=3000", "run.measure_cycles=5000"];
        let summary = measure(&dragonfly(2, &[&sets[..], &window].concat()), load);
        assert!(summary.misrouted_share < 0.02, "load {load}: {}", summary.misrouted_share);
    }
}
