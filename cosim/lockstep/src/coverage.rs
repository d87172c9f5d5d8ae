//! Functional coverage: which cases of each stage a lockstep has seen, by name.

mod corners;
mod lanes;
mod lifetimes;

use super::case::{CASES, Case, Offer, discard_case, route_case, select_case, transition};
use super::compare::{Moment, Observer};
use super::frame::Frame;
use super::offers::{Offers, excludes};
use super::settings::Settings;
use crate::rtl::{Field, Probe};
use crate::shape::Shape;
use corners::Corners;
use lanes::Lanes;
use lifetimes::{Lifetimes, Queue, Waiting};
use router_core::discard::Discard;
use router_core::event::ProtocolError;
use router_core::layout;
use router_core::state::{Register, VcRegister};
use router_core::units::{PortId, VcId};
use std::collections::BTreeMap;

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
    /// From how many packets on an output is contended, if there is such a number.
    threshold: Option<u16>,
    corners: Corners,
    before: Vec<u64>,
    inputs: Frame,
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
    discards: Vec<(Discard, Field)>,
    lanes: Lanes,
    lifetimes: Lifetimes,
}

/// Where the registers of a VC are, by register.
#[derive(Clone, Copy, Debug)]
struct VcFields {
    port: usize,
    vc: VcId,
    fields: [Field; VcRegister::COUNT],
    /// The first and the last of the words that they are in.
    words: (usize, usize),
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
            discards: Vec::new(),
            lanes: Lanes::default(),
            lifetimes: Lifetimes::default(),
        };
        for &Probe { register, field, .. } in probes {
            let Some(register) = register else { continue };
            match register {
                Register::Vc(port, vc, register) => {
                    let port = port.index();
                    if watch.vcs.last().is_none_or(|last| (last.port, last.vc) != (port, vc)) {
                        let (fields, first) = ([field; VcRegister::COUNT], field.lowest / 64);
                        watch.vcs.push(VcFields { port, vc, fields, words: (first, first) });
                    }
                    if let Some(vc) = watch.vcs.last_mut() {
                        vc.fields[register as usize] = field;
                        vc.words.1 = (field.lowest + field.bits as usize - 1) / 64;
                    }
                }
                Register::Contention(_) => watch.contention.push(field),
                Register::Credits(port, vc) => watch.credits.push((port.index(), vc.index(), field)),
                Register::Queued(_) => watch.queued.push(field),
                Register::Errors(_) => watch.errors.push(field),
                Register::VlArbiter(port) => watch.lanes.add(port, field),
                Register::Discards(why) => watch.discards.push((why, field)),
                Register::Age(port, vc) => {
                    let packet = watch.vc(port, vc).map(|at| {
                        let (state, minimal) = (at.field(VcRegister::State), at.field(VcRegister::Minimal));
                        Waiting { at: (port, vc), state, minimal, age: field }
                    });
                    watch.lifetimes.packets.extend(packet);
                }
                Register::Aged(port, vc) => {
                    let state = watch.vc(port, vc).map(|at| at.field(VcRegister::State));
                    let queue = state.map(|state| Queue::new((port, vc), state, field));
                    watch.lifetimes.queues.extend(queue);
                }
                Register::LateDiscards(..) => watch.lifetimes.late.push(field),
                Register::StalledFor(..) => watch.lifetimes.stalled.push(field),
                _ => {}
            }
        }
        watch
    }

    fn vc(&self, port: PortId, vc: VcId) -> Option<&VcFields> {
        self.vcs.iter().find(|at| (at.port, at.vc) == (port.index(), vc))
    }
}

impl VcFields {
    const fn field(&self, register: VcRegister) -> Field {
        self.fields[register as usize]
    }

    /// A register that is not wider than a word.
    fn get(&self, register: VcRegister, words: &[u64]) -> u64 {
        self.field(register).small(words)
    }

    fn offer(&self, words: &[u64], shape: &Shape) -> Offer {
        let candidates = self.field(VcRegister::Candidates).of(words);
        Offer::new(candidates, self.get(VcRegister::Request, words), shape)
    }

    fn state(&self, words: &[u64]) -> u32 {
        self.get(VcRegister::State, words) as u32
    }

    /// Whether nothing that is looked at differs.
    fn is_same(&self, before: &[u64], now: &[u64]) -> bool {
        let words = self.words.0..=self.words.1;
        before.get(words.clone()) == now.get(words)
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
        let mut lfsr = probes.iter().filter(|probe| probe.register == Some(Register::Lfsr));
        let corners = Corners::new(shape, &offers.nodes, lfsr.next().map(|probe| probe.field));
        let (before, inputs) = (Vec::new(), Frame::idle(shape.ports));
        Self { points, watch, threshold: None, corners, before, inputs }
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

    /// Adds what was seen before, by name.
    pub fn recall(&mut self, seen: &BTreeMap<String, u64>) {
        for point in &mut self.points {
            point.count += seen.get(&point.name).copied().unwrap_or(0);
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
            let (packets_before, packets) =
                (vc.get(VcRegister::Packets, &self.before), vc.get(VcRegister::Packets, now));
            if let Some(case) = transition(was, is, packets_before, packets) {
                self.see(case);
            }
            if vc.get(VcRegister::Flits, now) == u64::from(self.watch.shape.depth_of(vc.port)) {
                self.see(Case::VcBufferFull);
            }
            if packets == u64::from(self.watch.shape.places_of(vc.port)) {
                self.see(Case::VcDescriptorsFull);
            }
            if is == layout::VC_STATE_WAITING {
                let offer = vc.offer(now, &self.watch.shape);
                let offered = route_case(&offer, &self.watch.shape);
                for case in select_case(&offer).into_iter().chain([offered]) {
                    self.see(case);
                }
            }
        }
    }

    fn see_triggers(&mut self, now: &[u64]) {
        let Some(threshold) = self.threshold else { return };
        for at in 0..self.watch.vcs.len() {
            let vc = self.watch.vcs[at];
            let waits = |words: &[u64]| vc.state(words) == layout::VC_STATE_WAITING;
            if !waits(&self.before) || !waits(now) {
                continue;
            }
            let offer = vc.offer(&self.before, &self.watch.shape);
            let minimal = vc.get(VcRegister::Minimal, &self.before);
            if offer.forced || offer.global | offer.local == 0 || minimal == 0 {
                continue;
            }
            let counter = self.watch.contention[minimal.trailing_zeros() as usize];
            let fires = counter.of(&self.before) >= u128::from(threshold);
            let request = vc.get(VcRegister::Request, now);
            let detours = request & offer.minimal == 0 && request != 0;
            match (fires, detours) {
                (true, true) => self.see(Case::SelectContendedDetoured),
                (true, false) => self.see(Case::SelectContendedNoDetour),
                (false, false) => self.see(Case::SelectNotContended),
                // The packet's own counter is not what made it take a detour.
                (false, true) if self.watch.shape.groups() > 0 => self.see(Case::SelectToldDetoured),
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
            if flits == u64::from(self.watch.shape.plan().options.output_flits) {
                self.see(Case::OutputFull);
            }
            if flits > 1 {
                self.see(Case::OutputSeveral);
            }
        }
        for at in 0..self.watch.discards.len() {
            let (why, field) = self.watch.discards[at];
            if field.of(now) > field.of(&self.before) {
                self.see(discard_case(why));
            }
        }
        for (at, field) in self.watch.errors.iter().enumerate() {
            let (was, is) = (field.of(&self.before), field.of(now));
            if is > was {
                self.points[CASES.len() + at].count += 1;
                self.points[Case::ErrorsAtEnd as usize].count += u64::from(is == u16::MAX.into());
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
        for (notices, case) in
            [(&moment.inputs.notices, Case::NoticeHeard), (&moment.outputs.notices, Case::NoticeTold)]
        {
            if !notices.is_empty() {
                self.see(case);
            }
        }
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
            let request = vc.get(VcRegister::Request, moment.registers);
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
    fn reset(&mut self, _cycle: u32, settings: &Settings, came: bool) {
        if came {
            self.see(Case::ResetInputs);
        }
        self.corners.reset();
        self.watch.lanes.reset(settings, &self.watch.shape);
        self.watch.lifetimes.reset(settings, &self.watch.shape);
        self.threshold = settings.selection(self.watch.shape.plan().selection).thresholds().contention;
        if self
            .watch
            .vcs
            .iter()
            .any(|vc| !self.before.is_empty() && vc.get(VcRegister::Flits, &self.before) > 0)
        {
            self.see(Case::Reset);
        }
        self.before.clear();
    }

    fn observe(&mut self, moment: Moment<'_>) {
        let points = &mut self.points;
        self.corners.observe(&moment, &mut |case| points[case as usize].count += 1);
        if !self.before.is_empty() {
            self.see_vcs(moment.registers);
            self.see_triggers(moment.registers);
            self.see_counters(moment.registers);
            self.see_credits(moment.registers);
            self.see_wires(&moment);
            let (Watch { lanes, lifetimes, .. }, points) = (&mut self.watch, &mut self.points);
            let mut see = |case| points[case as usize].count += 1;
            lanes.observe(&self.before, moment.registers, moment.outputs, &mut see);
            lifetimes.observe(&self.before, moment.registers, &mut see);
        }
        self.before.clear();
        self.before.extend_from_slice(moment.registers);
        self.inputs.clone_from(moment.inputs);
    }
}
