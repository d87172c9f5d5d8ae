//! What routers tell each other, beside the state that it is about.

use super::super::Network;
use super::super::tests::{blueprint, with};
use super::*;
use crate::scenario::Scenario;
use std::collections::BTreeSet;
use std::path::Path;

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n\
                         pattern = { adversarial = 1 }\n[routing]\nalgorithm = \"ugal-dragonfly\"\n\
                         knowledge = \"group-each-cycle\"\npiggyback_factor = 1.25\npiggyback_packets = 1\n";

/// The groups to which the router's own link is flagged, by its credits, and those to which the way is contended, as far as it has been told.
fn seen(network: &Network<'_, 8, 4>, router: usize) -> [BTreeSet<u32>; 2] {
    let Switch { router: core, plan, .. } = &network.shards[0].routers[router];
    // Palm tree: link number n of a group leads to the group n + 1 before it.
    let (group, index) = (router as u32 / 4, router as u32 % 4);
    let leads_to = |port: u32| (group + 9 - (2 * index + port - 5) - 1) % 9;
    let flags = |port: u32| core.flags(plan, PortId::new(port as u8)).contains(VcId::new(0));
    [
        (5..7).filter(|&port| flags(port)).map(leads_to).collect(),
        (0..9).filter(|&group| core.told_of(group)).collect(),
    ]
}

/// In each cycle that is not skipped a way is contended for a router in two cases. Its own link was flagged a cycle before, or the link of
/// another router of its group a local link and two cycles before.
#[test]
fn flags_of_others_come_a_link_later() {
    // A router that has sent its only flit is idle, and its link flagged.
    let any = ["routing.piggyback_packets=0", "routing.piggyback_factor=0", "traffic.packet_flits=1"];
    let near = &["links.latency={ node = 1, local = 3, global = 20 }"][..];
    for (load, sets, latency) in [(0.6, &["router.speedup=1"][..], 10), (0.6, near, 3), (0.0003, &any, 10)] {
        with(&blueprint(DRAGONFLY, sets), (load, 1), |network| {
            let (mut past, mut contended, mut changes, mut visited) = (Vec::new(), 0, 0, 0);
            for cycle in 0..1200 {
                // The state at the beginning of a cycle, and what is known in it.
                let flagged: Vec<_> = (0..36).map(|router| seen(network, router)[0].clone()).collect();
                network.run_to(cycle + 1);
                changes += u32::from(past.last() != Some(&flagged));
                past.push(flagged);
                if network.shards[0].visited == visited {
                    continue;
                }
                visited = network.shards[0].visited;
                let then = |before: usize| past.get((cycle as usize).checked_sub(before)?);
                for router in 0..36 {
                    let own = then(1).map_or(BTreeSet::new(), |flagged| flagged[router].clone());
                    let group = router / 4 * 4;
                    let others = (group..group + 4).filter(|&other| other != router);
                    let others = others.filter_map(|other| Some(then(latency + 2)?[other].clone()));
                    let expected = others.fold(own, |all, more| &all | &more);
                    assert_eq!(
                        seen(network, router)[1],
                        expected,
                        "load {load}, router {router}, cycle {cycle}"
                    );
                    contended += expected.len();
                }
            }
            assert!(contended > 500 && changes > 20, "{contended} {changes}");
            assert!((visited < 1200) == (load < 0.1), "{visited}");
            assert_eq!(network.violation(), None);
        });
    }
}

/// A flag is of the link to a group, of which there is one.
#[test]
fn several_links_between_two_groups_are_refused() {
    let scenario = Scenario::parse(DRAGONFLY, "net.toml", Path::new("."), &["topology.groups=5".to_owned()]);
    let refused = Blueprint::new(scenario.unwrap()).err().unwrap().to_string();
    assert!(
        refused.contains("`knowledge = \"group-each-cycle\"` asks about the one link between two groups"),
        "{refused}"
    );
}
