//! Whole networks of routers under every setting, watched from their wires: what a neighbour may rely on, by the rules of `docs/invariants.md`.

mod deliveries;

use super::explore::Net;
use desvio_core::alloc::{AllocatorKind, ArbiterKind};
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::links::{FlowControl, PortSizes, VcAllocation, VcOrder};
use desvio_core::map::dragonfly::{Arrangement, Dragonfly};
use desvio_core::map::grid::Grid;
use desvio_core::map::{Map, Peer};
use desvio_core::options::{AllocationUnit, Pipeline, Priority};
use desvio_core::pins::{Bundle, FlitSignal, Pins, PortInputs, PortOutputs};
use desvio_core::plan::{CountAt, Plan};
use desvio_core::route::Routing;
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::duato::Duato;
use desvio_core::route::olm::{Olm, OlmScheme};
use desvio_core::router::Router;
use desvio_core::select::contention::ContentionTrigger;
use desvio_core::select::occupancy::OccupancyTrigger;
use desvio_core::select::{Selection, always::AlwaysTrigger};
use desvio_core::units::{PortClass, PortId, PortSet, VcId};
use desvio_core::vc::{Descriptor, VcState};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;
use std::collections::HashMap;

const PORTS: usize = 8;
const VCS: usize = 4;
const LENGTH: u16 = 4;

type Switch = Pins<Vec<Descriptor>, PORTS, VCS, 16>;
type Inputs = Bundle<PORTS>;

/// What has been seen of a VC of a wire: flits whose credits have not come back, and what is left of the packet that is on it.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    out: u16,
    left: u16,
}

/// What a node has to send: its packet's VC and flits that are left, and credits.
#[derive(Clone, Debug)]
struct Source {
    sending: Option<(u8, u16)>,
    credits: Vec<u16>,
}

struct World<'m> {
    plan: Plan<PORTS>,
    routing: Routing<'m>,
    net: Net,
    switches: HashMap<u32, Switch>,
    wires: HashMap<u32, Inputs>,
    sources: HashMap<(u32, u8), Source>,
    lanes: HashMap<(u32, u8, u8), Lane>,
    /// Where each packet is for, by its tag, and how many flits of it have come; nothing behind its tail.
    due: HashMap<u32, (Address, u16, u64)>,
    arriving: HashMap<(u32, u8, u8), u32>,
    delivered: u32,
    latencies: Vec<u64>,
    random: Xoshiro128PlusPlus,
    speedup: u64,
    cycle: u64,
    next_tag: u32,
    /// The most flits that the VCs of a port had in shared places.
    most_beyond: u16,
}

impl<'m> World<'m> {
    fn new(map: &impl Map, plan: Plan<PORTS>, routing: Routing<'m>, speedup: u8) -> Self {
        let net = Net::of(map);
        let switch = |(number, &router): (u32, &u32)| {
            let store = vec![Descriptor::default(); plan.links.places()];
            (router, Pins::new(Router::new(&plan, net.here(router), store, number, 1), speedup))
        };
        let switches = (0..).zip(&net.routers).map(switch).collect();
        let wires = net.routers.iter().map(|&router| (router, Inputs::default())).collect();
        let mut sources = HashMap::new();
        for &router in &net.routers {
            for port in net.ports().filter(|&port| net.peer(router, port) == Some(Peer::Node)) {
                let sizes = plan.links.sizes(PortClass::NODE);
                let credits = vec![sizes.buffer; sizes.vcs.into()];
                sources.insert((router, port.number()), Source { sending: None, credits });
            }
        }
        Self {
            plan,
            routing,
            net,
            switches,
            wires,
            sources,
            lanes: HashMap::new(),
            due: HashMap::new(),
            arriving: HashMap::new(),
            delivered: 0,
            latencies: Vec::new(),
            random: Xoshiro128PlusPlus::seed_from_u64(5),
            speedup: speedup.into(),
            cycle: 0,
            next_tag: 0,
            most_beyond: 0,
        }
    }

    /// Puts the next flit of a node on its wire; a new packet goes to `to`.
    fn send(&mut self, node: (u32, u8), to: Option<Address>) {
        let room = if self.plan.links.flow == FlowControl::Wormhole { 1 } else { LENGTH };
        let Some(source) = self.sources.get_mut(&node) else { return };
        let (vc, flit) = match (source.sending, to) {
            (Some((vc, left)), _) if source.credits[usize::from(vc)] > 0 => {
                source.sending = (left > 1).then_some((vc, left - 1));
                (vc, Flit::Body { tail: left == 1 })
            }
            (None, Some(to)) => {
                let Some(vc) = (0..source.credits.len()).find(|&vc| source.credits[vc] >= room) else {
                    return;
                };
                source.sending = Some((vc as u8, LENGTH - 1));
                let header = Header { to, length: LENGTH, ..Header::default() };
                self.due.insert(self.next_tag, (to, 0, self.cycle));
                self.next_tag += 1;
                (vc as u8, Flit::Head(Packet { header, tag: self.next_tag - 1 }))
            }
            _ => return,
        };
        source.credits[usize::from(vc)] -= 1;
        let label = self.plan.links.relabel(PortId::new(node.1), VcId::new(vc));
        let wires = self.wires.get_mut(&node.0).unwrap();
        let credit = wires.at(PortId::new(node.1)).credit;
        wires.set(PortId::new(node.1), PortInputs { flit: Some(FlitSignal { vc: label, flit }), credit });
    }

    /// One internal cycle.
    fn step(&mut self) {
        let mut driven = HashMap::new();
        for &router in &self.net.routers {
            let switch = self.switches.get_mut(&router).unwrap();
            let (outputs, result) = switch.step(&self.plan, &self.routing, &self.wires[&router]);
            result.unwrap();
            driven.insert(router, outputs);
        }
        self.wires.values_mut().for_each(|wires| *wires = Inputs::default());
        for router in self.net.routers.clone() {
            for port in self.net.ports() {
                let PortOutputs { flit, credit } = driven[&router].at(port);
                let peer = self.net.peer(router, port);
                assert!(peer.is_some() || flit.is_none() && credit.is_none(), "a port that is not connected");
                if let Some(signal) = flit {
                    self.watch(router, port, signal);
                }
                match peer {
                    Some(Peer::Router { router: there, port: at }) => {
                        if let Some(vc) = credit {
                            // A credit for the VC of the neighbour's wire.
                            let lane = self.lanes.get_mut(&(there, at.number(), vc.number())).unwrap();
                            lane.out = lane.out.checked_sub(1).expect("CREDIT-BOUND");
                        }
                        let wires = self.wires.get_mut(&there).unwrap();
                        wires.set(at, PortInputs { flit, credit });
                    }
                    Some(Peer::Node) => self.at_node(router, port, flit, credit),
                    None => {}
                }
            }
        }
        self.cycle += 1;
    }

    /// What a node gets: it takes each flit at once.
    fn at_node(&mut self, router: u32, port: PortId, flit: Option<FlitSignal>, credit: Option<VcId>) {
        if let Some(label) = credit {
            let vc = self.plan.links.relabel(port, label);
            self.sources.get_mut(&(router, port.number())).unwrap().credits[vc.index()] += 1;
        }
        let Some(FlitSignal { vc, flit }) = flit else { return };
        self.lanes.get_mut(&(router, port.number(), vc.number())).unwrap().out -= 1;
        let mut inputs = self.wires[&router].at(port);
        inputs.credit = Some(vc);
        self.wires.get_mut(&router).unwrap().set(port, inputs);
        let lane = (router, port.number(), vc.number());
        if let Flit::Head(packet) = flit {
            assert_eq!(packet.header.to, Address { router, port: port.number() });
            assert!(self.arriving.insert(lane, packet.tag).is_none());
        }
        let tag = self.arriving[&lane];
        let (to, flits, sent) = self.due.get_mut(&tag).expect("once");
        assert_eq!(*to, Address { router, port: port.number() });
        *flits += 1;
        if flit.is_tail() {
            assert_eq!(*flits, LENGTH);
            self.latencies.push(self.cycle - *sent);
            self.due.remove(&tag);
            self.arriving.remove(&lane);
            self.delivered += 1;
        }
    }

    /// FLIT-WHOLE and CREDIT-NO-DEBT: on each VC of a wire a head and as many flits as it says, the tail last, and never more than there is room for.
    fn watch(&mut self, router: u32, port: PortId, FlitSignal { vc, flit }: FlitSignal) {
        assert_eq!(self.cycle % self.speedup, 0, "a flit in each link cycle");
        let depth = self.plan.links.buffer(port);
        let lane = self.lanes.entry((router, port.number(), vc.number())).or_default();
        match flit {
            Flit::Head(packet) => {
                assert_eq!(lane.left, 0, "a head inside a packet");
                let whole = self.plan.links.flow != FlowControl::Wormhole;
                assert!(!whole || depth - lane.out >= packet.header.length, "no room for the whole packet");
                if self.plan.links.vc_allocation == VcAllocation::Atomic
                    && self.net.class(router, port) != PortClass::NODE
                {
                    assert_eq!(lane.out, 0, "an atomic VC is empty");
                }
                lane.left = packet.header.length - 1;
            }
            Flit::Body { tail } => {
                lane.left = lane.left.checked_sub(1).expect("a body without a head");
                assert_eq!(tail, lane.left == 0);
            }
        }
        lane.out += 1;
        assert!(lane.out <= depth, "CREDIT-NO-DEBT");
        // SHARED-BOUND: what the VCs of a port have beyond their reserved places fits the shared ones.
        let class = self.net.class(router, port);
        if class != PortClass::NODE {
            let reserved = self.plan.links.reserved_of_class(class);
            let lanes = self.lanes.iter().filter(|(key, _)| (key.0, key.1) == (router, port.number()));
            let beyond: u16 = lanes.map(|(_, lane)| lane.out.saturating_sub(reserved)).sum();
            assert!(reserved == depth || beyond <= depth - reserved, "SHARED-BOUND");
            self.most_beyond = self.most_beyond.max(beyond);
        }
    }

    /// CONTENTION-EXACT: as many packets are counted as there are at the front of a VC.
    fn check_counters(&self) {
        for (router, switch) in &self.switches {
            // What is leaving asks for its own output alone.
            let all = self.net.ports().flat_map(|port| (0..VCS as u8).map(move |vc| (port, VcId::new(vc))));
            for input in all.filter_map(|(port, vc)| switch.router().input(port, vc)) {
                if let VcState::Active { out, .. } = input.state() {
                    assert_eq!(input.request(), PortSet::only(out), "{router}");
                }
            }
            let counted: u16 = self.net.ports().map(|port| switch.router().contention(port)).sum();
            let fronts =
                self.net.ports().flat_map(|port| (0..VCS as u8).map(move |vc| (port, VcId::new(vc))));
            let fronts =
                fronts.filter(|&(port, vc)| switch.router().front(&self.plan, port, vc).is_some()).count();
            if self.plan.count_at == CountAt::Head {
                assert_eq!(usize::from(counted), fronts, "CONTENTION-EXACT at {router}");
            } else {
                assert!(usize::from(counted) >= fronts);
            }
        }
    }

    /// Everything has left: all credits are back, nothing is held, nothing is counted.
    fn check_empty(&self) {
        assert!(self.due.is_empty(), "{} packets are lost", self.due.len());
        for (router, switch) in &self.switches {
            let core = switch.router();
            assert!(core.is_idle() && core.error_count() == 0 && switch.dropped() == 0);
            for port in self.net.ports().filter(|&port| self.net.peer(*router, port).is_some()) {
                assert!(
                    core.owned(port).is_empty() && core.contention(port) == 0 && switch.queued(port) == 0
                );
                for vc in self.plan.links.vcs(port).iter() {
                    assert_eq!(
                        core.output(port).unwrap().credits.left(vc),
                        self.plan.links.buffer(port),
                        "CREDIT-CONSERVED"
                    );
                    assert_eq!(core.occupancy(&self.plan, desvio_core::units::Channel::new(port, vc)), 0);
                }
            }
        }
    }

    /// Random traffic for so many link cycles, then none until all is quiet.
    fn run(&mut self, cycles: u64, load: u32) {
        let nodes: Vec<_> = {
            let mut nodes: Vec<_> = self.sources.keys().copied().collect();
            nodes.sort_unstable();
            nodes
        };
        for link_cycle in 0..cycles + 4000 {
            for phase in 0..self.speedup {
                if phase == self.speedup - 1 {
                    for &node in &nodes {
                        let starts = link_cycle < cycles && self.random.next_u32() % 100 < load;
                        let to = nodes[self.random.next_u32() as usize % nodes.len()];
                        let to = starts.then_some(Address { router: to.0, port: to.1 });
                        if self.sources[&node].sending.is_some() || to.is_some() {
                            self.send(node, to);
                        }
                    }
                }
                self.step();
            }
            if link_cycle % 16 == 0 {
                self.check_counters();
            }
            if link_cycle > cycles + 8 && self.due.is_empty() && link_cycle > cycles + 200 {
                break;
            }
        }
        self.check_empty();
    }
}

fn plan_of(classes: &[PortClass], buffer: u16, vcs: [u8; 3]) -> Plan<PORTS> {
    let mut plan = Plan::new(classes, &vcs.map(|vcs| PortSizes { vcs, buffer })).unwrap();
    plan.options.output_flits = 8;
    plan
}

const N: PortClass = PortClass::NODE;
const L: PortClass = PortClass::LOCAL;
const G: PortClass = PortClass::GLOBAL;

/// A mesh of 3 by 2 with two nodes at each router.
fn mesh() -> (Grid, [PortClass; 6]) {
    (Grid::new(&[3, 2], 2, false).unwrap(), [N, N, L, L, L, L])
}
