//! The router behind its pins: `PortInputs → step → PortOutputs`, signal for signal the RTL's shape.
//!
//! [`Router`] speaks of flits that will be on a wire in a later cycle; a machine with wires needs what is on them in
//! *this* one. [`Pins`] adds the registers in between: an input register per port, the output FIFOs and the credit
//! registers. It decides nothing. Firmware and lockstep use it; a network simulator, which has a calendar anyway,
//! does without.

mod bundle;
mod fifo;

use crate::event::ProtocolError;
use crate::header::Flit;
use crate::lifetime::TICKS;
use crate::per_port::PerPort;
use crate::plan::Plan;
use crate::route::{Here, Route};
use crate::router::{Router, Wires};
use crate::units::{Channel, Cycle, PortId, PortSet, VcId};
use crate::vc::Descriptor;
pub use bundle::Bundle;
use bundle::Kind;
use fifo::Fifo;

/// A flit on a wire, and the VC it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FlitSignal {
    /// The VC at the receiver, by its name on the wire.
    pub vc: VcId,
    /// The flit.
    pub flit: Flit,
}

/// What is on the wires of a port in one cycle, in one direction: at most one flit, and at most one credit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PortSignals {
    /// A flit.
    pub flit: Option<FlitSignal>,
    /// A credit: its sender freed one place of this VC.
    pub credit: Option<VcId>,
}

/// What the neighbour at a port drives.
pub type PortInputs = PortSignals;

/// What the router drives at a port: the same wires, as the neighbour sees them.
pub type PortOutputs = PortSignals;

/// The registers between the decisions and the wires.
#[derive(Debug)]
struct Registers<const P: usize, const F: usize> {
    fifos: PerPort<Fifo<F>, P>,
    credits: PerPort<VcId, P>,
    /// Ports whose FIFO holds flits, and ports with a credit to return: the others are skipped.
    queued: PortSet,
    credited: PortSet,
    /// Flits that found their FIFO full: 0 as long as `F` is at least the plan's `output_flits`.
    dropped: u32,
}

impl<const P: usize, const F: usize> Wires for Registers<P, F> {
    #[inline(always)] // of a flit without a header only two bytes are made
    fn flit(&mut self, Channel { port, vc }: Channel, _at: u64, flit: Flit) {
        if self.fifos.get_mut(port).is_some_and(|fifo| fifo.push(vc, &flit)) {
            self.queued.insert(port);
        } else {
            self.drop_flit();
        }
    }

    fn credit(&mut self, Channel { port, vc }: Channel) {
        self.credits.set(port, vc);
        self.credited.insert(port);
    }
}

impl<const P: usize, const F: usize> Registers<P, F> {
    #[cold]
    #[inline(never)]
    const fn drop_flit(&mut self) {
        self.dropped = self.dropped.saturating_add(1);
    }
}

/// A router of up to `P` ports with up to `V` VCs each and output FIFOs of up to `F` flits, with its wires.
#[derive(Debug)]
pub struct Pins<S, const P: usize, const V: usize, const F: usize> {
    router: Router<S, P, V>,
    /// Internal cycles per link cycle.
    speedup: u64,
    /// The internal cycle to come, and its place in the link cycle.
    now: Cycle,
    phase: u64,
    link_cycle: u64,
    /// What came in the cycle before.
    inputs: Bundle<P>,
    registers: Registers<P, F>,
}

impl<S, const P: usize, const V: usize, const F: usize> Pins<S, P, V, F>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// A router as after reset, `speedup` internal cycles to a link cycle.
    pub fn new(router: Router<S, P, V>, speedup: u8) -> Self {
        Self {
            router,
            speedup: u64::from(speedup.max(1)),
            now: Cycle(0),
            phase: 0,
            link_cycle: 0,
            inputs: Bundle::default(),
            registers: Registers {
                fifos: PerPort::default(),
                credits: PerPort::default(),
                queued: PortSet::EMPTY,
                credited: PortSet::EMPTY,
                dropped: 0,
            },
        }
    }

    /// The router behind the pins.
    pub const fn router(&self) -> &Router<S, P, V> {
        &self.router
    }

    /// The router's store, for another router ([`Router::take_store`]).
    pub fn take_store(&mut self) -> S
    where
        S: Default,
    {
        self.router.take_store()
    }

    /// Where it is.
    pub const fn here(&self) -> &Here {
        self.router.here()
    }

    /// The internal cycle to come.
    pub const fn now(&self) -> Cycle {
        self.now
    }

    /// Flits in the FIFO of an output.
    pub fn queued(&self, port: PortId) -> usize {
        self.registers.fifos.get(port).map_or(0, Fifo::len)
    }

    /// The place of the internal cycle to come in its link cycle: 0 to the speedup − 1.
    pub const fn phase(&self) -> u64 {
        self.phase
    }

    /// Whether the front packet of an input VC is discarded in the internal cycle to come, since it has waited for too long.
    pub fn expires(&self, plan: &Plan<P>, input: PortId, vc: VcId) -> bool {
        self.router.expires(plan, input, vc, self.link_cycle.wrapping_add(1))
    }

    /// Link cycles for which a VC behind an output is stalled by its lifetime limit ([`crate::lifetime`]), the one to come included.
    pub fn stalled_for(&self, output: PortId, vc: VcId) -> u64 {
        self.router.stalled_for(output, vc, self.link_cycle.wrapping_add(1))
    }

    /// The place of the link cycle to come between two ticks of the clock of lifetimes in the router; 0 where it has none.
    pub fn lifetime_tick(&self, plan: &Plan<P>) -> u64 {
        self.link_cycle.wrapping_add(1).checked_rem(plan.lifetimes.tick().into()).unwrap_or_default()
    }

    /// Packets of an input VC that have seen one tick, two, and so on, up to the internal cycle to come.
    pub fn aged(&self, plan: &Plan<P>, input: PortId, vc: VcId) -> [u16; TICKS] {
        self.router.aged(plan, input, vc, self.link_cycle.wrapping_add(1))
    }

    /// Flits lost because `F` is smaller than the plan's `output_flits`.
    pub const fn dropped(&self) -> u32 {
        self.registers.dropped
    }

    /// One internal cycle: what the router drives in it, given what it receives in it. The outputs depend on earlier
    /// cycles only.
    ///
    /// # Errors
    /// The first protocol error among the inputs of the cycle before; the outputs are valid all the same. All errors are
    /// counted in the router.
    pub fn step(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route,
        inputs: &Bundle<P>,
    ) -> (Bundle<P>, Result<(), ProtocolError>) {
        let mut driven = Bundle::default();
        let result = self.step_onto(plan, routing, inputs, &mut driven);
        (driven, result)
    }

    /// [`step`](Self::step), where what the router drives takes the place of what `driven` has: nothing is copied, and a cycle in which
    /// nothing happens costs nothing for each port.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    #[inline]
    pub fn step_onto(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route,
        inputs: &Bundle<P>,
        driven: &mut Bundle<P>,
    ) -> Result<(), ProtocolError> {
        self.drive(driven);
        self.router.step(plan, routing, self.link_cycle.wrapping_add(1), &mut self.registers);
        let result = self.write(plan, routing);
        self.inputs.copy_from(inputs);
        self.tick();
        result
    }

    /// The ways to these groups are contended, and no others ([`Router::tell`]): from the next cycle on.
    pub(crate) fn tell(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route,
        contended: impl Iterator<Item = u32>,
    ) {
        self.router.tell(plan, routing, contended);
    }

    /// What is on the output wires: a FIFO's first flit in the first phase of a link cycle, and the credit register.
    #[inline(always)]
    fn drive(&mut self, driven: &mut Bundle<P>) {
        driven.clear();
        let registers = &mut self.registers;
        driven.set_credits(registers.credited, &registers.credits);
        registers.credited = PortSet::EMPTY;
        let flits = if self.phase == 0 { registers.queued } else { PortSet::EMPTY };
        driven.begin_flits(flits);
        for port in flits {
            if !registers.fifos.get_mut(port).is_some_and(|fifo| fifo.pop(port, driven)) {
                registers.queued.remove(port);
            }
        }
    }

    /// The input registers are written into buffers and credit counters.
    #[inline(always)]
    fn write(&mut self, plan: &Plan<P>, routing: &impl Route) -> Result<(), ProtocolError> {
        let mut result = Ok(());
        for port in self.inputs.busy() {
            if let Some((slot, packet)) = self.inputs.slot(port) {
                let to = Channel::new(port, slot.vc);
                // Two calls, since a flit of either kind would be copied whole.
                result = result.and(match slot.kind {
                    Kind::Head => self.router.take_flit(plan, routing, to, &Flit::Head(*packet)),
                    kind => self.router.take_flit(plan, routing, to, &Flit::Body { tail: kind.is_tail() }),
                });
            }
            if let Some(vc) = self.inputs.credit(port) {
                result = result.and(self.router.handle_credit(plan, Channel::new(port, vc)));
            }
        }
        result
    }

    fn tick(&mut self) {
        self.now = Cycle(self.now.0.wrapping_add(1));
        self.phase = self.phase.wrapping_add(1);
        if self.phase == self.speedup {
            self.phase = 0;
            self.link_cycle = self.link_cycle.wrapping_add(1);
        }
    }
}
