//! Published shapes on 8×8 grids: what VCs, flow control and adaptive routing are good for (`docs/shapes.md` has the full sizes), and the
//! channel loads of dimension order.

use desvio_sim::blueprint::Blueprint;
use desvio_sim::topology::{Peer, PortClass};
use desvio_tests::bounds::{Loads, Ratio};
use desvio_tests::measure::{blueprint, measure};
use rayon::prelude::*;
use router_core::header::Header;
use router_core::route::{Arrival, Route};
use router_core::units::PortId;

/// Routers along each side.
const K: usize = 8;

/// The textbook's router: a cycle each for routing, crossbar and link, packets of 16 flits, four channels to and from the node. `channel` is
/// VCs and flits of each between routers.
fn network(kind: &str, flow: &str, routing: &str, channel: (u32, u32)) -> Blueprint {
    let (vcs, flits) = channel;
    let atomic = if routing == "dimension-order" && flow != "atomic" { "non-atomic" } else { "atomic" };
    let flow = if flow == "atomic" { "wormhole" } else { flow };
    let text = format!(
        "topology = {{ kind = \"{kind}\", dims = [{K}, {K}], nodes_per_router = 4 }}
        routing = {{ algorithm = \"{routing}\" }}
        traffic = {{ packet_flits = 16, loads = [1] }}
        run = {{ warmup_cycles = 800, measure_cycles = 1000 }}
        [router]
        flow_control = \"{flow}\"
        vc_allocation = \"{atomic}\"
        vcs = {{ node = 4, local = {vcs} }}
        buffer_flits = {{ node = {}, local = {flits} }}
        speedup = 1
        output_flits = 1
        iterations = 1",
        flits.max(16)
    );
    blueprint(&text, &[])
}

/// What a router's four nodes accept together, with `load` offered by each; flits per cycle.
fn accepted(on: &Blueprint, load: f64) -> f64 {
    4.0 * measure(on, load).accepted
}

#[track_caller]
fn within(name: &str, ratio: f64, least: f64, most: f64) {
    println!("{name}: {ratio:.3}");
    assert!((least..=most).contains(&ratio), "{name}: {ratio}, not from {least} to {most}");
}

/// Figure 3.28. Whole packets stored and forwarded wait for themselves at each hop, and saturate as high as with cut-through. Four VCs of 4
/// flits carry more than one of 16, and each VC more is worth less than the one before.
#[test]
fn flow_control_by_buffers_and_vcs() {
    let cases = [
        ("store-and-forward", 1, 64),
        ("vct", 1, 16),
        ("vct", 1, 32),
        ("vct", 1, 64),
        ("wormhole", 1, 4),
        ("wormhole", 2, 4),
        ("wormhole", 3, 4),
        ("wormhole", 4, 4),
    ];
    let run = |&(flow, vcs, flits): &(&str, u32, u32)| {
        let network = network("mesh", flow, "dimension-order", (vcs, flits));
        (accepted(&network, 0.1), measure(&network, 0.005).latency_mean)
    };
    let found: Vec<_> = cases.par_iter().map(run).collect();
    let [stored, one, two, four, w1, w2, w3, w4] = found[..] else { panic!("{found:?}") };
    within("wormhole with 4 VCs over cut-through with as much storage", w4.0 / one.0, 1.5, 2.2);
    within("the same over cut-through with twice as much", w4.0 / two.0, 1.0, 1.25);
    within("cut-through with four packets over that", four.0 / w4.0, 0.95, 1.1);
    within("store-and-forward over cut-through with four packets", stored.0 / four.0, 0.9, 1.03);
    within("a second VC over the first", w2.0 / w1.0, 1.9, 2.8);
    assert!(w2.0 - w1.0 > w3.0 - w2.0 && w3.0 - w2.0 > w4.0 - w3.0, "each VC more helps less: {found:?}");
    assert!(w1.0 < found.iter().skip(1).map(|case| case.0).fold(f64::MAX, f64::min) * 1.001);
    within("latency of store-and-forward over cut-through", stored.1 / four.1, 2.3, 3.5);
    within("latency of wormhole over cut-through", w4.1 / four.1, 0.95, 1.3);
}

/// Figure 3.41: a second VC is worth half as much again or more; adaptive routing brings a mesh nothing under uniform traffic, and accepts less
/// beyond saturation, as routings with cyclic dependencies do.
#[test]
fn adaptive_routing_brings_a_mesh_nothing_under_uniform_traffic() {
    let mesh = |routing, channel| network("mesh", "atomic", routing, channel);
    let duato = mesh("duato", (2, 16));
    let cases = [
        (&mesh("dimension-order", (1, 32)), 0.08),
        (&mesh("dimension-order", (2, 16)), 0.08),
        (&duato, 0.07),
        (&duato, 0.25),
    ];
    let found: Vec<f64> = cases.par_iter().map(|(on, load)| accepted(on, *load)).collect();
    within("2 VCs over 1", found[1] / found[0], 1.35, 2.0);
    within("adaptive over deterministic", found[2] / found[1], 0.88, 1.08);
    within("adaptive beyond saturation", found[3] / found[2], 0.5, 0.9);
}

/// Figure 3.43: the strict rule leaves VCs of a torus unused, the adaptive one does not; any order of dimensions balances the rest. Beyond saturation
/// about half is left.
#[test]
fn adaptive_routing_is_worth_much_on_a_torus() {
    let torus = |routing, channel| network("torus", "atomic", routing, channel);
    let strict = torus("dateline-adaptive\", datelines = \"strict", (2, 16));
    let duato = torus("duato", (3, 11));
    let cases =
        [(&strict, 0.07), (&torus("dateline-adaptive", (2, 16)), 0.1), (&duato, 0.13), (&duato, 0.25)];
    let found: Vec<f64> = cases.par_iter().map(|(on, load)| accepted(on, *load)).collect();
    within("partially adaptive over deterministic", found[1] / found[0], 1.25, 1.7);
    within("fully adaptive over deterministic", found[2] / found[0], 1.8, 2.7);
    within("fully adaptive beyond saturation", found[3] / found[2], 0.35, 0.7);
}

/// Where a node sends under a pattern.
fn destinations(pattern: &str, node: usize) -> Vec<usize> {
    const BITS: u32 = (K * K).trailing_zeros();
    let (x, y) = (node % K, node / K);
    let rotated = |by: u32| (node << by | node >> (BITS - by)) % (K * K);
    vec![match pattern {
        "uniform" => return (0..K * K).filter(|&to| to != node).collect(),
        "transpose" => y + K * x,
        "bit-complement" => K * K - 1 - node,
        "bit-reversal" => node.reverse_bits() >> (usize::BITS - BITS),
        "shuffle" => rotated(1),
        "butterfly" => node & !33 | (node & 1) << 5 | node >> 5,
        "tornado" => (x + K / 2 - 1) % K + K * ((y + K / 2 - 1) % K),
        "neighbour" => (x + 1) % K + K * ((y + 1) % K),
        _ => panic!("no such pattern"),
    }]
}

/// The routers that a packet visits by the routing's own first candidates.
fn route(on: &Blueprint, from: usize, to: usize) -> Vec<usize> {
    let routing = on.routing().expect("a routing");
    let header = Header { to: on.address(to), length: 1, ..Header::default() };
    let (mut at, mut arrival, mut route) = (from, Arrival::default(), vec![from]);
    while at != to {
        let offered = routing.offer(&on.here(at), arrival, &header).expect("room for its candidates");
        let port = offered.ports().first().expect("a way on");
        let Some(Peer::Router { router, port }) = on.wiring().peer(at, port.index()) else {
            panic!("{port:?}")
        };
        arrival = Arrival { port: PortId::new(port), kind: PortClass::LOCAL, ..arrival };
        at = router as usize;
        route.push(at);
    }
    route
}

/// The highest load of a link between routers, per unit of load that a node offers: γ.
fn gamma(on: &Blueprint, pattern: &str) -> Ratio {
    let mut loads = Loads::new(on.wiring());
    for from in 0..K * K {
        for to in destinations(pattern, from).into_iter().filter(|&to| to != from) {
            loads.add(from, to, &route(on, from, to), 1);
        }
    }
    loads.highest(PortClass::LOCAL)
}

/// γ from the routing itself, and what is measured: at half of the load 1/γ (or at 0.5) the busiest link carries γ times the load. That
/// link is the one of all for which a sample of the traffic is highest, so a little above.
#[test]
fn channel_loads_of_dimension_order_are_exact() {
    const CASES: [(&str, &str, (u64, u64)); 16] = [
        ("mesh", "uniform", (128, 63)),
        ("mesh", "transpose", (7, 1)),
        ("mesh", "bit-complement", (4, 1)),
        ("mesh", "bit-reversal", (7, 1)),
        ("mesh", "shuffle", (4, 1)),
        ("mesh", "butterfly", (4, 1)),
        ("mesh", "tornado", (3, 1)),
        ("mesh", "neighbour", (1, 1)),
        ("torus", "uniform", (64, 63)),
        ("torus", "transpose", (4, 1)),
        ("torus", "bit-complement", (2, 1)),
        ("torus", "bit-reversal", (4, 1)),
        ("torus", "shuffle", (3, 1)),
        ("torus", "butterfly", (2, 1)),
        ("torus", "tornado", (3, 1)),
        ("torus", "neighbour", (1, 1)),
    ];
    let check = |&(kind, pattern, (over, under)): &(&str, &str, (u64, u64))| {
        let text = format!(
            "topology = {{ kind = \"{kind}\", dims = [{K}, {K}] }}\nrouter = {{ vcs = 4 }}
            routing = {{ algorithm = \"dimension-order\" }}
            traffic = {{ pattern = \"{pattern}\", packet_flits = 2, loads = [1] }}
            run = {{ warmup_cycles = 300, measure_cycles = 4000 }}"
        );
        let on = blueprint(&text, &[]);
        let gamma = gamma(&on, pattern);
        println!("{kind} {pattern}: γ = {} / {}", gamma.over, gamma.under);
        let load = (0.5 / gamma.value()).min(0.5);
        let summary = measure(&on, load);
        let used = summary.link_utilisation.iter().find(|(class, _)| *class == "local").expect("links").1.max;
        let expected = load * gamma.value();
        println!("{kind} {pattern}: the busiest link is used {used:.3} of the time, expected {expected:.3}");
        (gamma, Ratio::new(over, under), used / expected)
    };
    let found: Vec<_> = CASES.par_iter().map(check).collect();
    for ((kind, pattern, _), (gamma, expected, ratio)) in CASES.iter().zip(found) {
        assert_eq!(gamma, expected, "{kind} {pattern}");
        assert!((0.93..=1.12).contains(&ratio), "{kind} {pattern}: {ratio}");
    }
}
