//! Heads that go ahead: circuits and mad postman, on a mesh, by the rules and the times of `docs/switching.md`.

use super::explore::Net;
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::links::{FlowControl, PortSizes, VcAllocation};
use desvio_core::map::Peer;
use desvio_core::map::grid::Grid;
use desvio_core::plan::Plan;
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::{Route, Routing};
use desvio_core::router::{Answer, DEAD_TAG, Router, Wires};
use desvio_core::units::{Channel, PortClass, PortId, VcId};
use desvio_core::vc::Descriptor;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;
use std::collections::{BTreeMap, HashMap};

const PORTS: usize = 8;
const VCS: usize = 2;
/// Flits of a packet, with its head.
const LENGTH: u16 = 5;

/// What is on a wire.
#[derive(Clone, Copy, Debug)]
enum Signal {
    Flit(Flit),
    Credit,
    Answer(Answer),
}

/// What one router drives: by an output, or back by an input.
#[derive(Default)]
struct Driven {
    all: Vec<(u64, Channel, Signal)>,
    now: u64,
    back: u32,
}

impl Wires for Driven {
    fn flit(&mut self, to: Channel, at: u64, flit: Flit) {
        self.all.push((at, to, Signal::Flit(flit)));
    }

    fn credit(&mut self, from: Channel) {
        self.all.push((self.now + 1, from, Signal::Credit));
    }

    fn answer(&mut self, from: Channel, at: u64, answer: Answer) {
        self.all.push((at, from, Signal::Answer(answer)));
    }

    fn back(&mut self, _packet: &Packet) {
        self.back += 1;
    }
}

struct Sender {
    to: Address,
    tag: u32,
    left: u16,
    /// An answer has come, or none is needed.
    may_go_on: bool,
    pause: u32,
}

struct Mesh<'t> {
    plan: Plan<PORTS>,
    routing: Routing<'t>,
    net: Net,
    routers: BTreeMap<u32, Router<Vec<Descriptor>, PORTS, VCS>>,
    /// What comes to a router by a port: in which cycle it is on the wire.
    coming: Vec<(u64, u32, Channel, Signal)>,
    /// Links to nodes.
    to_nodes: Vec<(u64, u32, Channel, Signal)>,
    senders: BTreeMap<u32, Sender>,
    credits: HashMap<u32, u16>,
    arriving: HashMap<(u32, u8), (u32, u16)>,
    delivered: Vec<(u32, u64)>,
    killed: u64,
    back: u32,
    refused: u32,
    now: u64,
    random: Xoshiro128PlusPlus,
}

const NODE: PortId = PortId::new(0);
const BUFFER: u16 = 8;

impl<'t> Mesh<'t> {
    fn new(flow: FlowControl, grid: Grid, routing: Routing<'t>, vcs: u8, address_flits: u16) -> Self {
        let mut classes = vec![PortClass::NODE];
        classes.resize(desvio_core::map::Map::ports(&grid), PortClass::LOCAL);
        let sizes = [4, vcs].map(|vcs: u8| PortSizes { vcs: vcs.min(VCS as u8), buffer: BUFFER });
        let mut plan = Plan::new(&classes, &sizes).unwrap();
        (plan.links.flow, plan.links.vc_allocation, plan.options.address_flits) =
            (flow, VcAllocation::Atomic, address_flits);
        plan.options.output_flits = 4;
        let net = Net::of(&grid);
        let router = |(number, &router): (u32, &u32)| {
            (
                router,
                Router::new(
                    &plan,
                    net.here(router),
                    vec![Descriptor::default(); plan.links.places()],
                    number,
                    1,
                ),
            )
        };
        let routers = (0..).zip(&net.routers).map(router).collect();
        let credits = net.routers.iter().map(|&router| (router, BUFFER)).collect();
        Self {
            plan,
            routing,
            net,
            routers,
            credits,
            coming: Vec::new(),
            to_nodes: Vec::new(),
            senders: BTreeMap::new(),
            arriving: HashMap::new(),
            delivered: Vec::new(),
            killed: 0,
            back: 0,
            refused: 0,
            now: 0,
            random: Xoshiro128PlusPlus::seed_from_u64(1),
        }
    }

    /// A node begins to send a packet.
    fn launch(&mut self, from: u32, to: u32, tag: u32) {
        let flow = self.plan.links.flow;
        let ahead =
            if flow.goes_ahead() { self.plan.options.address_flits * self.routing.legs(from, to) } else { 0 };
        let sender = Sender {
            to: Address { router: to, port: 0 },
            tag,
            left: LENGTH + ahead,
            may_go_on: true,
            pause: 0,
        };
        assert!(self.senders.insert(from, sender).is_none());
    }

    /// What a node puts on its wire in this cycle.
    fn send(&mut self, from: u32) {
        let is_circuit = self.plan.links.flow.is_circuit();
        let Some(sender) = self.senders.get_mut(&from) else { return };
        sender.pause = sender.pause.saturating_sub(1);
        let whole = LENGTH + if is_circuit { 0 } else { sender.left.saturating_sub(LENGTH) };
        let is_new = !self.arriving.contains_key(&(from, 200));
        let credits = self.credits.get_mut(&from).unwrap();
        // Into an empty VC.
        let may =
            if is_new { *credits == BUFFER && sender.pause == 0 } else { *credits > 0 && sender.may_go_on };
        if !may {
            return;
        }
        let flit = if is_new {
            let header = Header { to: sender.to, length: whole, ..Header::default() };
            sender.may_go_on = !is_circuit;
            Flit::Head(Packet { header, tag: sender.tag })
        } else {
            Flit::Body { tail: sender.left == 1 }
        };
        *credits -= 1;
        sender.left -= 1;
        // Whether a head is out is kept beside what arrives.
        self.arriving.insert((from, 200), (0, 0));
        if sender.left == 0 {
            self.senders.remove(&from);
            self.arriving.remove(&(from, 200));
        }
        self.coming.push((self.now, from, Channel::new(NODE, VcId::new(0)), Signal::Flit(flit)));
    }

    fn step(&mut self) {
        let due: Vec<_> = self.to_nodes.iter().filter(|one| one.0 < self.now).copied().collect();
        self.to_nodes.retain(|one| one.0 >= self.now);
        due.into_iter().for_each(|(at, router, channel, signal)| self.at_node(router, at, channel, signal));
        for router in self.net.routers.clone() {
            self.send(router);
        }
        let mut driven = Vec::new();
        let due: Vec<_> = self.coming.iter().filter(|one| one.0 < self.now).copied().collect();
        self.coming.retain(|one| one.0 >= self.now);
        for (&router, core) in &mut self.routers {
            let mut wires = Driven { now: self.now, ..Driven::default() };
            core.step(&self.plan, &self.routing, self.now + 1, &mut wires);
            if self.plan.links.flow.backtracks() {
                core.turn_back(&self.plan, self.now + 1, &mut wires);
            }
            if self.plan.links.flow.goes_ahead() {
                self.killed += core.kill_dead(&self.plan, &self.routing, &mut wires);
            }
            for &(_, _, channel, signal) in due.iter().filter(|one| one.1 == router) {
                match signal {
                    Signal::Flit(flit) => {
                        core.handle_flit(&self.plan, &self.routing, channel, &flit).unwrap()
                    }
                    Signal::Credit => core.handle_credit(&self.plan, channel).unwrap(),
                    // An answer takes as long as a later flit: three cycles from wire to wire.
                    Signal::Answer(answer) => {
                        core.handle_answer(&self.plan, channel, answer, self.now + 2, &mut wires).unwrap()
                    }
                }
            }
            self.back += wires.back;
            driven.extend(wires.all.into_iter().map(|(at, channel, signal)| (router, at, channel, signal)));
        }
        for (router, at, channel, signal) in driven {
            match self.net.peer(router, channel.port) {
                Some(Peer::Router { router: there, port }) => {
                    self.coming.push((at, there, Channel::new(port, channel.vc), signal))
                }
                Some(Peer::Node) => self.to_nodes.push((at, router, channel, signal)),
                None => panic!("{channel:?} of {router} is not connected"),
            }
        }
        self.now += 1;
    }

    fn at_node(&mut self, router: u32, at: u64, channel: Channel, signal: Signal) {
        match signal {
            Signal::Credit => *self.credits.get_mut(&router).unwrap() += 1,
            Signal::Answer(Answer::Established) => self.senders.get_mut(&router).unwrap().may_go_on = true,
            Signal::Answer(Answer::Refused { place }) => {
                self.refused += 1;
                let pause = 1 + self.random.next_u32() % 64;
                let sender = self.senders.get_mut(&router).unwrap();
                (sender.left, sender.pause) = (LENGTH, pause);
                self.arriving.remove(&(router, 200));
                *self.credits.get_mut(&router).unwrap() += u16::from(place);
            }
            Signal::Flit(flit) => {
                let lane = (router, channel.vc.number());
                if let Flit::Head(packet) = flit {
                    assert!(packet.tag != DEAD_TAG && packet.header.to.router == router, "{packet:?}");
                    assert_eq!(packet.header.length, LENGTH);
                    assert!(self.arriving.insert(lane, (packet.tag, 0)).is_none());
                    if self.plan.links.flow.is_circuit() {
                        self.coming.push((self.now, router, channel, Signal::Answer(Answer::Established)));
                    }
                }
                let (tag, flits) = self.arriving.get_mut(&lane).unwrap();
                *flits += 1;
                self.coming.push((self.now, router, channel, Signal::Credit));
                if flit.is_tail() {
                    assert_eq!(*flits, LENGTH);
                    self.delivered.push((*tag, at));
                    self.arriving.remove(&lane);
                }
            }
        }
    }

    fn check_empty(&self) {
        for core in self.routers.values() {
            assert!(core.is_idle() && core.error_count() == 0);
            for port in self.net.ports().filter(|&port| self.net.peer(core.here().router, port).is_some()) {
                assert!(core.owned(port).is_empty() && core.contention(port) == 0);
                for vc in self.plan.links.vcs(port).iter() {
                    assert_eq!(
                        core.output(port).unwrap().credits.left(vc),
                        BUFFER,
                        "{port:?} of {}",
                        core.here().router
                    );
                    assert_eq!(core.input(port, vc).unwrap().flits(), 0);
                }
            }
        }
        assert!(self.credits.values().all(|&credits| credits == BUFFER));
    }
}

/// Proves: in an empty network a circuit's head, answer and data each go the whole way; mad postman brings an address for each dimension, and routes none.
#[test]
fn base_latencies_are_those_of_the_textbook() {
    let grid = Grid::new(&[4, 3], 1, false).unwrap();
    let routing = Routing::DimensionOrder(DimensionOrder { grid, vcs: 1 });
    for (flow, k) in [
        (FlowControl::Circuit, 1),
        (FlowControl::PipelinedCircuit, 1),
        (FlowControl::MadPostman, 1),
        (FlowControl::MadPostman, 2),
    ] {
        let mut mesh = Mesh::new(flow, grid, routing, 1, k);
        let routers = mesh.net.routers.clone();
        for (from, to) in routers.iter().flat_map(|&from| routers.iter().map(move |&to| (from, to))) {
            mesh.launch(from, to, 7);
            let began = mesh.now;
            mesh.delivered.clear();
            (0..200).for_each(|_| mesh.step());
            let [(7, at)] = mesh.delivered[..] else {
                panic!("{flow:?} {from} to {to}: {:?}", mesh.delivered)
            };
            // A head is on the next wire four cycles later, an answer and a later flit three; nodes answer in the next cycle, and links are no longer
            // than a wire. With mad postman what is first is not routed, either.
            let d = u64::from(mesh.net.distances(to)[&from]) + 1;
            let (legs, flits) = (u64::from(mesh.routing.legs(from, to)), u64::from(LENGTH));
            let expected = match flow {
                FlowControl::MadPostman => 3 * d + legs * u64::from(k) + flits - 1,
                _ => (4 + 3 + 3) * d + 2 + flits - 2,
            };
            assert_eq!(at - began, expected, "{flow:?} {k}: {d} routers, {legs}");
            mesh.check_empty();
        }
    }
}

/// Proves: whatever meets, everything arrives and everything comes back: probes that are refused, addresses that are dead.
#[test]
fn nothing_is_lost_where_heads_go_ahead() {
    let grid = Grid::new(&[4, 3], 1, false).unwrap();
    let order = Routing::DimensionOrder(DimensionOrder { grid, vcs: 2 });
    let cases = [
        (FlowControl::Circuit, order, 2),
        (FlowControl::PipelinedCircuit, order, 1),
        (FlowControl::MadPostman, order, 1),
        (FlowControl::MadPostman, order, 2),
    ];
    for (flow, routing, vcs) in cases {
        let mut mesh = Mesh::new(flow, grid, routing, vcs, 2);
        let (mut sent, routers) = (0, mesh.net.routers.clone());
        for cycle in 0..6000 {
            for &from in &routers {
                if cycle < 3000
                    && !mesh.senders.contains_key(&from)
                    && mesh.random.next_u32().is_multiple_of(16)
                {
                    let to = routers[mesh.random.next_u32() as usize % routers.len()];
                    mesh.launch(from, to, sent);
                    sent += 1;
                }
            }
            mesh.step();
        }
        assert_eq!(mesh.delivered.len(), sent as usize, "{flow:?}");
        let mut tags: Vec<_> = mesh.delivered.iter().map(|one| one.0).collect();
        tags.sort_unstable();
        assert!(tags.into_iter().eq(0..sent));
        mesh.check_empty();
        assert_eq!(mesh.refused > 10, flow == FlowControl::PipelinedCircuit, "{flow:?}");
        assert_eq!(mesh.back > 0, flow == FlowControl::PipelinedCircuit, "{flow:?}");
        assert_eq!(mesh.killed > 100, flow == FlowControl::MadPostman);
    }
}
