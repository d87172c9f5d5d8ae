//! Credits of the outputs, counted to the last one: as many flits leave as there are, when none is given back.

use super::super::phase::Sinks as Manner;
use super::super::pins::FlowPins;
use super::super::rule::{Rule, Violation};
use super::super::source::{Demand, Lengths};
use super::Bench;

/// The most flits that left by an output VC while no credit was given back.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Mark {
    pub(in super::super) flits: u32,
    /// The cycle of the last count that reached it.
    cycle: u64,
}

impl Bench<'_, '_> {
    /// Counts the credits of every output.
    pub(super) fn count_all(&mut self) -> Result<(), Violation> {
        let ports: Vec<_> = self.site.wired().collect();
        ports.into_iter().try_for_each(|port| self.count_port(port))
    }

    /// Counts the credits of an output.
    pub(super) fn count_port(&mut self, port: usize) -> Result<(), Violation> {
        (0..self.site.port(port).vcs).try_for_each(|vc| self.count(port, vc))
    }

    /// Counts the credits of an output VC: as many flits must leave as did in the best count so far. The switch chooses by which of its
    /// legal VCs a packet leaves, and a packet that waits for another VC holds up those behind it. Therefore a count that falls short is
    /// repeated, with packets of any length and with short ones in turn. Where a packet may wait for an empty buffer, only one of them
    /// leaves: the longest.
    pub(super) fn count(&mut self, port: usize, vc: usize) -> Result<(), Violation> {
        if !matches!(self.pins.output.flow, FlowPins::Credit { .. }) {
            return Ok(());
        }
        let Some((_, all)) = self.sinks.account(port, vc) else { return Ok(()) };
        let mark = self.marks.get(&(port, vc)).copied().unwrap_or_default();
        let wanted = if mark.flits == 0 { all } else { mark.flits };
        let is_atomic = self.ledger.promise.may_wait_for_empty();
        let mut flits = 0;
        for attempt in 0..ATTEMPTS {
            let lengths = match attempt % 2 {
                _ if is_atomic => Lengths::Longest,
                0 => Lengths::Any,
                _ => Lengths::Shortest,
            };
            let left = self.fill(port, vc, lengths)?;
            // Until all credits are used, flits go on leaving, and nothing is held back.
            let held = if left < all { self.held_back() } else { Vec::new() };
            flits = flits.max(left);
            // A switch that goes on when it is given credits had lost some; one that does not is stuck, and that is said instead.
            self.empty(Manner::Gentle)?;
            held.into_iter().try_for_each(|violation| self.ledger.raise(violation))?;
            self.drain()?;
            if flits >= wanted || flits == 0 && mark.flits == 0 {
                break;
            }
        }
        self.ledger.checks.count(Rule::CreditKept);
        if flits < mark.flits {
            let message = format!(
                "no credit was given back until no flit left: in {ATTEMPTS} attempts at most {flits} flits left, but {} did in cycle {}, of {all} credits: {} are lost since",
                mark.flits,
                mark.cycle,
                mark.flits - flits
            );
            let place = format!("output {} VC {vc}", self.site.port(port));
            let packet = String::new();
            self.ledger.raise(Violation { rule: Rule::CreditKept, since: None, place, message, packet })?;
        }
        self.marks.insert((port, vc), Mark { flits, cycle: self.ledger.cycle });
        Ok(())
    }

    /// Credits that were counted in the last counts, and how many there are.
    pub(in super::super) fn credits(&self) -> Option<(u32, u32)> {
        let accounts = self.marks.iter().filter_map(|(&(port, vc), mark)| {
            let (_, all) = self.sinks.account(port, vc)?;
            Some((mark.flits, all))
        });
        accounts.reduce(|sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Sends packets that may leave by an output VC, gives no credit back, and goes on until nothing leaves: the flits
    /// that left by that VC.
    fn fill(&mut self, port: usize, vc: usize, lengths: Lengths) -> Result<u32, Violation> {
        let demand = Demand {
            generate: true,
            load: 1.0,
            burst: None,
            towards: Some(port),
            crossing: 0.0,
            vc: Some(vc),
            lengths,
            ..Demand::FINISH
        };
        let all = self.sinks.account(port, vc).map_or(0, |(_, all)| all);
        let (mut still, mut before) = (0, self.ledger.tally.flits_out);
        while still < QUIET * self.pace {
            self.step(&demand, Manner::Withheld)?;
            let now = self.ledger.tally.flits_out;
            still = if now == before { still + 1 } else { 0 };
            before = now;
            if self.sinks.account(port, vc).is_some_and(|(has, _)| has == 0) {
                return Ok(all);
            }
        }
        Ok(self.sinks.account(port, vc).map_or(0, |(has, _)| all - has))
    }

    /// A packet whose head has left has no choice any more: while its VC has credits, its next flit leaves. Those that do not follow.
    fn held_back(&self) -> Vec<Violation> {
        let half = self.ledger.half_out().into_iter();
        half.filter_map(|(number, port, vc)| {
            let (has, all) = self.sinks.account(port, vc).filter(|(has, _)| *has > 0)?;
            let message = format!(
                "no credit was given back until no flit left: {} flits left, of {all} credits, and the next flit of a packet half out did not follow: {has} are lost",
                all - has
            );
            let place = format!("output {} VC {vc}", self.site.port(port));
            let packet = self.ledger.describe(number);
            Some(Violation { rule: Rule::CreditKept, since: None, place, message, packet })
        })
        .collect()
    }
}

/// How often a count that falls short is tried.
const ATTEMPTS: usize = 8;
/// Cycles without a flit, times those of a flit on a link, after which none will leave.
const QUIET: u64 = 128;
