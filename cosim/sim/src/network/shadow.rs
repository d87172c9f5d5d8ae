//! The shadows of a network, beside its wheel.

use super::signal::Signal;
use super::violation::Violation;
use super::wheel::Wheel;
use crate::blueprint::{Blueprint, Shadowing};
use crate::shadow::{Difference, Shadow, ShadowError};
use router_core::units::PortId;

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

impl Violation {
    /// The shadow of a router differs.
    pub(crate) fn of_shadow(difference: Difference, router: usize, cycle: u64) -> Self {
        let Difference { port, expected, got } = difference;
        Self::Shadow { cycle, router, port, expected, got }
    }
}
