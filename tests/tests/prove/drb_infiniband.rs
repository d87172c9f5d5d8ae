//! Paths by LIDs: every path that a source may choose is proven, on any graph and on as few lanes as there are.

use super::{blueprint, of};
use desvio_prove::Verdict;
use desvio_sim::topology::Peer;
use router_core::route::Routing;
use std::collections::HashSet;

fn text(network: &str, vcs: u32) -> String {
    format!(
        "[topology]\n{network}\n[router]\nvcs = {vcs}\nflow_control = \"wormhole\"\n\
         [routing]\nalgorithm = \"drb-infiniband\"\n[traffic]\nloads = [0.1]\n"
    )
}

/// No lane has a cycle, whatever the lanes; no path is longer than it may be, and two of a pair have no link in common. The mean number of
/// paths is what the degree of the network and the lanes allow.
#[test]
fn lids_lead_by_short_and_disjoint_paths_without_a_cycle() {
    for (network, vcs, least) in [
        ("kind = \"mesh\"\ndims = [4, 4]", 2, 1.4),
        ("kind = \"torus\"\ndims = [4, 4]", 8, 2.0),
        ("kind = \"torus\"\ndims = [5, 3]", 8, 2.0),
        ("kind = \"random-regular\"\nrouters = 20\ndegree = 3", 4, 1.2),
        ("kind = \"fat-tree\"\nradix = 4\nlevels = 2", 2, 1.5),
        ("kind = \"complete\"\nrouters = 6", 2, 2.0),
    ] {
        let text = text(network, vcs);
        let proof = of(&text);
        assert!(proof.holds() && matches!(proof.verdict, Verdict::Acyclic(_)), "{network}: {proof}");
        assert!(proof.faults.is_empty(), "{network}: {proof}");
        let mean = paths(&text);
        assert!(mean >= least && mean <= 4.0, "{network}: {mean} paths");
    }
}

/// The mean number of paths of a pair of routers with nodes; looks at each path of each pair.
fn paths(text: &str) -> f64 {
    let blueprint = blueprint(text);
    let wiring = blueprint.wiring();
    let Ok(Routing::DrbInfiniBand(routing)) = blueprint.routing() else { panic!("not by LIDs") };
    let ends: Vec<usize> =
        (0..wiring.routers()).filter(|&router| wiring.nodes_of(router).next().is_some()).collect();
    let (mut pairs, mut all) = (0, 0);
    for &there in &ends {
        let hops = wiring.distances_from(there);
        for &here in ends.iter().filter(|&&here| here != there) {
            let mut seen = HashSet::new();
            for lid in routing.paths(here as u32, there as u32) {
                let (mut at, mut length) = (here, 0);
                while at != there {
                    let port = routing.port(at as u32, there as u32, lid).expect("a way on").index();
                    assert!(seen.insert((at, port)), "a link of two paths from {here} to {there}");
                    let Some(Peer::Router { router, .. }) = wiring.peer(at, port) else { panic!("no link") };
                    (at, length) = (router as usize, length + 1);
                }
                assert!(
                    length <= hops[here] + if lid == 0 { 0 } else { 4 },
                    "{here} {there} {lid}: {length}"
                );
                all += 1;
            }
            assert!(routing.paths(here as u32, there as u32).next() == Some(0));
            pairs += 1;
        }
    }
    f64::from(all) / f64::from(pairs)
}

/// One LID is static routing by the shortest path.
#[test]
fn one_lid_is_one_path() {
    let mesh =
        text("kind = \"mesh\"\ndims = [4, 3]", 1).replace("drb-infiniband\"", "drb-infiniband\"\nlmc = 0");
    assert!((paths(&mesh) - 1.0).abs() < 1e-9);
    let proof = of(&mesh);
    assert!(proof.holds(), "{proof}");
    let order = of(&mesh.replace("drb-infiniband\"\nlmc = 0", "dimension-order\""));
    assert_eq!(proof.reach.longest_route, order.reach.longest_route);
}
