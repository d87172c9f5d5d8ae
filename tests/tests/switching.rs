//! Switching techniques: base latencies by the textbook's equations, and what circuits and mad postman do under load.

use desvio_prove::{Verdict, prove};
use desvio_sim::base_latency::{Message, Times};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::network::Violation;
use desvio_sim::topology::Peer;
use desvio_tests::measure::{blueprint, measure, outcome};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// On a ring with everybody sending half-way round, every packet crosses the same number of links; hardly two at a time.
fn ring(flow: &str, routers: u64, (node, link): (u32, u32), speedup: u32, length: u64) -> Blueprint {
    let text = format!(
        "topology = {{ kind = \"torus\", dims = [{routers}] }}
        router = {{ flow_control = \"{flow}\", speedup = {speedup}, buffer_flits = 64 }}
        links = {{ latency = {{ node = {node}, local = {link} }} }}
        traffic = {{ pattern = \"tornado\", packet_flits = {length}, loads = [1] }}
        run = {{ warmup_cycles = 0, measure_cycles = 600000 }}"
    );
    blueprint(&text, &[])
}

/// The latency of every packet.
fn latency(on: &Blueprint) -> u64 {
    let summary = measure(on, 3e-6 * on.scenario().traffic.packet_flits.mean());
    assert!(summary.packets_measured >= 3, "{} packets tell little", summary.packets_measured);
    assert_eq!(summary.latency_mean, summary.latency_max as f64, "one latency: {summary:?}");
    summary.latency_max
}

/// A message of a head and `length − 1` flits of data over `hops` links between routers, and the one to the node.
fn message(hops: u64, length: u64) -> Message {
    Message { links: hops + 1, bits: 64 * (length - 1), header: 64 }
}

/// Links of one cycle, as in the textbook. It has no links from nodes to routers, which head, answer and data cross here, and a node that
/// gets its answer at once: here it takes ⌈2/S⌉ cycles.
#[test]
fn an_idle_network_takes_what_the_equations_say() {
    let mut cases = Vec::new();
    for speedup in [1_u32, 2, 3, 4] {
        for routers in [3_u64, 4, 5, 8, 9, 12] {
            for length in [2_u64, 3, 8, 33] {
                cases.push((speedup, routers, length));
            }
        }
    }
    cases.par_iter().for_each(|&(speedup, routers, length)| {
        let hops = routers.div_ceil(2) - 1;
        let (message, times) = (message(hops, length), Times::of_router(speedup));
        let of = |flow| latency(&ring(flow, routers, (1, 1), speedup, length));
        let told = format!("speedup {speedup}, {hops} hops, {length} flits");
        for flow in ["vct", "wormhole"] {
            assert_eq!(of(flow), 1 + message.cut_through(times), "{flow}: {told}");
        }
        // Crossbar and link of one flit overlap with those of the next: t_s is 0. The node stores and forwards, too.
        let stored = Times::new(u64::from(3_u32.div_ceil(speedup)), 0, 1);
        assert_eq!(of("store-and-forward"), length + message.store_and_forward(stored), "{told}");
        let turn = u64::from(2_u32.div_ceil(speedup));
        let pipelined = 3 + turn + message.pipelined_circuit(times);
        assert_eq!(of("pipelined-circuit"), pipelined, "{told}");
        // 3.1 takes the circuit for a single link.
        let flight = message.links * (times.switch + times.wire) - 1;
        assert_eq!(of("circuit"), 3 + turn + message.circuit(times) + flight, "{told}");
    });
}

/// Three times over the way: `3·(2n + D) + (H + 1)·(⌈4/S⌉ + 2·⌈3/S⌉) + ⌈2/S⌉ + L − 2`.
#[test]
fn and_with_longer_links() {
    for (n, (node, link)) in [(2, 3), (5, 10), (1, 29)].into_iter().enumerate() {
        let (speedup, length, routers) = (1 + n as u32, 17, 9);
        for flow in ["circuit", "pipelined-circuit"] {
            let (head, body) = (4_u32.div_ceil(speedup), 3_u32.div_ceil(speedup));
            let way = 3 * (2 * node + 4 * link) + 5 * (head + 2 * body) + 2_u32.div_ceil(speedup);
            let found = latency(&ring(flow, routers, (node, link), speedup, length));
            assert_eq!(found, u64::from(way) + length - 2, "{flow}: links of {node} and {link}");
        }
    }
}

/// An 8×8 grid at a load.
fn grid(kind: &str, flow: &str, routing: &str, vcs: u32, length: u32) -> Blueprint {
    grid_with(kind, flow, routing, (vcs, length), &[])
}

fn grid_with(kind: &str, flow: &str, routing: &str, (vcs, length): (u32, u32), sets: &[&str]) -> Blueprint {
    let text = format!(
        "topology = {{ kind = \"{kind}\", dims = [8, 8] }}
        router = {{ flow_control = \"{flow}\", vcs = {{ node = {vcs}, local = {vcs} }} }}
        routing = {{ algorithm = \"{routing}\" }}
        traffic = {{ packet_flits = {length}, loads = [1] }}
        run = {{ warmup_cycles = 1000, measure_cycles = 3000 }}"
    );
    blueprint(&text, sets)
}

/// A circuit's links idle while it is set up: the longer the message, the less of the time that is. A wormhole's never do, and its messages block
/// each other the more the longer they are. A probe that goes back leaves the links to others.
#[test]
fn circuits_carry_little_unless_messages_are_long() {
    let cases = [
        grid("mesh", "circuit", "dimension-order", 1, 8),
        grid("mesh", "circuit", "dimension-order", 1, 64),
        grid("mesh", "circuit", "dimension-order", 1, 512),
        grid("mesh", "wormhole", "dimension-order", 1, 8),
        grid("mesh", "pipelined-circuit", "multipath", 1, 64),
        grid("mesh", "pipelined-circuit", "multipath", 4, 64),
    ];
    let found: Vec<f64> = cases.par_iter().map(|on| measure(on, 1.0).accepted).collect();
    let [short, long, longest, wormhole, one, four] = found[..] else { panic!("{found:?}") };
    println!("{found:?}");
    assert!(long > 2.0 * short && longest > 1.2 * long, "{found:?}");
    assert!(wormhole > 3.0 * short, "{found:?}");
    assert!(one > long && four > 1.5 * one, "{found:?}");
}

/// All shortest ways, on any VC: a wormhole locks up, and so does a probe that waits with what it holds. One that goes back does not.
#[test]
fn a_probe_that_goes_back_needs_no_order_of_vcs() {
    let torus = |flow| grid("torus", flow, "multipath", 1, 64);
    for flow in ["wormhole", "circuit"] {
        let outcome = outcome(&torus(flow), 1.0);
        assert!(matches!(outcome.violation, Some(Violation::Deadlock { .. })), "{flow}: {outcome:?}");
    }
    let summary = measure(&torus("pipelined-circuit"), 1.0);
    assert!(summary.accepted > 0.1, "{summary:?}");
    assert_eq!(summary.misrouted_share, 0.0);
    // Shortest ways alone: hops are counted where a head got on, not where it went and came back.
    let distances: BTreeSet<usize> = (0..summary.hop_histogram.len()).collect();
    assert_eq!(distances.last(), Some(&8), "the diameter");
}

#[test]
fn the_proof_knows_who_waits() {
    let verdict =
        |on: &Blueprint| prove(on, on.routing().expect("a routing"), &|| ()).expect("a proof").verdict;
    let acyclic = verdict(&grid("mesh", "circuit", "dimension-order", 1, 16));
    assert!(matches!(acyclic, Verdict::Acyclic(_)), "{acyclic}");
    let escape = verdict(&grid("mesh", "circuit", "duato", 2, 16));
    assert!(matches!(escape, Verdict::Escape(_)), "{escape}");
    let stuck = verdict(&grid("torus", "circuit", "multipath", 1, 16));
    assert!(matches!(stuck, Verdict::Stuck(_)), "{stuck}");
    let free = verdict(&grid("torus", "pipelined-circuit", "multipath", 1, 16));
    assert_eq!(free, Verdict::NoWaiting);
}

/// A mesh on which one node sends to another, with addresses of so many flits.
struct Letter {
    dims: &'static [usize],
    from: &'static [usize],
    to: &'static [usize],
}

/// In one dimension, up and down; in both, with and without a router behind the turn; in three, of which one is not travelled in.
const LETTERS: [Letter; 6] = [
    Letter { dims: &[6], from: &[0], to: &[4] },
    Letter { dims: &[6], from: &[5], to: &[0] },
    Letter { dims: &[5, 4], from: &[0, 0], to: &[2, 2] },
    Letter { dims: &[5, 4], from: &[1, 3], to: &[4, 0] },
    Letter { dims: &[5, 4], from: &[3, 1], to: &[3, 3] },
    Letter { dims: &[4, 3, 4], from: &[1, 2, 3], to: &[2, 2, 1] },
];

/// Of a run: a handful of packets.
const CYCLES: u64 = 1_200_000;

impl Letter {
    fn number(&self, at: &[usize]) -> usize {
        self.dims.iter().zip(at).rev().fold(0, |number, (size, x)| number * size + x)
    }

    fn send(&self, address: u64, speedup: u32, length: u64) -> Blueprint {
        let text = format!(
            "topology = {{ kind = \"mesh\", dims = {:?} }}
            router = {{ flow_control = \"mad-postman\", address_flits = {address}, speedup = {speedup} }}
            traffic = {{ pattern = {{ pairs = [[{}, {}]] }}, packet_flits = {length}, loads = [1] }}
            run = {{ warmup_cycles = 0, measure_cycles = {CYCLES}, details = true }}",
            self.dims,
            self.number(self.from),
            self.number(self.to)
        );
        blueprint(&text, &[])
    }

    /// Flits that a packet puts on each link between routers, by the router that it leaves and the one that it comes to. In each dimension
    /// the rest of the packet goes to the router where it turns. From there on the address of the dimension goes to the edge.
    fn carried(&self, address: u64, length: u64) -> BTreeMap<(usize, usize), u64> {
        let (mut at, mut found) = (self.from.to_vec(), BTreeMap::new());
        for dimension in 0..at.len() {
            let (start, end) = (at[dimension], self.to[dimension]);
            let later = (dimension + 1..at.len()).filter(|&other| self.from[other] != self.to[other]).count();
            let edge = if end > start { self.dims[dimension] - 1 } else { 0 };
            let whole = length + address * (1 + later as u64);
            while start != end && at[dimension] != edge {
                let is_dead = start.abs_diff(at[dimension]) >= start.abs_diff(end);
                let from = self.number(&at);
                at[dimension] = if end > start { at[dimension] + 1 } else { at[dimension] - 1 };
                found.insert((from, self.number(&at)), if is_dead { address } else { whole });
            }
            at[dimension] = end;
        }
        found
    }
}

/// Equation 3.6, to the cycle: its one cycle more than a header is long is the link from the node. A channel is as wide as a flit. All of its
/// addresses are killed, after they have gone on to the edge.
#[test]
fn mad_postman_takes_what_the_equation_says() {
    let mut cases = Vec::new();
    for (speedup, address) in [(1_u32, 1_u64), (1, 3), (2, 1), (2, 4), (3, 2), (4, 1)] {
        for (letter, length) in
            LETTERS.iter().flat_map(|letter| [1_u64, 2, 33].map(|length| (letter, length)))
        {
            cases.push((letter, address, speedup, length));
        }
    }
    cases.par_iter().for_each(|&(letter, address, speedup, length)| {
        let on = letter.send(address, speedup, length);
        let summary = measure(&on, 5e-6 * length as f64);
        let apart = letter.from.iter().zip(letter.to).map(|(x, y)| x.abs_diff(*y));
        let (hops, legs) = (apart.clone().sum::<usize>(), apart.filter(|&apart| apart > 0).count());
        let message = Message { links: hops as u64 + 1, bits: length, header: address * legs as u64 };
        let told = format!("{:?} to {:?}, {address}, {speedup}, {length}", letter.from, letter.to);
        assert_eq!(summary.latency_mean, summary.latency_max as f64, "{told}");
        assert_eq!(summary.latency_max, message.mad_postman(1, Times::of_router(speedup)), "{told}");
        assert_eq!((summary.hops_mean, summary.fairness_jain), (hops as f64, 1.0), "{told}");
        assert_eq!(summary.flits_killed, summary.packets_measured * message.header, "{told}");
        let flits = summary.packets_measured * length;
        assert_eq!(summary.accepted_min_node, flits as f64 / CYCLES as f64, "addresses are no load: {told}");
        let each = |utilisation: f64| (utilisation * CYCLES as f64).round() as u64 / summary.packets_measured;
        let links = &summary.details.as_ref().expect("details").links;
        let carried = links.iter().filter_map(|link| match link.to {
            Peer::Router { router, .. } if link.utilisation > 0.0 => {
                Some(((link.router, router as usize), each(link.utilisation)))
            }
            _ => None,
        });
        assert_eq!(carried.collect::<BTreeMap<_, _>>(), letter.carried(address, length), "{told}");
    });
}

/// Under load dead addresses are in the way of packets, and are killed where packets are in theirs. Nothing is lost, and the network carries
/// about what a wormhole does whose VCs are allocated as strictly.
#[test]
fn mad_postman_under_load() {
    let cases = [("wormhole", 1, 1), ("mad-postman", 1, 1), ("mad-postman", 4, 1), ("mad-postman", 1, 4)];
    let found: Vec<_> = cases
        .par_iter()
        .map(|(flow, address, vcs)| {
            let sets = [&format!("router.address_flits={address}"), "router.vc_allocation=atomic"];
            measure(&grid_with("mesh", flow, "dimension-order", (*vcs, 16), &sets), 1.0)
        })
        .collect();
    let [wormhole, one, four, vcs] = &found[..] else { panic!("{found:?}") };
    println!(
        "{:?}",
        found.iter().map(|summary| (summary.accepted, summary.flits_killed)).collect::<Vec<_>>()
    );
    assert!((0.9..1.1).contains(&(one.accepted / wormhole.accepted)), "{found:?}");
    assert!(four.accepted < one.accepted && vcs.accepted > 1.3 * one.accepted, "{found:?}");
    assert_eq!(wormhole.flits_killed, 0);
    let verdict =
        |on: &Blueprint| prove(on, on.routing().expect("a routing"), &|| ()).expect("a proof").verdict;
    let proven = verdict(&grid("mesh", "mad-postman", "dimension-order", 1, 16));
    assert!(matches!(proven, Verdict::Acyclic(_)), "{proven}");
}

/// Four nodes at each router, all of which send to the first node of router 0, over four links: one port takes a flit in a cycle, the four
/// channels of one node take four.
#[test]
fn a_packet_leaves_by_any_channel_of_its_node() {
    let pairs: Vec<_> = (4..20).map(|node| format!("[{node}, 0]")).collect();
    let accepted = |ejection: &str| {
        let text = format!(
            "topology = {{ kind = \"complete\", routers = 5, nodes_per_router = 4 }}
            routing = {{ algorithm = \"table\" }}
            router = {{ ejection = \"{ejection}\" }}
            traffic = {{ pattern = {{ pairs = [{}] }}, loads = [1] }}
            run = {{ warmup_cycles = 500, measure_cycles = 2000 }}",
            pairs.join(", ")
        );
        let on = blueprint(&text, &[]);
        let proof = prove(&on, on.routing().expect("a routing"), &|| ()).expect("a proof");
        assert!(proof.holds(), "{proof}");
        // Of the nodes that send.
        16.0 * measure(&on, 1.0).accepted
    };
    let (own, any) = (accepted("own"), accepted("any"));
    assert!((0.98..=1.0).contains(&own), "{own} by one port");
    assert!((3.6..=4.0).contains(&any), "{any} by four ports");
}
