//! A cycle of a switch that another program drives: the neighbours do what is on the wires.

use super::super::rule::{Rule, Violation};
use super::super::watch::Halt;
use super::Bench;
use std::sync::Arc;

impl Bench<'_, '_> {
    /// Looks at the pins of one cycle, those that the switch drives and those that it is driven by.
    pub(in super::super) fn watched(&mut self) -> Result<(), Halt> {
        let (input, output) = (Arc::clone(&self.pins.input), Arc::clone(&self.pins.output));
        self.sinks.adopt(&self.pins, &output, &mut self.ledger).map_err(Halt::Bench)?;
        self.sources.adopt(&self.pins, &input, self.pace, &mut self.ledger).map_err(Halt::Bench)?;
        self.look_at_pins()?;
        let is_free = self.sinks.have_room(self.ledger.promise, &output);
        Ok(self.over(is_free)?)
    }

    /// Whether nothing is in the switch, every credit is home and every VC is free.
    pub(in super::super) fn is_even(&self) -> bool {
        !self.ledger.is_inside() && self.sources.is_quiet() && self.sinks.is_quiet()
    }

    /// Everything has come out, or this is what is wrong.
    pub(in super::super) fn ended(&mut self, still: u64) -> Result<(), Halt> {
        self.ledger.checks.count(Rule::FlitLost);
        if self.is_even() {
            return Ok(());
        }
        if let Some(why) = self.sources.half_sent().or_else(|| self.sinks.kept()) {
            return Err(Halt::Bench(why));
        }
        if still <= self.patience {
            let patience = self.patience;
            return Err(Halt::Bench(format!(
                "not everything has come out, and something moved {still} cycles ago: expected an end more than {patience} cycles after the last move"
            )));
        }
        let violation: Violation = self.diagnose(still);
        Ok(self.ledger.raise(violation)?)
    }
}
