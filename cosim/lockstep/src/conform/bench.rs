//! One run: reset, then phase after phase, each cycle checked.

mod count;
mod diagnosis;
mod errors;
mod share;
mod watched;

use super::device::Device;
use super::dice::Dice;
use super::ledger::Ledger;
use super::phase::{FULL_LOAD, Phase, Sinks as Manner};
use super::pins::Pins;
use super::rule::{Rule, Violation};
use super::share::Share;
use super::sink::Sinks;
use super::site::Site;
use super::source::{Demand, Sources};
use super::walk::Pool;
use count::Mark;
use std::collections::{BTreeMap, BTreeSet};
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
    pub(super) device: Device,
    pub(super) ledger: Ledger<'s, 'b>,
    pub(super) sources: Sources,
    pub(super) sinks: Sinks,
    pub(super) dice: Dice,
    pub(super) patience: u64,
    pub(super) reset_cycles: u64,
    pub(super) window: Option<Window>,
    /// Flits per cycle and port under full load.
    pub(super) throughput: f64,
    /// Cycles per flit on a link.
    pub(super) pace: u64,
    /// The least of an equal share that an input must get.
    pub(super) fair_share: f64,
    /// The least that one got.
    pub(super) least_share: Option<Share>,
    /// By output port and VC: what was counted.
    pub(super) marks: BTreeMap<(usize, usize), Mark>,
}

impl Bench<'_, '_> {
    /// Everything, until the first broken rule.
    pub(super) fn run(
        &mut self,
        lengths: &[u16],
        phases: &[Phase],
        cycles: u64,
        tell: &mut dyn FnMut(&str),
    ) -> Result<(), Violation> {
        self.reset()?;
        tell("one packet at a time");
        self.alone(lengths)?;
        let outputs: Vec<_> = self.site.wired().collect();
        for (number, phase) in phases.iter().enumerate() {
            tell(&phase.name);
            self.phase(phase)?;
            let next = outputs.get(number % outputs.len().max(1)).copied();
            phase.towards.or(next).map_or(Ok(()), |output| self.count_port(output))?;
        }
        tell("shares of each output");
        self.share_all(cycles)?;
        self.count_all()
    }

    fn reset(&mut self) -> Result<(), Violation> {
        self.device.reset(true);
        for _ in 0..self.reset_cycles {
            let at = self.ledger.cycle;
            self.open_window()?;
            // Before a reset, registers hold anything: what a design's own assertions say is not about the design.
            self.device.look(&mut self.pins, 10 * at).or_else(forgive).map_err(own_check)?;
            self.device.rise(10 * at + 5).or_else(forgive).map_err(own_check)?;
            self.ledger.cycle += 1;
        }
        self.device.reset(false);
        for _ in 0..SETTLING {
            self.step(&Demand::FINISH, Manner::Free)?;
        }
        Ok(())
    }

    /// For each way through the switch, a few packets that meet no other; the credits of each output VC are counted when
    /// it has been used.
    fn alone(&mut self, lengths: &[u16]) -> Result<(), Violation> {
        let ways = self.site.wired().flat_map(|port| (0..self.site.port(port).vcs).map(move |vc| (port, vc)));
        let ways: Vec<_> = ways
            .flat_map(|(port, vc)| self.pool.at(port, vc).outputs().map(move |output| (port, vc, output)))
            .collect();
        let mut counted = BTreeSet::new();
        for &(port, vc, output) in &ways {
            let before = self.sinks.taken(output);
            self.ledger.tally.is_alone = true;
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
            self.ledger.tally.is_alone = false;
            let taken = self.sinks.taken(output).into_iter().zip(before);
            for vc in taken.enumerate().filter(|(_, (now, before))| now > before).map(|(vc, _)| vc) {
                if counted.insert((output, vc)) {
                    self.count(output, vc)?;
                }
            }
        }
        Ok(())
    }

    fn phase(&mut self, phase: &Phase) -> Result<(), Violation> {
        let Phase { load, burst, towards, crossing, .. } = *phase;
        let demand = Demand { generate: true, load, burst, towards, crossing, ..Demand::FINISH };
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
        self.empty(Manner::Free)?;
        for _ in 0..SETTLING {
            self.step(&Demand::FINISH, Manner::Free)?;
        }
        self.ledger.checks.count(Rule::FlitLost);
        Ok(())
    }

    /// Nothing new begins until nothing is left.
    fn empty(&mut self, manner: Manner) -> Result<(), Violation> {
        let mut still = 0;
        while !(self.ledger.is_empty() && self.sources.is_quiet() && self.sinks.is_quiet()) {
            let before = self.moves();
            self.step(&Demand::FINISH, manner)?;
            still = if self.moves() == before { still + 1 } else { 0 };
            if still > self.patience {
                return Err(self.diagnose(still));
            }
        }
        Ok(())
    }

    pub(super) fn moves(&self) -> [u64; 4] {
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
        if input.flow.is_seen_first() {
            self.sources.clear(&mut self.pins, &input);
            let result = self.device.look(&mut self.pins, 10 * at);
            self.own_checks(result)?;
        }
        self.sources.drive(demand, &mut self.pins, &input, &self.ledger, &mut self.dice);
        let result = self.device.look(&mut self.pins, 10 * at + 2);
        self.own_checks(result)?;
        self.look_at_pins()?;
        let result = self.device.rise(10 * at + 5);
        self.own_checks(result)?;
        self.ledger.checks.count(Rule::OwnChecks);
        self.over(manner == Manner::Free)
    }

    /// What the pins of this cycle say of the switch.
    fn look_at_pins(&mut self) -> Result<(), Violation> {
        let (input, output) = (Arc::clone(&self.pins.input), Arc::clone(&self.pins.output));
        self.error_pins()?;
        self.sources.settle(&self.pins, &input, &mut self.ledger)?;
        self.sinks.settle(&self.pins, &output, &mut self.ledger)?;
        self.sources.close(&mut self.ledger)
    }

    /// The next cycle begins. `is_free`: nothing has held up the outputs.
    fn over(&mut self, is_free: bool) -> Result<(), Violation> {
        self.ledger.cycle += 1;
        if is_free {
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
            self.device.close_trace();
        }
        if window.cycles.start != at {
            return Ok(());
        }
        self.device.open_trace(&window.file).map_err(|error| Violation {
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
                let _ = self.device.rise(10 * self.ledger.cycle + 7);
                self.ledger.cycle += 1;
            }
            let before = self.ledger.cycle;
            let _ = self.step(&Demand::FINISH, Manner::Free);
            half_done = self.ledger.cycle == before;
        }
        self.device.close_trace();
    }

    fn look_for_waiting(&mut self) -> Result<(), Violation> {
        while let Some((number, waited)) = self.ledger.oldest_unreported()
            && waited > self.patience
        {
            let violation = self.waiting(number, waited);
            self.ledger.set_reported(number);
            self.ledger.raise(violation)?;
        }
        Ok(())
    }

    /// What the design's own assertions say of an evaluation. Behind an error of Verilator's library nothing goes on.
    fn own_checks(&mut self, result: Result<(), Failure>) -> Result<(), Violation> {
        match result {
            Ok(()) => Ok(()),
            Err(failure) if failure.kind == FailureKind::Internal => Err(own_check(failure)),
            Err(failure) => self.ledger.raise(own_check(failure)),
        }
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
/// Cycles between two looks for what waits.
const LOOK_EVERY: u64 = 64;
