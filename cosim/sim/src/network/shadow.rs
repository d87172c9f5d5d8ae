//! Shadows: second implementations of routers inside the network. Each gets what its model gets and has to drive what its
//! model drives, on every wire and in every cycle.

use super::signal::Signal;
use super::violation::Violation;
use super::wheel::Wheel;
use crate::blueprint::Blueprint;
use router_core::header::Flit;
use router_core::units::{PortId, VcId};
use std::error::Error;
use std::fmt::Debug;

/// A second implementation of one router, stepped beside its model.
pub trait Shadow: Debug {
    /// A flit was on the input wire of `port` in the internal cycle before.
    fn receive_flit(&mut self, port: PortId, vc: VcId, flit: &Flit);
    /// A credit was on the input wire of `port` in the internal cycle before.
    fn receive_credit(&mut self, port: PortId, vc: VcId);
    /// The model puts a flit on the wire of `port` in internal cycle `at`: the shadow has to, too.
    fn expect_flit(&mut self, port: PortId, vc: VcId, at: u64, flit: &Flit);
    /// The model returns a credit in internal cycle `at`: the shadow has to, too.
    fn expect_credit(&mut self, port: PortId, vc: VcId, at: u64);
    /// Internal cycle `cycle`, of which everything is known.
    ///
    /// # Errors
    /// When it drove something else than was expected.
    fn step(&mut self, cycle: u64) -> Result<(), Box<Difference>>;
}

/// What makes the shadows of a network.
pub trait Shadowing: Debug + Send + Sync {
    /// How many routers have one: the first so many of the network.
    fn routers(&self) -> usize;

    /// The shadow of a router, reset.
    ///
    /// # Errors
    /// When it cannot be started.
    fn shadow(&self, blueprint: &Blueprint, router: usize) -> Result<Box<dyn Shadow>, ShadowError>;
}

/// Why a shadow could not be started.
pub type ShadowError = Box<dyn Error + Send + Sync>;

/// What a shadow drove instead of what its model did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The output port.
    pub port: u8,
    /// What the model drives.
    pub expected: String,
    /// What the shadow drives, or the assertion that failed in it.
    pub got: String,
}

/// The shadows of the first routers of a network.
#[derive(Debug)]
pub(crate) struct Shadows {
    list: Vec<Box<dyn Shadow>>,
}

impl Shadows {
    /// One for each router that has one.
    pub(crate) fn new(blueprint: &Blueprint, shadowing: &dyn Shadowing) -> Result<Self, ShadowError> {
        let routers = 0..shadowing.routers().min(blueprint.wiring().routers());
        Ok(Self {
            list: routers.map(|router| shadowing.shadow(blueprint, router)).collect::<Result<_, _>>()?,
        })
    }

    /// The model of a router will put a signal on the wire of `port` in internal cycle `at`.
    pub(crate) fn expect(&mut self, router: usize, port: PortId, at: u64, signal: Signal) {
        let Some(shadow) = self.list.get_mut(router) else { return };
        match signal {
            Signal::Flit(vc, flit) => shadow.expect_flit(port, vc, at, &flit),
            Signal::Credit(vc) => shadow.expect_credit(port, vc, at),
        }
    }

    /// What was on the wires in the internal cycle before.
    pub(crate) fn receive<const P: usize>(&mut self, wheel: &Wheel, internal: u64) {
        for (to, signal) in wheel.to_routers(internal) {
            let (router, port) = to.as_port::<P>();
            let Some(shadow) = self.list.get_mut(router) else { continue };
            match signal {
                Signal::Flit(vc, flit) => shadow.receive_flit(port, vc, &flit),
                Signal::Credit(vc) => shadow.receive_credit(port, vc),
            }
        }
    }

    /// Internal cycle `internal` is over, so that all is known of the one before: the shadows run that one.
    pub(crate) fn follow(&mut self, internal: u64) -> Result<(), (usize, Box<Difference>)> {
        let Some(cycle) = internal.checked_sub(1) else { return Ok(()) };
        let mut each = self.list.iter_mut().enumerate();
        each.try_for_each(|(router, shadow)| shadow.step(cycle).map_err(|difference| (router, difference)))
    }
}

impl Difference {
    pub(crate) fn violation(self, router: usize, cycle: u64) -> Violation {
        let Self { port, expected, got } = self;
        Violation::Shadow { cycle, router, port, expected, got }
    }
}
