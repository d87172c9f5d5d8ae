//! A router with its pins, as a setup describes it, in a store of fixed size that is lent to it.

use crate::bytes::Writer;
use crate::digest::Digest;
use crate::setup::{Setup, SetupError};
use crate::wires;
use router_core::event::ProtocolError;
use router_core::pins::{Bundle, Pins};
use router_core::plan::Plan;
use router_core::route::{Here, Route};
use router_core::router::Router;
use router_core::select::Selection;
use router_core::state::Values;
use router_core::units::VcSet;
use router_core::vc::Descriptor;

/// The parts of a machine that are programmed while it runs.
#[derive(Debug)]
pub struct Workings<'m, 'g, const P: usize, const V: usize, const F: usize> {
    pins: &'m mut Pins<&'g mut [Descriptor], P, V, F>,
    plan: &'m mut Plan<P>,
}

impl<const P: usize, const V: usize, const F: usize> Workings<'_, '_, P, V, F> {
    /// The router.
    pub const fn router(&self) -> &Router<&mut [Descriptor], P, V> {
        self.pins.router()
    }

    /// Its configuration.
    pub const fn plan(&self) -> &Plan<P> {
        self.plan
    }

    /// Packets are selected like this from the next cycle on.
    pub const fn select(&mut self, selection: Selection) {
        self.plan.selection = selection;
    }

    /// A router as after reset takes the place of this one, at `here`, with `word` in its random register. Packets in it are lost.
    #[inline(never)]
    pub fn restart(&mut self, here: Here, word: u32) {
        let store = self.pins.take_store();
        store.fill(Descriptor::default());
        let router = Router::new(self.plan, here, store, 0, 0).with_word(word);
        *self.pins = Pins::new(router, self.plan.options.speedup as u8);
    }
}

/// A router of up to `P` ports with up to `V` VCs each, and output FIFOs of up to `F` flits; `R` is its routing function, or
/// a choice of them.
#[derive(Debug)]
pub struct Machine<'g, R, const P: usize, const V: usize, const F: usize> {
    pins: Pins<&'g mut [Descriptor], P, V, F>,
    plan: Plan<P>,
    routing: R,
}

impl<'g, R: Route, const P: usize, const V: usize, const F: usize> Machine<'g, R, P, V, F> {
    /// As after reset. The store is where packets are remembered: how many of them decides how large buffers may be.
    ///
    /// # Errors
    /// When the setup makes no sense, or asks for more than there is room for.
    #[inline(never)]
    pub fn new(setup: &Setup, routing: R, store: &'g mut [Descriptor]) -> Result<Self, SetupError> {
        let plan = setup.plan::<P>()?;
        let vcs = [setup.node, setup.local, setup.global].map(|sizes| usize::from(sizes.vcs));
        if plan.links.places() > store.len()
            || vcs.iter().any(|&vcs| vcs > V || vcs > VcSet::CAPACITY)
            || setup.options.output_flits as usize > F
        {
            return Err(SetupError::TooLarge);
        }
        Ok(Self::of(plan, setup, routing, store))
    }

    #[inline(never)] // what the plan is made from and the parts of the router are not on the stack at the same time
    fn of(plan: Plan<P>, setup: &Setup, routing: R, store: &'g mut [Descriptor]) -> Self {
        store.fill(Descriptor::default());
        let router = Router::new(&plan, setup.here, store, setup.number, setup.seed);
        Self { pins: Pins::new(router, setup.options.speedup as u8), plan, routing }
    }

    /// The router with its pins.
    pub const fn pins(&self) -> &Pins<&'g mut [Descriptor], P, V, F> {
        &self.pins
    }

    /// The router's configuration.
    pub const fn plan(&self) -> &Plan<P> {
        &self.plan
    }

    /// Its routing function, and the parts that a restart or another selection changes.
    pub const fn split(&mut self) -> (&mut R, Workings<'_, 'g, P, V, F>) {
        (&mut self.routing, Workings { pins: &mut self.pins, plan: &mut self.plan })
    }

    /// The routing function.
    pub const fn routing(&self) -> &R {
        &self.routing
    }

    /// One internal cycle: what its neighbours receive in it.
    ///
    /// # Errors
    /// The first protocol error among the inputs of the cycle before, which the router counts; what it drives is valid
    /// all the same.
    pub fn step(&mut self, inputs: &Bundle<P>) -> (Bundle<P>, Result<(), ProtocolError>) {
        let mut driven = Bundle::default();
        let result = self.step_onto(inputs, &mut driven);
        (driven, result)
    }

    /// [`step`](Self::step), where what its neighbours receive takes the place of what `driven` has.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    // A router's code is long: once is enough, wherever it is called from.
    #[inline(never)]
    pub fn step_onto(&mut self, inputs: &Bundle<P>, driven: &mut Bundle<P>) -> Result<(), ProtocolError> {
        self.pins.step_onto(&self.plan, &self.routing, inputs, driven)
    }

    /// One number for what it drove in the last cycle and everything that it remembers.
    pub fn digest(&self, driven: &Bundle<P>) -> Digest {
        // Long enough for any router: more would be noticed as a difference, not lost.
        let mut bytes = [0; wires::longest(32)];
        let mut writer = Writer::new(&mut bytes);
        wires::write(&mut writer, driven);
        let length = writer.length().unwrap_or_default();
        let mut digest = Digest::of(bytes.get(..length).unwrap_or_default());
        self.values().visit(&mut |value| digest.add_number(value));
        digest
    }

    /// What it remembers.
    pub fn values(&self) -> Values<'_, &'g mut [Descriptor], P, V, F> {
        let vcs =
            self.plan.links.each().map(|port| self.plan.links.vcs(port).len()).max().unwrap_or_default();
        Values::of(&self.pins, &self.plan, vcs as u8)
    }
}
