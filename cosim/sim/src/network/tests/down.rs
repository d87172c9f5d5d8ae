//! Links that go down: what they lose is counted to the flit, and everything else still adds up.

use super::super::{Network, Partition};
use crate::blueprint::{Blueprint, BlueprintError};
use crate::scenario::{LinkDown, Scenario};
use crate::topology::Peer;
use crate::traffic::Traffic;
use std::path::Path;

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n";
const LINE: &str = "[topology]\nkind = \"mesh\"\ndims = [2]\n[traffic]\nloads = [1]\n";

fn scenario(text: &str, sets: &[&str]) -> Scenario {
    let sets: Vec<_> = sets.iter().map(ToString::to_string).collect();
    Scenario::parse(text, "net.toml", Path::new("."), &sets).unwrap()
}

/// Runs a network in so many shards for 4,000 cycles and audits it every 100: flits lost, and what was delivered.
fn lost(scenario: Scenario, load: f64, shards: usize) -> (u64, Vec<u64>) {
    let blueprint = Blueprint::new(scenario).unwrap();
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), load, 1).unwrap();
    let partition = Partition::with(&blueprint, shards);
    let mut network = Network::<8, 4>::new(&blueprint, &traffic, &partition, &|| true).unwrap();
    let mut delivered = Vec::new();
    for end in (100..=4000).step_by(100) {
        network.run_to(end);
        network.audit();
        assert_eq!(network.violation(), None, "{:?}", blueprint.scenario());
        delivered.push(network.tally().flits);
    }
    assert_eq!(network.lost_packets(), 0, "what a link loses is not missing");
    (network.flits_lost_by_links(), delivered)
}

/// Port 5 of router 0 leads to another group, port 2 to a neighbour.
#[test]
fn what_a_link_loses_is_counted_in_any_number_of_shards() {
    let down = "links.down=[{ router = 0, port = 5, at = 777 }, { router = 9, port = 2, at = 1500 }]";
    let cases: [&[&str]; 4] = [
        &[down],
        &[down, "routing.algorithm=minimal", "router.flow_control=wormhole"],
        &[down, "routing.algorithm=valiant", "traffic.reply_flits=4", "injection.control=window"],
        &[down, "routing.vc_order=descending", "router.speedup=1", "traffic.reply_flits=1"],
    ];
    for sets in cases {
        let one = lost(scenario(DRAGONFLY, sets), 0.3, 1);
        assert!(one.0 > 0, "{sets:?}");
        for shards in [2, 3, 9] {
            assert_eq!(one, lost(scenario(DRAGONFLY, sets), 0.3, shards), "{shards} shards: {sets:?}");
        }
    }
}

/// Two routers: once their link is down nothing is delivered any more, and each sends what it has credits for, at most.
#[test]
fn nothing_crosses_a_link_that_is_down() {
    let (_, delivered) = lost(scenario(LINE, &["links.latency=7"]), 0.5, 1);
    assert!(delivered[39] > delivered[38]);
    let blueprint = Blueprint::new(scenario(LINE, &[])).unwrap();
    let is_link = |&port: &usize| matches!(blueprint.wiring().peer(1, port), Some(Peer::Router { .. }));
    let port = (0..blueprint.wiring().ports()).find(is_link).unwrap();
    let down = format!("links.down=[{{ router = 1, port = {port}, at = 1000 }}]");
    let scenario = scenario(LINE, &["links.latency=7", &down]);
    let credits = 2 * scenario.router.vcs.as_slice()[1] * scenario.router.buffer_flits.as_slice()[1];
    let (lost, after) = lost(scenario, 0.5, 1);
    assert_eq!(after[..9], delivered[..9]);
    assert_eq!(after[12], after[39], "the last flits were behind the link when it went down");
    assert!(lost > 0 && lost <= u64::from(credits), "{lost} lost with {credits} credits");
}

/// The port before it takes what is sent into a link that is down: as many flits as come, and nothing waits.
#[test]
fn a_port_that_discards_takes_everything() {
    let port = |router: usize| {
        let blueprint = Blueprint::new(scenario(LINE, &[])).unwrap();
        let link = blueprint.wiring().neighbours(router).next().unwrap();
        link.0
    };
    let down = |discards: bool| {
        let set =
            format!("links.down=[{{ router = 1, port = {}, at = 1000, discards = {discards} }}]", port(1));
        lost(scenario(LINE, &["links.latency=7", &set]), 0.5, 1)
    };
    let ((kept, before), (taken, after)) = (down(false), down(true));
    assert_eq!(before[..9], after[..9]);
    // Two nodes at a load of 0.5, for 3,000 cycles.
    assert!(kept < 300 && taken.abs_diff(3000) < 300, "{kept} and {taken}");
    let both = "links.down=[{ router = 0, port = 5, at = 777, discards = true }, { router = 9, port = 2, at = 1500, discards = true }]";
    let cases: [&[&str]; 3] = [
        &[both],
        &[both, "routing.algorithm=minimal", "router.flow_control=wormhole", "links.latency=9"],
        &[
            both,
            "routing.algorithm=valiant",
            "traffic.reply_flits=4",
            "injection.control=window",
            "router.speedup=1",
        ],
    ];
    for sets in cases {
        let one = lost(scenario(DRAGONFLY, sets), 0.3, 1);
        assert!(one.0 > 0, "{sets:?}");
        assert_eq!(one, lost(scenario(DRAGONFLY, sets), 0.3, 9), "{sets:?}");
    }
}

/// A ring of eight whose packets go one way round, and the other way from cycle 2,000 on.
#[test]
fn tables_take_the_place_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let ring = "[topology]\nkind = \"ring\"\nrouters = 8\n[router]\nvcs = 8\n[traffic]\nloads = [1]\n";
    let write = |name: &str, step: usize| {
        let mut text = "router,to_router,next\n".to_owned();
        for router in 0..8 {
            for to in (0..8).filter(|to| *to != router) {
                text.push_str(&format!("{router},{to},{}\n", (router + step) % 8));
            }
        }
        std::fs::write(folder.path().join(name), text).unwrap();
    };
    write("up.csv", 1);
    write("down.csv", 7);
    let sets = [
        "routing.algorithm=forwarding".to_owned(),
        "routing.tables=up.csv".to_owned(),
        "routing.updates=[{ at = 2000, tables = \"down.csv\" }]".to_owned(),
        "traffic.pattern={ pairs = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]] }"
            .to_owned(),
    ];
    let scenario = Scenario::parse(ring, "net.toml", folder.path(), &sets).unwrap();
    let written = scenario.to_toml();
    assert_eq!(Scenario::parse(&written, "net.toml", Path::new("/"), &[]).unwrap(), scenario);
    let blueprint = Blueprint::new(scenario).unwrap();
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), 0.05, 1).unwrap();
    let partition = Partition::with(&blueprint, 3);
    let mut network =
        Network::<64, 8>::with(&blueprint, blueprint.routing().unwrap(), &traffic, &partition, &|| true)
            .unwrap();
    network.update_later(blueprint.routing_updates().unwrap());
    let mut hops = |end| {
        network.reset_tally();
        network.run_to(end);
        network.audit();
        assert_eq!(network.violation(), None);
        let tally = network.tally();
        (tally.hops as f64 / tally.packets as f64).round()
    };
    assert_eq!((hops(2000), hops(2100), hops(4000)).0, 1.0);
    assert_eq!(hops(6000), 7.0);
}

/// A file is refused before; here a program has made the scenario.
#[test]
fn a_link_that_is_not_there_cannot_go_down() {
    for (router, port) in [(0, 0), (0, 8), (0, 63), (36, 2)] {
        let mut scenario = scenario(DRAGONFLY, &[]);
        scenario.links.down = vec![LinkDown { router, port, at: 5, discards: false }];
        let found = Blueprint::new(scenario).unwrap_err();
        assert!(matches!(found, BlueprintError::NoSuchLink { .. }), "{found}");
    }
}
