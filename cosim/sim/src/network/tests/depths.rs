//! Buffers of a depth for each VC: claim 8 of the patent, whose wormhole needs one buffer that holds a packet.

use super::super::{Network, Switch};
use super::{OLM, blueprint, drain, with};
use crate::blueprint::Blueprint;
use crate::run::run;
use router_core::event::ProtocolError;
use router_core::units::{Channel, PortClass, VcId};

const WORMS: [&str; 3] = ["router.flow_control=wormhole", "traffic.packet_flits=8", "links.latency=1"];

fn worms(depths: &str, sets: &[&str]) -> Blueprint {
    let depths = format!("router.buffer_flits={depths}");
    blueprint(OLM, &[&WORMS[..], &[depths.as_str()], sets].concat())
}

/// Under more than they take, checked every 50 cycles, and then emptied. No VC ever holds more than its own depth, and the shallow ones are
/// full at some time.
#[test]
fn nothing_is_lost_and_no_buffer_holds_more_than_it_has() {
    let pipelines = ["router.pipeline=4", "router.pipeline=5", "router.pipeline=6"];
    for (sets, shards) in [(&pipelines[..1], 2), (&pipelines[1..2], 1), (&pipelines[2..], 1)] {
        let sets = [sets, &["traffic.pattern={ adversarial = 1 }"]].concat();
        let blueprint = worms("{ node = 8, local = [8, 5, 3], global = [9, 8] }", &sets);
        with(&blueprint, (1.0, shards), |network| {
            let mut fullest = [[0; 3]; 3];
            for end in (50..=3000).step_by(50) {
                network.run_to(end);
                network.audit();
                assert_eq!(network.violation(), None, "{sets:?}");
                for switch in network.shards.iter().flat_map(|shard| &shard.routers) {
                    for at in switch.plan.links.channels() {
                        let flits = switch.router.input(at.port, at.vc).map_or(0, |input| input.flits());
                        let most = &mut fullest[switch.plan.links.class(at.port).index()][at.vc.index()];
                        *most = flits.max(*most);
                    }
                }
            }
            assert_eq!((fullest[1], &fullest[2][..2]), ([8, 5, 3], &[9, 8][..]), "{sets:?}");
            drain(network);
        });
    }
}

/// A plan knows each depth by itself; the class has the deepest.
#[test]
fn the_plan_has_a_depth_for_each_vc() {
    let plan = worms("{ node = 8, local = [8, 4, 5], global = 16 }", &[]).plan::<8>(0).unwrap();
    let of = |class: PortClass| {
        let port = plan.links.each().find(|&port| plan.links.class(port) == class).unwrap();
        let depths = (0..plan.links.vcs(port).len() as u8)
            .map(|vc| plan.links.depth(Channel::new(port, VcId::new(vc))));
        (plan.links.buffer(port), depths.collect::<Vec<_>>())
    };
    assert_eq!(of(PortClass::NODE), (8, vec![8; 3]));
    assert_eq!(of(PortClass::LOCAL), (8, vec![8, 4, 5]));
    assert_eq!(of(PortClass::GLOBAL), (16, vec![16; 2]));
    let all = |port| plan.links.depth_of_all(port, plan.links.vcs(port));
    assert_eq!(plan.links.each().map(all).sum::<u32>(), 2 * 24 + 3 * 17 + 2 * 32);
}

/// A credit too many is refused by the depth of its VC, not by the deepest one.
#[test]
fn each_vc_has_as_many_credits_as_places() {
    with(
        &worms("{ node = 8, local = [8, 4, 5], global = 16 }", &[]),
        (0.1, 1),
        |network: &mut Network<'_, 8, 4>| {
            let Switch { router, plan, .. } = &mut network.shards[0].routers[0];
            for at in plan.links.channels() {
                assert_eq!(router.occupancy(plan, at), 0);
                assert_eq!(router.handle_credit(plan, at), Err(ProtocolError::CreditOverflow), "{at:?}");
            }
        },
    );
}

/// Load .5 for the node of the next router of the group, two nodes behind each link: only detours inside the group carry more than .36. A
/// detour goes by VC 0, so that is the one buffer that has to hold a packet.
#[test]
fn detours_need_one_buffer_that_holds_a_packet() {
    let cycles =
        ["run.warmup_cycles=1000", "run.measure_cycles=3000", "traffic.pattern={ adversarial-local = 1 }"];
    let of = |depths: &str| {
        let summary = run(&worms(depths, &cycles), 0.5, &|_| ()).unwrap().summary;
        (summary.accepted, summary.local_misroutes_mean)
    };
    let (all, detours) = of("8");
    let (first, detours_by_first) = of("{ node = 8, local = [8, 4, 4], global = 8 }");
    assert!(all > 0.49 && detours > 0.1, "{all} {detours}");
    assert!(first > 0.49 && detours_by_first > 0.1, "{first} {detours_by_first}");
    for other in ["[4, 8, 4]", "[4, 4, 8]"] {
        let (accepted, detours) = of(&format!("{{ node = 8, local = {other}, global = 8 }}"));
        assert!(accepted < 0.37 && detours == 0.0, "{other}: {accepted} {detours}");
    }
}

/// A list of equal depths is the number.
#[test]
fn equal_depths_change_nothing() {
    let cycles = ["run.warmup_cycles=300", "run.measure_cycles=600"];
    let of = |depths: &str| format!("{:?}", run(&worms(depths, &cycles), 0.4, &|_| ()).unwrap());
    assert_eq!(
        of("{ node = 8, local = [16, 16, 16], global = 8 }"),
        of("{ node = 8, local = 16, global = 8 }")
    );
}
