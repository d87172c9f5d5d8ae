//! The router under flits and credits that no neighbour would send.

use super::{Outcome, Target, seeds};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use router_core::header::{Flit, Header, Packet, RawHeader};
use router_core::pins::{Bundle, FlitSignal, Pins};
use router_core::plan::Plan;
use router_core::router::Router;
use router_core::units::{PortId, VcId};
use router_core::vc::Descriptor;
use std::sync::OnceLock;

pub(super) const TARGET: Target = Target {
    name: "router",
    reads: "flits and credits of the router",
    run,
    seeds: || {
        let heads = [HEAD, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 1, BODY, 0, TAIL, 0];
        let credits = [CREDIT, 1, CREDIT, 2, WAIT, 0, WAIT, 0, HEAD, 5, 255, 255, 255, 255];
        (0..SETS.len() as u8)
            .flat_map(|set| [[&[set][..], &heads].concat(), [&[set][..], &credits].concat()])
            .collect()
    },
    // Two credits and two tails in a row.
    is_rare: |bytes| {
        let kinds: Vec<u8> = bytes.iter().skip(1).step_by(2).map(|byte| byte % KINDS).collect();
        kinds.windows(4).any(|window| window == [CREDIT, CREDIT, TAIL, TAIL])
    },
};

/// Ports, VCs and flits of an output FIFO.
const P: usize = 8;
const V: usize = 4;
const F: usize = 64;

/// What happens at a port; the byte behind says at which one, and on which VC.
const HEAD: u8 = 0;
const BODY: u8 = 1;
const TAIL: u8 = 2;
const CREDIT: u8 = 3;
/// The cycle ends.
const WAIT: u8 = 4;
const KINDS: u8 = 5;

/// Most cycles.
const CYCLES: usize = 400;

/// The routers: a scenario each, with keys that are set.
const SETS: [(&str, &[&str]); 6] = [
    ("tiny.toml", &[]),
    ("tiny.toml", &["selection.trigger=occupancy", "router.flow_control=wormhole"]),
    ("tiny.toml", &["selection.trigger=contention", "selection.count_at=arrival", "router.arbiter=matrix"]),
    ("tiny.toml", &["router.allocator=wavefront", "router.speedup=1", "selection.trigger=always"]),
    ("petersen.toml", &["router.buffer_flits=16", "router.output_flits=4"]),
    ("mesh.toml", &["router.buffer_flits=16", "router.output_flits=4"]),
];

fn networks() -> &'static [Blueprint] {
    static NETWORKS: OnceLock<Vec<Blueprint>> = OnceLock::new();
    let network = |(file, sets): &(&str, &[&str])| {
        let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
        let file = seeds::root().join("scenarios").join(file);
        let scenario = Scenario::load(&file, &sets).unwrap_or_else(|error| panic!("{error}"));
        Blueprint::new(scenario).unwrap_or_else(|error| panic!("{error}"))
    };
    NETWORKS.get_or_init(|| SETS.iter().map(network).collect())
}

fn run(bytes: &[u8]) -> Outcome {
    let Some((&first, mut rest)) = bytes.split_first() else { return Outcome::refused("nothing") };
    let networks = networks();
    let network = &networks[usize::from(first) % networks.len()];
    let number = usize::from(first) / networks.len() % network.wiring().routers();
    let plan = network.plan::<P>(number).unwrap_or_else(|error| panic!("{error}"));
    let routing = network.routing().unwrap_or_else(|error| panic!("{error}"));
    let store = vec![Descriptor::default(); plan.links.places()];
    let router = Router::<_, P, V>::new(&plan, network.here(number), store, number as u32, 1);
    let mut pins = Pins::<_, P, V, F>::new(router, network.scenario().router.options.speedup as u8);
    let (mut came, mut left) = (0, 0);
    for _ in 0..CYCLES {
        let (inputs, taken) = cycle(rest);
        came += (0..P).filter(|&port| inputs.at(PortId::new(port as u8)).flit.is_some()).count();
        rest = &rest[taken..];
        let (outputs, _) = pins.step(&plan, &routing, &inputs);
        left += (0..P).filter(|&port| outputs.at(PortId::new(port as u8)).flit.is_some()).count();
        check(&pins, &plan);
        if taken == 0 && pins.router().is_idle() {
            break;
        }
    }
    assert!(left <= came, "{came} flits came, and {left} left");
    assert_eq!(pins.dropped(), 0, "a FIFO was pushed beyond its end");
    Outcome::taken((
        first % networks.len() as u8,
        left.min(6),
        pins.router().error_count().min(6),
        came.min(6),
    ))
}

/// What comes in a cycle, and how many bytes say so.
fn cycle(bytes: &[u8]) -> (Bundle<P>, usize) {
    let mut inputs = Bundle::<P>::default();
    let mut at = 0;
    while let Some(&[kind, place]) = bytes.get(at..at + 2) {
        at += 2;
        let (port, vc) = (PortId::new(place % P as u8), VcId::new(place / P as u8));
        let mut signals = inputs.at(port);
        let flit = |flit| Some(FlitSignal { vc, flit });
        match kind % KINDS {
            HEAD => {
                let mut words = [0; size_of::<RawHeader>() / 4];
                for (word, piece) in words.iter_mut().zip(bytes.get(at..).unwrap_or_default().chunks_exact(4))
                {
                    *word = piece.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
                    at += 4;
                }
                let header = Header::parse(RawHeader(words)).unwrap_or_default();
                signals.flit = flit(Flit::Head(Packet { header, tag: u32::from(place) }));
            }
            BODY => signals.flit = flit(Flit::Body { tail: false }),
            TAIL => signals.flit = flit(Flit::Body { tail: true }),
            CREDIT => signals.credit = Some(vc),
            _ => break,
        }
        inputs.set(port, signals);
    }
    (inputs, at)
}

/// No buffer holds more than it has places for, and no output has more credits than the buffer behind it.
fn check(pins: &Pins<Vec<Descriptor>, P, V, F>, plan: &Plan<P>) {
    for port in plan.links.each() {
        for vc in plan.links.vcs(port).iter() {
            let depth = plan.links.buffer(port);
            let held = pins.router().input(port, vc).map_or(0, |input| input.flits());
            assert!(held <= depth, "{held} flits in a buffer of {depth}");
            let left = pins.router().output(port).map_or(0, |output| output.credits.left(vc));
            assert!(left <= depth, "{left} credits for a buffer of {depth}");
        }
    }
}
