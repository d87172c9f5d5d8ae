//! The discards of a forwarding table at one router's pins: each for its reason, nothing lost beside them, and no harm to anything else.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_core::alloc::vl_arbiter::VlArbitration;
use desvio_core::discard::Discard;
use desvio_core::event::ProtocolError;
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::links::{FlowControl, PortSizes};
use desvio_core::map::forwarding::{Entry, ForwardingTable, VcRule};
use desvio_core::options::Pipeline;
use desvio_core::pins::{Bundle, FlitSignal, Pins, PortInputs};
use desvio_core::plan::Plan;
use desvio_core::route::{Here, Routing};
use desvio_core::router::Router;
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use desvio_core::vc::{Descriptor, VcState};
use proptest::prelude::*;
use std::collections::VecDeque;

const PORTS: usize = 5;
const VCS: usize = 2;
const BUFFER: u16 = 12;

/// Destinations, each a router: the router itself; then what the table has for the others.
const HERE: u32 = 0;
const BY_2: u32 = 1;
const BY_3: u32 = 2;
const MISSING: u32 = 3;
const UNSUPPORTED: u32 = 4;
const MANAGEMENT: u32 = 5;
/// A port to a node, and one that is not connected.
const BY_1: u32 = 6;
const BY_4: u32 = 7;
const ROUTERS: u32 = 8;

/// All entries, of which the router has the first row. A hop between routers keeps to VC 0.
fn entries() -> Vec<Entry> {
    let by = |port| Entry::new(PortId::new(port), VcSet::only(VcId::new(0)));
    let mut own = vec![Entry::NONE, by(2), by(3), Entry::NONE, Entry::UNSUPPORTED, by(0), by(1), by(4)];
    own.resize((ROUTERS * ROUTERS) as usize, Entry::NONE);
    own
}

/// A packet that comes: by this port, in this VC, for this address, of so many flits.
#[derive(Clone, Copy, Debug)]
struct Coming {
    port: u8,
    vc: u8,
    to: Address,
    length: u16,
}

impl Coming {
    const fn new(port: u8, vc: u8, router: u32, length: u16) -> Self {
        Self { port, vc, to: Address { router, port: 0 }, length }
    }
}

/// A router with two nodes, two links, and a port that is not connected.
struct Bench<'t> {
    plan: Plan<PORTS>,
    routing: Routing<'t>,
    pins: Pins<Vec<Descriptor>, PORTS, VCS, 16>,
    /// What each VC of each port has still to send, and its credits.
    waiting: [[VecDeque<Flit>; VCS]; PORTS],
    credits: [[u16; VCS]; PORTS],
    /// Credits that the neighbours return in the next cycle.
    owed: [VecDeque<VcId>; PORTS],
    flits_in: u64,
    credits_back: u64,
    /// The cycle, the port and the tag of each head that left, and flits that did.
    heads: Vec<(u64, u8, u32)>,
    flits_out: u64,
    cycle: u64,
    error: Option<ProtocolError>,
}

impl<'t> Bench<'t> {
    fn new(entries: &'t [Entry], change: impl FnOnce(&mut Plan<PORTS>)) -> Self {
        let (node, local) = (PortClass::NODE, PortClass::LOCAL);
        let sizes = PortSizes { vcs: VCS as u8, buffer: BUFFER };
        let mut plan = Plan::new(&[node, node, local, local, local], &[sizes; 2]).unwrap();
        (plan.options.output_flits, plan.options.discards) = (4, true);
        change(&mut plan);
        let here = Here { router: HERE, wired: PortSet::first_n(4), ..Here::default() };
        let store = vec![Descriptor::default(); plan.links.places()];
        let pins = Pins::new(Router::new(&plan, here, store, 0, 1), 1);
        let table = ForwardingTable::load_unverified(entries, &[], &[], ROUTERS, VcRule::PerHop).unwrap();
        Self {
            plan,
            routing: Routing::Forwarding(table),
            pins,
            waiting: Default::default(),
            credits: [[BUFFER; VCS]; PORTS],
            owed: Default::default(),
            flits_in: 0,
            credits_back: 0,
            heads: Vec::new(),
            flits_out: 0,
            cycle: 0,
            error: None,
        }
    }

    fn send(&mut self, packet: Coming, tag: u32) {
        let Coming { port, vc, to, length } = packet;
        let header = Header { to, length, ..Header::default() };
        let queue = &mut self.waiting[usize::from(port)][usize::from(vc)];
        queue.push_back(Flit::Head(Packet { header, tag }));
        queue.extend((1..length).map(|n| Flit::Body { tail: n + 1 == length }));
    }

    /// One cycle. Each port sends a flit of the VC whose turn it is, if it has one and a credit: so no VC's flits depend on another's.
    fn step(&mut self) {
        let mut inputs = Bundle::<PORTS>::default();
        let vc = (self.cycle % VCS as u64) as usize;
        for port in 0..PORTS {
            let mut signals = PortInputs { flit: None, credit: self.owed[port].pop_front() };
            if self.credits[port][vc] > 0
                && let Some(flit) = self.waiting[port][vc].pop_front()
            {
                self.credits[port][vc] -= 1;
                self.flits_in += 1;
                signals.flit = Some(FlitSignal { vc: VcId::new(vc as u8), flit });
            }
            inputs.set(PortId::new(port as u8), signals);
        }
        let (outputs, result) = self.pins.step(&self.plan, &self.routing, &inputs);
        self.error = self.error.or(result.err());
        for port in 0..PORTS as u8 {
            let signals = outputs.at(PortId::new(port));
            let at = usize::from(port);
            if let Some(vc) = signals.credit {
                self.credits[at][vc.index()] += 1;
                self.credits_back += 1;
            }
            let Some(FlitSignal { vc, flit }) = signals.flit else { continue };
            self.owed[at].push_back(vc);
            self.flits_out += 1;
            if let Flit::Head(packet) = flit {
                self.heads.push((self.cycle, port, packet.tag));
            }
        }
        self.cycle += 1;
    }

    fn run(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step());
    }

    fn discards(&self) -> [u32; Discard::COUNT] {
        Discard::ALL.map(|why| self.pins.router().discards(why))
    }

    fn input(&self, port: u8, vc: u8) -> (VcState, u16) {
        let input = self.pins.router().input(PortId::new(port), VcId::new(vc)).unwrap();
        (input.state(), input.flits())
    }
}

/// One packet, for each reason in each way that there is to it, and one behind it that goes on.
#[test]
fn each_reason_discards() {
    use Discard::{InputPort, InvalidPort, ManagementPort, NotInTable};
    let none = Address { router: ROUTERS, port: 0 };
    let no_node = Address { router: HERE, port: 4 };
    let to = |router| Address { router, port: 0 };
    let cases = [
        (NotInTable, 2, to(MISSING)),
        (NotInTable, 2, none),
        (NotInTable, 2, no_node),
        (InvalidPort, 2, to(UNSUPPORTED)),
        (InvalidPort, 2, to(BY_1)),
        (InvalidPort, 2, to(BY_4)),
        (InvalidPort, 1, to(BY_1)),
        (InputPort, 2, to(BY_2)),
        (InputPort, 0, to(HERE)),
        (ManagementPort, 2, to(MANAGEMENT)),
        (ManagementPort, 0, to(MANAGEMENT)),
    ];
    let entries = entries();
    let flows = [FlowControl::Vct, FlowControl::Wormhole, FlowControl::StoreAndForward];
    let all =
        flows.into_iter().flat_map(|flow| [Pipeline::Four, Pipeline::Five].map(|pipeline| (flow, pipeline)));
    for (flow, pipeline) in all {
        for (why, port, to) in cases {
            let told = format!("{why} at port {port} for {to:?}, {flow:?}, {pipeline:?}");
            let mut bench =
                Bench::new(&entries, |plan| (plan.links.flow, plan.options.pipeline) = (flow, pipeline));
            bench.send(Coming { port, vc: 1, to, length: 5 }, 1);
            bench.send(Coming::new(port, 1, BY_3, 3), 2);
            bench.run(60);
            let mut expected = [0; Discard::COUNT];
            expected[why.index()] = 1;
            assert_eq!(bench.discards(), expected, "{told}");
            assert_eq!(
                bench.heads.iter().map(|&(_, port, tag)| (port, tag)).collect::<Vec<_>>(),
                [(3, 2)],
                "{told}"
            );
            assert_eq!((bench.flits_in, bench.flits_out, bench.credits_back), (8, 3, 8), "{told}");
            assert_eq!((bench.input(port, 1), bench.error), ((VcState::Idle, 0), None), "{told}");
        }
    }
}

/// A packet leaves flit by flit, as they come: the head in the cycle behind the one in which it was written.
#[test]
fn a_packet_leaves_flit_by_flit() {
    let entries = entries();
    let mut bench = Bench::new(&entries, |_| ());
    bench.send(Coming::new(2, 0, MISSING, 3), 1);
    let mut back = Vec::new();
    for cycle in 0..12 {
        let before = bench.credits_back;
        bench.step();
        if bench.credits_back > before {
            back.push(cycle);
        }
    }
    // A flit of VC 0 is on its wire in every other cycle, written in the next, dropped in the one behind, and its credit is on the wire then.
    assert_eq!(back, [3, 5, 7]);
    assert_eq!(bench.pins.router().input(PortId::new(2), VcId::new(0)).unwrap().packets(), 0);
}

/// Behind a packet with a way on, too.
#[test]
fn a_packet_that_is_discarded_asks_for_nothing() {
    let entries = entries();
    // Before its tail has come no flit of the first leaves, so that the second comes behind it.
    let mut bench = Bench::new(&entries, |plan| plan.links.flow = FlowControl::StoreAndForward);
    bench.send(Coming::new(2, 0, BY_3, 6), 1);
    bench.send(Coming::new(2, 0, MISSING, 5), 2);
    let mut seen = 0;
    for _ in 0..40 {
        bench.step();
        let input = bench.pins.router().input(PortId::new(2), VcId::new(0)).unwrap();
        if let VcState::Discarding { why } = input.state() {
            assert_eq!((why, input.request()), (Discard::NotInTable, PortSet::EMPTY));
            seen += 1;
        }
    }
    assert!(seen > 4, "{seen}");
    assert_eq!((bench.flits_out, bench.credits_back), (6, 11));
}

/// What comes on a VC for management, for the management port: nothing takes it.
#[test]
fn lanes_of_management_are_told_apart() {
    let entries = entries();
    let with_lanes = |plan: &mut Plan<PORTS>| {
        let lanes = VlArbitration::new(64, VcSet::only(VcId::new(1)));
        plan.vl_arbitration = Some(lanes);
    };
    let mut bench = Bench::new(&entries, with_lanes);
    bench.send(Coming::new(2, 1, MANAGEMENT, 2), 1);
    bench.run(20);
    assert_eq!(bench.discards(), [0, 1, 0, 0, 0]);
    bench.send(Coming::new(2, 0, MANAGEMENT, 2), 2);
    bench.run(20);
    assert_eq!(bench.discards(), [0, 1, 0, 1, 0]);
}

/// Without the option it is as it was: an error, and the packet stays.
#[test]
fn without_the_option_it_stays() {
    let entries = entries();
    let mut bench = Bench::new(&entries, |plan| plan.options.discards = false);
    bench.send(Coming::new(2, 0, MISSING, 3), 1);
    bench.run(40);
    assert_eq!((bench.error, bench.discards()), (Some(ProtocolError::NoRoute), [0; Discard::COUNT]));
    assert_eq!((bench.input(2, 0), bench.credits_back), ((VcState::Idle, 3), 0));
}

#[test]
fn counters_stay_at_their_end() {
    let entries = entries();
    let mut bench = Bench::new(&entries, |_| ());
    for _ in 0..=u16::MAX {
        bench.send(Coming::new(2, 0, MISSING, 1), 1);
    }
    bench.send(Coming::new(2, 0, MISSING, 1), 1);
    bench.run(2 * 65_536 + 100);
    assert_eq!((bench.discards()[0], bench.flits_in), (65_535, 65_537));
}

fn lengths() -> impl Strategy<Value = u16> {
    1u16..=BUFFER
}

/// Packets on VC 0 that go on, each for the other link than the one that it came by, or a node.
fn good() -> impl Strategy<Value = Coming> {
    let from_and_to =
        prop_oneof![(0u8..2, prop_oneof![Just(BY_2), Just(BY_3)]), Just((2, BY_3)), Just((3, BY_2))];
    (from_and_to, lengths()).prop_map(|((port, router), length)| Coming::new(port, 0, router, length))
}

/// Packets on VC 1, which are all discarded.
fn bad() -> impl Strategy<Value = Coming> {
    let to = prop_oneof![
        Just(MISSING),
        Just(UNSUPPORTED),
        Just(MANAGEMENT),
        Just(BY_1),
        Just(BY_4),
        Just(ROUTERS)
    ];
    (0u8..4, to, lengths()).prop_map(|(port, router, length)| Coming::new(port, 1, router, length))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Nothing is lost but what is discarded, and what is not discarded leaves in the very cycles in which it leaves where nothing is.
    #[test]
    fn other_traffic_leaves_as_it_would(
        good in proptest::collection::vec(good(), 0..40),
        bad in proptest::collection::vec(bad(), 1..40),
        wormhole: bool,
        five: bool,
    ) {
        let entries = entries();
        let run = |bad: &[Coming]| {
            let mut bench = Bench::new(&entries, |plan| {
                plan.links.flow = if wormhole { FlowControl::Wormhole } else { FlowControl::Vct };
                plan.options.pipeline = if five { Pipeline::Five } else { Pipeline::Four };
            });
            for (tag, &packet) in (0..).zip(&good) {
                bench.send(packet, tag);
            }
            bad.iter().for_each(|&packet| bench.send(packet, 1000));
            bench.run(3000);
            bench
        };
        let (alone, both) = (run(&[]), run(&bad));
        let of = |packets: &[Coming]| packets.iter().map(|packet| u64::from(packet.length)).sum::<u64>();
        prop_assert_eq!(both.error, None);
        prop_assert_eq!(&both.heads, &alone.heads);
        prop_assert_eq!(both.heads.len(), good.len());
        prop_assert_eq!(both.flits_out, of(&good));
        prop_assert_eq!(both.flits_in, both.flits_out + of(&bad));
        prop_assert_eq!(both.credits_back, both.flits_in);
        prop_assert_eq!(both.discards().iter().sum::<u32>() as usize, bad.len());
        for (port, vc) in (0..PORTS as u8).flat_map(|port| (0..VCS as u8).map(move |vc| (port, vc))) {
            prop_assert_eq!(both.input(port, vc), (VcState::Idle, 0));
        }
    }
}
