//! What an output is allocated to, a flit or a packet, and whom it serves first: at the pins of one router, and of the allocators.

#![allow(clippy::unwrap_used)]

use desvio_tests::matching::{below, requests, wanted};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::alloc::{Allocation, Allocator, AllocatorKind, ArbiterKind};
use router_core::header::{Address, Flit, Header, Packet};
use router_core::links::PortSizes;
use router_core::map::grid::Grid;
use router_core::options::{AllocationUnit, Options, Priority};
use router_core::pins::{Bundle, FlitSignal, Pins, PortInputs};
use router_core::plan::Plan;
use router_core::route::dimension_order::DimensionOrder;
use router_core::route::{Here, Routing};
use router_core::router::Router;
use router_core::settings::Word;
use router_core::units::{PortClass, PortId, PortSet, VcId};
use router_core::vc::Descriptor;

/// Two nodes, the way up and the way down.
const PORTS: usize = 4;
const VCS: u8 = 2;
const NODES: [usize; 2] = [0, 1];
const UP: usize = 2;
const DOWN: usize = 3;
const BUFFER: u16 = 16;
const LENGTH: u16 = 5;

/// What sends to an input port: packets in one piece, with gaps.
#[derive(Clone, Copy, Default)]
struct Sender {
    credits: [u16; VCS as usize],
    /// The VC and the flits of the packet that it is sending.
    sending: (u8, u16),
}

/// What is seen at a wire of flits, or of credits: the VC of the packet that is passing and its flits so far, and how often
/// another one came in between.
#[derive(Clone, Copy, Default)]
struct Seen {
    vc: u8,
    flits: u16,
    interleaved: u32,
}

impl Seen {
    fn pass(&mut self, vc: VcId) {
        if !self.flits.is_multiple_of(LENGTH) && self.vc != vc.number() {
            self.interleaved += 1;
        }
        (self.vc, self.flits) = (vc.number(), self.flits + 1);
    }
}

/// The router in the middle of a line of three: its nodes and the first router send to everyone further up, it last of all to the
/// router above.
struct Line {
    plan: Plan<PORTS>,
    pins: Pins<Vec<Descriptor>, PORTS, { VCS as usize }, 8>,
    senders: [Sender; PORTS],
    /// Flits out and credits out of each port.
    seen: [[Seen; 2]; PORTS],
    /// Heads by the way up, by the port they came from.
    from: [u32; PORTS],
    random: Xoshiro256PlusPlus,
}

impl Line {
    fn new(speedup: u8, unit: AllocationUnit, priority: Priority, allocation: Allocation) -> Self {
        let sizes = PortSizes { vcs: VCS, buffer: BUFFER };
        let classes = [PortClass::NODE, PortClass::NODE, PortClass::LOCAL, PortClass::LOCAL];
        let mut plan = Plan::new(&classes, &[sizes; 2]).unwrap();
        let Allocation { kind: allocator, arbiter, iterations } = allocation;
        plan.options = Options {
            output_flits: 8,
            allocator,
            arbiter,
            iterations: iterations.into(),
            allocation_unit: unit,
            priority,
            ..plan.options
        };
        let here = Here { router: 1, wired: PortSet::first_n(PORTS), ..Here::default() };
        let store = vec![Descriptor::default(); plan.links.places()];
        let pins = Pins::new(Router::new(&plan, here, store, 1, 1), speedup);
        let sender = Sender { credits: [BUFFER; VCS as usize], sending: (0, 0) };
        let (senders, seen) = ([sender; PORTS], [[Seen::default(); 2]; PORTS]);
        Self { plan, pins, senders, seen, from: [0; PORTS], random: Xoshiro256PlusPlus::seed_from_u64(1) }
    }

    /// The next flit of a sender; `gaps` in a hundred link cycles have none.
    fn flit(&mut self, port: usize, gaps: usize, all_up: bool) -> Option<FlitSignal> {
        if below(100, &mut self.random) < gaps {
            return None;
        }
        let sender = &mut self.senders[port];
        let (vc, left) = sender.sending;
        if left > 0 {
            sender.sending.1 -= 1;
            return Some(FlitSignal { vc: VcId::new(vc), flit: Flit::Body { tail: left == 1 } });
        }
        let vc = below(usize::from(VCS), &mut self.random);
        if sender.credits[vc] < LENGTH {
            return None;
        }
        sender.credits[vc] -= LENGTH;
        sender.sending = (vc as u8, LENGTH - 1);
        let is_up = all_up || below(3, &mut self.random) > 0;
        let to = Address { router: if is_up { 2 } else { 1 }, port: below(2, &mut self.random) as u8 };
        let header = Header { to, length: LENGTH, ..Header::default() };
        Some(FlitSignal { vc: VcId::new(vc as u8), flit: Flit::Head(Packet { header, tag: port as u32 }) })
    }

    /// One internal cycle. What leaves gives its credit back at once.
    fn cycle(&mut self, gaps: usize, all_up: bool, returned: &mut [Option<VcId>; PORTS]) {
        let mut inputs = Bundle::<PORTS>::default();
        let opens = self.pins.phase() == 0;
        for port in [NODES[0], NODES[1], DOWN, UP] {
            let flit = if opens && port != UP { self.flit(port, gaps, all_up) } else { None };
            inputs.set(PortId::new(port as u8), PortInputs { flit, credit: returned[port].take() });
        }
        let grid = Grid::new(&[3], 2, false).unwrap();
        let routing = Routing::DimensionOrder(DimensionOrder { grid, vcs: VCS });
        let (outputs, result) = self.pins.step(&self.plan, &routing, &inputs);
        result.unwrap();
        for (port, returned) in returned.iter_mut().enumerate() {
            let driven = outputs.at(PortId::new(port as u8));
            if let Some(vc) = driven.credit {
                self.senders[port].credits[vc.index()] += 1;
                self.seen[port][1].pass(vc);
            }
            if let Some(FlitSignal { vc, flit }) = driven.flit {
                *returned = Some(vc);
                self.seen[port][0].pass(vc);
                if let (UP, Flit::Head(packet)) = (port, flit) {
                    self.from[packet.tag as usize] += 1;
                }
            }
        }
    }

    fn run(mut self, cycles: u32, gaps: usize, all_up: bool) -> Self {
        let mut returned = [None; PORTS];
        (0..cycles).for_each(|_| self.cycle(gaps, all_up, &mut returned));
        self
    }

    fn interleaved(&self) -> [u32; 2] {
        [0, 1].map(|wire| self.seen.iter().map(|seen| seen[wire].interleaved).sum())
    }
}

fn every_allocation() -> impl Iterator<Item = Allocation> {
    let arbiters = || ArbiterKind::WORDS.iter().map(|&(_, arbiter)| arbiter);
    let kinds = AllocatorKind::WORDS.iter().map(|&(_, kind)| kind);
    kinds.flat_map(move |kind| {
        let of = move |arbiter| [1, 2].map(|iterations| Allocation { kind, arbiter, iterations });
        arbiters().flat_map(of)
    })
}

/// Two nodes and a router send by one output and to each other's, by two VCs. The flits of a packet come out in a row, at the output and of
/// the input; with flits as the unit they do not.
#[test]
fn whole_packets_pass_an_output_and_an_input() {
    for allocation in every_allocation() {
        for (speedup, gaps) in [(1, 0), (1, 30), (2, 0), (2, 10)] {
            let line = |unit| Line::new(speedup, unit, Priority::None, allocation).run(3_000, gaps, false);
            let [flits, packets] = [AllocationUnit::Flit, AllocationUnit::Packet].map(line);
            assert_eq!(packets.interleaved(), [0, 0], "{allocation:?}, speedup {speedup}, {gaps} % gaps");
            assert!(flits.interleaved().iter().all(|&times| times > 50), "{:?}", flits.interleaved());
            // Nothing is lost by it: the link up is as full.
            let [flits, packets] = [flits, packets].map(|line| line.seen[UP][0].flits);
            assert!(packets > 900 && packets * 10 > flits * 9, "{packets} flits, {flits} with flits");
        }
    }
}

/// Packets in transit that fill a link leave nothing of it to the nodes; without priority these have about half of it or more.
#[test]
fn transit_goes_before_nodes() {
    for allocation in every_allocation() {
        for unit in [AllocationUnit::Flit, AllocationUnit::Packet] {
            let line = |priority| Line::new(1, unit, priority, allocation).run(2_000, 0, true).from;
            let equal = line(Priority::None);
            let total: u32 = equal.iter().sum();
            assert!((equal[0] + equal[1]) * 5 > total * 2, "{allocation:?}: {equal:?}");
            let transit = line(Priority::Transit);
            let nodes = transit[0] + transit[1];
            assert!(nodes < 8 && transit[DOWN] * 10 > total * 9, "{allocation:?}, {unit:?}: {transit:?}");
        }
    }
}

/// With one VC at each input: what a node gets, no port in transit that asks for it goes without.
#[test]
fn no_allocator_prefers_a_node() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    for allocation in every_allocation() {
        let mut allocator = Allocator::<6, 1>::new(allocation, 6).with_yielding(PortSet::from_bits(0b000111));
        let mut nodes_served = 0;
        for _ in 0..2_000 {
            let mut matrix = [[0usize; 1]; 6];
            for row in &mut matrix {
                row[0] = (1 << below(6, &mut random)) & below(64, &mut random);
            }
            let rows = wanted(&matrix);
            let grants = allocator.evaluate(&requests(&matrix));
            for grant in grants.iter().filter(|grant| grant.input.index() < 3) {
                nodes_served += 1;
                let output = grant.output.index();
                let waits = |input: &usize| {
                    rows[*input] >> output & 1 == 1 && grants.vc_of(PortId::new(*input as u8)).is_none()
                };
                let first = (3..6).find(waits);
                assert_eq!(first, None, "{allocation:?}: {grants:?} of {matrix:?}");
            }
            allocator.commit(&grants);
        }
        assert!(nodes_served > 500, "{allocation:?}: {nodes_served}");
    }
}

/// Nodes have their turns one after the other, whatever is in transit in between, and the other way round: one pointer for all would
/// come back to the same input each time.
#[test]
fn each_class_takes_turns_of_its_own() {
    let separable = every_allocation().filter(|allocation| !allocation.kind.has_diagonals());
    for allocation in separable {
        let mut allocator = Allocator::<5, 1>::new(allocation, 5).with_yielding(PortSet::first_n(3));
        let mut served = Vec::new();
        for cycle in 0..12 {
            let transit = if cycle % 2 == 0 { 1 } else { 0 };
            let matrix = [[1], [1], [1], [transit], [transit]];
            let grants = allocator.evaluate(&requests(&matrix));
            served.extend(grants.iter().map(|grant| grant.input.index()));
            allocator.commit(&grants);
        }
        assert_eq!(served, [3, 0, 4, 1, 3, 2, 4, 0, 3, 1, 4, 2], "{allocation:?}");
    }
}
