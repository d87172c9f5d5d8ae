//! What a board checks of itself while it serves: its memory, what it was given, its credits, its time.
//!
//! [`Service::tick`] is called once in each tick, apart from the switch's `step`, and does a small part of a round: a few words of memory, or one
//! port. After [`Service::round_ticks`] ticks everything has been looked at, and the watchdog is fed if no fault was found. What is found is an
//! event, and is latched until it is cleared.

mod audit;
mod finding;
mod findings;
mod frozen;
mod pace;
mod reset;
mod table;
mod thresholds;
mod view;
mod watchdog;

use audit::{Account, wrong_contention};
use core::mem::replace;
use desvio_driver::file::{BLOCK, BLOCKS, RegisterFile};
use desvio_driver::registers::{Outcome, Status};
pub use finding::Finding;
pub use findings::{Findings, Latched};
pub use frozen::Frozen;
pub use pace::{Clock, Pace};
pub use reset::Reset;
use router_core::event::ProtocolError;
use router_core::units::{PortId, PortSet};
pub use table::ROWS_PER_TICK;
use table::{Pass, first_wrong};
pub use thresholds::first_out_of_range;
pub use view::{Checked, View};
pub use watchdog::{NoWatchdog, Watchdog};

/// A part of a round: what one tick looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// This block of registers.
    Registers(usize),
    /// Rows of the table in use, from this one on.
    Rows(usize),
    /// The plan of a port.
    PlanOf(PortId),
    /// The plan of all ports.
    Plan,
    /// Credits and queues of a port.
    Audit(PortId),
    /// The contention counters.
    Contention,
    /// What the router was given, and what it was refused.
    Given,
}

impl Part {
    /// The part of this number, in a router of `ports` ports with a table of `rows` rows; nothing behind the last one.
    fn numbered(number: usize, ports: usize, rows: usize) -> Option<Self> {
        let Some(number) = number.checked_sub(BLOCKS) else { return Some(Self::Registers(number)) };
        let slices = rows.div_ceil(ROWS_PER_TICK);
        let Some(number) = number.checked_sub(slices) else {
            return Some(Self::Rows(number.wrapping_mul(ROWS_PER_TICK)));
        };
        let port = |number: usize| PortId::new(number as u8);
        let Some(number) = number.checked_sub(ports) else { return Some(Self::PlanOf(port(number))) };
        let Some(number) = number.checked_sub(ports) else { return Some(Self::Audit(port(number))) };
        [Self::Plan, Self::Contention, Self::Given].get(number).copied()
    }
}

/// The checks of a board with a switch of `P` ports, by a clock `C`, with a watchdog `W`.
#[derive(Debug)]
pub struct Service<C, W, const P: usize> {
    clock: C,
    watchdog: W,
    reset: Reset,
    pace: Pace,
    frozen: Frozen<P>,
    findings: Findings,
    /// The part that the next tick looks at.
    next: usize,
    /// Whether no fault was found in this round.
    is_clean: bool,
    rounds: u32,
    /// Of the switch, at the last tick.
    cycle: u64,
    pass: Pass,
    account: Account<P>,
    /// As they were last seen.
    status: Status,
    restarts: u32,
    errors: [u16; ProtocolError::COUNT],
    /// Flits and credits at all ports, and the cycle, when the owner asked last whether it may sleep.
    moved: (u64, u32),
}

impl<C: Clock, W: Watchdog, const P: usize> Service<C, W, P> {
    /// The checks of a switch that is as it was made. A tick is late when it comes more than `budget` after the one before, in units of the clock.
    /// `reset`: why the board started, as its hardware says.
    pub fn new<'g, const V: usize, const F: usize, const ROWS: usize>(
        switch: &impl Checked<'g, P, V, F, ROWS>,
        clock: C,
        watchdog: W,
        budget: u32,
        reset: Reset,
    ) -> Self {
        let view = switch.view();
        let mut service = Self {
            clock,
            watchdog,
            reset,
            pace: Pace::new(budget),
            frozen: Frozen::of(view.plan),
            findings: Findings::new(),
            next: 0,
            is_clean: true,
            rounds: 0,
            cycle: 0,
            pass: Pass::default(),
            account: Account::new(),
            status: view.file.map(RegisterFile::status).unwrap_or_default(),
            restarts: view.restarts,
            errors: [0; ProtocolError::COUNT],
            moved: (0, 0),
        };
        if reset.is_trouble() {
            service.note(Finding::Reset(reset));
        }
        service
    }

    /// Ticks of a round, for a table of so many rows. What goes wrong in memory is found within two rounds.
    #[must_use]
    pub const fn round_ticks(rows: usize) -> usize {
        // The last tick of a round looks at nothing.
        let fixed = BLOCKS.saturating_add(P.saturating_mul(2)).saturating_add(4);
        rows.div_ceil(ROWS_PER_TICK).saturating_add(fixed)
    }

    /// One tick, after the switch's `step`.
    pub fn tick<'g, const V: usize, const F: usize, const ROWS: usize>(
        &mut self,
        switch: &impl Checked<'g, P, V, F, ROWS>,
    ) {
        let view = switch.view();
        self.cycle = view.counters.cycles();
        let ports = view.plan.links.radix().min(P);
        if let Some(took) = self.pace.tick(self.clock.now()) {
            self.note(Finding::LateTick { took });
        }
        self.follow(&view);
        if let Some(part) = Part::numbered(self.next, ports, ROWS) {
            self.next = self.next.wrapping_add(1);
            if let Some(finding) = self.look(&view, part) {
                self.note(finding);
            }
        } else {
            self.end_round();
        }
        if let Some(Part::Audit(port)) = Part::numbered(self.next, ports, ROWS) {
            self.account.note(self.cycle, view.counters.port(port));
        }
    }

    /// What the driver did since the last tick.
    fn follow<const V: usize, const F: usize, const ROWS: usize>(
        &mut self,
        view: &View<'_, '_, P, V, F, ROWS>,
    ) {
        let status = view.file.map(RegisterFile::status).unwrap_or_default();
        if status.generation() != self.status.generation()
            && let Some(outcome) = Outcome::from_number(status.outcome())
            && outcome != Outcome::Done
        {
            self.note(Finding::Commit(outcome));
        }
        self.status = status;
        if view.restarts != self.restarts {
            self.restarts = view.restarts;
            self.account.restart();
            self.errors = [0; ProtocolError::COUNT];
        }
    }

    fn look<const V: usize, const F: usize, const ROWS: usize>(
        &mut self,
        view: &View<'_, '_, P, V, F, ROWS>,
        part: Part,
    ) -> Option<Finding> {
        let View { pins, plan, counters, .. } = *view;
        let found = |is_found: bool, finding: Finding| is_found.then_some(finding);
        match part {
            Part::Registers(block) => {
                let from = block.wrapping_mul(BLOCK) as u16;
                found(!view.file?.is_intact(block), Finding::Registers { from })
            }
            Part::Rows(first) => {
                let (file, rows) = (view.file?, first..first.saturating_add(ROWS_PER_TICK).min(ROWS));
                let changed = self.pass.look(file, rows.clone());
                let exits = pins.here().wired.minus(plan.links.nodes());
                let has_rows = file.is_running() && file.declared().is_some();
                let all = PortSet::first_n(plan.links.radix());
                changed.or_else(|| if has_rows { first_wrong(file, rows, exits, all) } else { None })
            }
            Part::PlanOf(port) => {
                found(!self.frozen.is_port_intact(plan, port), Finding::Plan { port: Some(port) })
            }
            Part::Plan => found(!self.frozen.is_rest_intact(plan), Finding::Plan { port: None }),
            Part::Audit(port) => {
                self.account.look(pins, plan, port, (counters.cycles(), counters.port(port)))
            }
            Part::Contention => wrong_contention(pins, plan),
            Part::Given => self.given(view),
        }
    }

    /// What the router refused; its place, its selection and its thresholds.
    fn given<const V: usize, const F: usize, const ROWS: usize>(
        &mut self,
        view: &View<'_, '_, P, V, F, ROWS>,
    ) -> Option<Finding> {
        let View { pins, plan, .. } = *view;
        for error in ProtocolError::ALL {
            let seen = self.errors.get_mut(error.index())?;
            let now = pins.router().errors(error) as u16;
            if replace(seen, now) != now {
                self.note(Finding::Protocol(error));
            }
        }
        let here = pins.here();
        if let Some(file) = view.file {
            if !file.is_running() {
                return None;
            }
            let (asked, ports) = (file.here(), PortSet::first_n(P));
            let is_there = (asked.router, asked.wired.and(ports), asked.group_exits.and(ports))
                == (here.router, here.wired, here.group_exits);
            if !is_there {
                return Some(Finding::Place);
            }
            if plan.selection != file.selection() {
                return Some(Finding::Selection);
            }
        }
        let name = first_out_of_range(&plan.selection, plan, here.wired)?;
        Some(Finding::Threshold { name })
    }

    fn end_round(&mut self) {
        if self.is_clean {
            self.watchdog.feed();
        }
        (self.next, self.is_clean) = (0, true);
        self.rounds = self.rounds.wrapping_add(1);
    }

    /// Latches a finding, of these checks or of the owner. The first of its kind is an event.
    pub fn note(&mut self, finding: Finding) {
        self.is_clean &= !finding.is_fault();
        if self.findings.latch(finding) {
            finding.emit(self.cycle);
        }
    }

    /// Whether nothing is on its way, so that the owner may wait for an interrupt. To be asked after each step: it is sure after two of them in
    /// which nothing moved. A timer has to end the wait as well: checks go on with ticks alone. After the wait the owner calls
    /// [`pause`](Self::pause).
    pub fn is_idle<'g, const V: usize, const F: usize, const ROWS: usize>(
        &mut self,
        switch: &impl Checked<'g, P, V, F, ROWS>,
    ) -> bool {
        let view = switch.view();
        let (pins, counters) = (view.pins, view.counters);
        if view.waits() {
            return true;
        }
        let is_empty =
            pins.router().is_idle() && (0..P).all(|port| pins.queued(PortId::new(port as u8)) == 0);
        let (cycles, total) = (counters.cycles(), counters.total());
        let moved = [total.flits_in, total.flits_out, total.credits_in, total.credits_out];
        let moved = moved.iter().fold(0u32, |sum, &count| sum.wrapping_add(count));
        if !is_empty || moved != self.moved.1 {
            self.moved = (cycles, moved);
        }
        is_empty && cycles.wrapping_sub(self.moved.0) >= 2
    }

    /// The owner waited on purpose: the time since the last tick does not count.
    pub const fn pause(&mut self) {
        self.pace.pause();
    }

    /// What was found.
    pub const fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Clears the kinds of findings whose bits are 1. What is still wrong is found again in the next round.
    pub fn clear(&mut self, ones: u32) {
        self.findings.clear(ones);
    }

    /// Time between ticks.
    pub const fn pace(&self) -> &Pace {
        &self.pace
    }

    /// Why the board started.
    pub const fn reset(&self) -> Reset {
        self.reset
    }

    /// Rounds so far; the number wraps.
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }
}

#[cfg(test)]
#[allow(clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::unreachable)]
mod tests;
