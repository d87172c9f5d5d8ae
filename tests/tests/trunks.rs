//! Dragonflies with several links between two groups: fewer groups than a · h + 1.

use desvio_prove::prove;
use desvio_sim::topology::{Peer, PortClass};
use desvio_tests::measure::{blueprint, measure};

/// A trunk has a · h / (groups − 1) links. Minimal routing of traffic to the next group carries one flit per cycle on each of them for the
/// a · p nodes of a group.
#[test]
fn a_trunk_carries_as_much_as_it_has_links() {
    // The last of them has two links of a trunk at each router, between which packets choose before they wait.
    for (p, a, h, groups, links, short) in
        [(2_u32, 4, 2, 5, 2, 0.02), (2, 4, 2, 3, 4, 0.02), (4, 2, 4, 3, 4, 0.06)]
    {
        for arrangement in ["palmtree", "consecutive", "absolute"] {
            let text = format!(
                "topology = {{ kind = \"dragonfly\", p = {p}, a = {a}, h = {h}, groups = {groups}, arrangement = \"{arrangement}\" }}\n\
                 routing = {{ algorithm = \"minimal\" }}\ntraffic = {{ pattern = {{ adversarial = 1 }}, loads = [1.0] }}\n\
                 run = {{ warmup_cycles = 1500, measure_cycles = 2500 }}"
            );
            let network = blueprint(&text, &[]);
            assert_eq!(between(&network, a), vec![links; groups - 1], "{arrangement}");
            let accepted = measure(&network, 1.0).accepted;
            let bound = links as f64 / f64::from(a as u32 * p);
            assert!(
                (1.0 - short..1.02).contains(&(accepted / bound)),
                "{arrangement}, {groups} groups: {accepted}, not {bound}"
            );
            for sets in [&[][..], &["routing.algorithm=olm"]] {
                let network = blueprint(&text, sets);
                let routing = network.routing().expect("a routing");
                let proof = prove(&network, routing, &|| {}).expect("an answer");
                assert!(proof.holds(), "{arrangement}, {groups} groups, {sets:?}\n{proof}");
            }
        }
    }
}

/// How many links group 0, of `size` routers, has to each other one.
fn between(network: &desvio_sim::blueprint::Blueprint, size: usize) -> Vec<usize> {
    let wiring = network.wiring();
    let mut counts = std::collections::BTreeMap::new();
    for router in 0..size {
        for port in (0..wiring.ports()).filter(|&port| wiring.class(router, port) == PortClass::GLOBAL) {
            if let Some(Peer::Router { router, .. }) = wiring.peer(router, port) {
                *counts.entry(router as usize / size).or_insert(0) += 1;
            }
        }
    }
    counts.into_values().collect()
}
