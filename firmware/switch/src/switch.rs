//! A router behind links.

use crate::counters::Counters;
use crate::event::{Event, emit};
use crate::link::Link;
use crate::payload::{NoPayload, Payloads};
#[cfg(feature = "defmt")]
use crate::watch::Watch;
use router_core::event::ProtocolError;
use router_core::header::Flit;
use router_core::pins::{Bundle, FlitSignal, Pins};
use router_core::plan::Plan;
use router_core::route::Route;
use router_core::units::{PortId, VcId};
use router_core::vc::Descriptor;
use tether::machine::Machine;
use tether::setup::{Setup, SetupError};

/// A switch of `P` ports with up to `V` VCs each and output FIFOs of up to `F` flits. `R` is its routing
/// function, `L` the type of its links, and `B` the store of the bytes of flits.
#[derive(Debug)]
pub struct Switch<'g, R, L, const P: usize, const V: usize, const F: usize, B = NoPayload> {
    machine: Machine<'g, R, P, V, F>,
    links: [L; P],
    counters: Counters<P>,
    payloads: B,
    /// What the links have brought in this cycle, and what they are handed.
    received: Bundle<P>,
    driven: Bundle<P>,
    #[cfg(feature = "defmt")]
    watch: Watch<P, V>,
}

impl<'g, R: Route, L: Link, const P: usize, const V: usize, const F: usize> Switch<'g, R, L, P, V, F> {
    /// A switch of descriptors alone, as after reset.
    ///
    /// # Errors
    /// When the setup makes no sense, or asks for more than there is room for.
    pub fn new(
        setup: &Setup,
        routing: R,
        store: &'g mut [Descriptor],
        links: [L; P],
    ) -> Result<Self, SetupError> {
        Self::with_payload(setup, routing, store, links, NoPayload)
    }
}

impl<'g, R: Route, L: Link, B: Payloads, const P: usize, const V: usize, const F: usize>
    Switch<'g, R, L, P, V, F, B>
{
    /// A switch of flits with bytes, as after reset.
    ///
    /// # Errors
    /// When the setup makes no sense, or asks for more than there is room for.
    pub fn with_payload(
        setup: &Setup,
        routing: R,
        store: &'g mut [Descriptor],
        links: [L; P],
        payloads: B,
    ) -> Result<Self, SetupError> {
        // Made in one piece and then looked at: a machine that is moved behind a check takes the stack twice.
        let switch = Self {
            machine: Machine::new(setup, routing, store)?,
            links,
            counters: Counters::default(),
            payloads,
            received: Bundle::default(),
            driven: Bundle::default(),
            #[cfg(feature = "defmt")]
            watch: Watch::new(),
        };
        switch.has_places(setup)?;
        Ok(switch)
    }

    /// Whether each flit that may be in the switch has a place for its bytes.
    fn has_places(&self, setup: &Setup) -> Result<(), SetupError> {
        let places = self.payloads.places();
        if places == usize::MAX {
            return Ok(());
        }
        // A packet that is discarded would keep its places.
        if setup.options.discards || setup.options.packet_lifetime > 0 {
            return Err(SetupError::LeftOut);
        }
        let flits = (0..P).map(|port| flits(self.machine.plan(), PortId::new(port as u8)));
        // A flit keeps its place until it has left the output FIFO, a head until its tail has.
        let needed = flits.fold(P.saturating_mul(F.saturating_add(V)), usize::saturating_add);
        if places < needed { Err(SetupError::TooLarge) } else { Ok(()) }
    }

    /// One internal cycle: takes what the links bring, decides, and hands them what leaves.
    pub fn step(&mut self) {
        let _ = self.cycle();
    }

    /// [`step`](Self::step), with the first protocol error of the cycle before. The router counts it.
    pub(crate) fn cycle(&mut self) -> Result<(), ProtocolError> {
        let Self { machine, links, counters, payloads, received, driven, .. } = self;
        received.clear();
        for (port, link) in (0u8..).map(PortId::new).zip(links.iter_mut()) {
            let mut signals = link.receive();
            if let Some(signal) = &mut signals.flit {
                report_arrival(counters.cycles(), port, signal);
                payloads.arrive(port, signal, |bytes| link.read_payload(bytes));
            }
            received.add(port, &signals);
        }
        let result = machine.step_onto(received, driven);
        if result.is_err() {
            emit(counters.cycles(), Event::Refused { errors: machine.pins().router().error_count() });
        }
        #[cfg(feature = "defmt")]
        self.watch.look(counters.cycles(), machine.pins(), machine.plan());
        for (port, link) in (0u8..).map(PortId::new).zip(links) {
            let mut signals = driven.at(port);
            let payload = signals.flit.as_mut().map_or(&[][..], |signal| payloads.leave(port, signal));
            link.send_with(signals, payload);
        }
        counters.count(received, driven);
        result
    }

    /// The router with its pins and its routing.
    pub(crate) const fn machine(&self) -> &Machine<'g, R, P, V, F> {
        &self.machine
    }

    /// The router with its pins and its routing, to be programmed.
    pub(crate) const fn machine_mut(&mut self) -> &mut Machine<'g, R, P, V, F> {
        &mut self.machine
    }

    /// The counters of all ports, at any time.
    pub const fn counters(&self) -> &Counters<P> {
        &self.counters
    }

    /// How often a neighbour broke the protocol in this way.
    pub fn errors(&self, error: ProtocolError) -> u32 {
        self.pins().router().errors(error)
    }

    /// Packets that have `port` as their minimal output.
    pub fn contention(&self, port: PortId) -> u16 {
        self.pins().router().contention(port)
    }

    /// Places of a VC of the neighbour's buffer that are in use, as seen from the credits.
    pub fn occupancy(&self, port: PortId, vc: VcId) -> u16 {
        self.pins()
            .router()
            .output(port)
            .map_or(0, |output| output.credits.occupancy(vc, self.machine.plan().links.buffer(port)))
    }

    /// The router with its pins.
    pub const fn pins(&self) -> &Pins<&'g mut [Descriptor], P, V, F> {
        self.machine.pins()
    }

    /// The links.
    pub const fn links(&self) -> &[L; P] {
        &self.links
    }

    /// The links, for what their owner asks of them between two steps.
    pub const fn links_mut(&mut self) -> &mut [L; P] {
        &mut self.links
    }

    /// What keeps the bytes of flits.
    pub const fn payloads(&self) -> &B {
        &self.payloads
    }
}

/// Says that a head has arrived.
fn report_arrival(cycle: u64, port: PortId, signal: &FlitSignal) {
    if let Flit::Head(packet) = &signal.flit {
        let (vc, tag, flits) = (signal.vc, packet.tag, packet.header.length);
        let (router, node) = (packet.header.to.router, packet.header.to.port);
        emit(cycle, Event::Arrived { port, vc, tag, flits, router, node });
    }
}

/// Flits of all buffers of an input port.
fn flits<const P: usize>(plan: &Plan<P>, port: PortId) -> usize {
    if port.index() >= plan.links.radix() {
        return 0;
    }
    plan.links.vcs(port).len().saturating_mul(plan.links.buffer(port).into())
}
