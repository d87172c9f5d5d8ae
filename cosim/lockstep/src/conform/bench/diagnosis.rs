//! Why nothing moves, or one packet does not: what is lost, or waits.

use super::super::ledger::Departed;
use super::super::pins::FlowPins;
use super::super::rule::{Rule, Violation};
use super::super::source::Account;
use super::Bench;

impl Bench<'_, '_> {
    /// A VC in which nothing moves any more, and whose credits are neither home nor with a flit in the switch.
    pub(super) fn lost_credit(&mut self) -> Result<(), Violation> {
        match self.pins.input.flow {
            FlowPins::Credit { .. } => {}
            FlowPins::OnOff { .. } => return self.unfreed(),
            FlowPins::ValidReady { .. } => return Ok(()),
        }
        let (cycle, long) = (self.ledger.cycle, SETTLED.max(self.patience / 8));
        for Account { port, vc, home, all, moved, even, first, .. } in self.sources.accounts() {
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

    /// A VC whose packet has come out long ago, and that has not been freed.
    fn unfreed(&mut self) -> Result<(), Violation> {
        let (cycle, long) = (self.ledger.cycle, SETTLED.max(self.patience / 8));
        for Account { port, vc, moved, .. } in self.sources.accounts().filter(|account| account.is_held) {
            self.ledger.checks.count(Rule::CreditHome);
            let last = self.ledger.last_out(port, vc).map_or(0, |flit| flit.cycle);
            let still = cycle - moved.max(last);
            if still < long || self.ledger.inside(port, vc) > 0 {
                continue;
            }
            let message = format!(
                "the VC has not been freed: the last flit of its packet came out in cycle {last}, and nothing has moved here for {still} cycles"
            );
            let (since, packet) = (Some(last), String::new());
            let place = format!("input {} VC {vc}", self.site.port(port));
            return Err(Violation { rule: Rule::CreditHome, since, place, message, packet });
        }
        Ok(())
    }

    /// Why nothing moves.
    pub(super) fn diagnose(&mut self, still: u64) -> Violation {
        if let Err(violation) = self.lost_credit() {
            return violation;
        }
        match self.ledger.oldest_of_all() {
            Some((number, waited)) => self.waiting(number, waited.max(still)),
            None => stuck(still),
        }
    }

    /// A packet that will not come out: it is lost if the switch says that its places are free.
    pub(super) fn waiting(&self, number: u64, waited: u64) -> Violation {
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

/// Cycles after which a credit that is on its way back has arrived.
const SETTLED: u64 = 256;
