//! One router with a lifetime limit at one of its outputs, and its neighbours.

use desvio_core::discard::Discard;
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::lifetime::{HeadLimit, Lifetimes};
use desvio_core::links::{FlowControl, PortSizes};
use desvio_core::map::forwarding::{Entry, ForwardingTable, VcRule};
use desvio_core::options::Pipeline;
use desvio_core::pins::{Bundle, FlitSignal, Pins, PortInputs};
use desvio_core::plan::{CountAt, Plan};
use desvio_core::route::{Here, Routing};
use desvio_core::router::Router;
use desvio_core::state::{Register, Values, VcRegister};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use desvio_core::vc::{Descriptor, VcState};
use std::collections::VecDeque;

/// A node at port 0, links at ports 1 to 3.
pub(crate) const PORTS: usize = 4;
pub(crate) const VCS: usize = 2;
pub(crate) const BUFFER: u16 = 6;
pub(crate) const ROUTERS: u32 = 6;
/// Destinations by port 3 in VC 0, in VC 1, and in either; by port 2.
pub(crate) const BY_3: u32 = 1;
pub(crate) const BY_3_IN_1: u32 = 2;
pub(crate) const BY_3_IN_ANY: u32 = 3;
pub(crate) const BY_2: u32 = 4;
pub(crate) const LENGTH: u16 = 2;
/// Credits, more than there are.
pub(crate) const ALL: u16 = u16::MAX;

pub(crate) fn entries() -> Vec<Entry> {
    let by = |port, vcs| Entry::new(PortId::new(port), vcs);
    let only = |vc| VcSet::only(VcId::new(vc));
    let (first, second, either) = (only(0), only(1), VcSet::first_n(2));
    let mut all = vec![Entry::NONE, by(3, first), by(3, second), by(3, either), by(2, first)];
    all.resize((ROUTERS * ROUTERS) as usize, Entry::NONE);
    all
}

/// A router whose neighbours take flits, and return credits for them while they are told to.
pub(crate) struct Bench<'t> {
    pub(crate) plan: Plan<PORTS>,
    pub(crate) routing: Routing<'t>,
    pub(crate) pins: Pins<Vec<Descriptor>, PORTS, VCS, 16>,
    pub(crate) waiting: [VecDeque<(u8, Flit)>; PORTS],
    pub(crate) credits: [[u16; VCS]; PORTS],
    /// How many credits of a VC behind an output still come back; and those that have not yet.
    pub(crate) returns: [[u16; VCS]; PORTS],
    pub(crate) owed: [[u16; VCS]; PORTS],
    pub(crate) flits_in: u64,
    pub(crate) credits_back: u64,
    pub(crate) flits_out: u64,
    /// Tags of the heads that left.
    pub(crate) heads: Vec<u32>,
    /// Internal cycles.
    pub(crate) cycle: u64,
    pub(crate) speedup: u64,
}

/// What a case changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) limit: HeadLimit,
    /// Of packets in the router.
    pub(crate) packet_limit: u32,
    pub(crate) speedup: u8,
    pub(crate) pipeline: Pipeline,
    pub(crate) flow: FlowControl,
    pub(crate) count_at: CountAt,
}

impl Setup {
    pub(crate) fn with(cycles: u32, stall_count: u8) -> Self {
        Self {
            limit: HeadLimit { cycles, stall_count },
            packet_limit: 0,
            speedup: 1,
            pipeline: Pipeline::Four,
            flow: FlowControl::Vct,
            count_at: CountAt::Head,
        }
    }

    /// With either pipeline, counted either way, at several speeds.
    pub(crate) fn all(cycles: u32, stall_count: u8) -> impl Iterator<Item = Self> {
        let own = Self::with(cycles, stall_count);
        [1, 2, 3].into_iter().flat_map(move |speedup| {
            [Pipeline::Four, Pipeline::Five].into_iter().flat_map(move |pipeline| {
                [CountAt::Head, CountAt::Arrival].map(|count_at| Self { speedup, pipeline, count_at, ..own })
            })
        })
    }
}

impl<'t> Bench<'t> {
    /// Port 3 has the limit of packets at the head of a queue, and no other.
    pub(crate) fn new(entries: &'t [Entry], setup: Setup) -> Self {
        let (node, local) = (PortClass::NODE, PortClass::LOCAL);
        let sizes = PortSizes { vcs: VCS as u8, buffer: BUFFER };
        let mut plan = Plan::new(&[node, local, local, local], &[sizes; 2]).unwrap();
        (plan.options.output_flits, plan.links.flow, plan.options.pipeline, plan.count_at) =
            (4, setup.flow, setup.pipeline, setup.count_at);
        plan.lifetimes = Lifetimes::new(setup.speedup);
        plan.lifetimes.set_limit(PortId::new(3), setup.limit);
        plan.lifetimes.set_packet_limit(setup.packet_limit);
        let here = Here { router: 0, wired: PortSet::first_n(PORTS), ..Here::default() };
        let store = vec![Descriptor::default(); plan.links.places()];
        let pins = Pins::new(Router::new(&plan, here, store, 0, 1), setup.speedup);
        let table = ForwardingTable::load_unverified(entries, &[], &[], ROUTERS, VcRule::PerHop).unwrap();
        Self {
            plan,
            routing: Routing::Forwarding(table),
            pins,
            waiting: Default::default(),
            credits: [[BUFFER; VCS]; PORTS],
            returns: [[ALL; VCS]; PORTS],
            owed: Default::default(),
            flits_in: 0,
            credits_back: 0,
            flits_out: 0,
            heads: Vec::new(),
            cycle: 0,
            speedup: setup.speedup.into(),
        }
    }

    pub(crate) fn send(&mut self, port: u8, vc: u8, router: u32, length: u16, tag: u32) {
        let header = Header { to: Address { router, port: 0 }, length, ..Header::default() };
        let queue = &mut self.waiting[usize::from(port)];
        queue.push_back((vc, Flit::Head(Packet { header, tag })));
        queue.extend((1..length).map(|n| (vc, Flit::Body { tail: n + 1 == length })));
    }

    /// Fills what is behind VC `vc` of port 3, by way of port 1, and keeps the credits.
    pub(crate) fn block(&mut self, vc: u8) {
        let to = if vc == 0 { BY_3 } else { BY_3_IN_1 };
        self.returns[3][usize::from(vc)] = 0;
        (0..BUFFER / LENGTH).for_each(|_| self.send(1, vc, to, LENGTH, 99));
        self.run(40 * self.speedup);
        assert_eq!(self.heads, [99; (BUFFER / LENGTH) as usize]);
        self.heads.clear();
    }

    /// One internal cycle; flits come in the first of a link cycle.
    pub(crate) fn step(&mut self) {
        let mut inputs = Bundle::<PORTS>::default();
        for port in 0..PORTS {
            let mut signals = PortInputs::default();
            let back = (0..VCS).find(|&vc| self.returns[port][vc] > 0 && self.owed[port][vc] > 0);
            if let Some(vc) = back {
                self.owed[port][vc] -= 1;
                self.returns[port][vc] -= 1;
                signals.credit = Some(VcId::new(vc as u8));
            }
            if self.pins.phase() == 0
                && let Some(&(vc, flit)) = self.waiting[port].front()
                && self.credits[port][usize::from(vc)] > 0
            {
                self.waiting[port].pop_front();
                self.credits[port][usize::from(vc)] -= 1;
                self.flits_in += 1;
                signals.flit = Some(FlitSignal { vc: VcId::new(vc), flit });
            }
            inputs.set(PortId::new(port as u8), signals);
        }
        let (outputs, result) = self.pins.step(&self.plan, &self.routing, &inputs);
        result.unwrap();
        for port in 0..PORTS {
            let signals = outputs.at(PortId::new(port as u8));
            if let Some(vc) = signals.credit {
                self.credits[port][vc.index()] += 1;
                self.credits_back += 1;
            }
            let Some(FlitSignal { vc, flit }) = signals.flit else { continue };
            self.owed[port][vc.index()] += 1;
            self.flits_out += 1;
            if let Flit::Head(packet) = flit {
                self.heads.push(packet.tag);
            }
        }
        self.cycle += 1;
        self.check();
    }

    /// A packet that is being discarded asks for nothing; the counts of ticks are in the register side by side, each in as many bits as the
    /// places of the buffer need.
    fn check(&self) {
        let values = Values::of(&self.pins, &self.plan, VCS as u8);
        assert_eq!(values.get(Register::NoticeTold), 0, "a router that tells nothing");
        for (port, vc) in (0..PORTS as u8).flat_map(|port| (0..VCS as u8).map(move |vc| (port, vc))) {
            let (port, vc) = (PortId::new(port), VcId::new(vc));
            let input = self.pins.router().input(port, vc).unwrap();
            let is_discarding = matches!(input.state(), VcState::Discarding { .. });
            assert!(!is_discarding || input.request().is_empty(), "{port:?} {vc:?}");
            // The VC behind the output, of a packet that has one.
            let out_vc = if let VcState::Active { vc, .. } = input.state() { vc.number() } else { 0 };
            assert_eq!(values.get(Register::Vc(port, vc, VcRegister::OutVc)), out_vc.into());
            // What is discarded in the cycle to come wants no output.
            let wants =
                self.pins.router().wants(port, vc).filter(|_| !self.pins.expires(&self.plan, port, vc));
            let wanted = values.get(Register::Want(port, vc));
            assert_eq!(wanted, wants.map_or(0, |to| 1 << to.port.number()), "{port:?} {vc:?}");
            if self.plan.lifetimes.packet_limit() > 0 {
                let bits = u16::BITS - BUFFER.leading_zeros();
                let aged = self.pins.aged(&self.plan, port, vc).into_iter();
                let all = aged.zip(0..).fold(0, |all, (count, at)| all | u128::from(count) << (at * bits));
                assert_eq!(values.get(Register::Aged(port, vc)), all);
            }
        }
    }

    pub(crate) fn run(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step());
    }

    pub(crate) fn state(&self, port: u8, vc: u8) -> VcState {
        self.pins.router().input(PortId::new(port), VcId::new(vc)).unwrap().state()
    }

    pub(crate) fn discarded(&self) -> u32 {
        self.pins.router().discards(Discard::Lifetime)
    }

    pub(crate) fn contention(&self) -> u16 {
        self.pins.router().contention(PortId::new(3))
    }

    pub(crate) fn stalled_for(&self, vc: u8) -> u64 {
        self.pins.stalled_for(PortId::new(3), VcId::new(vc))
    }

    pub(crate) fn late(&self, vc: u8) -> u8 {
        self.pins.router().late_discards(PortId::new(3), VcId::new(vc))
    }

    /// Steps until VC 0 of a port waits; then the cycles until it does not.
    pub(crate) fn waits(&mut self, port: u8) -> u64 {
        while self.state(port, 0) != VcState::Waiting {
            self.step();
        }
        let from = self.cycle;
        while self.state(port, 0) == VcState::Waiting {
            self.step();
        }
        self.cycle - from
    }

    pub(crate) fn is_empty(&self) -> bool {
        (0..PORTS as u8).all(|port| (0..VCS as u8).all(|vc| self.state(port, vc) == VcState::Idle))
    }
}
