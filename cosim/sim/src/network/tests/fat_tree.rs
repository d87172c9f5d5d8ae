//! A fat tree: routers of several classes in one network, some of them without nodes.

use super::super::{Network, Partition};
use crate::blueprint::Blueprint;
use crate::scenario::Scenario;
use crate::traffic::Traffic;
use router_core::map::RouterClass;
use std::path::Path;

const TREE: &str = "[topology]\nkind = \"fat-tree\"\nradix = 8\n[traffic]\nloads = [1]\n";

fn blueprint(sets: &[&str]) -> Blueprint {
    let sets: Vec<_> = sets.iter().map(ToString::to_string).collect();
    Blueprint::new(Scenario::parse(TREE, "net.toml", Path::new("."), &sets).unwrap()).unwrap()
}

/// At full load, with as few and as small buffers as there can be, everything adds up all the time, and flits keep
/// coming: one VC excludes deadlock.
#[test]
fn no_deadlock_with_one_vc() {
    let tight: [&[&str]; 4] = [
        &["router.vcs=1", "router.buffer_flits=8"],
        &["router.vcs=1", "router.buffer_flits=1", "router.flow_control=wormhole", "router.speedup=1"],
        &["router.vcs={ node = 1, level1 = 2, level2 = 1 }", "topology.radix=4", "topology.levels=3"],
        &["router.vcs=1", "router.buffer_flits=9", "routing.vc_order=descending", "topology.radix=6"],
    ];
    let hot = "traffic.pattern={ hot-spot = { nodes = [0, 3], share = 0.5 } }";
    let patterns = ["traffic.pattern=uniform", "traffic.pattern=switch-permutation", hot];
    for (tight, pattern) in tight.iter().flat_map(|tight| patterns.map(|pattern| (tight, pattern))) {
        let blueprint = blueprint(&[tight, &[pattern][..]].concat());
        let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), 1.0, 1).unwrap();
        let partition = Partition::with(&blueprint, 1);
        let mut network = Network::<8, 4>::new(&blueprint, &traffic, &partition, &|| false).unwrap();
        let mut delivered = 0;
        for end in (200..=3000).step_by(200) {
            network.run_to(end);
            network.audit();
            assert_eq!(network.violation(), None, "{tight:?} {pattern}");
            let flits = network.tally().flits;
            assert!(flits > delivered, "{tight:?} {pattern}: nothing came in 200 cycles");
            delivered = flits;
        }
    }
}

/// Leaves have 4 ports to nodes with buffers of 1,000 flits; spines have none, and so no such buffers.
#[test]
fn spines_have_no_buffers_for_nodes() {
    let sets = ["router.buffer_flits={ node = 1000, level1 = 32 }", "router.vcs={ node = 3, level1 = 2 }"];
    let blueprint = blueprint(&sets);
    let [leaf, spine] = &blueprint.plans::<8>().unwrap()[..] else { panic!("two classes of routers") };
    assert_eq!((leaf.links.places(), spine.links.places()), (4 * 3 * 126 + 4 * 2 * 5, 8 * 2 * 5));
    let classes: Vec<u8> = (0..12).map(|router| blueprint.wiring().router_class(router).0).collect();
    assert_eq!(classes, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    assert!(blueprint.wiring().port_classes(RouterClass(1)).iter().all(|class| class.number() == 1));
}
