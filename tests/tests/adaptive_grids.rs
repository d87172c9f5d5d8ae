//! Adaptive routings of grids under stress: as few VCs and places as there can be, more traffic than fits, every invariant watched.

use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::run;
use desvio_sim::scenario::Scenario;
use rayon::prelude::*;
use std::path::Path;

/// The first error of a scenario, or of its network.
fn refusal(topology: &str, router: &str, routing: &str) -> String {
    let text = format!(
        "topology = {{ {topology} }}\nrouter = {{ {router} }}\nrouting = {{ algorithm = {routing} }}\ntraffic = {{ loads = [1] }}\n"
    );
    match Scenario::parse(&text, "net.toml", Path::new("."), &[]).map(Blueprint::new) {
        Ok(Ok(_)) => panic!("accepted: {text}"),
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    }
}

/// Packets keep coming, and everything adds up. Where VCs are atomic, packets of a wormhole are longer than four buffers.
#[test]
fn no_deadlock_under_stress() {
    const MESH: &str = "kind = \"mesh\", dims = [4, 4]";
    const TORUS: &str = "kind = \"torus\", dims = [6, 4]";
    const VCT: &str = "buffer_flits = 8";
    const WORMHOLE: &str = "buffer_flits = 2, flow_control = \"wormhole\"";
    const ATOMIC: &str = "buffer_flits = 2, flow_control = \"wormhole\", vc_allocation = \"atomic\"";
    let cases = [
        (TORUS, 3, VCT, "\"duato\""),
        (TORUS, 3, ATOMIC, "\"duato\""),
        (MESH, 2, ATOMIC, "\"duato\""),
        ("kind = \"mesh\", dims = [2, 2, 2, 2]", 2, ATOMIC, "\"duato\""),
        (TORUS, 2, VCT, "\"dateline-adaptive\""),
        (TORUS, 2, ATOMIC, "\"dateline-adaptive\""),
        (TORUS, 2, WORMHOLE, "\"dateline-adaptive\", datelines = \"strict\""),
        (MESH, 3, WORMHOLE, "\"planar-adaptive\""),
        ("kind = \"mesh\", dims = [3, 3, 3]", 3, WORMHOLE, "\"planar-adaptive\""),
        (TORUS, 6, WORMHOLE, "\"planar-adaptive\""),
        (MESH, 4, WORMHOLE, "\"negative-hop\""),
        (TORUS, 3, VCT, "\"negative-hop\""),
    ];
    let check = |&(topology, vcs, router, routing): &(&str, u32, &str, &str)| {
        for pattern in ["\"uniform\"", "{ cartesian = [\"complement\", \"permutation\"] }"] {
            if topology.matches(',').count() > 2 && pattern.starts_with('{') {
                continue;
            }
            let text = format!(
                "topology = {{ {topology} }}\nrouter = {{ vcs = {vcs}, output_flits = 2, {router} }}
                routing = {{ algorithm = {routing} }}\ntraffic = {{ pattern = {pattern}, loads = [1] }}
                run = {{ warmup_cycles = 500, measure_cycles = 2500 }}\n"
            );
            let scenario = Scenario::parse(&text, "net.toml", Path::new("."), &[]);
            let blueprint = Blueprint::new(scenario.unwrap_or_else(|error| panic!("{error}")));
            let outcome = run(&blueprint.unwrap_or_else(|error| panic!("{error}")), 1.0, &|_| ());
            let outcome = outcome.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(outcome.violation, None, "{text}");
            let summary = outcome.summary;
            assert!(summary.accepted > 0.03 && summary.packets_lost == 0, "{text}: {summary:?}");
        }
    };
    cases.par_iter().for_each(check);
}

#[test]
fn what_a_routing_needs_is_said() {
    let torus = "kind = \"torus\", dims = [4, 4]";
    let mesh = "kind = \"mesh\", dims = [4, 4]";
    let error = refusal(torus, "vcs = 2", "\"duato\"");
    assert!(error.contains("duato routing on a torus needs at least 3 local VCs, not 2"), "{error}");
    let error = refusal(mesh, "vcs = 2", "\"planar-adaptive\"");
    assert!(error.contains("planar-adaptive routing needs at least 3 local VCs, not 2"), "{error}");
    let error = refusal(torus, "vcs = 3", "\"planar-adaptive\"");
    assert!(
        error.contains("planar-adaptive routing on a torus needs at least 6 local VCs, not 3"),
        "{error}"
    );
    let error = refusal(mesh, "vcs = 3", "\"negative-hop\"");
    assert!(
        error
            .contains("negative-hop routing needs 4 VCs where the longest route has 6 hops, but 3 are given"),
        "{error}"
    );
    let error = refusal("kind = \"torus\", dims = [4, 5]", "vcs = 4", "\"negative-hop\"");
    assert!(
        error.ends_with("is for tori with even numbers of routers along each side; this one has 5 along one"),
        "{error}"
    );
    let error = refusal(torus, "vcs = 2, flow_control = \"wormhole\"", "\"dateline-adaptive\"");
    assert!(error.contains("or `router.vc_allocation` \"atomic\""), "{error}");
}
