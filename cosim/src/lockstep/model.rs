//! The model as a twin: `router-core` behind its pins, with the payload that it does not store.

use super::frame::{Frame, WireFlit};
use super::payload::Payloads;
use super::probe::{ERROR_BITS, Probe, Probes, Register, VcRegister};
use super::twin::Twin;
use crate::blueprint::{Blueprint, BlueprintError};
use crate::rtl::{NotInRtl, Shape};
use router_core::alloc::arbiter::Arbiter;
use router_core::event::ProtocolError;
use router_core::header::Flit;
use router_core::layout;
use router_core::per_port::PerPort;
use router_core::pins::{FlitSignal, Pins, PortInputs};
use router_core::plan::Plan;
use router_core::route::{Candidates, HopKind, Routing};
use router_core::router::Router;
use router_core::units::{PortId, VcId, VcSet};
use router_core::vc::{Descriptor, InputVc, VcState};
use verilated::Failure;

/// Most flits in an output FIFO.
pub(crate) const FIFO: usize = 256;

/// Most VCs.
const V: usize = 8;

type Switch<const P: usize> = Pins<Vec<Descriptor>, P, V, FIFO>;

/// `router-core` with up to `P` ports.
pub struct ModelTwin<'b, const P: usize> {
    pins: Switch<P>,
    blueprint: &'b Blueprint,
    router: usize,
    shape: Shape,
    plan: Plan<P>,
    routing: Routing<'b>,
    probes: Vec<Probe>,
    payloads: Payloads,
}

impl<'b, const P: usize> ModelTwin<'b, P> {
    /// Router number `router` of a network.
    ///
    /// # Errors
    /// When the network cannot be built, or its FIFOs are too large.
    pub fn new(blueprint: &'b Blueprint, shape: &Shape, router: usize) -> Result<Self, NotInRtl> {
        let plan = blueprint.plan::<P>().map_err(BlueprintError::from)?;
        if plan.output_flits as usize > FIFO {
            return Err(NotInRtl::Fifo(plan.output_flits));
        }
        Ok(Self {
            pins: pins(blueprint, &plan, router),
            blueprint,
            router,
            plan,
            routing: blueprint.routing()?,
            probes: Probes::of(shape).list,
            payloads: Payloads::new(P),
            shape: shape.clone(),
        })
    }

    fn register(&self, register: Register) -> u128 {
        let router = self.pins.router();
        let at = |port: usize| PortId::new(port as u8);
        let output = |port| router.output(at(port));
        match register {
            Register::Vc(port, vc, register) => router
                .input(at(port), VcId::new(vc as u8))
                .map_or(0, |vc| vc_register(vc, register, &self.shape)),
            Register::Contention(port) => router.contention(at(port)).into(),
            Register::Credits(port, vc) => {
                output(port).map_or(0, |out| out.credits.left(VcId::new(vc as u8)).into())
            }
            Register::Owned(port) => output(port).map_or(0, |out| out.owned().bits().into()),
            Register::Queued(port) => self.pins.queued(at(port)) as u128,
            Register::Errors(kind) => {
                let count = ProtocolError::ALL.get(kind).map_or(0, |&error| router.errors(error));
                u128::from(count.min((1 << ERROR_BITS) - 1))
            }
            Register::InputArbiter(port) => {
                arbiter(router.allocator().input_arbiter(at(port)), self.shape.vcs)
            }
            Register::OutVcArbiter(port) => {
                arbiter(router.allocator().out_vc_arbiter(at(port)), self.shape.vcs)
            }
            Register::InputOfOutVcArbiter(port, vc) => {
                let inputs = router.allocator().input_of_out_vc_arbiter(at(port), VcId::new(vc as u8));
                arbiter(inputs, self.shape.ports)
            }
            Register::Choice(port) => router.allocator().choice(at(port)).number().into(),
            Register::Turn => router.allocator().turn().into(),
            Register::Lfsr => router.lfsr().word().into(),
            Register::Phase => self.pins.phase().into(),
        }
    }
}

fn pins<const P: usize>(blueprint: &Blueprint, plan: &Plan<P>, router: usize) -> Switch<P> {
    let scenario = blueprint.scenario();
    let (here, shortest) = (blueprint.here(router), scenario.traffic.packet_flits as u16);
    let places = Router::<Vec<Descriptor>, P, V>::store_size(plan, here.wired, shortest);
    let store = vec![Descriptor::default(); places];
    let router = Router::new(plan, here, store, router as u32, scenario.run.seed, shortest);
    Pins::new(router, scenario.router.speedup as u8)
}

/// The state of the first `requesters` requesters of an arbiter, as the RTL keeps it.
fn arbiter<const N: usize>(arbiter: Option<&Arbiter<N>>, requesters: usize) -> u128 {
    arbiter.map_or(0, |arbiter| arbiter.registers_of(requesters))
}

fn vc_register(vc: &InputVc, register: VcRegister, shape: &Shape) -> u128 {
    match register {
        VcRegister::State => match vc.state() {
            VcState::Idle => layout::VC_STATE_IDLE.into(),
            VcState::Waiting => layout::VC_STATE_WAITING.into(),
            VcState::Active { .. } => layout::VC_STATE_ACTIVE.into(),
        },
        VcRegister::Flits => vc.flits().into(),
        VcRegister::Packets => vc.packets().into(),
        VcRegister::Left => vc.left().into(),
        VcRegister::Expected => vc.expected().into(),
        VcRegister::Candidates => packed(vc.candidates(), shape),
        VcRegister::Minimal => 1 << vc.minimal().number(),
        VcRegister::Request => vc.request().bits() as u128,
        VcRegister::OutVc => match vc.state() {
            VcState::Active { vc, .. } => vc.number().into(),
            _ => 0,
        },
    }
}

/// Candidates, packed as in `hdl/routed_head.sv`.
pub(crate) fn packed(all: &Candidates, shape: &Shape) -> u128 {
    let vcs = VcSet::first_n(shape.vcs);
    let mut packed = 0;
    for kind in [HopKind::Minimal, HopKind::GlobalMisroute, HopKind::LocalMisroute] {
        let set = all.of_kind(kind).unwrap_or_default();
        packed = packed << shape.ports | set.ports.bits() as u128;
        packed = packed << shape.vcs | u128::from(set.vcs.and(vcs).bits());
    }
    packed << 1 | u128::from(all.is_forced())
}

impl<const P: usize> Twin for ModelTwin<'_, P> {
    fn reset(&mut self) -> Result<(), Failure> {
        self.pins = pins(self.blueprint, &self.plan, self.router);
        self.payloads.clear();
        Ok(())
    }

    fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), Failure> {
        let mut pins = PerPort::default();
        for (port, signals) in inputs.ports.iter().enumerate() {
            let flit =
                signals.flit.map(|signal| FlitSignal { vc: VcId::new(signal.vc), flit: signal.to_flit() });
            pins.set(PortId::new(port as u8), PortInputs { flit, credit: signals.credit.map(VcId::new) });
        }
        // Protocol errors are counted in the router, and compared there.
        let (driven, _) = self.pins.step(&self.plan, &self.routing, &pins);
        outputs.clear();
        for port in 0..self.shape.ports {
            let signals = driven.at(PortId::new(port as u8));
            outputs.ports[port].credit = signals.credit.map(VcId::number);
            outputs.ports[port].flit = signals.flit.map(|FlitSignal { vc, flit }| WireFlit {
                vc: vc.number(),
                head: matches!(flit, Flit::Head(_)),
                tail: flit.is_tail(),
                data: self.payloads.data(port, vc, &flit),
            });
        }
        Ok(())
    }

    fn probe(&mut self, values: &mut Vec<u128>) {
        values.clear();
        values.extend(self.probes.iter().map(|probe| self.register(probe.register)));
    }
}
