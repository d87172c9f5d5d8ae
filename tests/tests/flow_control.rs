//! Virtual cut-through, wormhole and store-and-forward: latencies in the right order, and no deadlock whatever is set.

use desvio_tests::draw::long;
use desvio_tests::measure::{blueprint, dragonfly, measure};
use desvio_tests::rtl::is_long;
use rayon::prelude::*;

const FLOWS: [&str; 3] = ["vct", "wormhole", "store-and-forward"];
const WINDOW: [&str; 2] = ["run.warmup_cycles=1500", "run.measure_cycles=3000"];

/// Wormhole: a packet may be longer than any buffer, as long as nothing is misrouted in one piece.
#[test]
fn worms_longer_than_buffers() {
    let small = "router.buffer_flits={node=5, local=6, global=9}";
    for (algorithm, length) in [("minimal", 40), ("valiant", 40), ("minimal", 7)] {
        for speedup in [1, 2] {
            let sets = [
                "router.flow_control=wormhole".to_owned(),
                format!("routing.algorithm={algorithm}"),
                format!("traffic.packet_flits={length}"),
                format!("router.speedup={speedup}"),
                "links.latency={node=1, local=2, global=5}".to_owned(),
            ];
            let sets: Vec<&str> = sets.iter().map(String::as_str).chain([small]).chain(WINDOW).collect();
            for (pattern, load) in [("uniform", 0.05), ("uniform", 1.0), ("{adversarial=1}", 1.0)] {
                let pattern = format!("traffic.pattern={pattern}");
                let summary = measure(&dragonfly(2, &[&sets[..], &[&pattern]].concat()), load);
                assert!(summary.accepted > 0.03, "{sets:?} {pattern}: {}", summary.accepted);
            }
        }
    }
    for kind in ["mesh", "torus"] {
        let text = format!(
            "topology = {{ kind = \"{kind}\", dims = [5, 4] }}
            router = {{ flow_control = \"wormhole\", buffer_flits = 3, vcs = 2 }}
            traffic = {{ packet_flits = 24, loads = [1] }}"
        );
        for load in [0.1, 1.0] {
            let summary = measure(&blueprint(&text, &WINDOW), load);
            assert!(summary.accepted > 0.05, "{kind}: {}", summary.accepted);
        }
    }
}

const POLICIES: [&str; 8] = ["CRG", "RRG", "NRG", "MM", "CRG+L", "RRG+L", "NRG+L", "MM+L"];
const TRIGGERS: [&str; 5] = ["occupancy", "contention", "contention-average", "hybrid", "always"];
const ALLOCATORS: [&str; 4] =
    ["separable-input-first", "separable-output-first", "wavefront", "separable-one-arbiter"];

/// Room for one packet in every buffer, everybody sends all the time, misroutes are always welcome: where there is a
/// cycle of VCs that may wait for each other, they soon do. The run ends with a violation then.
fn stress(topology: &str, cycles: u32, settings: &[String]) {
    let text = format!(
        "topology = {{ kind = \"dragonfly\", {topology} }}
        router = {{ buffer_flits = 4, output_flits = 4, speedup = 1 }}
        links = {{ latency = {{ node = 1, local = 1, global = 2 }} }}
        selection = {{ relative_threshold = 4.0, global_restriction = false, contention_threshold = 1 }}
        traffic = {{ packet_flits = 4, loads = [1] }}
        run = {{ warmup_cycles = 0, measure_cycles = {cycles} }}"
    );
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let summary = measure(&blueprint(&text, &settings), 1.0);
    assert!(summary.accepted > 0.02, "{settings:?}: hardly anything moves: {summary:?}");
}

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn latencies_are_in_order() {
        for algorithm in ["minimal", "valiant", "olm"] {
            let algorithm = format!("routing.algorithm={algorithm}");
            let latency = |flow: &str, load| {
                let flow = format!("router.flow_control={flow}");
                measure(&dragonfly(2, &[&WINDOW[..], &[&algorithm, &flow]].concat()), load)
            };
            let [vct, wormhole, store] = FLOWS.map(|flow| latency(flow, 0.2));
            eprintln!(
                "{algorithm} at 0.2: {:.1} {:.1} {:.1}",
                vct.latency_mean, wormhole.latency_mean, store.latency_mean
            );
            // Up to seven flits more at each router.
            let held = 6.0 * (vct.hops_mean + 1.0);
            assert!(
                store.latency_mean > vct.latency_mean + held,
                "store-and-forward holds packets: {store:?}"
            );
            assert!(
                (wormhole.latency_mean / vct.latency_mean - 1.0).abs() < 0.05,
                "buffers hardly fill: {wormhole:?}"
            );
            for flow in FLOWS {
                let full = latency(flow, 1.0);
                assert!(full.accepted > 0.4, "{algorithm} {flow}: {}", full.accepted);
            }
        }
    }

    /// Every policy, rule set and trigger; allocators, flow controls, limits and patterns take turns.
    #[test]
    fn no_deadlock_with_tiny_buffers() {
        let patterns = ["uniform", "{adversarial=1}", "{adversarial=2}", "{adversarial-local=1}"];
        let mut cases = Vec::new();
        for rules in ["restricted", "free"] {
            for policy in POLICIES {
                for trigger in TRIGGERS {
                    let n = cases.len();
                    cases.push(vec![
                        format!("routing.nonminimal={rules}"),
                        format!("routing.policy={policy}"),
                        format!("selection.trigger={trigger}"),
                        format!("router.allocator={}", ALLOCATORS[(n + n / 5 + n / 40) % 3]),
                        format!("router.flow_control={}", FLOWS[n / 3 % 3]),
                        format!("traffic.pattern={}", patterns[(n + n / 4) % 4]),
                        format!("routing.local_misroutes={}", 1 + n / 5 % 3),
                        format!("run.seed={}", n + 1),
                    ]);
                }
            }
        }
        assert_eq!(cases.len(), 80);
        cases.push(vec!["selection.trigger=never".to_owned()]);
        // With VCs that never rise along a route, 61 of them are deadlocked in cycle 3,528 or before, and the others never.
        let cycles = if is_long() { 15_000 } else { 5_000 };
        cases.par_iter().for_each(|case| stress("p = 2, a = 4, h = 1", cycles, case));
    }

    /// The published size, and the settings that misroute most, with every allocator.
    #[test]
    fn no_deadlock_in_the_published_network() {
        let mut cases = Vec::new();
        for rules in ["restricted", "free"] {
            for allocator in ALLOCATORS {
                for (trigger, policy) in [("always", "RRG+L"), ("contention", "MM+L")] {
                    cases.push(vec![
                        format!("routing.nonminimal={rules}"),
                        format!("routing.policy={policy}"),
                        format!("router.allocator={allocator}"),
                        format!("selection.trigger={trigger}"),
                        "traffic.pattern={adversarial=1}".to_owned(),
                    ]);
                }
            }
        }
        cases.par_iter().for_each(|case| stress("p = 2, a = 4, h = 2", 10_000, case));
    }

    #[test]
    fn no_deadlock_in_a_long_time() {
        if !long("every combination of settings, 50,000 cycles each, h=2") {
            return;
        }
        let mut cases = Vec::new();
        for rules in ["restricted", "free"] {
            for policy in POLICIES {
                for trigger in TRIGGERS {
                    for allocator in ALLOCATORS {
                        for pattern in ["uniform", "{adversarial=1}"] {
                            cases.push(vec![
                                format!("routing.nonminimal={rules}"),
                                format!("routing.policy={policy}"),
                                format!("selection.trigger={trigger}"),
                                format!("router.allocator={allocator}"),
                                format!("traffic.pattern={pattern}"),
                            ]);
                        }
                    }
                }
            }
        }
        cases.par_iter().for_each(|case| stress("p = 2, a = 4, h = 2", 50_000, case));
    }
}
