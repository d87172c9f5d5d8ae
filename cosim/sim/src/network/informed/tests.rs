//! What sources know, beside the state that it is about.

use super::super::{Network, Partition};
use super::*;
use crate::scenario::Scenario;
use crate::traffic::Traffic;
use router_core::fixed::U8F8;
use router_core::header::Address;
use router_core::map::AnyMap;
use router_core::map::dragonfly::Place;
use router_core::piggyback::Piggyback;
use router_core::plan::Plan;
use std::path::Path;

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n\
                         pattern = { adversarial = 1 }\n[routing]\nalgorithm = \"ugal-dragonfly\"\nknowledge = ";

fn blueprint(knowledge: &str) -> Blueprint {
    let text = format!("{DRAGONFLY}\"{knowledge}\"\n");
    Blueprint::new(Scenario::parse(&text, "net.toml", Path::new("."), &[]).unwrap()).unwrap()
}

/// Gives `look` a network in one shard after so many cycles of adversarial traffic at load 0.6.
fn after(blueprint: &Blueprint, cycles: u64, look: impl FnOnce(&Network<'_, 8, 4>, &Informed<'_>)) {
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), 0.6, 1).unwrap();
    let partition = Partition::with(blueprint, 1);
    let mut network = Network::<8, 4>::new(blueprint, &traffic, &partition, &|| true).unwrap();
    network.run_to(cycles);
    assert_eq!(network.violation(), None);
    look(&network, network.informed.as_ref().unwrap());
}

/// Flagged if and only if used > factor · mean + packets · flits. With two global links and a factor of 2 that cannot be (q > q + q' + 40);
/// at 1.25 it is, for the links that all of a group wants.
#[test]
fn flags_are_those_of_the_rule() {
    after(&blueprint("group"), 1500, |network, _| {
        let (mut set, mut seen) = (0, 0);
        for switch in &network.shards[0].routers {
            let used = |port, vc| {
                let depth = switch.plan.links.buffer(PortId::new(port));
                f64::from(switch.router.output(PortId::new(port)).unwrap().credits.occupancy(vc, depth))
            };
            for (factor, bits) in [(2.0, 512), (1.25, 320)] {
                let mut plan = Plan::clone(&switch.plan);
                plan.flags = Some(Piggyback { factor: U8F8::from_bits(bits), packets: 5 }.for_packets(8));
                for (port, vc) in [5, 6].into_iter().flat_map(|port| [0, 1].map(|vc| (port, VcId::new(vc)))) {
                    let mean = (used(5, vc) + used(6, vc)) / 2.0;
                    let expected = used(port, vc) > factor * mean + 40.0;
                    let found = switch.router.flags(&plan, PortId::new(port)).contains(vc);
                    assert_eq!(found, expected);
                    assert!(factor < 2.0 || !found);
                    (set, seen) = (set + u32::from(found), seen + 1);
                }
                assert!((0..5).all(|port| switch.router.flags(&plan, PortId::new(port)).is_empty()));
            }
        }
        assert!(set >= 9 && seen == 36 * 8, "one link of each group: {set}");
    });
}

/// Flags of other routers are as old as a local link is long, and not older.
#[test]
fn flags_of_others_come_a_link_later() {
    after(&blueprint("group"), 700, |_, informed| {
        let cycles: Vec<_> = informed.flags.iter().map(|&(cycle, _)| cycle).collect();
        assert_eq!(cycles, (690..=700).collect::<Vec<_>>());
    });
}

/// Both ways end at the destination, after as many hops as the map says and a router counts, and a router's own queue is what is waiting
/// there.
#[test]
fn both_ways_are_walked_to_their_ends() {
    let blueprint = blueprint("oracle");
    after(&blueprint, 600, |network, informed| {
        let AnyMap::Dragonfly(map) = blueprint.map().unwrap() else { panic!("no Dragonfly") };
        let (mut detours, mut waiting) = (0, 0);
        for (from, to) in (0..36).flat_map(|from| (0..36).map(move |to| (from, to))).filter(|(a, b)| a != b) {
            let [at, there] = [from, to].map(|router| blueprint.here(router).router);
            let via = Place { group: (Place::of(there).group + 3) % 9, index: 0 };
            let header =
                Header { to: Address { router: there, port: 0 }, via: via.group, ..Header::default() };
            let (node, here) = (PortId::new(0), blueprint.here(from));
            let arrival = Arrival { port: node, kind: PortClass::NODE, vc: VcId::new(0) };
            let ways = network.constants.routing.ways(&here, arrival, &header);
            for is_ahead in [false, true] {
                let header = Header { progress: header.progress.with_via_ahead(is_ahead), ..header };
                let steps =
                    informed.walk(&network.constants, &network.shards, (from, PortId::new(0)), header);
                let (here, there) = (Place::of(at), Place::of(there));
                let is_detour = is_ahead && via.group != here.group && via.group != there.group;
                let hops = match is_detour {
                    true => map.distance_through(here, via.group, there),
                    false => map.distance(here, there),
                };
                assert_eq!(steps.len() as u32, hops, "{from} {to} {is_ahead}");
                let way = ways.map(|ways| if is_ahead { ways.detour } else { ways.minimal });
                assert!(way.map_or(!is_detour, |way| way.hops == hops), "{from} {to} {is_ahead}: {way:?}");
                let last = steps.last().unwrap();
                let end = informed.wiring.peer(last.router, last.port.index());
                assert!(matches!(end, Some(Peer::Router { router, .. }) if router as usize == to));
                detours += u32::from(is_detour);
                waiting += steps.iter().map(|&step| informed.waiting(&network.shards, step)).sum::<u64>();
            }
        }
        assert!(detours > 900 && waiting > 0);
    });
}
