//! The model behind its pins, stepped cycle by cycle: `router-core`, with the payload that it does not store.

use super::frame::{Frame, Notice, WireFlit};
use super::payload::Payloads;
use super::settings::Settings;
use super::switch::{FIFO, Switch};
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use desvio_sim::topology::Peer;
use rand_core::SeedableRng as _;
use rand_xoshiro::Xoroshiro128PlusPlus;
use router_core::event::ProtocolError;
use router_core::exchange::{Exchange, Flags, Told};
use router_core::header::{Carried, Header, Packet};
use router_core::pins::{Bundle, FlitSignal, Pins, PortInputs};
use router_core::plan::Plan;
use router_core::route::{Route as _, Routing};
use router_core::router::Router;
use router_core::select::Selection;
use router_core::units::{PortId, VcId};
use router_core::vc::Descriptor;
use thiserror::Error;

/// `router-core` with up to `P` ports, and what is on its wires.
pub(crate) struct Stepper<'b, const P: usize> {
    pub(crate) pins: Switch<P>,
    pub(crate) plan: Plan<P>,
    routing: Routing<'b>,
    /// What it tells its group, and hears, if it does.
    pub(crate) told: Option<Told<Vec<u16>>>,
    payloads: Payloads,
    /// What is on its wires in this cycle.
    received: Bundle<P>,
    driven: Bundle<P>,
    /// What of a payload the wires have room for.
    payload_mask: u32,
}

impl<'b, const P: usize> Stepper<'b, P> {
    /// A router as after reset.
    pub(crate) fn new(
        blueprint: &'b Blueprint,
        plan: Plan<P>,
        router: usize,
        payload_mask: u32,
    ) -> Result<Self, BlueprintError> {
        blueprint.check_single("a router that is driven pin by pin")?;
        Ok(Self {
            pins: pins(blueprint, &plan, router, &Settings::default()),
            told: told(blueprint, &plan),
            plan,
            routing: blueprint.routing()?,
            payloads: Payloads::new(P),
            received: Bundle::default(),
            driven: Bundle::default(),
            payload_mask,
        })
    }

    /// Back to where it was after reset, with the plan as it is now.
    pub(crate) fn reset(&mut self, blueprint: &Blueprint, router: usize, settings: &Settings) {
        self.pins = pins(blueprint, &self.plan, router, settings);
        self.told = told(blueprint, &self.plan);
        self.payloads.clear();
    }

    /// One internal cycle.
    ///
    /// # Errors
    /// The first protocol error among the inputs of the cycle before. The outputs are valid all the same.
    pub(crate) fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), ProtocolError> {
        self.received.clear();
        for (port, signals) in inputs.ports.iter().enumerate() {
            let flit =
                signals.flit.map(|signal| FlitSignal { vc: VcId::new(signal.vc), flit: signal.to_flit() });
            let signals = PortInputs { flit, credit: signals.credit.map(VcId::new) };
            self.received.add(PortId::new(port as u8), &signals);
        }
        outputs.clear();
        let Self { pins, plan, routing, told, received, driven, .. } = self;
        let result = match told {
            None => pins.step_onto(plan, routing, received, driven),
            Some(known) => {
                let told = known.tells().map(|counts| Notice { from: 0, counts: counts.to_vec() });
                outputs.notices.extend(told);
                let notices = inputs.notices.iter().map(|notice| (notice.from, notice.counts.as_slice()));
                let (outputs, result) = known.step(pins, plan, routing, received, notices);
                *driven = outputs;
                result
            }
        };
        for (port, output) in outputs.ports.iter_mut().enumerate() {
            let signals = self.driven.at(PortId::new(port as u8));
            output.credit = signals.credit.map(VcId::number);
            output.flit = signals.flit.map(|FlitSignal { vc, flit }| {
                let mut wire = self.payloads.wire(port, vc, &flit);
                wire.data[0] &= self.payload_mask;
                wire
            });
        }
        result
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

/// Why a router of a network cannot be stepped alone.
#[derive(Debug, Error)]
pub enum StepError {
    /// The scenario cannot be built.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    /// The network has no such router.
    #[error("there is no router {0}, only 0 to {1}")]
    Router(usize, usize),
    /// Its output FIFOs are too large.
    #[error("router.output_flits: {0} flits are too many to be stepped, expected {FIFO} at most")]
    Fifo(u32),
    /// It has wires that a stepped router has not.
    #[error(
        "selection.trigger: what the routers of a group tell each other is not on the pins of a stepped router"
    )]
    Told,
    /// It has too many ports.
    #[error("a router of {0} ports cannot be stepped, expected 64 at most")]
    Wide(usize),
}

/// One router of a network, stepped alone.
pub trait Stepped {
    /// One internal cycle: what it drives in it, given what it receives in it.
    ///
    /// # Errors
    /// What was wrong with the inputs of the cycle before. The outputs are valid all the same.
    fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), ProtocolError>;

    /// Back to where it was at first.
    fn reset(&mut self);
}

struct Alone<'b, const P: usize> {
    stepper: Stepper<'b, P>,
    blueprint: &'b Blueprint,
    router: usize,
}

impl<const P: usize> Stepped for Alone<'_, P> {
    fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), ProtocolError> {
        self.stepper.step(inputs, outputs)
    }

    fn reset(&mut self) {
        self.stepper.reset(self.blueprint, self.router, &Settings::default());
    }
}

/// Router number `router` of a network as the model.
///
/// # Errors
/// When it cannot be stepped alone.
pub fn stepped(blueprint: &Blueprint, router: usize) -> Result<Box<dyn Stepped + '_>, StepError> {
    let routers = blueprint.wiring().routers();
    if router >= routers {
        return Err(StepError::Router(router, routers - 1));
    }
    Ok(match blueprint.wiring().ports() {
        ..=8 => Box::new(alone::<8>(blueprint, router)?),
        9..=16 => Box::new(alone::<16>(blueprint, router)?),
        17..=64 => Box::new(alone::<64>(blueprint, router)?),
        ports => return Err(StepError::Wide(ports)),
    })
}

fn alone<const P: usize>(blueprint: &Blueprint, router: usize) -> Result<Alone<'_, P>, StepError> {
    let plan = blueprint.plan::<P>(router).map_err(BlueprintError::from)?;
    if plan.options.output_flits as usize > FIFO {
        return Err(StepError::Fifo(plan.options.output_flits));
    }
    let stepper = Stepper::new(blueprint, plan, router, u32::MAX)?;
    if stepper.told.is_some() {
        return Err(StepError::Told);
    }
    Ok(Alone { stepper, blueprint, router })
}

/// A port of a stepped router.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortFacts {
    /// What the topology calls it.
    pub class: &'static str,
    /// What is at its other end, such as `node 3`.
    pub leads_to: String,
    /// Its VCs.
    pub vcs: usize,
    /// Flits that the buffer of each VC holds, at either end.
    pub buffer: u32,
}

/// The ports of a router of a network.
///
/// # Errors
/// When the scenario cannot be built.
pub fn ports(blueprint: &Blueprint, router: usize) -> Result<Vec<PortFacts>, StepError> {
    let (wiring, plan) = (blueprint.wiring(), blueprint.plan::<64>(router).map_err(BlueprintError::from)?);
    let port = |number: usize| {
        let id = PortId::new(number as u8);
        let leads_to = match wiring.peer(router, number) {
            Some(Peer::Node(node)) => format!("node {node}"),
            Some(Peer::Router { router, .. }) => format!("router {router}"),
            None => "nothing".to_owned(),
        };
        let class = wiring.class_names()[plan.links.class(id).index()];
        PortFacts { class, leads_to, vcs: plan.links.vcs(id).len(), buffer: u32::from(plan.links.buffer(id)) }
    };
    Ok((0..wiring.ports()).map(port).collect())
}

/// The packets of nodes, with intermediate points drawn from one seed where the routing uses them.
pub struct Launcher<'b> {
    blueprint: &'b Blueprint,
    routing: Routing<'b>,
    chance: Xoroshiro128PlusPlus,
}

impl<'b> Launcher<'b> {
    /// The packets of a network's nodes.
    ///
    /// # Errors
    /// When the scenario cannot be built.
    pub fn new(blueprint: &'b Blueprint) -> Result<Self, BlueprintError> {
        let chance = Xoroshiro128PlusPlus::seed_from_u64(blueprint.scenario().run.seed);
        Ok(Self { blueprint, routing: blueprint.routing()?, chance })
    }

    /// The flits of a packet from one node to another, as they come to the first router.
    pub fn packet(&mut self, (from, to): (usize, usize), vc: u8, length: u16, tag: u32) -> Vec<WireFlit> {
        let (router, _) = self.blueprint.wiring().attachment(from);
        let here = self.blueprint.here(router);
        let header = self.routing.launch(&here, self.blueprint.address(to), length, &mut self.chance);
        let carried = Carried::default().with_source(self.blueprint.address(from));
        let head = WireFlit::head(vc, &Packet { header: Header { carried, ..header }, tag });
        let body = (1..length).map(|index| WireFlit::body(vc, tag, index, index + 1 == length));
        [head].into_iter().chain(body).collect()
    }
}
