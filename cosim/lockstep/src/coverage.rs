//! Functional coverage: which cases of each stage a lockstep has seen, by name.

use super::compare::{Moment, Observer};
use super::frame::Frame;
use super::offers::{Offers, excludes};
use super::probe::{Field, Probe, Register, VcRegister};
use crate::rtl::Shape;
use router_core::event::ProtocolError;
use router_core::layout;

/// One case of one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// `stage.case`.
    pub name: String,
    /// Why this router can never get there; such a point is not missed.
    pub excluded: Option<&'static str>,
    /// How often it was seen; a VC that stays as it is is not seen again.
    pub count: u64,
}

/// All points of one router, and what has been seen of them.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Those of [`Case`], then one for each protocol error.
    points: Vec<Point>,
    watch: Watch,
    before: Vec<u64>,
    inputs: Frame,
}

/// Names the cases that need no size.
macro_rules! cases {
    ($($case:ident = $name:literal,)*) => {
        /// A case of a stage.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Case {
            $($case),*
        }

        /// All of them, with their names.
        const CASES: &[(Case, &str)] = &[$((Case::$case, $name)),*];
    };
}

cases! {
    RouteConsume = "route.consume",
    RouteMinimalOnly = "route.minimal-only",
    RouteMinimalAndGlobal = "route.minimal-and-global",
    RouteMinimalAndLocal = "route.minimal-and-local",
    RouteMinimalAndBoth = "route.minimal-and-both",
    RouteForcedWithOwnLink = "route.forced-with-own-link",
    RouteForcedWithoutOwnLink = "route.forced-without-own-link",
    ContentionZero = "contention.zero",
    ContentionSeveral = "contention.several",
    ContentionHalf = "contention.half-of-all-vcs",
    SelectMinimal = "select.minimal",
    SelectGlobalMisroute = "select.global-misroute",
    SelectLocalMisroute = "select.local-misroute",
    SelectSeveral = "select.several-outputs",
    SelectForced = "select.forced",
    SelectContendedDetoured = "select.contended-and-detoured",
    SelectContendedNoDetour = "select.contended-and-no-valid-detour",
    SelectNotContended = "select.not-contended",
    VcIdleWaiting = "vc.idle-to-waiting",
    VcWaitingActive = "vc.waiting-to-active",
    VcActiveIdle = "vc.active-to-idle",
    VcActiveWaiting = "vc.active-to-waiting",
    VcWaitingIdle = "vc.waiting-to-idle",
    VcWaitingWaiting = "vc.waiting-to-waiting",
    VcBufferFull = "vc.buffer-full",
    VcDescriptorsFull = "vc.descriptors-full",
    AllocateNone = "allocate.none",
    AllocateOne = "allocate.one",
    AllocateSeveral = "allocate.several",
    AllocateContended = "allocate.output-asked-by-several-inputs",
    AllocateRivals = "allocate.input-with-several-vcs",
    CreditEmpty = "credit.empty",
    CreditFull = "credit.full",
    CreditTakenAndGiven = "credit.taken-and-given-at-once",
    OutputFull = "output.fifo-full",
    OutputSeveral = "output.fifo-several",
    OutputOneFlitPacket = "output.one-flit-packet",
    OutputHead = "output.head",
    OutputBody = "output.body",
    OutputTail = "output.tail",
    Reset = "reset.in-mid-flight",
}

/// Where the registers are that coverage looks at.
#[derive(Clone, Debug)]
struct Watch {
    shape: Shape,
    vcs: Vec<VcFields>,
    contention: Vec<Field>,
    credits: Vec<(usize, usize, Field)>,
    queued: Vec<Field>,
    errors: Vec<Field>,
}

/// Where the registers of a VC are.
#[derive(Clone, Copy, Debug)]
struct VcFields {
    port: usize,
    state: Field,
    flits: Field,
    packets: Field,
    candidates: Field,
    minimal: Field,
    request: Field,
}

impl Watch {
    fn new(shape: &Shape, probes: &[Probe]) -> Self {
        let mut watch = Self {
            shape: shape.clone(),
            vcs: Vec::new(),
            contention: Vec::new(),
            credits: Vec::new(),
            queued: Vec::new(),
            errors: Vec::new(),
        };
        for &Probe { register, field, .. } in probes {
            match register {
                Register::Vc(port, _, VcRegister::State) => {
                    let (state, none) = (field, Field { lowest: 0, bits: 1 });
                    let [flits, packets, candidates, minimal, request] = [none; 5];
                    watch.vcs.push(VcFields { port, state, flits, packets, candidates, minimal, request });
                }
                Register::Vc(_, _, register) => {
                    if let Some(vc) = watch.vcs.last_mut() {
                        vc.place(register, field);
                    }
                }
                Register::Contention(_) => watch.contention.push(field),
                Register::Credits(port, vc) => watch.credits.push((port, vc, field)),
                Register::Queued(_) => watch.queued.push(field),
                Register::Errors(_) => watch.errors.push(field),
                _ => {}
            }
        }
        watch
    }
}

impl VcFields {
    fn place(&mut self, register: VcRegister, field: Field) {
        match register {
            VcRegister::Flits => self.flits = field,
            VcRegister::Packets => self.packets = field,
            VcRegister::Candidates => self.candidates = field,
            VcRegister::Minimal => self.minimal = field,
            VcRegister::Request => self.request = field,
            _ => {}
        }
    }

    fn state(&self, words: &[u64]) -> u32 {
        self.state.small(words) as u32
    }

    /// Whether nothing that is looked at differs.
    fn is_same(&self, before: &[u64], now: &[u64]) -> bool {
        let words = self.state.lowest / 64..=self.request.lowest / 64;
        before.get(words.clone()) == now.get(words)
    }
}

/// A packet's candidates, and its request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offer {
    pub(super) minimal: u64,
    pub(super) global: u64,
    pub(super) local: u64,
    pub(super) forced: bool,
    request: u64,
}

impl Offer {
    /// Candidates as packed in the registers.
    pub(super) fn new(candidates: u128, request: u64, shape: &Shape) -> Self {
        let packing = shape.packing();
        let of = |kind: u32| {
            let sets = (0..).zip(shape.set_kinds()).filter(|&(_, &of)| of == kind);
            sets.fold(0, |ports, (set, _)| ports | packing.ports_of(candidates, set))
        };
        let [minimal, global, local] =
            [layout::HOP_KIND_MINIMAL, layout::HOP_KIND_GLOBAL_MISROUTE, layout::HOP_KIND_LOCAL_MISROUTE]
                .map(of);
        Self { minimal, global, local, forced: packing.is_forced(candidates), request }
    }

    fn of(vc: &VcFields, words: &[u64], shape: &Shape) -> Self {
        Self::new(vc.candidates.of(words), vc.request.small(words), shape)
    }
}

impl Coverage {
    /// Nothing seen yet of a router of this shape, where a routing makes these offers.
    pub fn new(shape: &Shape, probes: &[Probe], offers: &Offers) -> Self {
        let cases = CASES.iter().map(|&(case, name)| (name.to_owned(), offers.excludes(case, shape)));
        let errors = ProtocolError::ALL.iter().map(|&error| {
            (format!("error.{}", layout::PROTOCOL_ERROR_NAMES[error.index()]), excludes(error, shape))
        });
        let points = cases.chain(errors).map(|(name, excluded)| Point { name, excluded, count: 0 }).collect();
        let watch = Watch::new(shape, probes);
        Self { points, watch, before: Vec::new(), inputs: Frame::idle(shape.ports) }
    }

    /// All points, in the order of the stages.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.points.iter()
    }

    /// Points that could have been seen and were not.
    pub fn missed(&self) -> impl Iterator<Item = &Point> {
        self.points().filter(|point| point.count == 0 && point.excluded.is_none())
    }

    /// Points seen, and points that can be seen.
    pub fn reached(&self) -> (usize, usize) {
        let possible = self.points().filter(|point| point.excluded.is_none() || point.count > 0).count();
        (self.points().filter(|point| point.count > 0).count(), possible)
    }

    /// Adds what another lockstep of the same router has seen.
    pub fn merge(&mut self, other: &Self) {
        for (own, other) in self.points.iter_mut().zip(&other.points) {
            own.count += other.count;
        }
    }

    fn see(&mut self, case: Case) {
        self.points[case as usize].count += 1;
    }

    /// What VCs went through, hold, were offered and ask for; those that stayed as they were add nothing.
    fn see_vcs(&mut self, now: &[u64]) {
        for at in 0..self.watch.vcs.len() {
            let vc = self.watch.vcs[at];
            if vc.is_same(&self.before, now) {
                continue;
            }
            let (was, is) = (vc.state(&self.before), vc.state(now));
            let (packets_before, packets) = (vc.packets.small(&self.before), vc.packets.small(now));
            if let Some(case) = transition(was, is, packets_before, packets) {
                self.see(case);
            }
            if vc.flits.small(now) == u64::from(self.watch.shape.depth_of(vc.port)) {
                self.see(Case::VcBufferFull);
            }
            if packets == u64::from(self.watch.shape.places_of(vc.port)) {
                self.see(Case::VcDescriptorsFull);
            }
            if is == layout::VC_STATE_WAITING {
                let offer = Offer::of(&vc, now, &self.watch.shape);
                let offered = route_case(&offer, &self.watch.shape);
                for case in select_case(&offer).into_iter().chain([offered]) {
                    self.see(case);
                }
            }
        }
    }

    fn see_triggers(&mut self, now: &[u64]) {
        let Some(threshold) = self.watch.shape.contention_threshold() else { return };
        for at in 0..self.watch.vcs.len() {
            let vc = self.watch.vcs[at];
            let waits = |words: &[u64]| vc.state(words) == layout::VC_STATE_WAITING;
            if !waits(&self.before) || !waits(now) {
                continue;
            }
            let offer = Offer::of(&vc, &self.before, &self.watch.shape);
            let minimal = vc.minimal.small(&self.before);
            if offer.forced || offer.global | offer.local == 0 || minimal == 0 {
                continue;
            }
            let counter = self.watch.contention[minimal.trailing_zeros() as usize];
            let fires = counter.of(&self.before) >= u128::from(threshold);
            let request = vc.request.small(now);
            let detours = request & offer.minimal == 0 && request != 0;
            match (fires, detours) {
                (true, true) => self.see(Case::SelectContendedDetoured),
                (true, false) => self.see(Case::SelectContendedNoDetour),
                (false, false) => self.see(Case::SelectNotContended),
                (false, true) => {}
            }
        }
    }

    fn see_counters(&mut self, now: &[u64]) {
        for at in 0..self.watch.contention.len() {
            let count = self.watch.contention[at].of(now);
            if count == 0 {
                self.see(Case::ContentionZero);
            }
            if count > 1 {
                self.see(Case::ContentionSeveral);
            }
            if count >= self.watch.vcs.len() as u128 / 2 {
                self.see(Case::ContentionHalf);
            }
        }
        for at in 0..self.watch.queued.len() {
            let flits = self.watch.queued[at].small(now);
            if flits == u64::from(self.watch.shape.plan().output_flits) {
                self.see(Case::OutputFull);
            }
            if flits > 1 {
                self.see(Case::OutputSeveral);
            }
        }
        for (at, field) in self.watch.errors.iter().enumerate() {
            if field.of(now) > field.of(&self.before) {
                self.points[CASES.len() + at].count += 1;
            }
        }
    }

    fn see_credits(&mut self, now: &[u64]) {
        for at in 0..self.watch.credits.len() {
            let (port, vc, field) = self.watch.credits[at];
            let depth = u128::from(self.watch.shape.depth_of(port));
            let (was, left) = (field.of(&self.before), field.of(now));
            if left == 0 {
                self.see(Case::CreditEmpty);
            }
            if left == depth {
                self.see(Case::CreditFull);
            }
            let came = self.inputs.ports[port].credit == Some(self.watch.shape.label(port, vc));
            if came && was == left && left < depth {
                self.see(Case::CreditTakenAndGiven);
            }
        }
    }

    fn see_wires(&mut self, moment: &Moment<'_>) {
        // A credit that leaves is a grant of the cycle before.
        let grants = moment.outputs.ports.iter().filter(|port| port.credit.is_some()).count();
        self.see(match grants {
            0 => Case::AllocateNone,
            1 => Case::AllocateOne,
            _ => Case::AllocateSeveral,
        });
        let (mut asked, mut own, mut port) = (0, 0, usize::MAX);
        let (mut contended, mut rivals) = (false, false);
        for vc in &self.watch.vcs {
            if vc.port != port {
                (asked, own, port) = (asked | own, 0, vc.port);
            }
            let request = vc.request.small(moment.registers);
            contended |= asked & request != 0;
            rivals |= own != 0 && request != 0;
            own |= request;
        }
        if contended {
            self.see(Case::AllocateContended);
        }
        if rivals {
            self.see(Case::AllocateRivals);
        }
        for port in &moment.outputs.ports {
            match port.flit {
                Some(flit) if flit.head && flit.tail => self.see(Case::OutputOneFlitPacket),
                Some(flit) if flit.head => self.see(Case::OutputHead),
                Some(flit) if flit.tail => self.see(Case::OutputTail),
                Some(_) => self.see(Case::OutputBody),
                None => {}
            }
        }
    }
}

impl Observer for Coverage {
    fn reset(&mut self, _cycle: u32) {
        if self.watch.vcs.iter().any(|vc| !self.before.is_empty() && vc.flits.small(&self.before) > 0) {
            self.see(Case::Reset);
        }
        self.before.clear();
    }

    fn observe(&mut self, moment: Moment<'_>) {
        if !self.before.is_empty() {
            self.see_vcs(moment.registers);
            self.see_triggers(moment.registers);
            self.see_counters(moment.registers);
            self.see_credits(moment.registers);
            self.see_wires(&moment);
        }
        self.before.clear();
        self.before.extend_from_slice(moment.registers);
        self.inputs.clone_from(moment.inputs);
    }
}

/// What a VC went through.
fn transition(was: u32, is: u32, packets_before: u64, packets: u64) -> Option<Case> {
    use layout::{VC_STATE_ACTIVE as ACTIVE, VC_STATE_IDLE as IDLE, VC_STATE_WAITING as WAITING};
    match (was, is) {
        (IDLE, WAITING) => Some(Case::VcIdleWaiting),
        (WAITING, ACTIVE) => Some(Case::VcWaitingActive),
        (ACTIVE, IDLE) => Some(Case::VcActiveIdle),
        (ACTIVE, WAITING) => Some(Case::VcActiveWaiting),
        (WAITING, IDLE) => Some(Case::VcWaitingIdle),
        (WAITING, WAITING) if packets < packets_before => Some(Case::VcWaitingWaiting),
        _ => None,
    }
}

/// The case of a waiting packet's request.
fn select_case(offer: &Offer) -> Option<Case> {
    let request = offer.request;
    if request == 0 {
        None
    } else if offer.forced {
        Some(Case::SelectForced)
    } else if request.count_ones() > 1 {
        Some(Case::SelectSeveral)
    } else if request & offer.minimal != 0 {
        Some(Case::SelectMinimal)
    } else if request & offer.global != 0 {
        Some(Case::SelectGlobalMisroute)
    } else {
        Some(Case::SelectLocalMisroute)
    }
}

/// What a waiting packet was offered.
pub(super) fn route_case(offer: &Offer, shape: &Shape) -> Case {
    let nodes = (1u64 << shape.nodes()) - 1;
    match (offer.forced, offer.minimal, offer.global, offer.local) {
        (true, 0, ..) => Case::RouteForcedWithoutOwnLink,
        (true, ..) => Case::RouteForcedWithOwnLink,
        (_, minimal, ..) if minimal & nodes != 0 => Case::RouteConsume,
        (_, _, 0, 0) => Case::RouteMinimalOnly,
        (_, _, _, 0) => Case::RouteMinimalAndGlobal,
        (_, _, 0, _) => Case::RouteMinimalAndLocal,
        _ => Case::RouteMinimalAndBoth,
    }
}
