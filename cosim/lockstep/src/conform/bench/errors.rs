//! Outputs by which the switch itself reports errors.

use super::super::rule::{Rule, Violation};
use super::Bench;

impl Bench<'_, '_> {
    /// Each of them is 0. One that stays up is counted once.
    pub(super) fn error_pins(&mut self) -> Result<(), Violation> {
        for number in 0..self.pins.errors.len() {
            self.ledger.checks.count(Rule::ErrorPin);
            let value = self.pins.slot(self.pins.errors[number].slot);
            let pin = &mut self.pins.errors[number];
            let was_up = std::mem::replace(&mut pin.is_up, !value.is_zero());
            if was_up || !pin.is_up {
                continue;
            }
            let violation = Violation {
                rule: Rule::ErrorPin,
                since: None,
                place: format!("output `{}`", pin.name),
                message: format!("`{}` is {value:x} (hexadecimal), expected 0", pin.name),
                packet: String::new(),
            };
            self.ledger.raise(violation)?;
        }
        Ok(())
    }
}
