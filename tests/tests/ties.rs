//! Ties half-way round a ring of a torus: what routes one way, both ways and by turns leave of its throughput.

use desvio_prove::prove;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::run;
use desvio_sim::scenario::Scenario;
use std::path::Path;

fn torus(side: u32, ties: &str, pattern: &str) -> Blueprint {
    let text = format!(
        "[topology]\nkind = \"torus\"\ndims = [{side}, {side}]\n[router]\nvcs = 8\nbuffer_flits = 32\noutput_flits = 16\n\
         [routing]\nalgorithm = \"dimension-order\"\nties = \"{ties}\"\n[traffic]\npattern = \"{pattern}\"\npacket_flits = 16\n\
         process = \"exponential\"\nloads = [1.0]\n[run]\nwarmup_cycles = 4000\nmeasure_cycles = 4000\n"
    );
    Blueprint::new(Scenario::parse(&text, "ties.toml", Path::new("."), &[]).expect("a scenario"))
        .expect("a network")
}

fn accepted(side: u32, ties: &str, pattern: &str) -> f64 {
    let outcome = run(&torus(side, ties, pattern), 1.0, &|_| {}).expect("a run");
    assert_eq!(outcome.violation, None);
    outcome.summary.accepted
}

/// Butterfly sends half-way round every ring. With ties one way half of the links of these rings do nothing.
#[test]
fn ties_one_way_halve_butterfly() {
    let [parity, up, random] = ["parity", "up", "random"].map(|ties| accepted(4, ties, "butterfly"));
    assert!(
        parity > 0.95 && (up - 0.5).abs() < 0.01 && random > up && random < parity,
        "{parity} {up} {random}"
    );
    let [parity, up] = ["parity", "up"].map(|ties| accepted(8, ties, "butterfly"));
    assert!((parity - 0.5).abs() < 0.02 && (up - 0.25).abs() < 0.01, "{parity} {up}");
    let [parity, up] = ["parity", "up"].map(|ties| accepted(4, ties, "shuffle"));
    assert!(parity > 0.95 && (0.8..0.87).contains(&up), "{parity} {up}");
}

#[test]
fn no_way_of_breaking_ties_closes_a_cycle() {
    for ties in ["parity", "up", "random"] {
        let blueprint = torus(4, ties, "uniform");
        let proof = prove(&blueprint, blueprint.routing().expect("a routing"), &|| {}).expect("an answer");
        assert!(proof.holds(), "{ties}: {proof}");
    }
}
