//! A switch that software programs, as it programs the RTL: `desvio-driver` reaches its registers over a serial line.
//!
//! The registers are those of the RTL ([`RegisterFile`]): routing table, place, trigger and thresholds are staged, and come into use
//! together, between two steps. Until the driver has started the router, the links stand still.

mod programmed;

use crate::link::Link;
use crate::payload::{NoPayload, Payloads};
use crate::switch::Switch;
use core::fmt;
use desvio_driver::file::{Built, Core, RegisterFile, Unfit};
use desvio_driver::serial::Requests;
use embedded_io::{Read, ReadReady, Write};
pub use programmed::{Programmed, Tabled};
use router_core::event::ProtocolError;
use router_core::layout::{ROUTING_TABLE, TRIGGER_NEVER};
use router_core::route::{Here, Route};
use router_core::select::Selection;
use router_core::units::{PortId, VcId};
use router_core::vc::Descriptor;
use tether::machine::Workings;
use tether::setup::{Setup, SetupError};

/// Bits of a contention counter: as wide as the core has them.
const COUNTER_BITS: u8 = 16;

/// A [`Switch`] behind registers, with a routing table of `ROWS` rows, or with the routing `R` where `ROWS` is 0.
#[derive(Debug)]
pub struct Controlled<
    'g,
    R,
    L,
    const P: usize,
    const V: usize,
    const F: usize,
    const ROWS: usize,
    B = NoPayload,
> {
    switch: Switch<'g, Programmed<R, ROWS>, L, P, V, F, B>,
    requests: Requests,
    /// How often the router was started.
    restarts: u32,
}

impl<'g, R, L, B, const P: usize, const V: usize, const F: usize, const ROWS: usize>
    Controlled<'g, R, L, P, V, F, ROWS, B>
where
    R: Route,
    L: Link,
    B: Payloads,
{
    /// A switch after reset. Of the setup its place, its seed and its thresholds are not used: the driver gives them.
    ///
    /// # Errors
    /// When the setup makes no sense, or asks for more than there is room for.
    pub fn new(
        setup: &Setup,
        routing: Programmed<R, ROWS>,
        store: &'g mut [Descriptor],
        links: [L; P],
        payloads: B,
    ) -> Result<Self, SetupError> {
        let switch = Switch::with_payload(setup, routing, store, links, payloads)?;
        Ok(Self { switch, requests: Requests::new(), restarts: 0 })
    }

    /// As after power-on: registers at their reset values, and a router that waits to be started.
    pub fn reset(&mut self) {
        self.switch.machine_mut().split().0.file_mut().reset();
    }

    /// One internal cycle, once the router has been started.
    pub fn step(&mut self) {
        if self.file().is_running() && self.switch.cycle().is_err() {
            self.switch.machine_mut().split().0.file_mut().note_error();
        }
    }

    /// Answers the requests among the bytes that have come over a serial line. Says whether there was one.
    ///
    /// # Errors
    /// When the line fails.
    pub fn serve<T: Read + ReadReady + Write>(&mut self, line: &mut T) -> Result<bool, T::Error> {
        let Self { switch, requests, restarts } = self;
        requests.serve(line, |frame| {
            let (routing, workings) = switch.machine_mut().split();
            routing.file_mut().frame(frame, &mut Behind(workings, restarts));
        })
    }

    /// The registers.
    pub const fn file(&self) -> &RegisterFile<ROWS> {
        self.switch.machine().routing().file()
    }

    /// How often the router was started; the number wraps.
    pub const fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Puts to use what [`RegisterFile::kept`] gave before a loss of power, as a driver would: all of it, or nothing.
    ///
    /// # Errors
    /// When it is not for this switch.
    pub fn take_up(&mut self, words: impl Iterator<Item = u32>) -> Result<(), Unfit> {
        let (routing, workings) = self.switch.machine_mut().split();
        routing.file_mut().take_up(words, &mut Behind(workings, &mut self.restarts))
    }

    /// The switch behind them.
    pub const fn switch(&self) -> &Switch<'g, Programmed<R, ROWS>, L, P, V, F, B> {
        &self.switch
    }

    /// The switch, to break it.
    #[cfg(test)]
    pub(crate) const fn switch_mut(&mut self) -> &mut Switch<'g, Programmed<R, ROWS>, L, P, V, F, B> {
        &mut self.switch
    }

    /// Its links, for what their owner asks of them between two steps.
    pub const fn links_mut(&mut self) -> &mut [L; P] {
        self.switch.links_mut()
    }
}

/// What a switch of this setup says that it was built as.
fn built(setup: &Setup, by_table: bool) -> Built {
    let of = |number: Option<u32>, none: u32| number.unwrap_or(none) as u8;
    let routing = if by_table { ROUTING_TABLE as u8 } else { of(setup.scheme.rtl(), 0) };
    let vcs = setup.node.vcs.max(setup.local.vcs).max(setup.global.vcs);
    let trigger = of(setup.selection.rtl(), TRIGGER_NEVER);
    Built { ports: setup.radix() as u8, vcs, routing, trigger, counter_bits: COUNTER_BITS }
}

/// The router behind the registers.
struct Behind<'m, 'g, const P: usize, const V: usize, const F: usize>(Workings<'m, 'g, P, V, F>, &'m mut u32);

impl<const P: usize, const V: usize, const F: usize> Core for Behind<'_, '_, P, V, F> {
    fn contention(&self, port: PortId) -> u16 {
        self.0.router().contention(port)
    }

    /// A VC that a port does not have shows all places, as in the RTL.
    fn credits(&self, port: PortId, vc: VcId) -> u16 {
        let has = self.0.plan().links.vcs(port).contains(vc);
        let left = self.0.router().output(port).filter(|_| has).map(|output| output.credits.left(vc));
        left.unwrap_or_else(|| self.0.plan().links.buffer(port))
    }

    fn errors(&self, kind: ProtocolError) -> u16 {
        self.0.router().errors(kind) as u16
    }

    fn select(&mut self, selection: Selection) {
        self.0.select(selection);
    }

    fn restart(&mut self, here: Here, word: u32) {
        self.0.restart(here, word);
        *self.1 = self.1.wrapping_add(1);
    }
}

impl<R, const ROWS: usize> fmt::Debug for Programmed<R, ROWS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Programmed").field("file", self.file()).finish_non_exhaustive()
    }
}
