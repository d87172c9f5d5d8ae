//! Routings and topologies that no closed list names.

use super::*;
use crate::scenario::Scenario;
use crate::summary::State;
use crate::topology::{Custom, Grid, Mesh};
use router_core::header::Header;
use router_core::map::{Map, Peer, RouterClass};
use router_core::route::candidates::SETS;
use router_core::route::{Arrival, CandidateSet, Candidates, Full, Here, HopKind, consume};
use router_core::units::{PortClass, PortId, PortSet, VcId};
use std::path::Path;

mod wide;

const SETTINGS: &str =
    "[router]\nvcs = 2\n[traffic]\nloads = [0.4]\n[run]\nwarmup_cycles = 500\nmeasure_cycles = 2000\n";
const MESH: &str = "[topology]\nkind = \"mesh\"\ndims = [4, 3]\n[routing]\nalgorithm = \"dimension-order\"\n";

fn mesh() -> Blueprint {
    let text = format!("{MESH}{SETTINGS}");
    Blueprint::new(Scenario::parse(&text, "mesh.toml", Path::new("."), &[]).unwrap()).unwrap()
}

fn around(topology: Custom, text: &str) -> Blueprint {
    Blueprint::without_routing(Scenario::around(topology, text, "settings").unwrap()).unwrap()
}

/// The same network, its map brought from outside.
fn mesh_as_topology() -> Custom {
    let map = Mesh(Grid { dims: vec![4, 3], nodes_per_router: 1 }).map().unwrap();
    Custom::new("mesh", &map, &["node", "local", "global"]).unwrap()
}

#[test]
fn what_comes_from_outside_runs_as_what_is_built_in() {
    let (mesh, custom) = (mesh(), around(mesh_as_topology(), SETTINGS));
    let routing = mesh.routing().unwrap();
    let built_in = run(&mesh, 0.4, &|_| ()).unwrap();
    assert!(built_in.violation.is_none() && built_in.summary.packets_measured > 500, "{built_in:?}");
    for blueprint in [&mesh, &custom] {
        let outcome = run_with::<5, 2, _>(blueprint, &routing, 0.4, &|_| ()).unwrap();
        assert_eq!(format!("{outcome:?}"), format!("{built_in:?}"));
    }
}

/// Before the switch one of two links carries flits, from it on the other one, but for those under way. Windows add up to what links carried
/// in all.
#[test]
fn links_over_time_follow_a_switch() {
    let text = "[topology]\nkind = \"mesh\"\ndims = [2]\n[routing]\nalgorithm = \"dimension-order\"\n[traffic]\nloads = [1]\n\
        pattern = { switch-at = 1005, from = { pairs = [[0, 1]] }, to = { pairs = [[1, 0]] } }\n\
        [run]\nwarmup_cycles = 505\nmeasure_cycles = 1000\nwindow_cycles = 100\ndetails = true\n";
    let blueprint = Blueprint::new(Scenario::parse(text, "net.toml", Path::new("."), &[]).unwrap()).unwrap();
    let details = run(&blueprint, 0.4, &|_| ()).unwrap().summary.details.unwrap();
    let starts: Vec<_> = details.over_time.iter().map(|window| window.start).collect();
    assert_eq!(starts, (-11..5).map(|n| n * 100).collect::<Vec<_>>());
    assert_eq!((details.over_time[0].cycles, details.over_time[1].cycles), (5, 100));
    for (at, link) in details.links.iter().enumerate().filter(|(_, link)| link.class == "local") {
        let flits = |n: i64| details.over_time[(n / 100 + 11) as usize].flits[at];
        let (used, idle) = if link.router == 0 { (-600, 200) } else { (200, -600) };
        assert!((0..3).all(|n| flits(idle + 100 * n) == 0), "{link:?}");
        assert!((0..3).map(|n| flits(used + 100 * n)).sum::<u32>() > 60, "{link:?}");
        // The measured window begins 500 cycles before the switch.
        let sum: u32 = (-5..5).map(|n| flits(n * 100)).sum();
        assert!((f64::from(sum) / 1000.0 - link.utilisation).abs() < 1e-9, "{link:?}: {sum}");
    }
}

/// The links between routers carry each flit as often as its packet has hops, and those to nodes carry the accepted load. Both exclude the
/// flits under way at the ends of the window.
#[test]
fn details_add_up() {
    let text = format!("{MESH}{SETTINGS}details = true\n");
    let blueprint =
        Blueprint::new(Scenario::parse(&text, "mesh.toml", Path::new("."), &[]).unwrap()).unwrap();
    let summary = run(&blueprint, 0.4, &|_| ()).unwrap().summary;
    let details = summary.details.clone().unwrap();
    // 12 routers, 17 links between them.
    assert_eq!((details.nodes.len(), details.links.len()), (12, 12 + 2 * 17));
    let of =
        |class| details.links.iter().filter(move |link| link.class == class).map(|link| link.utilisation);
    let (delivered, between) = (of("node").sum::<f64>() / 12.0, of("local").sum::<f64>() / 12.0);
    let injected = details.nodes.iter().map(|node| node.injected).sum::<f64>() / 12.0;
    assert!((delivered - summary.accepted).abs() < 0.005, "{delivered} {}", summary.accepted);
    assert!((between - summary.accepted * summary.hops_mean).abs() < 0.01, "{between} {summary:?}");
    assert!((injected - summary.accepted).abs() < 0.005, "{injected}");
    assert_eq!(details.latencies.iter().map(|bin| bin.packets).sum::<u64>(), summary.packets_measured);
    assert!(
        details.latencies.last().is_some_and(|bin| (bin.from..bin.below()).contains(&summary.latency_max))
    );
    assert_eq!(of("local").fold(0.0, f64::max), summary.utilisation("local").max);
    for link in &details.links {
        assert_eq!(blueprint.wiring().peer(link.router, link.port.into()), Some(link.to));
    }
}

#[test]
fn networks_that_do_not_fit_are_refused() {
    let custom = around(mesh_as_topology(), SETTINGS);
    let refused = run(&custom, 0.4, &|_| ()).unwrap_err();
    assert!(matches!(refused, RunError::Blueprint(BlueprintError::NoRouting)), "{refused}");
    for (topology, vcs, ports) in [(mesh_as_topology(), 1, 5), (circle(), 3, 3)] {
        let narrow = around(topology, &format!("[router]\nvcs = {vcs}\n[traffic]\nloads = [0.5]\n"));
        let refused = run_with::<4, 2, _>(&narrow, &Circle::GOES_ROUND, 0.5, &|_| ()).unwrap_err();
        let RunError::Size { ports: has, vcs: needs, most: (4, 2) } = refused else { panic!("{refused}") };
        assert_eq!((has, needs), (ports, vcs));
    }
}

/// Eight routers, one direction, one VC: every packet goes round by the same circle of buffers.
struct Circle {
    /// Offers the same set that often.
    times: usize,
    /// The VC that packets take from router 7 on.
    last_vc: u8,
}

impl Circle {
    const GOES_ROUND: Self = Self { times: 1, last_vc: 0 };
    /// One set more than there is room for.
    const OFFERS_TOO_MUCH: Self = Self { times: SETS + 1, last_vc: 0 };
    /// A VC that no router has.
    const NEEDS_A_VC: Self = Self { times: 1, last_vc: 1 };
}

fn circle() -> Custom {
    Custom::new("circle", &Circle::GOES_ROUND, &["node", "ring"]).unwrap()
}

impl Map for Circle {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..8
    }
    fn ports(&self) -> usize {
        3
    }
    fn port_class(&self, _of: RouterClass, port: PortId) -> PortClass {
        PortClass::new(port.number().min(1))
    }
    fn peer(&self, router: u32, port: PortId) -> Option<Peer> {
        Some(match port.number() {
            0 => Peer::Node,
            1 => Peer::Router { router: (router + 1) % 8, port: PortId::new(2) },
            _ => Peer::Router { router: (router + 7) % 8, port: PortId::new(1) },
        })
    }
}

impl Route for Circle {
    fn offer(&self, here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        let mut all = Candidates::NONE;
        for _ in 0..self.times {
            let onward = PortSet::only(PortId::new(1));
            let vc = VcId::new(if here.router == 7 { self.last_vc } else { 0 });
            all.offer(CandidateSet::new(onward, VcSet::only(vc), HopKind::Minimal))?;
        }
        Ok(all)
    }
}

#[test]
fn a_routing_that_deadlocks_is_found() {
    let settings =
        "[router]\nvcs = 1\nbuffer_flits = 8\n[traffic]\nloads = [1]\n[run]\nmeasure_cycles = 9000\n";
    let blueprint = around(circle(), settings);
    let outcome = run_with::<4, 2, _>(&blueprint, &Circle::GOES_ROUND, 1.0, &|_| ()).unwrap();
    let Some(Violation::Deadlock { report, .. }) = outcome.violation else { panic!("{outcome:?}") };
    assert!(report.contains("(ring), VC 0"), "{report}");
    assert_eq!(outcome.summary.state, State::Deadlock);
}

#[test]
fn a_packet_that_can_never_leave_is_named() {
    // Long before the others are stuck behind it.
    let settings =
        "[router]\nvcs = 1\n[traffic]\nloads = [0.01]\n[run]\nwarmup_cycles = 0\nmeasure_cycles = 300\n";
    let blueprint = around(circle(), settings);
    let outcome = run_with::<4, 2, _>(&blueprint, &Circle::NEEDS_A_VC, 0.01, &|_| ()).unwrap();
    assert_eq!(outcome.summary.state, State::Violation);
    let said = outcome.violation.unwrap().to_string();
    let place = "the packet at the front of router 7, port 2, VC 0 can never leave: no output that it may leave by has a virtual channel";
    assert!(said.contains(place) || said.contains(&place.replace("port 2", "port 0")), "{said}");
}

#[test]
fn a_routing_that_offers_too_much_is_refused_by_name() {
    let settings = "[router]\nvcs = 1\n[traffic]\nloads = [0.5]\n";
    let blueprint = around(circle(), settings);
    let outcome = run_with::<4, 2, _>(&blueprint, &Circle::OFFERS_TOO_MUCH, 0.5, &|_| ()).unwrap();
    assert_eq!(outcome.summary.state, State::Violation);
    let said = outcome.violation.unwrap().to_string();
    assert!(said.ends_with("::Circle` offers more than 3 sets of candidates"), "{said}");
}

#[test]
fn a_topology_from_a_program_is_not_in_the_text() {
    let refused = |text: &str| Scenario::around(circle(), text, "settings").unwrap_err().to_string();
    let twice = refused("[topology]\nkind = \"mesh\"\n[traffic]\nloads = [1]\n");
    assert!(twice.starts_with("settings:1:2: unknown key `topology`"), "{twice}");
    let unknown = refused("[router]\nvcs = { node = 1, local = 1 }\n[traffic]\nloads = [1]\n");
    assert!(unknown.contains("`node`, `ring`"), "{unknown}");
    let text = Scenario::around(circle(), "[traffic]\nloads = [1]\n", "settings").unwrap().to_toml();
    assert!(
        text.starts_with("[topology]\nkind = \"custom\"\nname = \"circle\"\nrouters = 8\nnodes = 8\n"),
        "{text}"
    );
    let read = Scenario::parse(&text, "written.toml", Path::new("."), &[]).unwrap_err().to_string();
    assert!(read.contains("unknown key `name` in [topology]"), "{read}");
}

/// A run by packets of a torus, with other keys.
fn by_packets(load: f64, run_keys: &str) -> Outcome {
    let text = format!(
        "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[router]\nvcs = 2\n[traffic]\npacket_flits = 10\nloads = [1.2]\n\
         [run]\n{run_keys}\n"
    );
    let scenario = Scenario::parse(&text, "torus.toml", Path::new("."), &[]).unwrap();
    run(&Blueprint::new(scenario).unwrap(), load, &|_| ()).unwrap()
}

/// The window closes in the first cycle in which as many packets have been delivered: at most one more for each node. A run of as many
/// cycles measures what it did.
#[test]
fn a_run_by_packets_is_one_of_as_many_cycles() {
    for load in [0.01, 0.2, 1.2] {
        let summary = by_packets(load, "warmup_packets = 200\nmeasure_packets = 800").summary;
        assert!((800..816).contains(&summary.packets_measured), "{summary:?}");
        let (warmup, measure) = (summary.warmup_cycles, summary.measure_cycles);
        let again =
            by_packets(load, &format!("warmup_cycles = {warmup}\nmeasure_cycles = {measure}")).summary;
        assert_eq!(again.packets_measured, summary.packets_measured);
        assert_eq!((again.latency_mean, again.accepted), (summary.latency_mean, summary.accepted));
        let earlier =
            by_packets(load, &format!("warmup_cycles = {warmup}\nmeasure_cycles = {}", measure - 1));
        assert!(earlier.summary.packets_measured < 800, "the window closes in the first cycle that may be");
        let before = by_packets(load, &format!("warmup_cycles = 0\nmeasure_cycles = {}", warmup - 1));
        assert!(before.summary.packets_measured < 200 && summary.state != State::Limit);
    }
}

#[test]
fn a_run_by_packets_has_a_limit() {
    let summary = by_packets(0.01, "warmup_cycles = 0\nmeasure_packets = 10000\nlimit_cycles = 5000").summary;
    assert_eq!((summary.state, summary.measure_cycles), (State::Limit, 5000));
}

/// Above a load of 1 nodes offer what they are told and send what they can.
#[test]
fn an_offered_load_of_a_fifth_more_than_a_link_carries() {
    let summary = by_packets(1.2, "warmup_cycles = 1000\nmeasure_cycles = 4000").summary;
    assert!((summary.offered - 1.2).abs() < 0.03, "{summary:?}");
    assert!(summary.accepted <= 1.0 && summary.state == State::Saturated, "{summary:?}");
}
