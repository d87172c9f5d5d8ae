//! Buffers whose places VCs share: nothing is lost, nothing waits for ever, and a link carries what its places allow.

use super::super::violation::Violation;
use super::{OLM, blueprint, drain, with};
use router_core::units::PortClass;

/// Small buffers under more than they take, checked every 50 cycles, and then emptied.
fn stress(text: &str, sets: &[&str], shards: usize) {
    with(&blueprint(text, sets), (1.0, shards), |network| {
        for end in (50..=3000).step_by(50) {
            network.run_to(end);
            network.audit();
            assert_eq!(network.violation(), None, "{sets:?}");
        }
        assert!(network.tally().flits > 20_000, "{}: {sets:?}", network.tally().flits);
        drain(network);
    });
}

#[test]
fn nothing_is_lost_and_nothing_waits_for_ever() {
    let links = "links.latency={ node = 1, local = 3, global = 9 }";
    let small = "router.buffer_flits={ node = 16, local = 20, global = 40 }";
    let (reserved, global) = ("router.reserved_flits=8", "router.reserved_flits={ global = 8 }");
    let adversarial = "traffic.pattern={ adversarial = 1 }";
    let valiant = "routing.algorithm=valiant";
    stress(OLM, &[links, small, global, adversarial], 1);
    stress(OLM, &[links, small, global, "selection.trigger=occupancy", "router.speedup=1"], 2);
    stress(OLM, &[links, small, global, adversarial, "router.priority=transit"], 1);
    stress(
        OLM,
        &[links, small, reserved, valiant, "selection.count_at=arrival", "router.allocator=wavefront"],
        1,
    );
    let stored = "router.flow_control=store-and-forward";
    stress(OLM, &[links, small, reserved, valiant, stored, "traffic.reply_flits=4"], 1);
    let worms = ["router.flow_control=wormhole", "routing.algorithm=minimal", "router.reserved_flits=1"];
    stress(OLM, &[&[links, "router.buffer_flits=5", "router.output_flits=2"], &worms[..]].concat(), 1);
    // Flits of other VCs leave between a flit's admission and its leaving.
    for pipeline in ["router.pipeline=5", "router.pipeline=6"] {
        stress(OLM, &[links, small, reserved, valiant, pipeline], 1);
        stress(OLM, &[links, small, global, adversarial, pipeline, "router.speedup=1"], 2);
        stress(OLM, &[&[links, "router.buffer_flits=5", pipeline], &worms[..]].concat(), 1);
    }
}

/// Routers whose VCs share nothing hold more than shared places would.
#[test]
fn more_flits_than_shared_places_are_found() {
    let small = "router.buffer_flits={ local = 10, global = 10 }";
    let valiant = "routing.algorithm=valiant";
    with(&blueprint(OLM, &[small, valiant, "traffic.pattern={ adversarial = 1 }"]), (1.0, 1), |network| {
        let found = (10..3000).step_by(10).find_map(|cycle| {
            network.run_to(cycle);
            let mut plans = Vec::new();
            for switch in network.shards.iter_mut().flat_map(|shard| &mut shard.routers) {
                plans.push(switch.plan.clone());
                let mut plan = switch.plan.as_ref().clone();
                plan.links = plan.links.with_reserved(PortClass::LOCAL, 1);
                switch.plan = plan.into();
            }
            let found = network.audit_shared_places();
            let switches = network.shards.iter_mut().flat_map(|shard| &mut shard.routers);
            switches.zip(plans).for_each(|(switch, plan)| switch.plan = plan);
            found
        });
        assert!(matches!(found, Some(Violation::SharedPlaces { found: 10.., places: 9, .. })), "{found:?}");
    });
}

#[test]
fn a_buffer_that_is_all_reserved_is_that_of_each_vc() {
    let run = |sets: &[&str]| {
        let full = [
            "traffic.pattern={ adversarial = 1 }",
            "router.buffer_flits={ node = 16, local = 20, global = 40 }",
        ];
        with(&blueprint(OLM, &[&full, sets].concat()), (0.4, 1), |network| {
            network.run_to(2000);
            (network.tally().flits, network.injected())
        })
    };
    let alone = run(&[]);
    assert_eq!(run(&["router.reserved_flits={ local = 20, global = 40 }"]), alone);
    assert_ne!(run(&["router.reserved_flits={ global = 8 }"]), alone);
}

/// Two groups of one router each. A node sends all that it can over the long link between them, in one VC: as many flits as the VC has
/// places are on their way, and back as credits, at a time.
#[test]
fn a_vc_carries_as_much_as_it_has_places() {
    const CYCLES: u64 = 20_000;
    let text = "[topology]\nkind = \"dragonfly\"\np = 1\na = 2\nh = 1\n[routing]\nalgorithm = \"minimal\"\n\
        [traffic]\nloads = [1]\npacket_flits = 1\npattern = { adversarial = 1 }\n[links]\nlatency = { global = 200 }\n";
    let carried = |sets: &[&str]| {
        with(&blueprint(text, sets), (1.0, 1), |network| {
            network.run_to(5_000);
            let before = network.tally().flits;
            network.run_to(5_000 + CYCLES);
            (network.tally().flits - before) as f64
        })
    };
    let alone = carried(&["router.buffer_flits={ global = 40 }"]);
    assert!(alone > 1_000.0, "{alone}");
    for (places, sets) in [
        (72.0, ["router.buffer_flits={ global = 72 }", "router.reserved_flits={ global = 8 }"]),
        (72.0, ["router.buffer_flits={ global = 72 }", "router.reserved_flits={ global = 72 }"]),
        (41.0, ["router.buffer_flits={ global = 41 }", "router.reserved_flits={ global = 40 }"]),
    ] {
        let (found, expected) = (carried(&sets), alone * places / 40.0);
        assert!((found / expected - 1.0).abs() < 0.01, "{sets:?}: {found} instead of {expected}");
    }
    // Others may take one and two places before a packet of one flit leaves: as many leave as with so many places fewer of the VC's own.
    for (pipeline, places) in [("router.pipeline=5", 71), ("router.pipeline=6", 70)] {
        let own = carried(&[pipeline, &format!("router.buffer_flits={{ global = {places} }}")]);
        let shared =
            ["router.buffer_flits={ global = 72 }", "router.reserved_flits={ global = 8 }", pipeline];
        assert_eq!(carried(&shared), own, "{pipeline}");
        // Before the first of eight flits, too; but those behind it need no more than there are.
        let eight = "traffic.packet_flits=8";
        let own = carried(&[pipeline, eight, "router.buffer_flits={ global = 72 }"]);
        let found = carried(&[&shared[..], &[eight]].concat());
        assert!((found / own - 1.0).abs() < 0.01, "{pipeline}: {found} instead of {own}");
    }
}
