//! What a router of a group counts, tells and hears (explicit contention notification, ECtN), on wires of its own: the registers
//! behind its pins, in each internal cycle.
//!
//! Source: Fuentes et al., IPDPS 2015. Every period a router counts the packets at the front of its VCs that are leaving for each other
//! group, keeps the counters, and sends them to all other routers of its group in the next cycle. Counters that come in cycle `t` replace
//! the earlier ones of their router in `t + 1`, and are added up in `t + 2`. The contended ways follow from them from `t + 3` on. A
//! simulator of networks, which has a calendar anyway, does without; [`crate::notice`] is what both tell a router.

mod flags;

use crate::event::ProtocolError;
use crate::notice::GROUPS;
use crate::pins::{Bundle, Pins};
use crate::plan::Plan;
use crate::route::Route;
use crate::router::Router;
use crate::select::ectn::EctnTrigger;
use crate::units::PortClass;
use crate::vc::Descriptor;
pub use flags::Flags;

/// What a router tells and hears: counters, or flags of links.
#[derive(Clone, Copy, Debug)]
pub enum Told<S> {
    /// Counters.
    Counters(Exchange<S>),
    /// Flags.
    Flags(Flags<S>),
}

impl<S: AsRef<[u16]>> Told<S> {
    /// What it tells in this cycle, if it does.
    pub fn tells(&self) -> Option<&[u16]> {
        match self {
            Self::Counters(exchange) => exchange.tells(),
            Self::Flags(flags) => flags.tells(),
        }
    }

    /// A view of it, for reading.
    pub fn view(&self) -> Told<&[u16]> {
        match self {
            Self::Counters(exchange) => Told::Counters(exchange.view()),
            Self::Flags(flags) => Told::Flags(flags.view()),
        }
    }

    /// What this router (0) or another one of its group has broadcast last, at a place of the broadcast.
    pub fn heard(&self, from: u8, at: u16) -> u16 {
        match self {
            Self::Counters(exchange) => exchange.heard(from, at),
            Self::Flags(flags) => flags.heard(from, at),
        }
    }

    /// The counters, if it tells those.
    pub const fn counters(&self) -> Option<&Exchange<S>> {
        match self {
            Self::Counters(exchange) => Some(exchange),
            Self::Flags(_) => None,
        }
    }
}

impl<S: AsRef<[u16]> + AsMut<[u16]>> Told<S> {
    /// One internal cycle of a router and of what it tells and hears: [`Exchange::step`], [`Flags::step`].
    ///
    /// # Errors
    /// As [`Pins::step`].
    pub fn step<'n, D, const P: usize, const V: usize, const F: usize>(
        &mut self,
        pins: &mut Pins<D, P, V, F>,
        plan: &Plan<P>,
        routing: &impl Route,
        inputs: &Bundle<P>,
        notices: impl Iterator<Item = (usize, &'n [u16])>,
    ) -> (Bundle<P>, Result<(), ProtocolError>)
    where
        D: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
    {
        match self {
            Self::Counters(exchange) => exchange.step(pins, plan, routing, inputs, notices),
            Self::Flags(flags) => flags.step(pins, plan, routing, inputs, notices),
        }
    }
}

/// The registers. The store holds, row by row and for each group, this router's counters, those that each of the others has sent last, and
/// those that came in the cycle before: [`Exchange::places`] places.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<S> {
    groups: usize,
    /// Routers that tell.
    others: usize,
    combined_threshold: u16,
    /// Internal cycles from one count to the next, and until the next.
    cycles: u32,
    left: u32,
    /// Whether this router has counted in the cycle before.
    told: bool,
    /// Of whom counters came in the cycle before: a bit for each.
    came: u64,
    rows: S,
}

impl<S: AsRef<[u16]>> Exchange<S> {
    /// Places of the store for a router of such a plan.
    pub fn places<const P: usize>(plan: &Plan<P>) -> usize {
        let rows = others(plan).wrapping_mul(2).wrapping_add(1);
        rows.wrapping_mul(plan.groups.into())
    }

    /// As after reset, `speedup` internal cycles to a link cycle. All places of the store are 0.
    pub fn new<const P: usize>(plan: &Plan<P>, trigger: &EctnTrigger, speedup: u8, rows: S) -> Self {
        let cycles = u32::from(trigger.period.max(1)).wrapping_mul(speedup.max(1).into());
        Self {
            groups: plan.groups.into(),
            others: others(plan),
            combined_threshold: trigger.combined_threshold,
            cycles,
            left: cycles,
            told: false,
            came: 0,
            rows,
        }
    }

    /// A view of it, for reading.
    pub fn view(&self) -> Exchange<&[u16]> {
        let Self { groups, others, combined_threshold, cycles, left, told, came, ref rows } = *self;
        Exchange { groups, others, combined_threshold, cycles, left, told, came, rows: rows.as_ref() }
    }

    /// A row: 0 is the router's own.
    fn row(&self, number: usize) -> &[u16] {
        let from = number.wrapping_mul(self.groups);
        self.rows.as_ref().get(from..from.wrapping_add(self.groups)).unwrap_or_default()
    }

    /// What it tells in this cycle, for each group, if it does.
    pub fn tells(&self) -> Option<&[u16]> {
        self.told.then(|| self.row(0))
    }

    /// How many packets for a group this router (0) or another one of its group has broadcast last.
    pub fn heard(&self, from: u8, group: u16) -> u16 {
        self.row(from.into()).get(usize::from(group)).copied().unwrap_or_default()
    }

    /// Whether it has counted in the cycle before.
    pub const fn has_counted(&self) -> bool {
        self.told
    }

    /// Internal cycles until it counts.
    pub const fn left(&self) -> u32 {
        self.left
    }

    /// The groups to which the way is contended, by what has been received.
    fn contended(&self) -> impl Iterator<Item = u32> + use<'_, S> {
        let trigger = EctnTrigger { combined_threshold: self.combined_threshold, ..EctnTrigger::default() };
        let sum = |group: u16| -> u32 {
            (0..=self.others as u8).map(|from| u32::from(self.heard(from, group))).sum()
        };
        let groups = 0..self.groups as u16;
        groups.filter(move |&group| trigger.is_contended(sum(group))).map(u32::from)
    }
}

impl<const P: usize> Plan<P> {
    /// What a router tells the others of its group at once: a counter for each group of the network, or a flag for each VC of each global
    /// link.
    pub fn told(&self) -> u16 {
        let links =
            self.links.each().filter(|&port| self.links.class(port) == PortClass::GLOBAL).count() as u16;
        let flags = links.wrapping_mul(self.links.sizes(PortClass::GLOBAL).vcs.into());
        if self.flags.is_some() { flags } else { self.groups }
    }
}

/// Routers of a group that tell one of them: those behind its local ports.
fn others<const P: usize>(plan: &Plan<P>) -> usize {
    plan.links.each().filter(|&port| plan.links.class(port) == PortClass::LOCAL).count()
}

/// How many packets of a router are leaving for each group.
fn counts<const P: usize, const V: usize, D>(
    router: &Router<D, P, V>,
    plan: &Plan<P>,
    routing: &impl Route,
) -> [u16; GROUPS as usize]
where
    D: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    let mut counts = [0; GROUPS as usize];
    for group in router.leaving(plan, routing) {
        if let Some(count) = counts.get_mut(group as usize) {
            *count = u16::wrapping_add(*count, 1);
        }
    }
    counts
}

impl<S: AsRef<[u16]> + AsMut<[u16]>> Exchange<S> {
    /// One internal cycle of a router and of what it tells and hears: what it drives. `notices` are the counters that come in this cycle, each
    /// with the place of its sender among the router's local ports.
    ///
    /// # Errors
    /// As [`Pins::step`].
    pub fn step<'n, D, const P: usize, const V: usize, const F: usize>(
        &mut self,
        pins: &mut Pins<D, P, V, F>,
        plan: &Plan<P>,
        routing: &impl Route,
        inputs: &Bundle<P>,
        notices: impl Iterator<Item = (usize, &'n [u16])>,
    ) -> (Bundle<P>, Result<(), ProtocolError>)
    where
        D: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
    {
        // Everything that is read is as it was at the end of the cycle before: the router's own count before its step, and what it is told
        // behind it.
        self.told = self.left == 0;
        self.left = self.left.checked_sub(1).unwrap_or(self.cycles.wrapping_sub(1));
        let counted = self.told.then(|| counts(pins.router(), plan, routing));
        let driven = pins.step(plan, routing, inputs);
        pins.tell(plan, routing, self.contended());
        if let Some(counts) = counted {
            self.put(0, &counts);
        }
        self.keep();
        self.take(notices);
        driven
    }

    /// Counters that came in the cycle before take the place of those that were sent before.
    fn keep(&mut self) {
        let (groups, others) = (self.groups, self.others);
        for from in (0..others).filter(|&from| self.came.wrapping_shr(from as u32) & 1 == 1) {
            let at = others.wrapping_add(1).wrapping_add(from).wrapping_mul(groups);
            let to = from.wrapping_add(1).wrapping_mul(groups);
            let rows = self.rows.as_mut();
            if at.wrapping_add(groups) <= rows.len() {
                rows.copy_within(at..at.wrapping_add(groups), to);
            }
        }
        self.came = 0;
    }

    /// The input registers take what comes.
    fn take<'n>(&mut self, notices: impl Iterator<Item = (usize, &'n [u16])>) {
        let others = self.others;
        let first = others.wrapping_add(1);
        for (from, counts) in notices.filter(|&(from, _)| from < others) {
            self.came |= 1u64.wrapping_shl(from as u32);
            self.put(first.wrapping_add(from), counts);
        }
    }

    fn put(&mut self, row: usize, counts: &[u16]) {
        let from = row.wrapping_mul(self.groups);
        if let Some(row) = self.rows.as_mut().get_mut(from..from.wrapping_add(self.groups)) {
            row.iter_mut().zip(counts).for_each(|(own, &count)| *own = count);
        }
    }
}
