//! Stage 5. Allocation: matches requests with outputs, at most one flit per input and per output.
//!
//! One contract for all ([`Allocator::evaluate`] decides, [`Allocator::commit`] moves the pointers): every grant
//! answers a request, no input and no output is granted twice, and as long as there is a request there is a grant.

pub mod arbiter;
mod inspect;
mod separable;
mod wavefront;

use crate::layout;
use crate::per_port::{PerPort, wrapped};
use crate::units::{PortId, PortSet, VcId, VcSet};
use arbiter::Arbiter;
pub use arbiter::ArbiterKind;

/// How inputs and outputs are matched.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum AllocatorKind {
    /// Each input nominates one VC and one output, then each output picks one input.
    #[default]
    SeparableInputFirst = layout::ALLOCATOR_SEPARABLE_INPUT_FIRST as u8,
    /// Each output picks one input, then each input accepts one output.
    SeparableOutputFirst = layout::ALLOCATOR_SEPARABLE_OUTPUT_FIRST as u8,
    /// The whole matrix at once, along diagonals that take turns (Tamir and Chi, 1993).
    Wavefront = layout::ALLOCATOR_WAVEFRONT as u8,
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

/// Who asks for what.
///
/// Whoever is in nobody's way is granted as it asks: whatever the allocator, that is what it would decide, and nobody else
/// would get more. Allocators are asked about the others only.
#[derive(Clone, Debug)]
pub struct Requests<const P: usize, const V: usize> {
    inputs: PortSet,
    /// Outputs that anyone asks for.
    wanted: PortSet,
    /// Who asked for an output first.
    askers: PerPort<PortId, P>,
    /// What nobody contests, granted.
    granted: Grants<P>,
    /// Made when there is one: in most cycles there is none.
    contest: Option<Contest<P, V>>,
}

/// The requests of those who have a choice, or ask for what another asks for, too.
#[derive(Clone, Debug)]
struct Contest<const P: usize, const V: usize> {
    inputs: PortSet,
    /// Outputs that they ask for.
    wanted: PortSet,
    rows: PerPort<Row<V>, P>,
}

/// The requests of one input.
#[derive(Clone, Copy, Debug)]
struct Row<const V: usize> {
    vcs: VcSet,
    outputs: [PortSet; V],
    /// The VC that each would take there.
    out_vcs: [VcId; V],
}

impl<const V: usize> Row<V> {
    const EMPTY: Self = Self { vcs: VcSet::EMPTY, outputs: [PortSet::EMPTY; V], out_vcs: [VcId::new(0); V] };

    #[inline]
    fn insert(&mut self, vc: VcId, outputs: PortSet, out_vc: VcId) {
        let (Some(wanted), Some(taken)) =
            (self.outputs.get_mut(wrapped::<V>(vc.index())), self.out_vcs.get_mut(wrapped::<V>(vc.index())))
        else {
            return;
        };
        (*wanted, *taken) = (outputs, out_vc);
        self.vcs.insert(vc);
    }

    #[inline(always)]
    fn of(&self, vc: VcId) -> PortSet {
        self.outputs.get(wrapped::<V>(vc.index())).copied().unwrap_or_default()
    }

    #[inline(always)]
    fn out_vc(&self, vc: VcId) -> VcId {
        self.out_vcs.get(wrapped::<V>(vc.index())).copied().unwrap_or_default()
    }

    /// The VCs that ask for any of `outputs`.
    #[inline(always)]
    fn asking(&self, outputs: PortSet) -> VcSet {
        let mut found = self.vcs;
        for vc in self.vcs {
            if self.of(vc).and(outputs).is_empty() {
                found.remove(vc);
            }
        }
        found
    }

    /// The VCs that ask for any of `outputs` with the out_vc that was offered there.
    #[inline(always)]
    fn asking_via(&self, outputs: PortSet, offered: impl Fn(PortId) -> VcId) -> VcSet {
        let mut found = self.vcs;
        for vc in self.vcs {
            if !self.of(vc).and(outputs).iter().any(|output| offered(output) == self.out_vc(vc)) {
                found.remove(vc);
            }
        }
        found
    }
}

impl<const P: usize, const V: usize> Requests<P, V> {
    /// Nobody asks.
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            inputs: PortSet::EMPTY,
            wanted: PortSet::EMPTY,
            askers: PerPort::default(),
            granted: Grants::default(),
            contest: None,
        }
    }

    /// VC `vc` of `input` asks for any one of `outputs`, and would take VC `out_vc` there.
    #[inline]
    pub fn add(&mut self, input: PortId, vc: VcId, outputs: PortSet, out_vc: VcId) {
        // Nobody grants a VC that does not exist.
        match outputs.first() {
            Some(output) if outputs.is_single() && out_vc.index() < V => {
                self.add_plain(Grant { input, vc, out_vc, output });
            }
            Some(_) => self.add_contested(input, vc, outputs, out_vc),
            None => {}
        }
    }

    /// The same for a single output, and a VC that exists there.
    #[inline(always)]
    pub(crate) fn add_plain(&mut self, request: Grant) {
        let Grant { input, vc, out_vc, output } = request;
        if self.inputs.contains(input) | self.wanted.contains(output) {
            return self.add_contested(input, vc, PortSet::only(output), out_vc);
        }
        self.inputs.insert(input);
        self.wanted.insert(output);
        self.askers.set(output, input);
        self.granted.push(request);
    }

    #[inline(never)]
    fn add_contested(&mut self, input: PortId, vc: VcId, outputs: PortSet, out_vc: VcId) {
        let Self { inputs, wanted, askers, granted, contest } = self;
        let contest = contest.get_or_insert_with(Contest::new);
        for output in outputs {
            if wanted.contains(output) {
                contest.withdraw(granted, askers.at(output));
            } else {
                askers.set(output, input);
            }
        }
        contest.withdraw(granted, input);
        contest.insert(input, vc, outputs, out_vc);
        inputs.insert(input);
        *wanted = wanted.union(outputs);
    }

    /// Whether nobody asks.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Whether this VC asks for this output.
    pub fn has(&self, input: PortId, vc: VcId, output: PortId) -> bool {
        let granted =
            self.granted.vc_of(input) == Some(vc) && self.granted.matches.at(input).output == output;
        granted || self.contest.as_ref().is_some_and(|contest| contest.row(input).of(vc).contains(output))
    }
}

impl<const P: usize, const V: usize> Contest<P, V> {
    fn new() -> Self {
        Self { inputs: PortSet::EMPTY, wanted: PortSet::EMPTY, rows: PerPort::filled(Row::EMPTY) }
    }

    /// What an input was granted, if it was, becomes a request again.
    #[inline]
    fn withdraw(&mut self, granted: &mut Grants<P>, input: PortId) {
        if let Some(vc) = granted.vc_of(input) {
            let Match { out_vc, output, .. } = granted.matches.at(input);
            granted.inputs.remove(input);
            self.insert(input, vc, PortSet::only(output), out_vc);
        }
    }

    #[inline(never)]
    fn insert(&mut self, input: PortId, vc: VcId, outputs: PortSet, out_vc: VcId) {
        if let Some(row) = self.rows.get_mut(input) {
            row.insert(vc, outputs, out_vc);
            self.inputs.insert(input);
            self.wanted = self.wanted.union(outputs);
        }
    }

    #[inline(always)]
    fn row(&self, input: PortId) -> &Row<V> {
        self.rows.get(input).unwrap_or(&Row::EMPTY)
    }
}

/// One match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// This input,
    pub input: PortId,
    /// by this VC,
    pub vc: VcId,
    /// into this VC (where it asked for several outputs, the one it would take at the first of them),
    pub out_vc: VcId,
    /// sends a flit to this output.
    pub output: PortId,
}

/// What one input got.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Match {
    pub(crate) vc: VcId,
    pub(crate) out_vc: VcId,
    pub(crate) output: PortId,
}

/// The matches of one cycle.
#[derive(Clone, Debug, Default)]
pub struct Grants<const P: usize> {
    inputs: PortSet,
    /// Those that were granted after the first iteration: they move no pointers.
    moves_none: PortSet,
    /// Those whose VC was not the first in line: the turn of the one that was passed over, because its output was not to
    /// be had, is kept for it.
    keeps_turn: PortSet,
    matches: PerPort<Match, P>,
}

/// What an input got last, in two bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Last {
    output: PortId,
    /// The VC, and the one behind the output.
    vcs: u8,
}

impl Last {
    /// VCs that are never granted.
    const NO_VCS: u8 = u8::MAX;
    /// Nothing; past its output comes port 0.
    const NONE: Self = Self { output: PortId::new(u8::MAX), vcs: Self::NO_VCS };

    #[inline(always)]
    const fn new(granted: &Match) -> Self {
        let vcs = granted.vc.number().wrapping_shl(4) | granted.out_vc.number();
        Self { output: granted.output, vcs }
    }
}

impl<const P: usize> Grants<P> {
    #[inline(always)]
    fn push(&mut self, grant: Grant) {
        let Grant { input, vc, out_vc, output } = grant;
        self.inputs.insert(input);
        self.matches.set(input, Match { vc, out_vc, output });
    }

    #[inline(always)]
    fn mark_later(&mut self, input: PortId, iteration: u8) {
        if iteration > 0 {
            self.moves_none.insert(input);
        }
    }

    /// The inputs that were granted.
    #[inline(always)]
    pub(crate) const fn inputs(&self) -> PortSet {
        self.inputs
    }

    /// What one of them got.
    #[inline(always)]
    pub(crate) fn of(&self, input: PortId) -> Option<&Match> {
        self.matches.get(input)
    }

    /// All of them, by input.
    pub fn iter(&self) -> impl Iterator<Item = Grant> + '_ {
        self.inputs.iter().map(|input| {
            let Match { vc, out_vc, output } = self.matches.at(input);
            Grant { input, vc, out_vc, output }
        })
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// The VC of an input that was granted.
    #[inline(always)]
    pub fn vc_of(&self, input: PortId) -> Option<VcId> {
        if self.inputs.contains(input) { Some(self.matches.at(input).vc) } else { None }
    }
}

/// The inputs that ask for each VC behind one output.
#[derive(Clone, Copy, Debug)]
struct Asking<const V: usize> {
    out_vcs: VcSet,
    inputs: [PortSet; V],
}

impl<const V: usize> Default for Asking<V> {
    fn default() -> Self {
        Self { out_vcs: VcSet::EMPTY, inputs: [PortSet::EMPTY; V] }
    }
}

impl<const V: usize> Asking<V> {
    #[inline(always)]
    fn insert(&mut self, out_vc: VcId, input: PortId) {
        if let Some(list) = self.inputs.get_mut(out_vc.index()) {
            list.insert(input);
            self.out_vcs.insert(out_vc);
        }
    }

    #[inline(always)]
    fn of(&self, out_vc: VcId) -> PortSet {
        self.inputs.get(out_vc.index()).copied().unwrap_or_default()
    }

    /// What is left when only some inputs still ask.
    #[inline(always)]
    fn among(mut self, inputs: PortSet) -> Self {
        for out_vc in self.out_vcs {
            if let Some(list) = self.inputs.get_mut(out_vc.index()) {
                *list = list.and(inputs);
                if list.is_empty() {
                    self.out_vcs.remove(out_vc);
                }
            }
        }
        self
    }
}

/// The arbiters of one output: one among the VCs behind it, and for each of those one among the inputs.
///
/// With a single arbiter for all VCs, flits that stream into one VC would turn the pointer between any two packets of
/// another, always to the same place: whoever stands just behind it would win each time, and others starve.
#[derive(Clone, Copy, Debug)]
struct OutputArbiter<const P: usize, const V: usize> {
    out_vcs: Arbiter<V>,
    inputs: [Arbiter<P>; V],
}

impl<const P: usize, const V: usize> OutputArbiter<P, V> {
    fn new(kind: ArbiterKind) -> Self {
        Self { out_vcs: Arbiter::new(kind), inputs: [Arbiter::new(kind); V] }
    }

    #[inline(always)]
    fn pick(&self, asking: &Asking<V>) -> Option<(VcId, PortId)> {
        let out_vc = VcId::new(self.out_vcs.pick(usize::from(asking.out_vcs.bits()))?);
        let input = self.inputs.get(out_vc.index())?.pick(asking.of(out_vc).bits())?;
        Some((out_vc, PortId::new(input)))
    }

    #[inline(always)]
    fn served(&mut self, out_vc: VcId, input: PortId) {
        self.out_vcs.served(out_vc.number());
        if let Some(arbiter) = self.inputs.get_mut(wrapped::<V>(out_vc.index())) {
            arbiter.served(input.number());
        }
    }
}

/// An allocator with its pointers.
#[derive(Clone, Debug)]
pub struct Allocator<const P: usize, const V: usize> {
    kind: AllocatorKind,
    iterations: u8,
    /// Ports in use: the diagonals of a wavefront go round these.
    ports: u8,
    /// Picks a VC at each input.
    inputs: PerPort<Arbiter<V>, P>,
    /// Picks a VC, then an input, at each output.
    outputs: PerPort<OutputArbiter<P, V>, P>,
    /// What each input got when its pointers last moved. An input that asks for several outputs begins to look past that one.
    last: PerPort<Last, P>,
    /// Who each output last moved its pointers for.
    last_input: PerPort<PortId, P>,
    /// The favoured diagonal.
    turn: u8,
}

impl<const P: usize, const V: usize> Allocator<P, V> {
    /// An allocator for the first `ports` of `P` ports, as after reset.
    pub fn new(allocation: Allocation, ports: u8) -> Self {
        Self {
            kind: allocation.kind,
            iterations: if allocation.iterations == 0 { 1 } else { allocation.iterations },
            ports,
            inputs: PerPort::filled(Arbiter::new(allocation.arbiter)),
            outputs: PerPort::filled(OutputArbiter::new(allocation.arbiter)),
            last: PerPort::filled(Last::NONE),
            last_input: PerPort::default(),
            turn: 0,
        }
    }

    /// Decides, and changes nothing.
    ///
    /// Work: separable, at most `iterations · P · V` picks; wavefront, `P²` cells.
    pub fn evaluate(&self, requests: &Requests<P, V>) -> Grants<P> {
        let mut grants = requests.granted.clone();
        if let Some(contest) = &requests.contest {
            self.decide(contest, &mut grants);
        }
        grants
    }

    /// The same, at the place of the requests.
    #[inline(always)]
    pub(crate) fn answer<'a>(&self, requests: &'a mut Requests<P, V>) -> &'a Grants<P> {
        if let Some(contest) = &requests.contest {
            self.decide(contest, &mut requests.granted);
        }
        &requests.granted
    }

    #[inline(always)]
    fn decide(&self, contest: &Contest<P, V>, grants: &mut Grants<P>) {
        match self.kind {
            AllocatorKind::SeparableInputFirst => self.input_first(contest, grants),
            AllocatorKind::SeparableOutputFirst => self.output_first(contest, grants),
            AllocatorKind::Wavefront => self.wavefront(contest, grants),
        }
    }

    /// Moves the pointers of the arbiters that made the grants of the first iteration (as iSLIP does: later
    /// grants must not cost anyone its turn), and turns the diagonal.
    pub fn commit(&mut self, grants: &Grants<P>) {
        for input in grants.inputs() {
            self.serve(grants, input);
        }
        self.rotate(grants);
    }

    /// One input's part of [`Self::commit`].
    #[inline(always)]
    pub(crate) fn serve(&mut self, grants: &Grants<P>, input: PortId) {
        let Some(&granted) = grants.of(input) else { return };
        // A packet that streams: all pointers stand where they would be moved to.
        let streams =
            self.last.at(input) == Last::new(&granted) && self.last_input.at(granted.output) == input;
        if !streams && !grants.moves_none.contains(input) {
            self.move_pointers(grants, input, granted);
        }
    }

    #[inline(never)]
    fn move_pointers(&mut self, grants: &Grants<P>, input: PortId, granted: Match) {
        let Match { vc, out_vc, output } = granted;
        if let Some(arbiter) = self.outputs.get_mut(output) {
            arbiter.served(out_vc, input);
        }
        self.last_input.set(output, input);
        if grants.keeps_turn.contains(input) {
            // The input's own pointers stay: nothing streams from here.
            if let Some(last) = self.last.get_mut(input) {
                last.vcs = Last::NO_VCS;
            }
            return;
        }
        if let Some(arbiter) = self.inputs.get_mut(input) {
            arbiter.served(vc.number());
        }
        self.last.set(input, Last::new(&granted));
    }

    /// The diagonal's part of [`Self::commit`].
    #[inline(always)]
    pub(crate) fn rotate(&mut self, grants: &Grants<P>) {
        if !grants.is_empty() {
            let next = self.turn.wrapping_add(1);
            self.turn = if next >= self.ports { 0 } else { next };
        }
    }

    #[inline(never)]
    fn pick_vc(&self, input: PortId, vcs: VcSet) -> Option<VcId> {
        let pick = self.inputs.get(input)?.pick(usize::from(vcs.bits()))?;
        Some(VcId::new(pick))
    }

    /// The out_vc and the input that an output picks, `asking[out_vc]` being the inputs that ask for each out_vc.
    #[inline(never)]
    fn pick_input(&self, output: PortId, asking: &Asking<V>) -> Option<(VcId, PortId)> {
        self.outputs.get(output)?.pick(asking)
    }

    /// Where an input that asks for several outputs begins to look.
    #[inline(always)]
    fn first_choice(&self, input: PortId) -> PortId {
        let next = self.last.at(input).output.number().wrapping_add(1);
        PortId::new(if next >= self.ports { 0 } else { next })
    }

    /// The output that an input which asks for several tries first.
    #[inline(always)]
    fn pick_output(&self, input: PortId, outputs: PortSet) -> Option<PortId> {
        outputs.first_from(self.first_choice(input))
    }
}
