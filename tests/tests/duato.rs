//! Duato's fully adaptive routing on a mesh: beside dimension order, and under stress.

use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::{Outcome, run};
use desvio_sim::scenario::Scenario;
use std::path::Path;

fn outcome(routing: &str, sets: &[&str], load: f64) -> Outcome {
    let text = format!(
        "[topology]\nkind = \"mesh\"\ndims = [8, 8]\n[routing]\nalgorithm = \"{routing}\"\n[traffic]\nloads = [{load:?}]\n\
         [run]\nwarmup_cycles = 2000\nmeasure_cycles = 4000\n"
    );
    let sets: Vec<_> = sets.iter().map(|&set| set.to_owned()).collect();
    let scenario =
        Scenario::parse(&text, "net.toml", Path::new("."), &sets).unwrap_or_else(|e| panic!("{e}"));
    let blueprint = Blueprint::new(scenario).unwrap_or_else(|error| panic!("{error}"));
    run(&blueprint, load, &|_| ()).unwrap_or_else(|error| panic!("{error}"))
}

/// Under transpose, dimension order leaves half of the links at the diagonal idle.
#[test]
fn transpose_gains_from_every_shortest_way() {
    let accepted = |routing| outcome(routing, &["traffic.pattern=transpose"], 1.0).summary.accepted;
    let (duato, order) = (accepted("duato"), accepted("dimension-order"));
    println!(
        "8×8 mesh, transpose, offered 1: duato {duato:.4}, dimension order {order:.4}: {:.2}",
        duato / order
    );
    assert!(duato >= 1.4 * order, "{duato} against {order}");
    // Each of 56 of 64 nodes sends; a bound of every minimal routing: all packets of half of them cross the diagonal.
    assert!(duato < 1.0);
}

#[test]
fn wormhole_is_refused() {
    let text = "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[router]\nflow_control = \"wormhole\"\n\
                [routing]\nalgorithm = \"duato\"\n[traffic]\nloads = [0.1]\n";
    let error = Scenario::parse(text, "net.toml", Path::new("."), &[]).unwrap_err().to_string();
    assert!(error.starts_with("net.toml:5:16: ") && error.contains("not with \"wormhole\""), "{error}");
}

/// The slow half of the tests.
mod slow {
    use super::*;

    /// As few VCs and places as there can be, more traffic than fits: packets keep coming, everything adds up.
    #[test]
    fn no_deadlock_under_stress() {
        for pattern in ["transpose", "uniform", "tornado", "bit-complement"] {
            for (vcs, speedup) in [(2, 1), (2, 2), (3, 2)] {
                let sets = [
                    format!("traffic.pattern={pattern}"),
                    format!("router.vcs={vcs}"),
                    "router.buffer_flits=8".to_owned(),
                    format!("router.speedup={speedup}"),
                    format!("router.output_flits={speedup}"),
                ];
                let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
                let outcome = outcome("duato", &sets, 1.0);
                assert_eq!(outcome.violation, None, "{sets:?}");
                assert!(
                    outcome.summary.accepted > 0.05 && outcome.summary.packets_lost == 0,
                    "{sets:?}: {:?}",
                    outcome.summary
                );
            }
        }
    }
}
