//! What must not change a result: the direction of the VC order, running again, the number of threads.

use desvio_sim::campaign::run_loads;
use desvio_tests::measure::{Sound, dragonfly, outcome};
use std::collections::BTreeSet;

const WINDOW: [&str; 2] = ["run.warmup_cycles=1000", "run.measure_cycles=2000"];

/// Everything measured, and the violation if there is one; text, since NaN equals nothing.
fn run(load: f64, sets: &[&str]) -> String {
    let outcome = outcome(&dragonfly(2, &[&WINDOW, sets].concat()), load);
    assert_eq!(outcome.violation, None);
    assert!(outcome.summary.packets_measured > 100);
    format!("{:?}", outcome.summary)
}

#[test]
fn descending_mirrors_ascending_in_other_settings() {
    for set in [
        "router.flow_control=wormhole",
        "router.flow_control=store-and-forward",
        "router.allocator=wavefront",
        "router.allocator=separable-output-first",
        "router.speedup=1",
        "routing.algorithm=minimal",
        "routing.algorithm=valiant",
        "router.vcs={node=3, local=4, global=3}",
        "routing.misroute_scope=route",
        "traffic.process=burst",
    ] {
        for pattern in ["traffic.pattern=uniform", "traffic.pattern={adversarial=2}"] {
            let ascending = run(0.5, &[set, pattern]);
            assert_eq!(
                ascending,
                run(0.5, &[set, pattern, "routing.vc_order=descending"]),
                "{set} {pattern}"
            );
        }
    }
}

#[test]
fn the_seed_decides() {
    let runs: Vec<String> = (1..=4).map(|seed| run(0.5, &[&format!("run.seed={seed}")])).collect();
    assert_eq!(runs[0], run(0.5, &["run.seed=1"]));
    assert_eq!(runs[0], run(0.5, &[]), "the default is 1");
    let different: BTreeSet<_> = runs.iter().collect();
    assert_eq!(different.len(), 4, "another seed, another run");
}

#[test]
fn threads_change_nothing() {
    let loads = [0.1, 0.3, 0.5, 0.7, 0.9];
    let blueprint = dragonfly(2, &WINDOW);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let outcomes = pool.install(|| run_loads(&blueprint, &loads, &Sound)).expect("runs");
        outcomes.iter().map(|outcome| format!("{:?}", outcome.summary)).collect::<Vec<_>>()
    };
    let one = with(1);
    assert_eq!(one.len(), loads.len());
    assert_eq!(one, with(3));
    let alone: Vec<_> =
        loads.iter().map(|&load| format!("{:?}", outcome(&blueprint, load).summary)).collect();
    assert_eq!(one, alone);
}

/// The slow half of the tests.
mod slow {
    use super::*;

    /// Descending order is the same network with its VCs named backwards (patent, claim 9).
    #[test]
    fn descending_mirrors_ascending() {
        for policy in ["CRG", "RRG+L", "NRG+L", "MM", "MM+L"] {
            for trigger in ["occupancy", "contention", "hybrid", "always"] {
                for rules in ["restricted", "free"] {
                    let sets = [
                        format!("routing.policy={policy}"),
                        format!("selection.trigger={trigger}"),
                        format!("routing.nonminimal={rules}"),
                        "traffic.pattern={adversarial=1}".to_owned(),
                        "run.measure_cycles=1000".to_owned(),
                    ];
                    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
                    let ascending = run(0.6, &sets);
                    let descending = run(0.6, &[&sets, &["routing.vc_order=descending"][..]].concat());
                    assert_eq!(ascending, descending, "{policy} {trigger} {rules}");
                }
            }
        }
    }
}
