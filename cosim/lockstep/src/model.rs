//! The model as a twin: `router-core` behind its pins, with the payload that it does not store.

use super::frame::{Frame, Notice};
use super::payload::Payloads;
use super::registers::Registers;
use super::settings::Settings;
use super::switch::{FIFO, Switch};
use super::twin::Twin;
use super::{lifetimes, marks};
use crate::shape::{NotInRtl, Shape};
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use router_core::exchange::{Exchange, Flags, Told};
use router_core::per_port::PerPort;
use router_core::pins::{FlitSignal, Pins, PortInputs};
use router_core::plan::Plan;
use router_core::route::Routing;
use router_core::router::{Router, Stranded};
use router_core::select::Selection;
use router_core::units::{PortId, VcId};
use router_core::vc::Descriptor;
use verilated::Failure;

/// `router-core` with up to `P` ports.
pub struct ModelTwin<'b, const P: usize> {
    pins: Switch<P>,
    blueprint: &'b Blueprint,
    router: usize,
    shape: Shape,
    plan: Plan<P>,
    routing: Routing<'b>,
    /// What it tells its group, and hears, if it does.
    told: Option<Told<Vec<u16>>>,
    registers: Registers<P>,
    payloads: Payloads,
    /// What of a payload the wires have room for.
    payload_mask: u32,
}

impl<'b, const P: usize> ModelTwin<'b, P> {
    /// Router number `router` of a network.
    ///
    /// # Errors
    /// When the network cannot be built, or its FIFOs are too large.
    pub fn new(blueprint: &'b Blueprint, shape: &Shape, router: usize) -> Result<Self, NotInRtl> {
        let plan = blueprint.plan::<P>(router).map_err(BlueprintError::from)?;
        if plan.options.output_flits as usize > FIFO {
            return Err(NotInRtl::Fifo { flits: plan.options.output_flits, most: FIFO });
        }
        Ok(Self {
            pins: pins(blueprint, &plan, router, &Settings::default()),
            told: told(blueprint, &plan),
            blueprint,
            router,
            plan,
            routing: blueprint.routing()?,
            registers: Registers::new(shape),
            payloads: Payloads::new(P),
            payload_mask: shape.payload_mask(),
            shape: shape.clone(),
        })
    }
}

fn pins<const P: usize>(
    blueprint: &Blueprint,
    plan: &Plan<P>,
    router: usize,
    settings: &Settings,
) -> Switch<P> {
    let (scenario, seed) = (blueprint.scenario(), settings.seed(blueprint.scenario().run.seed));
    let store = vec![Descriptor::default(); plan.links.places()];
    let router = Router::new(plan, blueprint.here(router), store, router as u32, seed);
    Pins::new(router, scenario.router.options.speedup as u8)
}

fn told<const P: usize>(blueprint: &Blueprint, plan: &Plan<P>) -> Option<Told<Vec<u16>>> {
    if plan.flags.is_some() {
        return Some(Told::Flags(Flags::new(plan, vec![0; Flags::<Vec<u16>>::places(plan)])));
    }
    let Selection::Ectn(trigger) = plan.selection else { return None };
    let speedup = blueprint.scenario().router.options.speedup as u8;
    let rows = vec![0; Exchange::<Vec<u16>>::places(plan)];
    Some(Told::Counters(Exchange::new(plan, &trigger, speedup, rows)))
}

impl<const P: usize> Twin for ModelTwin<'_, P> {
    fn reset(&mut self, settings: &Settings) -> Result<(), Failure> {
        let scenario = self.blueprint.scenario().selection.trigger;
        self.plan.selection = settings.selection(scenario);
        self.plan.marking = marks::narrowed(&settings.marking(self.shape.plan()));
        self.plan.vl_arbitration = settings.vl_arbitration(self.shape.plan()).map(|all| all.narrowed());
        let speedup = self.blueprint.scenario().router.options.speedup as u8;
        self.plan.lifetimes = lifetimes::narrowed(&settings.lifetimes(self.shape.plan(), speedup), speedup);
        let router = settings.router.unwrap_or(self.router);
        self.pins = pins(self.blueprint, &self.plan, router, settings);
        self.told = told(self.blueprint, &self.plan);
        self.payloads.clear();
        self.registers.forget();
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
        outputs.clear();
        let (driven, _) = match &mut self.told {
            None => self.pins.step(&self.plan, &self.routing, &pins),
            Some(known) => {
                let told = known.tells().map(|counts| Notice { from: 0, counts: counts.to_vec() });
                outputs.notices.extend(told);
                let notices = inputs.notices.iter().map(|notice| (notice.from, notice.counts.as_slice()));
                known.step(&mut self.pins, &self.plan, &self.routing, &pins, notices)
            }
        };
        for port in 0..self.shape.ports {
            let signals = driven.at(PortId::new(port as u8));
            outputs.ports[port].credit = signals.credit.map(VcId::number);
            outputs.ports[port].flit = signals.flit.map(|FlitSignal { vc, flit }| {
                let mut wire = self.payloads.wire(port, vc, &flit);
                wire.data[0] &= self.payload_mask;
                wire
            });
        }
        Ok(())
    }

    fn registers(&mut self) -> &[u64] {
        self.registers.of(&self.pins, &self.plan, self.told.as_ref().map(Told::view))
    }

    fn stranded(&self) -> [u64; Stranded::COUNT] {
        let mut found = [0; Stranded::COUNT];
        self.pins.router().stranded(&self.plan).for_each(|(_, why)| found[why.index()] += 1);
        found
    }
}
