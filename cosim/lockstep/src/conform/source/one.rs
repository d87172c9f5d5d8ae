//! One neighbour that sends: its wires, and what it books.

use super::super::dice::Dice;
use super::super::event::Event;
use super::super::ledger::Ledger;
use super::super::pins::{FlowPins, Pins, SidePins};
use super::super::rule::{Rule, Violation};
use super::{Habits, Offer, Sending, Source, clear};

impl Source {
    /// Whether the next flit of a VC may go on the wires.
    pub(super) fn may_send(&self, vc: usize, habits: &Habits, side: &SidePins, pins: &Pins) -> bool {
        let Some(channel) = self.channels.get(vc) else { return false };
        let Some(sending) = channel.sending else { return false };
        match &side.flow {
            FlowPins::Credit { .. } => {
                let begins = sending.next == 0;
                let room = || habits.promise.room_to_send(self.port.kind, sending.length, channel.capacity);
                let room = if begins { room() } else { 1 };
                channel.credits >= room
            }
            FlowPins::ValidReady { ready, .. } => {
                ready.lanes == 1 || pins.get(ready.of(self.port.switch, vc)) == 1
            }
            FlowPins::OnOff { .. } => channel.gate.may_send(sending.next == 0),
        }
    }

    /// The VC whose packet is half on its way.
    pub(super) fn half_sent(&self) -> Option<usize> {
        let half = |channel: &super::Lane| channel.sending.is_some_and(|sending| sending.next > 0);
        self.channels.iter().position(half)
    }

    /// Looks which VCs are on in this cycle.
    pub(super) fn watch(&mut self, side: &SidePins, pins: &Pins) {
        let FlowPins::OnOff { on, .. } = &side.flow else { return };
        for (vc, channel) in self.channels.iter_mut().enumerate() {
            channel.gate.look(pins.get(on.of(self.port.switch, vc)) == 1);
        }
    }

    /// Notes the VCs that the switch frees in this cycle.
    pub(super) fn freed(&mut self, pins: &Pins, side: &SidePins, ledger: &mut Ledger<'_, '_>) {
        let FlowPins::OnOff { freed: Some(freed), .. } = &side.flow else { return };
        for (vc, channel) in self.channels.iter_mut().enumerate() {
            channel.freed = pins.get(freed.of(self.port.switch, vc)) == 1;
            if channel.freed {
                ledger.events.add(Event::Freed { cycle: ledger.cycle, port: self.number, vc });
                ledger.tally.credits_back += 1;
                channel.moved = ledger.cycle;
            }
        }
    }

    /// A VC that has been freed is free from the next cycle on; all of its packet must have come out by then.
    pub(super) fn release(&mut self, ledger: &mut Ledger<'_, '_>) -> Result<(), Violation> {
        for (vc, channel) in self.channels.iter_mut().enumerate().filter(|(_, channel)| channel.freed) {
            channel.freed = false;
            ledger.checks.count(Rule::CreditBound);
            let inside = ledger.inside(self.number, vc);
            let result = match inside {
                0 => channel.gate.free(),
                _ => Err((
                    Rule::CreditBound,
                    format!("a VC was freed with {inside} flits of its packet inside"),
                )),
            };
            result.map_err(|(rule, message)| Violation {
                rule,
                since: None,
                place: format!("input {} VC {vc}", self.port),
                message,
                packet: String::new(),
            })?;
        }
        Ok(())
    }

    pub(super) fn next(&self, vc: usize, ledger: &Ledger<'_, '_>, dice: &mut Dice) -> Option<Offer> {
        let sending = self.channels.get(vc)?.sending?;
        ledger.flit(sending.number, sending.next, dice).map(|flit| Offer { vc, flit })
    }

    pub(super) fn put(&self, pins: &mut Pins, side: &SidePins) {
        let port = self.port.switch;
        clear(pins, side, port);
        let Some(offer) = &self.offer else { return };
        let sending = self.channels.get(offer.vc).and_then(|channel| channel.sending);
        let Some(Sending { length, next, .. }) = sending else { return };
        pins.put(side.valid.of(port, offer.vc), 1);
        pins.put_bits(side.flit.of(port, 0), &offer.flit);
        let beside = [
            (&side.vc, offer.vc as u64),
            (&side.head, u64::from(next == 0)),
            (&side.tail, u64::from(next + 1 == length)),
        ];
        for (group, value) in beside {
            if let Some(group) = group {
                pins.put(group.of(port, 0), value);
            }
        }
    }

    /// Books the flit on the wires, if the switch took it.
    pub(super) fn sent(&mut self, pins: &Pins, side: &SidePins, pace: u64, ledger: &mut Ledger<'_, '_>) {
        let Some(offer) = self.offer.take() else { return };
        let hold = match &side.flow {
            FlowPins::Credit { .. } | FlowPins::OnOff { .. } => None,
            FlowPins::ValidReady { ready, hold } => {
                (pins.get(ready.of(self.port.switch, offer.vc)) == 0).then_some(*hold)
            }
        };
        match hold {
            Some(true) => self.offer = Some(offer),
            Some(false) => {}
            None => {
                let Some(channel) = self.channels.get_mut(offer.vc) else { return };
                let Some(sending) = &mut channel.sending else { return };
                ledger.enter(sending.number, offer.flit);
                sending.next += 1;
                let (begins, ends) = (sending.next == 1, sending.next == sending.length);
                // It was asked before.
                let _ = channel.gate.send(begins, ends);
                channel.moved = ledger.cycle;
                if matches!(side.flow, FlowPins::Credit { .. }) {
                    channel.credits -= 1;
                }
                if sending.next == sending.length {
                    channel.sending = None;
                }
                self.ready_at = ledger.cycle + pace;
            }
        }
    }

    /// The switch says that a place of a VC is free.
    pub(super) fn credit(&mut self, vc: usize, ledger: &mut Ledger<'_, '_>) -> Result<(), Violation> {
        ledger.events.add(Event::CreditBack { cycle: ledger.cycle, port: self.number, vc });
        ledger.tally.credits_back += 1;
        ledger.checks.count(Rule::CreditBound);
        let (port, count) = (self.port, self.channels.len());
        let broken = |message: String| Violation {
            rule: Rule::CreditBound,
            since: None,
            place: format!("input {port} VC {vc}"),
            message,
            packet: String::new(),
        };
        let Some(channel) = self.channels.get_mut(vc) else {
            return Err(broken(format!("a credit came back for VC {vc}, but the port has {count} VCs")));
        };
        if channel.credits == channel.capacity {
            return Err(broken(format!(
                "a credit came back for a flit that was not sent: all {} were home",
                channel.capacity
            )));
        }
        channel.credits += 1;
        channel.moved = ledger.cycle;
        Ok(())
    }
}
