//! One run: reset, then phase after phase, each cycle checked.

use super::dice::Dice;
use super::ledger::{Departed, Ledger};
use super::phase::{FULL_LOAD, Phase, Sinks as Manner};
use super::pins::{FlowPins, Pins};
use super::rule::{Rule, Violation};
use super::sink::Sinks;
use super::site::Site;
use super::source::{Account, Demand, Sources};
use super::walk::Pool;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use verilated::{Failure, FailureKind};

/// A part of a run whose waveforms are written.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) cycles: Range<u64>,
    pub(super) file: PathBuf,
}

/// The switch between its neighbours.
#[derive(Debug)]
pub(super) struct Bench<'s, 'b> {
    pub(super) site: &'s Site<'b>,
    pub(super) pool: &'s Pool,
    pub(super) pins: Pins,
    pub(super) ledger: Ledger<'s, 'b>,
    pub(super) sources: Sources,
    pub(super) sinks: Sinks,
    pub(super) dice: Dice,
    pub(super) patience: u64,
    pub(super) reset_cycles: u64,
    pub(super) window: Option<Window>,
    /// Flits per cycle and port under full load.
    pub(super) throughput: f64,
}

impl Bench<'_, '_> {
    /// Everything, until the first broken rule.
    pub(super) fn run(
        &mut self,
        lengths: &[u16],
        phases: &[Phase],
        tell: &mut dyn FnMut(&str),
    ) -> Result<(), Violation> {
        self.reset()?;
        tell("one packet at a time");
        self.alone(lengths)?;
        for phase in phases {
            tell(&phase.name);
            self.phase(phase)?;
        }
        Ok(())
    }

    fn reset(&mut self) -> Result<(), Violation> {
        self.pins.reset(true);
        for _ in 0..self.reset_cycles {
            let at = self.ledger.cycle;
            self.open_window()?;
            // Before a reset, registers hold anything: what a design's own assertions say is not about the design.
            self.pins.look(10 * at).or_else(forgive).map_err(own_check)?;
            self.pins.rise(10 * at + 5).or_else(forgive).map_err(own_check)?;
            self.ledger.cycle += 1;
        }
        self.pins.reset(false);
        for _ in 0..SETTLING {
            self.step(&Demand::FINISH, Manner::Free)?;
        }
        Ok(())
    }

    /// For each way through the switch, a few packets that meet no other.
    fn alone(&mut self, lengths: &[u16]) -> Result<(), Violation> {
        let ways = self.site.wired().flat_map(|port| (0..self.site.port(port).vcs).map(move |vc| (port, vc)));
        let ways: Vec<_> = ways
            .flat_map(|(port, vc)| self.pool.at(port, vc).outputs().map(move |output| (port, vc, output)))
            .collect();
        self.ledger.tally.is_alone = true;
        for &(port, vc, output) in &ways {
            for &length in lengths {
                let Some(arrived) = self.pool.at(port, vc).pick(Some(output), &mut self.dice) else {
                    continue;
                };
                self.sources.inject((port, vc), arrived, length, &mut self.ledger);
                self.drain()?;
                for _ in 0..self.dice.below(4) {
                    self.step(&Demand::FINISH, Manner::Free)?;
                }
            }
        }
        self.ledger.tally.is_alone = false;
        Ok(())
    }

    fn phase(&mut self, phase: &Phase) -> Result<(), Violation> {
        let demand = Demand { generate: true, load: phase.load, burst: phase.burst, towards: phase.towards };
        let half = phase.cycles / 2;
        let mut before = 0;
        for cycle in 0..phase.cycles {
            if cycle == half {
                before = self.ledger.tally.flits_out;
            }
            self.step(&demand, phase.sinks)?;
        }
        if phase.name == FULL_LOAD {
            let flits = (self.ledger.tally.flits_out - before) as f64;
            self.throughput = flits / (phase.cycles - half) as f64 / self.site.wired().count().max(1) as f64;
        }
        self.drain()
    }

    /// Nothing new begins until nothing is left; then every account must be even.
    fn drain(&mut self) -> Result<(), Violation> {
        let mut still = 0;
        while !(self.ledger.is_empty() && self.sources.is_quiet() && self.sinks.is_quiet()) {
            let before = self.moves();
            self.step(&Demand::FINISH, Manner::Free)?;
            still = if self.moves() == before { still + 1 } else { 0 };
            if still > self.patience {
                return Err(self.diagnose(still));
            }
        }
        for _ in 0..SETTLING {
            self.step(&Demand::FINISH, Manner::Free)?;
        }
        self.ledger.checks.count(Rule::FlitLost);
        Ok(())
    }

    fn moves(&self) -> [u64; 4] {
        let tally = &self.ledger.tally;
        [tally.flits_in, tally.flits_out, tally.credits_back, tally.credits_given]
    }

    /// One cycle of the clock.
    fn step(&mut self, demand: &Demand, manner: Manner) -> Result<(), Violation> {
        let at = self.ledger.cycle;
        self.open_window()?;
        let (input, output) = (Arc::clone(&self.pins.input), Arc::clone(&self.pins.output));
        self.sinks.drive(manner, &mut self.pins, &output, &mut self.ledger, &mut self.dice);
        self.sources.generate(demand, self.pool, &mut self.ledger, &mut self.dice);
        if matches!(&input.flow, FlowPins::ValidReady { ready, .. } if ready.lanes > 1) {
            self.sources.clear(&mut self.pins, &input);
            self.pins.look(10 * at).map_err(own_check)?;
        }
        self.sources.drive(demand, &mut self.pins, &input, &self.ledger, &mut self.dice);
        self.pins.look(10 * at + 2).map_err(own_check)?;
        self.sources.settle(&self.pins, &input, &mut self.ledger)?;
        self.sinks.settle(&self.pins, &output, &mut self.ledger)?;
        self.sources.close(&self.ledger);
        self.pins.rise(10 * at + 5).map_err(own_check)?;
        self.ledger.checks.count(Rule::OwnChecks);
        self.ledger.cycle += 1;
        if manner == Manner::Free {
            self.ledger.free += 1;
            if self.ledger.free.is_multiple_of(LOOK_EVERY) {
                self.look_for_waiting()?;
            }
        }
        if self.ledger.cycle.is_multiple_of(LOOK_EVERY) { self.lost_credit() } else { Ok(()) }
    }

    fn open_window(&mut self) -> Result<(), Violation> {
        let at = self.ledger.cycle;
        let Some(window) = &self.window else { return Ok(()) };
        if window.cycles.end == at {
            self.pins.model.close_trace();
        }
        if window.cycles.start != at {
            return Ok(());
        }
        self.pins.model.open_trace(&window.file).map_err(|error| Violation {
            rule: Rule::OwnChecks,
            since: None,
            place: window.file.display().to_string(),
            message: error.to_string(),
            packet: String::new(),
        })
    }

    /// A few cycles more for the waveform, whatever happens in them.
    pub(super) fn linger(&mut self) {
        let Some(end) = self.window.as_ref().map(|window| window.cycles.end) else { return };
        let mut half_done = true;
        while self.ledger.cycle < end {
            if half_done {
                let _ = self.pins.rise(10 * self.ledger.cycle + 7);
                self.ledger.cycle += 1;
            }
            let before = self.ledger.cycle;
            let _ = self.step(&Demand::FINISH, Manner::Free);
            half_done = self.ledger.cycle == before;
        }
        self.pins.model.close_trace();
    }

    fn look_for_waiting(&mut self) -> Result<(), Violation> {
        match self.ledger.oldest() {
            Some((number, waited)) if waited > self.patience => Err(self.waiting(number, waited)),
            _ => Ok(()),
        }
    }

    /// A VC in which nothing moves any more, and whose credits are neither home nor with a flit in the switch.
    fn lost_credit(&mut self) -> Result<(), Violation> {
        if !matches!(self.pins.input.flow, FlowPins::Credit { .. }) {
            return Ok(());
        }
        let (cycle, long) = (self.ledger.cycle, SETTLED.max(self.patience / 8));
        for Account { port, vc, home, all, moved, even, first } in self.sources.accounts() {
            self.ledger.checks.count(Rule::CreditHome);
            let still = cycle - moved.max(self.ledger.last_out(port, vc).map_or(0, |flit| flit.cycle));
            if still < long || home == all {
                continue;
            }
            let inside = self.ledger.inside(port, vc);
            if all - home > inside {
                let message = format!(
                    "{} of {all} credits did not come back: {home} are home, {inside} are with flits in the switch, and nothing has moved here for {still} cycles; the account was last even in cycle {even}",
                    all - home - inside
                );
                let place = format!("input {} VC {vc}", self.site.port(port));
                let packet = first.map_or(String::new(), |Departed { cycle, number, index, port, vc }| {
                    let by = self.site.port(port);
                    format!("first seen at packet {number} flit {index}, which left by {by} VC {vc} in cycle {cycle}")
                });
                return Err(Violation { rule: Rule::CreditHome, since: Some(even), place, message, packet });
            }
        }
        Ok(())
    }

    /// Why nothing moves.
    fn diagnose(&mut self, still: u64) -> Violation {
        if let Err(violation) = self.lost_credit() {
            return violation;
        }
        match self.ledger.oldest() {
            Some((number, waited)) => self.waiting(number, waited),
            None => stuck(still),
        }
    }

    /// A packet that will not come out: it is lost if the switch says that its places are free.
    fn waiting(&self, number: u64, waited: u64) -> Violation {
        let Some((port, vc, entered)) = self.ledger.came_by(number) else {
            return stuck(waited);
        };
        let uses_credits = matches!(self.pins.input.flow, FlowPins::Credit { .. });
        let mut accounts = self.sources.accounts();
        let is_home =
            accounts.any(|account| (account.port, account.vc) == (port, vc) && account.home == account.all);
        let wanted = self.ledger.wanted(number);
        let credits: Vec<_> = wanted
            .iter()
            .filter_map(|&(port, vc)| {
                let (has, all) = self.sinks.account(port, vc)?;
                let owner = self.ledger.owner(port, vc).filter(|owner| *owner != number);
                let owner = owner.map_or(String::new(), |owner| format!(", taken by packet {owner}"));
                Some(format!("{} VC {vc}: {has} of {all}{owner}", self.site.port(port)))
            })
            .collect();
        let (rule, message) = if uses_credits && is_home {
            let message = format!(
                "all credits of its input VC are home, but for {waited} cycles no flit of it came out"
            );
            (Rule::FlitLost, message)
        } else if matches!(self.pins.output.flow, FlowPins::Credit { .. }) {
            let message = format!(
                "it has waited for {waited} cycles in which every credit was given back at once; credits that the switch must have: {}. It lost the packet or some of its own credits, or always lets others pass",
                credits.join("; ")
            );
            (Rule::Waiting, message)
        } else {
            (Rule::Waiting, format!("it has waited for {waited} cycles in which every output was ready"))
        };
        let place = format!("input {} VC {vc}", self.site.port(port));
        Violation { rule, since: Some(entered), place, message, packet: self.ledger.describe(number) }
    }
}

/// The switch takes nothing.
fn stuck(still: u64) -> Violation {
    Violation {
        rule: Rule::Waiting,
        since: None,
        place: "inputs".to_owned(),
        message: format!("the switch has taken no flit for {still} cycles, although it is empty"),
        packet: String::new(),
    }
}

fn own_check(failure: Failure) -> Violation {
    Violation {
        rule: Rule::OwnChecks,
        since: None,
        place: format!("{}:{}", failure.file, failure.line),
        message: failure.to_string(),
        packet: String::new(),
    }
}

/// An assertion that fails in reset says nothing.
fn forgive(failure: Failure) -> Result<(), Failure> {
    if failure.kind == FailureKind::Internal { Err(failure) } else { Ok(()) }
}

/// Cycles after a reset and after a drain in which nothing may happen.
const SETTLING: u64 = 16;
/// Cycles after which a credit that is on its way back has arrived.
const SETTLED: u64 = 256;
/// Cycles between two looks for what waits.
const LOOK_EVERY: u64 = 64;
