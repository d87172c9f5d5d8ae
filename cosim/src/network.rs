//! The network: routers joined by links, nodes that inject and consume, one clock.
//!
//! In each internal cycle every router that holds a flit is stepped, then everything that was on a wire in the
//! cycle before is written (the order that [`router_core::router`] asks for). Routers that hold nothing and nodes
//! that wait cost nothing.

mod active;
mod alarm;
mod audit;
mod fault;
mod node;
mod packets;
mod shadow;
mod tally;
#[cfg(test)]
mod tests;
mod traffic;
mod wheel;

pub use fault::Fault;
pub(crate) use tally::{Series, SeriesWindow, Tally};

use crate::blueprint::{Blueprint, BlueprintError};
use crate::summary::Utilisation;
use crate::topology::{Peer, PortKind};
use crate::traffic::Traffic;
use active::ActiveSet;
use alarm::Alarm;
use node::{Node, Sending};
use packets::Packets;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;
use router_core::event::ProtocolError;
use router_core::header::{Flit, Packet};
use router_core::plan::Plan;
use router_core::route::{Arrival, HopKind, Route, Routing};
use router_core::router::{Router, Wires};
use router_core::units::{PortId, VcId};
use router_core::vc::Descriptor;
use shadow::{Difference, Shadows};
use wheel::{End, Slot, Wheel};

type Switch<const P: usize, const V: usize> = Router<Box<[Descriptor]>, P, V>;

/// The link behind a port.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// Its other end.
    to: End,
    /// Its latency in link cycles.
    latency: u32,
}

/// A network of routers with up to `P` ports and `V` VCs each.
pub(crate) struct Network<'b, const P: usize, const V: usize> {
    routing: Routing<'b>,
    plan: Plan<P>,
    speedup: u64,
    length: u16,
    routers: Vec<Switch<P, V>>,
    /// Routers that hold flits.
    busy: ActiveSet,
    /// Entry `router · P + port`.
    links: Vec<Link>,
    /// Flits that each link has carried since the last reset.
    carried: Vec<u32>,
    wheel: Wheel,
    packets: Packets,
    traffic: &'b Traffic,
    nodes: Vec<Node<V>>,
    /// Nodes that may have something to send.
    ready: ActiveSet,
    alarm: Alarm,
    /// Draws intermediate points.
    random: Xoshiro128PlusPlus,
    /// The link cycle to come.
    cycle: u64,
    /// The last link cycle in which a flit moved or, from an output FIFO, is due to move.
    moved: u64,
    /// Cycles without a moving flit after which the network is said to be stuck: longer than any credit or flit can be
    /// on its way.
    patience: u64,
    /// Flits put on a wire by nodes, and taken off by them.
    flits_in: u64,
    flits_out: u64,
    /// Flits that each node has injected since the last reset.
    injected: Vec<u32>,
    tally: Tally,
    series: Option<Series>,
    fault: Option<Fault>,
    /// Routers that also run in SystemVerilog.
    shadows: Option<Box<Shadows>>,
}

/// What a router drives, put on the wheel.
struct OnWheel<'a> {
    links: &'a [Link],
    carried: &'a mut [u32],
    wheel: &'a mut Wheel,
    packets: &'a mut Packets,
    speedup: u64,
    internal: u64,
    /// The last link cycle in which something is known to move.
    moved: u64,
    router: usize,
    shadows: Option<&'a mut Shadows>,
}

impl Wires for OnWheel<'_> {
    #[inline(always)]
    fn flit(&mut self, port: PortId, vc: VcId, at: u64, flit: Flit) {
        let link = self.links[port.index()];
        self.carried[port.index()] += 1;
        if let Some(shadows) = &mut self.shadows {
            shadows.flit(self.router, port, vc, self.speedup * at, &flit);
        }
        self.wheel.flit(self.speedup * (at + u64::from(link.latency)) + 1, link.to, vc, flit);
        self.moved = self.moved.max(at);
    }

    #[inline(always)]
    fn credit(&mut self, port: PortId, vc: VcId) {
        let link = self.links[port.index()];
        if let Some(shadows) = &mut self.shadows {
            shadows.credit(self.router, port, vc, self.internal + 1);
        }
        self.wheel.credit(self.internal + 2 + self.speedup * u64::from(link.latency), link.to, vc);
    }

    #[inline(always)]
    fn hop(&mut self, packet: &Packet, _port: PortId, hop: HopKind) {
        self.packets.hop(packet, hop);
    }
}

impl<'b, const P: usize, const V: usize> Network<'b, P, V> {
    /// The network of a blueprint, empty, with its nodes' first packets due.
    pub(crate) fn new(blueprint: &'b Blueprint, traffic: &'b Traffic) -> Result<Self, BlueprintError> {
        let scenario = blueprint.scenario();
        let wiring = blueprint.wiring();
        let plan = blueprint.plan::<P>()?;
        let (seed, length) = (scenario.run.seed, scenario.traffic.packet_flits as u16);
        let latency = scenario.links.latency;
        let speedup = u64::from(scenario.router.speedup);
        let longest = latency.node.max(latency.local).max(latency.global);
        let horizon = speedup * u64::from(longest + scenario.router.output_flits + 3) + 4;
        let routers = (0..wiring.routers()).map(|router| {
            let store = vec![Descriptor::default(); plan.places()].into_boxed_slice();
            Router::new(&plan, blueprint.here(router), store, router as u32, seed)
        });
        let mut network = Self {
            routing: blueprint.routing()?,
            routers: routers.collect(),
            plan,
            speedup,
            length,
            busy: ActiveSet::new(wiring.routers()),
            links: links::<P>(blueprint),
            carried: vec![0; wiring.routers() * P],
            wheel: Wheel::new(horizon),
            packets: Packets::default(),
            traffic,
            nodes: Vec::new(),
            ready: ActiveSet::new(wiring.nodes()),
            alarm: Alarm::new(),
            random: Xoshiro128PlusPlus::seed_from_u64(seed),
            cycle: 0,
            moved: 0,
            patience: 1000 + 4 * u64::from(longest),
            flits_in: 0,
            flits_out: 0,
            injected: vec![0; wiring.nodes()],
            tally: Tally::default(),
            series: None,
            fault: None,
            shadows: shadows(blueprint)?,
        };
        network.place_nodes(blueprint);
        Ok(network)
    }

    fn place_nodes(&mut self, blueprint: &Blueprint) {
        let sizes = self.plan.sizes(PortKind::Node);
        for node in 0..blueprint.wiring().nodes() {
            let (router, port) = blueprint.wiring().attachment(node);
            let mut generator = self.traffic.generator(node as u32);
            let next = generator.next(self.traffic);
            if let Some(packet) = next {
                self.alarm.set(packet.at, node as u32);
            }
            self.nodes.push(Node {
                at: End::port::<P>(router, port),
                router: router as u32,
                to: blueprint.address(node),
                generator,
                next,
                sending: Sending::Between,
                credits: [sizes.buffer; V],
                vcs: sizes.vcs,
                receiving: [None; V],
            });
        }
    }

    /// The link cycle to come: how many have been run.
    pub(crate) fn cycle(&self) -> u64 {
        self.cycle
    }

    /// What went wrong, if anything.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// What has been delivered since the last reset.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The time series, if it was asked for.
    pub(crate) fn series(&self) -> Option<&Series> {
        self.series.as_ref()
    }

    /// Records packets by the time of their injection, in windows of this many cycles.
    ///
    /// One of them begins at cycle `origin`.
    pub(crate) fn record_series(&mut self, width: u64, origin: u64) {
        self.series = Some(Series::new(width, origin));
    }

    /// Forgets what has been counted so far.
    pub(crate) fn reset_tally(&mut self) {
        self.tally = Tally::default();
        self.carried.fill(0);
        self.injected.fill(0);
    }

    /// Flits that each node has injected since the last reset.
    pub(crate) fn injected(&self) -> &[u32] {
        &self.injected
    }

    /// How long the packets at the front of the source queues have waited: the mean over all nodes that send at
    /// all, and the longest. Unit: cycles.
    pub(crate) fn waits(&self) -> (f64, f64) {
        let senders = self.nodes.iter().filter(|node| node.next.is_some());
        let waits = senders.map(|node| node.waiting_since(self.cycle));
        let (sum, longest, count) =
            waits.fold((0, 0, 0u64), |(s, m, n), wait| (s + wait, m.max(wait), n + 1));
        (sum as f64 / count.max(1) as f64, longest as f64)
    }

    /// How busy the links of a kind were in the `cycles` since the last reset.
    pub(crate) fn utilisation(&self, kind: PortKind, cycles: u64) -> Utilisation {
        let wired =
            |router: usize, port: usize| self.routers[router].here().wired.contains(PortId::new(port as u8));
        let (mut sum, mut max, mut count) = (0u64, 0u32, 0u64);
        for (at, &flits) in self.carried.iter().enumerate() {
            let (router, port) = (at / P, at % P);
            if wired(router, port) && self.plan.kind(PortId::new(port as u8)) == kind {
                (sum, max, count) = (sum + u64::from(flits), max.max(flits), count + 1);
            }
        }
        let share = |flits: f64| flits / cycles as f64;
        Utilisation {
            mean: if count == 0 { f64::NAN } else { share(sum as f64 / count as f64) },
            max: if count == 0 { f64::NAN } else { share(f64::from(max)) },
        }
    }

    /// Runs to the end of link cycle `end − 1`, or until something goes wrong.
    #[inline(never)]
    pub(crate) fn run_to(&mut self, end: u64) {
        while self.cycle < end && self.fault.is_none() {
            self.link_cycle();
            if cfg!(debug_assertions) && self.cycle.is_multiple_of(256) {
                self.audit();
            }
            if self.packets.live() == 0 {
                self.moved = self.moved.max(self.cycle);
            } else if self.cycle.saturating_sub(self.moved) > self.patience {
                self.fault = Some(Fault::Deadlock { cycle: self.cycle, report: self.waiting_cycle() });
            }
        }
    }

    /// One link cycle: nodes inject, then each internal cycle steps the busy routers and delivers what arrives.
    fn link_cycle(&mut self) {
        self.wake_nodes();
        self.inject();
        for phase in 0..self.speedup {
            let internal = self.cycle * self.speedup + phase;
            self.step_routers(internal);
            self.write(internal);
            self.follow(internal);
        }
        self.cycle += 1;
    }

    #[inline]
    fn step_routers(&mut self, internal: u64) {
        let Self {
            busy,
            routers,
            plan,
            routing,
            links,
            carried,
            wheel,
            packets,
            speedup,
            cycle,
            moved,
            shadows,
            ..
        } = self;
        busy.retain(|r| {
            let range = r * P..(r + 1) * P;
            let mut wires = OnWheel {
                links: &links[range.clone()],
                carried: &mut carried[range],
                wheel,
                packets,
                speedup: *speedup,
                internal,
                moved: *moved,
                router: r,
                shadows: shadows.as_deref_mut(),
            };
            let router = &mut routers[r];
            router.step(plan, routing, *cycle + 1, &mut wires);
            *moved = wires.moved;
            !router.is_idle()
        });
    }

    /// Writes what was on the wires in the internal cycle before.
    #[inline]
    fn write(&mut self, internal: u64) {
        let slot = self.wheel.take(internal);
        let now = internal.saturating_sub(1) / self.speedup;
        for head in &slot.heads {
            match head.to.as_node() {
                Some(node) => self.receive(node, head.vc, Flit::Head(head.packet), now),
                None => self.write_flit(head.to, head.vc, Flit::Head(head.packet)),
            }
        }
        for body in &slot.bodies {
            let flit = Flit::Body { tail: body.tail() };
            match body.to().as_node() {
                Some(node) => self.receive(node, body.vc(), flit, now),
                None => self.write_flit(body.to(), body.vc(), flit),
            }
        }
        self.write_credits(&slot);
        self.wheel.reuse(slot);
    }

    #[inline]
    fn write_flit(&mut self, to: End, vc: VcId, flit: Flit) {
        let (at, port) = to.as_port::<P>();
        let port = PortId::new(port);
        if let Some(shadows) = &mut self.shadows {
            shadows.flit_came(at, port, vc, &flit);
        }
        let router = &mut self.routers[at];
        if router.is_idle() {
            self.busy.insert(at);
        }
        if let Err(error) = router.handle_flit(&self.plan, &self.routing, port, vc, &flit) {
            self.refused(at, port, vc, error);
        }
        if let Flit::Head(packet) = flit {
            let kind = self.plan.kind(port);
            let from = Arrival { port, kind, vc: self.plan.relabel(port, vc) };
            if !self.routing.keeps_order(self.routers[at].here(), from, &packet.header) {
                self.fault.get_or_insert(Fault::VcOrder {
                    cycle: self.cycle,
                    router: at,
                    port: port.number(),
                    vc: vc.number(),
                });
            }
        }
    }

    /// The routers in SystemVerilog do what their models did.
    #[inline]
    fn follow(&mut self, internal: u64) {
        let Some(shadows) = &mut self.shadows else { return };
        if let Err(difference) = shadows.follow(internal) {
            let Difference { router, port, expected, got } = *difference;
            let cycle = (internal - 1) / self.speedup;
            self.fault.get_or_insert(Fault::Rtl { cycle, router, port, expected, got });
        }
    }

    /// A router was sent what it cannot take.
    #[cold]
    fn refused(&mut self, router: usize, port: PortId, vc: VcId, error: ProtocolError) {
        let (cycle, port, vc) = (self.cycle, port.number(), vc.number());
        self.fault.get_or_insert(Fault::Protocol { cycle, router, port, vc, error });
    }

    #[inline]
    fn write_credits(&mut self, slot: &Slot) {
        for credit in &slot.credits {
            if let Some(node) = credit.to().as_node() {
                self.nodes[node].credits[credit.vc().index()] += 1;
                self.ready.insert(node);
                continue;
            }
            let (at, port) = credit.to().as_port::<P>();
            let (port, vc) = (PortId::new(port), credit.vc());
            if let Some(shadows) = &mut self.shadows {
                shadows.credit_came(at, port, vc);
            }
            if let Err(error) = self.routers[at].handle_credit(&self.plan, port, vc) {
                self.refused(at, port, vc, error);
            }
        }
    }
}

/// The routers that also run in SystemVerilog, if any do.
fn shadows(blueprint: &Blueprint) -> Result<Option<Box<Shadows>>, BlueprintError> {
    let shadows = blueprint.rtl().map(|rtl| Shadows::new(blueprint, rtl)).transpose();
    shadows.map(|shadows| shadows.map(Box::new)).map_err(|error| BlueprintError::Rtl(Box::new(error)))
}

/// Where each port leads. Ports without a peer lead nowhere and are never used.
fn links<const P: usize>(blueprint: &Blueprint) -> Vec<Link> {
    let wiring = blueprint.wiring();
    let latency = blueprint.scenario().links.latency;
    let link = |router: usize, port: usize| {
        let nowhere = Link { to: End::node(0), latency: 1 };
        if port >= wiring.ports() {
            return nowhere;
        }
        let latency = match wiring.kind(port) {
            PortKind::Node => latency.node,
            PortKind::Local => latency.local,
            PortKind::Global => latency.global,
        };
        let to = match wiring.peer(router, port) {
            None => return nowhere,
            Some(Peer::Node(node)) => End::node(node as usize),
            Some(Peer::Router { router, port }) => End::port::<P>(router as usize, usize::from(port)),
        };
        Link { to, latency }
    };
    (0..wiring.routers())
        .flat_map(|router| (0..P).map(move |port| (router, port)))
        .map(|(r, p)| link(r, p))
        .collect()
}
