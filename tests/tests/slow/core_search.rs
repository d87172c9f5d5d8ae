//! The core's router, searched exhaustively: every state that a tiny one can reach, whatever its neighbours do within the protocol.
//!
//! In each state CREDIT-CONSERVED, BUFFER-BOUND and CONTENTION-EXACT hold, on each way out of it FLIT-WHOLE and VC-OWNED, and from each
//! the router comes to rest. A packet may take one VC of one output, so that nothing depends on chance, and the random word is no part
//! of a state.

use desvio_tests::record::record;
use rayon::prelude::*;
use router_core::alloc::{AllocatorKind, ArbiterKind};
use router_core::header::{Address, Flit, Header, Packet};
use router_core::links::{FlowControl, PortSizes};
use router_core::options::{AllocationUnit, Pipeline};
use router_core::plan::{CountAt, Plan};
use router_core::route::{Arrival, Candidates, Full, Here, Route};
use router_core::router::{Router, Wires};
use router_core::units::{Channel, PortClass, PortId, PortSet, VcId, VcSet};
use router_core::vc::{Descriptor, VcState};
use std::collections::HashSet;

const P: usize = 2;
const V: usize = 2;
type Switch = Router<[Descriptor; 12], P, V>;

/// The header says by which output and VC.
struct Straight;

impl Route for Straight {
    fn offer(&self, _here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let port = PortSet::only(PortId::new(header.to.router as u8));
        Ok(Candidates::minimal(port, VcSet::only(VcId::new(header.to.port))))
    }
}

/// What is searched.
#[derive(Clone, Copy, Debug)]
struct Case {
    flow: FlowControl,
    allocator: AllocatorKind,
    arbiter: ArbiterKind,
    unit: AllocationUnit,
    count_at: CountAt,
    pipeline: Pipeline,
    vcs: u8,
    depth: u16,
    lengths: &'static [u16],
    /// Packets come by the first so many inputs, and leave by the first so many outputs.
    inputs: u8,
    outputs: u8,
}

const PLAIN: Case = Case {
    flow: FlowControl::Vct,
    allocator: AllocatorKind::SeparableInputFirst,
    arbiter: ArbiterKind::Matrix,
    unit: AllocationUnit::Flit,
    count_at: CountAt::Head,
    pipeline: Pipeline::Four,
    vcs: 1,
    depth: 2,
    lengths: &[1, 2],
    inputs: 2,
    outputs: 2,
};

/// A packet that has begun to come in and not gone out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Inside {
    to: Channel,
    length: u16,
}

/// A VC of an input, as the neighbour that sends knows it.
#[derive(Clone, Debug, Default)]
struct Sender {
    credits: u16,
    /// Flits of the newest packet that have yet to be sent.
    to_send: u16,
    inside: Vec<Inside>,
}

/// A VC behind an output, as the neighbour that receives knows it.
#[derive(Clone, Debug, Default)]
struct Receiver {
    /// Flits whose places it has not given back.
    held: u16,
    /// The packet that is passing: flits to come, and where it leaves from.
    passing: Option<(u16, Channel)>,
}

/// What a router drove in a cycle: each flit, and the credit of the place that it left.
#[derive(Default)]
struct Driven {
    flits: Vec<(Channel, Flit)>,
    credits: Vec<Channel>,
}

impl Wires for Driven {
    fn flit(&mut self, to: Channel, _at: u64, flit: Flit) {
        self.flits.push((to, flit));
    }
    fn credit(&mut self, from: Channel) {
        self.credits.push(from);
    }
}

/// What comes in by one port in a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Input {
    /// A flit of a VC: a head if a packet is named.
    flit: Option<(u8, Option<Inside>)>,
    credit: Option<u8>,
}

#[derive(Clone)]
struct World {
    router: Switch,
    now: u64,
    senders: [[Sender; V]; P],
    receivers: [[Receiver; V]; P],
}

fn channels(case: &Case) -> impl Iterator<Item = Channel> + use<> {
    let vcs = case.vcs;
    (0..P as u8).flat_map(move |port| (0..vcs).map(move |vc| Channel::new(PortId::new(port), VcId::new(vc))))
}

fn plan(case: &Case) -> Plan<P> {
    let sizes = [PortSizes { vcs: case.vcs, buffer: case.depth }; 2];
    let mut plan = Plan::new(&[PortClass::NODE, PortClass::LOCAL], &sizes).expect("a plan");
    (plan.links.flow, plan.options.allocation_unit, plan.count_at) = (case.flow, case.unit, case.count_at);
    (plan.options.allocator, plan.options.arbiter) = (case.allocator, case.arbiter);
    plan.options.pipeline = case.pipeline;
    plan
}

impl World {
    fn new(case: &Case, plan: &Plan<P>) -> Self {
        let here = Here { wired: PortSet::first_n(P), ..Here::default() };
        let mut world = Self {
            router: Router::new(plan, here, [Descriptor::default(); 12], 0, 1),
            now: 0,
            senders: Default::default(),
            receivers: Default::default(),
        };
        world.senders.iter_mut().flatten().for_each(|sender| sender.credits = case.depth);
        world
    }

    fn sender(&mut self, at: Channel) -> &mut Sender {
        &mut self.senders[at.port.index()][at.vc.index()]
    }

    /// What may come in by a port.
    fn choices(&self, case: &Case, port: u8) -> Vec<Input> {
        let mut flits = vec![None];
        for vc in 0..case.vcs {
            let sender = &self.senders[usize::from(port)][usize::from(vc)];
            if sender.credits == 0 || port >= case.inputs {
                continue;
            }
            if sender.to_send > 0 {
                flits.push(Some((vc, None)));
                continue;
            }
            for output in 0..case.outputs {
                for to_vc in 0..case.vcs {
                    let to = Channel::new(PortId::new(output), VcId::new(to_vc));
                    let fits = |length: &&u16| case.flow.by_flit() || sender.credits >= **length;
                    let heads = case.lengths.iter().filter(fits);
                    flits.extend(heads.map(|&length| Some((vc, Some(Inside { to, length })))));
                }
            }
        }
        let held = |vc: &u8| self.receivers[usize::from(port)][usize::from(*vc)].held > 0;
        let credits: Vec<_> = [None].into_iter().chain((0..case.vcs).filter(held).map(Some)).collect();
        flits.iter().flat_map(|&flit| credits.iter().map(move |&credit| Input { flit, credit })).collect()
    }

    /// One cycle: the stages move, then what was on the wires is taken.
    fn step(&mut self, plan: &Plan<P>, inputs: [Input; P]) {
        let mut driven = Driven::default();
        self.now += 1;
        self.router.step(plan, &Straight, self.now, &mut driven);
        assert_eq!(driven.flits.len(), driven.credits.len(), "a place for each flit");
        for ((to, flit), from) in driven.flits.into_iter().zip(driven.credits) {
            self.leave(to, flit, from);
        }
        for (port, input) in (0..).map(PortId::new).zip(inputs) {
            if let Some((vc, begins)) = input.flit {
                self.enter(plan, Channel::new(port, VcId::new(vc)), begins);
            }
            if let Some(vc) = input.credit {
                self.receivers[port.index()][usize::from(vc)].held -= 1;
                let at = Channel::new(port, VcId::new(vc));
                self.router.handle_credit(plan, at).expect("CREDIT-BOUND");
            }
        }
    }

    fn enter(&mut self, plan: &Plan<P>, at: Channel, begins: Option<Inside>) {
        let sender = self.sender(at);
        sender.credits -= 1;
        let flit = match begins {
            Some(packet @ Inside { to, length }) => {
                sender.inside.push(packet);
                sender.to_send = length - 1;
                let to = Address { router: to.port.number().into(), port: to.vc.number() };
                Flit::Head(Packet { header: Header { to, length, ..Header::default() }, tag: 0 })
            }
            None => {
                sender.to_send -= 1;
                Flit::Body { tail: sender.to_send == 0 }
            }
        };
        self.router.handle_flit(plan, &Straight, at, &flit).expect("within the protocol");
    }

    /// A flit is on an output wire, and the place that it left is given back: FLIT-WHOLE and VC-OWNED.
    fn leave(&mut self, to: Channel, flit: Flit, from: Channel) {
        let sender = &mut self.senders[from.port.index()][from.vc.index()];
        sender.credits += 1;
        let receiver = &mut self.receivers[to.port.index()][to.vc.index()];
        receiver.held += 1;
        let left = match (flit, receiver.passing) {
            (Flit::Head(packet), None) => {
                let due = sender.inside.first().expect("FLIT-WHOLE: a packet that came in");
                assert_eq!(
                    (to, packet.header.length),
                    (due.to, due.length),
                    "FLIT-WHOLE: the packet whose turn it is"
                );
                packet.header.length - 1
            }
            (Flit::Body { tail }, Some((left, holder))) => {
                assert_eq!(holder, from, "VC-OWNED: a flit behind another packet's head");
                assert_eq!(tail, left == 1, "FLIT-WHOLE: the tail is the last");
                left - 1
            }
            (flit, passing) => panic!("VC-OWNED: {flit:?} into {to:?}, where {passing:?} is passing"),
        };
        receiver.passing = (left > 0).then_some((left, from));
        if left == 0 {
            sender.inside.remove(0);
        }
    }

    /// What holds in every state.
    fn check(&self, case: &Case, plan: &Plan<P>) {
        let mut wanting = [0; P];
        for at @ Channel { port, vc } in channels(case) {
            let input = self.router.input(port, vc).expect("a VC");
            let sender = &self.senders[port.index()][vc.index()];
            assert!(input.flits() <= case.depth, "BUFFER-BOUND");
            assert_eq!(sender.credits + input.flits(), case.depth, "CREDIT-CONSERVED at input {at:?}");
            let here = sender.inside.len() as u16;
            assert_eq!(input.packets(), here, "BUFFER-BOUND: packets in a buffer");
            assert!(here <= plan.links.ring(port, vc).places, "BUFFER-BOUND");
            let credits = self.router.output(port).expect("a port").credits.left(vc);
            let receiver = &self.receivers[port.index()][vc.index()];
            assert_eq!(credits + receiver.held, case.depth, "CREDIT-CONSERVED at output {at:?}");
            let owned = self.router.owned(port).contains(vc);
            assert_eq!(owned, receiver.passing.is_some(), "VC-OWNED: {at:?}");
            let counted = if case.count_at == CountAt::Head { 1 } else { usize::MAX };
            sender.inside.iter().take(counted).for_each(|packet| wanting[packet.to.port.index()] += 1);
        }
        for (port, wanting) in (0..).map(PortId::new).zip(wanting) {
            assert_eq!(self.router.contention(port), wanting, "CONTENTION-EXACT");
        }
        assert_eq!((self.router.error_count(), self.router.stranded(plan).count()), (0, 0));
    }

    /// What has begun is finished, nothing begins, and all credits come back: the router is empty after a while.
    fn comes_to_rest(mut self, case: &Case, plan: &Plan<P>) -> bool {
        for _ in 0..64 {
            if self.router.is_idle() && self.senders.iter().flatten().all(|sender| sender.to_send == 0) {
                return self.senders.iter().flatten().all(|sender| sender.inside.is_empty());
            }
            let quiet = |port| {
                let choices = self.choices(case, port);
                let begins = |input: &Input| matches!(input.flit, Some((_, Some(_))));
                choices.iter().copied().rfind(|input| !begins(input)).unwrap_or_default()
            };
            let inputs = [quiet(0), quiet(1)];
            self.step(plan, inputs);
        }
        false
    }

    /// All that decides what happens next, in bytes.
    fn key(&self, case: &Case) -> Vec<u8> {
        let mut key = Vec::with_capacity(64);
        let router = &self.router;
        for Channel { port, vc } in channels(case) {
            let input = router.input(port, vc).expect("a VC");
            let sender = &self.senders[port.index()][vc.index()];
            let (state, to) = match input.state() {
                VcState::Idle => (0, 0),
                VcState::Waiting => (1, 0),
                VcState::Active { out, vc } => (2, out.number() << 4 | vc.number()),
                VcState::Discarding { why } => (3, why as u8),
            };
            key.extend([state, to, input.flits() as u8, input.left() as u8, input.expected() as u8]);
            key.extend([input.request().bits() as u8, sender.inside.len() as u8]);
            let place = |to: Channel| 1 | to.port.number() << 4 | to.vc.number() << 1;
            let granted = router.granted(port).filter(|&(granted, _)| granted == vc).map(|(_, to)| to);
            key.extend([router.wants(port, vc), granted].map(|to| to.map_or(0, place)));
            let packet = |packet: &Inside| {
                packet.to.port.number() << 6 | packet.to.vc.number() << 4 | packet.length as u8
            };
            key.extend(sender.inside.iter().map(packet));
            let output = router.output(port).expect("a port");
            let receiver = &self.receivers[port.index()][vc.index()];
            let (left, from) = receiver.passing.unwrap_or_default();
            key.extend([
                output.credits.left(vc) as u8,
                left as u8,
                from.port.number() << 4 | from.vc.number(),
            ]);
            key.push(output.waiting(self.now + 1) as u8);
            let allocator = router.allocator();
            let turns = allocator.input_of_out_vc_arbiter(port, vc).map_or(0, |arbiter| arbiter.registers());
            let inner = allocator.input_arbiter(port).map_or(0, |arbiter| arbiter.registers());
            let outer = allocator.out_vc_arbiter(port).map_or(0, |arbiter| arbiter.registers());
            key.extend([turns as u8, inner as u8, outer as u8, allocator.turn()]);
        }
        key
    }
}

/// Every state that can be reached; how many there are, and how many ways between them were gone.
fn search(case: &Case) -> (usize, usize) {
    let plan = plan(case);
    let first = World::new(case, &plan);
    let mut seen = HashSet::from([first.key(case)]);
    let (mut new, mut ways) = (vec![first], 0);
    while let Some(world) = new.pop() {
        let [here, there] = [world.choices(case, 0), world.choices(case, 1)];
        for inputs in here.iter().flat_map(|&one| there.iter().map(move |&other| [one, other])) {
            let mut next = world.clone();
            next.step(&plan, inputs);
            ways += 1;
            if seen.insert(next.key(case)) {
                next.check(case, &plan);
                assert!(next.clone().comes_to_rest(case, &plan), "{case:?}: it does not come to rest");
                new.push(next);
            }
        }
        assert!(seen.len() < 1_000_000, "{case:?} is no small case");
    }
    (seen.len(), ways)
}

/// What was searched, as data.
fn row(case: &Case, (states, ways): (usize, usize)) -> String {
    let Case { flow, allocator, arbiter, unit, count_at, pipeline, vcs, depth, lengths, inputs, outputs } =
        case;
    format!(
        "[[search]]\nrouter = \"{allocator:?}, {arbiter:?}, {flow:?}, {unit:?}, {count_at:?}, {pipeline:?}\"\n\
         sizes = \"inputs={inputs} outputs={outputs} VCs={vcs} depth={depth} lengths={lengths:?}\"\n\
         states = {states}\nways = {ways}\n"
    )
}

#[test]
fn every_state_of_a_tiny_router_keeps_the_invariants() {
    use AllocatorKind::{SeparableOneArbiter, SeparableOutputFirst, Wavefront};
    use ArbiterKind::{Matrix, RoundRobin};
    let allocators = [
        (AllocatorKind::SeparableInputFirst, Matrix),
        (SeparableOutputFirst, RoundRobin),
        (Wavefront, Matrix),
    ];
    let two = Case { vcs: 2, inputs: 1, outputs: 1, flow: FlowControl::Wormhole, ..PLAIN };
    let cases: Vec<Case> = allocators
        .into_iter()
        .map(|(allocator, arbiter)| Case { allocator, arbiter, ..PLAIN })
        .chain([
            Case { flow: FlowControl::Wormhole, lengths: &[1, 3], ..PLAIN },
            Case { flow: FlowControl::StoreAndForward, arbiter: RoundRobin, ..PLAIN },
            Case { unit: AllocationUnit::Packet, ..PLAIN },
            Case { count_at: CountAt::Arrival, ..PLAIN },
            two,
            Case { allocator: Wavefront, ..two },
            Case { allocator: SeparableOutputFirst, arbiter: RoundRobin, ..two },
            Case { allocator: SeparableOneArbiter, arbiter: RoundRobin, ..two },
            Case { pipeline: Pipeline::Five, ..PLAIN },
            Case { pipeline: Pipeline::Five, flow: FlowControl::StoreAndForward, ..PLAIN },
            Case { pipeline: Pipeline::Five, allocator: Wavefront, ..two },
            Case { pipeline: Pipeline::Six, lengths: &[1, 3], flow: FlowControl::Wormhole, ..PLAIN },
            Case { pipeline: Pipeline::Six, allocator: SeparableOutputFirst, ..two },
        ])
        .collect();
    let found: Vec<_> = cases.par_iter().map(|case| (case, search(case))).collect();
    record("searches.toml", &found.iter().map(|(case, found)| row(case, *found)).collect::<String>());
    for (case, (states, ways)) in found {
        println!("{states} states, {ways} ways: {case:?}");
        assert!(states > 1000, "{case:?}: only {states}");
    }
}
