//! What is checked of a switch.

use crate::control::Controlled;
use crate::counters::Counters;
use crate::link::{Link, Report};
use crate::payload::Payloads;
use crate::switch::Switch;
use desvio_driver::file::RegisterFile;
use router_core::pins::Pins;
use router_core::plan::Plan;
use router_core::route::Route;
use router_core::units::PortId;
use router_core::vc::Descriptor;

/// The parts of a switch that are checked.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, 'g, const P: usize, const V: usize, const F: usize, const ROWS: usize> {
    pub(super) pins: &'a Pins<&'g mut [Descriptor], P, V, F>,
    pub(super) plan: &'a Plan<P>,
    pub(super) counters: &'a Counters<P>,
    /// The registers, where there are any, and how often a driver started the router.
    pub(super) file: Option<&'a RegisterFile<ROWS>>,
    pub(super) restarts: u32,
}

impl<'a, 'g, const P: usize, const V: usize, const F: usize, const ROWS: usize> View<'a, 'g, P, V, F, ROWS> {
    /// The router with its pins.
    pub const fn pins(&self) -> &'a Pins<&'g mut [Descriptor], P, V, F> {
        self.pins
    }

    /// The router's configuration.
    pub const fn plan(&self) -> &'a Plan<P> {
        self.plan
    }

    /// The counters of all ports.
    pub const fn counters(&self) -> &'a Counters<P> {
        self.counters
    }

    /// The registers, where there are any.
    pub const fn file(&self) -> Option<&'a RegisterFile<ROWS>> {
        self.file
    }

    /// Whether the router stands still until a driver starts it.
    pub(super) fn waits(&self) -> bool {
        self.file.is_some_and(|file| !file.is_running())
    }
}

/// A switch that can be checked: with registers, and with a routing table of `ROWS` rows; or without.
pub trait Checked<'g, const P: usize, const V: usize, const F: usize, const ROWS: usize> {
    /// What is checked of it.
    fn view(&self) -> View<'_, 'g, P, V, F, ROWS>;

    /// What the link of a port says of itself.
    fn link(&self, port: PortId) -> Report;
}

impl<'g, R: Route, L: Link, B: Payloads, const P: usize, const V: usize, const F: usize>
    Checked<'g, P, V, F, 0> for Switch<'g, R, L, P, V, F, B>
{
    fn view(&self) -> View<'_, 'g, P, V, F, 0> {
        let (pins, plan, counters) = (self.pins(), self.machine().plan(), self.counters());
        View { pins, plan, counters, file: None, restarts: 0 }
    }

    fn link(&self, port: PortId) -> Report {
        self.links().get(port.index()).map(Link::report).unwrap_or_default()
    }
}

impl<'g, R, L, B, const P: usize, const V: usize, const F: usize, const ROWS: usize>
    Checked<'g, P, V, F, ROWS> for Controlled<'g, R, L, P, V, F, ROWS, B>
where
    R: Route,
    L: Link,
    B: Payloads,
{
    fn view(&self) -> View<'_, 'g, P, V, F, ROWS> {
        let switch = self.switch();
        let (pins, plan, counters) = (switch.pins(), switch.machine().plan(), switch.counters());
        View { pins, plan, counters, file: Some(self.file()), restarts: self.restarts() }
    }

    fn link(&self, port: PortId) -> Report {
        self.switch().link(port)
    }
}
