//! Stage 5. Allocation: matches requests with outputs, at most one flit per input and per output.
//!
//! One contract holds for all ([`Allocator::evaluate`] decides, [`Allocator::commit`] moves the pointers). Every grant answers a request,
//! and no input and no output is granted twice. As long as there is a request there is a grant.
//!
//! A request without a competitor is granted as it is added ([`Requests::add`]), since every allocator would grant it; the
//! others go into a contest, which an allocator decides.

pub mod arbiter;
mod contest;
mod grant;
mod inspect;
#[macro_use]
mod method;
mod output_arbiter;
mod request;
pub mod vl_arbiter;

use crate::per_port::PerPort;
use crate::units::{Bits, PackedPorts, PortCount, PortId, PortSet, VcId, VcSet};
use arbiter::Arbiter;
pub use arbiter::ArbiterKind;
use contest::Contest;
use grant::Match;
pub use grant::{Grant, Grants};
use method::Method;
use output_arbiter::{Asking, OutputArbiter};
pub use request::Requests;
use vl_arbiter::{VlArbiter, VlArbitration};

allocators! {
    /// Each input nominates one VC and one output, then each output picks one input.
    SeparableInputFirst(input_first::InputFirst),
    /// Each output picks one input, then each input accepts one output.
    SeparableOutputFirst(output_first::OutputFirst),
    /// The whole matrix at once, along diagonals that take turns (Tamir and Chi, 1993).
    Wavefront(wavefront::Wavefront),
    /// Inputs first; each output has one arbiter among the inputs, for all VCs behind it.
    SeparableOneArbiter(one_arbiter::OneArbiter),
}

impl Default for AllocatorKind {
    /// Separable, inputs first.
    fn default() -> Self {
        Self::SeparableInputFirst
    }
}

/// The kind of allocator, and what it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Allocation {
    /// Its kind.
    pub kind: AllocatorKind,
    /// Its arbiters.
    pub arbiter: ArbiterKind,
    /// Iterations of a separable allocator, at least 1; later ones see only what earlier ones left unmatched.
    pub iterations: u8,
}

impl Default for Allocation {
    fn default() -> Self {
        Self { kind: AllocatorKind::default(), arbiter: ArbiterKind::default(), iterations: 1 }
    }
}

/// The feature `small` leaves out what arbitrates by tables: a microcontroller has none.
const LANES: usize = if cfg!(feature = "small") { 0 } else { 1 };

/// An allocator with its pointers.
#[derive(Clone, Debug)]
pub struct Allocator<const P: usize, const V: usize, B: Bits = usize> {
    kind: AllocatorKind,
    iterations: u8,
    /// The bits of a VC's number that say which arbiter of an output has its turns: none where one has those of all VCs.
    turns: u8,
    /// Ports in use: the diagonals of a wavefront go round these.
    ports: PortCount,
    /// Picks a VC at each input.
    inputs: PerPort<Arbiter<V>, P>,
    /// Picks a VC, then an input, at each output.
    outputs: PerPort<OutputArbiter<P, V, B>, P>,
    /// Picks the VC at each output where outputs arbitrate by tables.
    lanes: [PerPort<VlArbiter, P>; LANES],
    /// The grant for which each input's pointers last moved, forgotten when the output's moved for another input. Among several requested
    /// outputs an input begins behind that one.
    last: PerPort<Match, P>,
    /// The favoured diagonal.
    turn: u8,
    /// Inputs whose requests for an output give way to those of the others.
    yielding: PackedPorts<B>,
    /// VCs, of inputs and behind outputs, whose requests go before those of all others.
    first: VcSet,
}

impl<const P: usize, const V: usize, B: Bits> Allocator<P, V, B> {
    /// An allocator for the first `ports` of `P` ports, as after reset.
    pub fn new(allocation: Allocation, ports: u8) -> Self {
        Self::of(allocation, ports.into())
    }

    /// An allocator for the first `ports` of `P` ports, of up to 256, as after reset.
    pub fn of(allocation: Allocation, ports: usize) -> Self {
        Self {
            kind: allocation.kind,
            iterations: if allocation.iterations == 0 { 1 } else { allocation.iterations },
            turns: if allocation.kind.has_one_arbiter() { 0 } else { u8::MAX },
            ports: ports as PortCount,
            inputs: PerPort::filled(Arbiter::new(allocation.arbiter)),
            outputs: PerPort::filled(OutputArbiter::new(allocation.arbiter)),
            lanes: core::array::from_fn(|_| PerPort::default()),
            last: PerPort::filled(Match::NONE),
            turn: 0,
            yielding: PackedPorts::EMPTY,
            first: VcSet::EMPTY,
        }
    }

    /// The allocator, with requests of the inputs in `yielding` that give way to those of the others, at each output and in each iteration.
    #[must_use]
    pub fn with_yielding(mut self, yielding: PortSet<B>) -> Self {
        self.yielding = PackedPorts::new(yielding);
        self
    }

    /// The allocator, with VCs whose requests go before those of all other VCs, at each input and at each output. A packet on one of them
    /// requests one of them.
    #[must_use]
    pub const fn with_first(mut self, first: VcSet) -> Self {
        self.first = first;
        self
    }

    /// Of these VCs, those that go first; all, where none does.
    #[inline(always)]
    fn foremost(&self, vcs: VcSet) -> VcSet {
        let first = vcs.and(self.first);
        if first.is_empty() { vcs } else { first }
    }

    /// Decides, and changes nothing.
    ///
    /// Work: separable, at most `iterations · P · V` picks; wavefront, `P²` cells.
    pub fn evaluate(&self, requests: &Requests<P, V, B>) -> Grants<P, B> {
        self.evaluate_by(requests, None)
    }

    /// Decides where outputs pick VCs by the tables of VL arbitration, which is for [`AllocatorKind::SeparableOutputFirst`]: an output of
    /// the others does not see all VCs that request it.
    pub fn evaluate_by(
        &self,
        requests: &Requests<P, V, B>,
        lanes: Option<&VlArbitration<P>>,
    ) -> Grants<P, B> {
        let mut grants = requests.granted.clone();
        if let Some(contest) = &requests.contest {
            self.decide(contest, lanes, &mut grants);
        }
        grants
    }

    /// Decides at the place of the requests: nothing is copied.
    #[inline(always)]
    pub(crate) fn answer<'a>(
        &self,
        requests: &'a mut Requests<P, V, B>,
        lanes: Option<&VlArbitration<P>>,
    ) -> &'a Grants<P, B> {
        if let Some(contest) = &requests.contest {
            self.decide(contest, lanes, &mut requests.granted);
        }
        &requests.granted
    }

    #[inline(always)]
    fn decide(
        &self,
        contest: &Contest<P, V, B>,
        lanes: Option<&VlArbitration<P>>,
        grants: &mut Grants<P, B>,
    ) {
        self.kind.decide(self, contest, lanes, grants);
    }

    /// The head of a packet of `flits` flits is granted an output and a VC behind it: VL arbitration charges the VC for it.
    #[inline(never)]
    pub fn send(&mut self, lanes: &VlArbitration<P>, output: PortId, out_vc: VcId, flits: u16) {
        self.send_units(lanes, output, out_vc, lanes.units(flits));
    }

    /// VL arbitration charges a VC for the head of a packet of so many units of 64 bytes.
    pub fn send_units(&mut self, lanes: &VlArbitration<P>, output: PortId, out_vc: VcId, units: u16) {
        if let Some(arbiter) = self.lanes.first_mut().and_then(|lanes| lanes.get_mut(output)) {
            arbiter.send(lanes.tables(output), lanes.management, out_vc, units);
        }
    }

    /// Moves the pointers of the arbiters that made the grants of the first iteration, and advances the diagonal by one where there is a
    /// grant. (As in iSLIP, grants of later iterations must not cost another requester its turn.)
    pub fn commit(&mut self, grants: &Grants<P, B>) {
        for input in grants.inputs() {
            self.serve(grants, input);
        }
        self.rotate(grants);
    }

    /// One input's part of [`Self::commit`].
    #[inline(always)]
    pub(crate) fn serve(&mut self, grants: &Grants<P, B>, input: PortId) {
        let Some(&granted) = grants.of(input) else { return };
        // Same grant as the last one: the pointers would not move.
        if !self.last.at(input).is(granted) && !grants.moves_none.contains(input) {
            self.move_pointers(grants, input, granted);
        }
    }

    #[inline(never)]
    fn move_pointers(&mut self, grants: &Grants<P, B>, input: PortId, granted: Match) {
        let output = granted.output;
        let turn = self.turn_of(granted.out_vc());
        let yields = self.yielding.get().contains(input);
        let Some(arbiter) = self.outputs.get_mut(output) else { return };
        if let Some(before) = self.last.get_mut(arbiter.served(turn, input, yields))
            && before.output == output
        {
            before.forget();
        }
        if grants.keeps_turn.contains(input) {
            // The input's own pointers stay: nothing streams from here.
            if let Some(last) = self.last.get_mut(input) {
                last.forget();
            }
            return;
        }
        if let Some(arbiter) = self.inputs.get_mut(input) {
            arbiter.served(granted.vc().number());
        }
        self.last.set(input, granted);
    }

    /// The VC whose arbiter among inputs has the turns of this VC: that of the first has all turns where there is one arbiter.
    #[inline(always)]
    const fn turn_of(&self, out_vc: VcId) -> VcId {
        VcId::new(out_vc.number() & self.turns)
    }

    /// Whether one arbiter has the turns of all VCs behind an output.
    #[inline(always)]
    const fn has_one_arbiter(&self) -> bool {
        self.turns == 0
    }

    /// The diagonal's part of [`Self::commit`], where there is one.
    #[inline(always)]
    pub(crate) fn rotate(&mut self, grants: &Grants<P, B>) {
        if self.kind.has_diagonals() && !grants.is_empty() {
            let next = self.turn.wrapping_add(1);
            self.turn = if PortCount::from(next) >= self.ports { 0 } else { next };
        }
    }

    #[inline(always)]
    fn pick_vc(&self, input: PortId, vcs: VcSet) -> Option<VcId> {
        // Every arbiter picks a single requester.
        if vcs.is_single() { vcs.first() } else { self.pick_one_of(input, vcs) }
    }

    #[inline(never)]
    fn pick_one_of(&self, input: PortId, vcs: VcSet) -> Option<VcId> {
        let pick = self.inputs.get(input)?.pick(usize::from(self.foremost(vcs).bits()))?;
        Some(VcId::new(pick))
    }

    /// The out_vc and the input that an output picks, `asking[out_vc]` being the inputs that request each out_vc.
    #[inline(never)]
    fn pick_input(
        &self,
        output: PortId,
        asking: &Asking<V, B>,
        lanes: Option<&VlArbitration<P>>,
    ) -> Option<(VcId, PortId)> {
        let first = asking.requested().and(self.first);
        if !first.is_empty() && first != asking.requested() {
            return self.pick_input(output, &asking.only(first), lanes);
        }
        let (arbiter, yielding) = (self.outputs.get(output)?, self.yielding.get());
        if let Some(lanes) = lanes {
            let lane = self.lanes.first()?.get(output)?;
            arbiter.pick_lane(lane, asking, yielding, (lanes.tables(output), lanes.management))
        } else if yielding.is_empty() {
            arbiter.pick(asking)
        } else {
            arbiter.pick_before(asking, yielding)
        }
    }

    /// The output at which an input that requests several begins its search.
    #[inline(always)]
    fn first_choice(&self, input: PortId) -> PortId {
        let next = self.last.at(input).output.number().wrapping_add(1);
        PortId::new(if PortCount::from(next) >= self.ports { 0 } else { next })
    }

    /// The output that an input picks among several: the first from [`Self::first_choice`] on.
    #[inline(always)]
    fn pick_output(&self, input: PortId, outputs: PortSet<B>) -> Option<PortId> {
        outputs.first_from(self.first_choice(input))
    }
}
