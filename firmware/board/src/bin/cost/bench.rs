//! A router on the bench: packets by any way through it, and neighbours that take everything.

use router_core::header::{Address, Flit, Header, Packet};
use router_core::per_port::PerPort;
use router_core::pins::{Bundle, FlitSignal, Pins, PortInputs};
use router_core::plan::Plan;
use router_core::route::{Arrival, Candidates, Full, Route, Routing};
use router_core::router::{Router, Wires};
use router_core::units::{Channel, PortId, PortSet, VcId};
use router_core::vc::Descriptor;
use switch::standard::{FIFO, PACKET};
use tether::setup::{Groups, Setup, SetupError};

/// A router, and what it drove in the last step.
pub(super) struct Bench<'g, const P: usize, const V: usize, const D: usize> {
    pub(super) plan: Plan<P>,
    pub(super) routing: Routing<'g>,
    pub(super) router: Router<[Descriptor; D], P, V>,
    pub(super) sink: Sink<P>,
    next: u64,
}

/// What a router drove in one step.
#[derive(Clone, Debug, Default)]
pub(super) struct Sink<const P: usize> {
    flits: PerPort<Option<VcId>, P>,
    credits: PerPort<Option<VcId>, P>,
}

impl<const P: usize> Wires for Sink<P> {
    fn flit(&mut self, Channel { port, vc }: Channel, _at: u64, _flit: Flit) {
        self.flits.set(port, Some(vc));
    }

    fn credit(&mut self, Channel { port, vc }: Channel) {
        self.credits.set(port, Some(vc));
    }
}

impl<'g, const P: usize, const V: usize, const D: usize> Bench<'g, P, V, D> {
    pub(super) fn new(setup: &Setup, groups: &'g Groups) -> Result<Self, SetupError> {
        let (plan, routing) = (setup.plan::<P>()?, setup.routing(groups)?);
        if plan.links.places() > D {
            return Err(SetupError::TooLarge);
        }
        let store = [Descriptor::default(); D];
        let router = Router::new(&plan, setup.here, store, setup.number, setup.seed);
        Ok(Self { plan, routing, router, sink: Sink::default(), next: 1 })
    }

    /// The ports.
    pub(super) fn ports() -> impl Iterator<Item = PortId> + Clone {
        (0..P as u8).map(PortId::new)
    }

    /// The port after this one.
    pub(super) fn after(port: PortId) -> PortId {
        let next = port.number().wrapping_add(1);
        PortId::new(if usize::from(next) < P { next } else { 0 })
    }

    /// A packet that comes by `from` and whose only minimal way out is `output`.
    pub(super) fn packet(&self, from: PortId, output: PortId) -> Option<Packet> {
        // Any router's address is below this, in the standard setups.
        let all = (0..64 << 6).flat_map(|router| (0..4).map(move |port| Address { router, port }));
        let leads_there = |packet: &Packet| {
            self.offer(from, packet).is_ok_and(|offered| offered.preferred() == PortSet::only(output))
        };
        all.map(|to| Packet { header: Header { to, length: PACKET, ..Header::default() }, tag: 0 })
            .find(leads_there)
    }

    /// The candidates of a packet.
    pub(super) fn offer(&self, from: PortId, packet: &Packet) -> Result<Candidates, Full> {
        let from = Arrival { port: from, kind: self.plan.links.class(from), vc: VcId::new(0) };
        self.routing.offer(self.router.here(), from, &packet.header)
    }

    pub(super) fn flit(&mut self, port: PortId, vc: VcId, flit: Flit) {
        let _ = self.router.handle_flit(&self.plan, &self.routing, Channel::new(port, vc), &flit);
    }

    pub(super) fn credit(&mut self, port: PortId, vc: VcId) {
        let _ = self.router.handle_credit(&self.plan, Channel::new(port, vc));
    }

    pub(super) fn step(&mut self) {
        self.router.step(&self.plan, &self.routing, self.next, &mut self.sink);
    }

    /// The neighbours take what was driven and give back its credits; the next link cycle begins.
    pub(super) fn settle(&mut self) {
        for port in Self::ports() {
            if let Some(vc) = self.sink.flits.at(port) {
                self.credit(port, vc);
            }
        }
        self.sink = Sink::default();
        self.next = self.next.wrapping_add(1);
    }

    /// At each input in use a packet of its own for the next output, so that all can move at once.
    pub(super) fn fill(&mut self, inputs: PortSet) {
        for port in inputs {
            if let Some(packet) = self.packet(port, Self::after(port)) {
                self.whole(port, VcId::new(0), packet);
            }
        }
    }

    /// A packet with all its flits.
    pub(super) fn whole(&mut self, port: PortId, vc: VcId, packet: Packet) {
        self.flit(port, vc, Flit::Head(packet));
        for left in (0..PACKET.saturating_sub(1)).rev() {
            self.flit(port, vc, Flit::Body { tail: left == 0 });
        }
    }

    /// The router behind its pins.
    pub(super) fn into_pins(self, speedup: u8) -> Behind<'g, P, V, D> {
        Behind { pins: Pins::new(self.router, speedup), plan: self.plan, routing: self.routing }
    }
}

/// A router behind its pins.
pub(super) struct Behind<'g, const P: usize, const V: usize, const D: usize> {
    pins: Pins<[Descriptor; D], P, V, { FIFO as usize }>,
    plan: Plan<P>,
    routing: Routing<'g>,
}

impl<const P: usize, const V: usize, const D: usize> Behind<'_, P, V, D> {
    /// One internal cycle.
    pub(super) fn step(&mut self, inputs: &Bundle<P>, driven: &mut Bundle<P>) {
        let _ = self.pins.step_onto(&self.plan, &self.routing, inputs, driven);
    }
}

/// On every port, a body flit and the credit for what was driven there.
pub(super) fn busy<const P: usize>(driven: &Bundle<P>) -> Bundle<P> {
    let flit = Some(FlitSignal { vc: VcId::new(0), flit: Flit::Body { tail: false } });
    Bundle::from_fn(|port| {
        let credit = driven.at(PortId::new(port as u8)).flit.map(|signal| signal.vc);
        PortInputs { flit, credit }
    })
}
