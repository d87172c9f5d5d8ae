//! The model as a twin: `router-core` behind its pins, and the registers that are compared.

use super::frame::Frame;
use super::registers::Registers;
use super::settings::Settings;
use super::stepper::Stepper;
use super::switch::FIFO;
use super::twin::Twin;
use super::{lifetimes, marks};
use crate::shape::{NotInRtl, Shape};
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use router_core::exchange::Told;
use router_core::router::Stranded;
use verilated::Failure;

/// `router-core` with up to `P` ports.
pub struct ModelTwin<'b, const P: usize> {
    stepper: Stepper<'b, P>,
    blueprint: &'b Blueprint,
    router: usize,
    shape: Shape,
    registers: Registers<P>,
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
            stepper: Stepper::new(blueprint, plan, router, shape.payload_mask())?,
            blueprint,
            router,
            registers: Registers::new(shape),
            shape: shape.clone(),
        })
    }
}

impl<const P: usize> Twin for ModelTwin<'_, P> {
    fn reset(&mut self, settings: &Settings) -> Result<(), Failure> {
        let scenario = self.blueprint.scenario().selection.trigger;
        let plan = &mut self.stepper.plan;
        plan.selection = settings.selection(scenario);
        plan.marking = marks::narrowed(&settings.marking(self.shape.plan()));
        plan.vl_arbitration = settings.vl_arbitration(self.shape.plan()).map(|all| all.narrowed());
        let speedup = self.blueprint.scenario().router.options.speedup as u8;
        plan.lifetimes = lifetimes::narrowed(&settings.lifetimes(self.shape.plan(), speedup), speedup);
        let router = settings.router.unwrap_or(self.router);
        self.stepper.reset(self.blueprint, router, settings);
        self.registers.forget();
        Ok(())
    }

    fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), Failure> {
        // Protocol errors are counted in the router, and compared there.
        let _ = self.stepper.step(inputs, outputs);
        Ok(())
    }

    fn registers(&mut self) -> &[u64] {
        let Stepper { pins, plan, told, .. } = &self.stepper;
        self.registers.of(pins, plan, told.as_ref().map(Told::view))
    }

    fn stranded(&self) -> [u64; Stranded::COUNT] {
        let mut found = [0; Stranded::COUNT];
        let Stepper { pins, plan, .. } = &self.stepper;
        pins.router().stranded(plan).for_each(|(_, why)| found[why.index()] += 1);
        found
    }
}
