//! Credits that another program gives at an output.

use super::super::ledger::Ledger;
use super::super::pins::{FlowPins, Pins, SidePins};
use super::super::promise::Promise;
use super::{Sink, Sinks};

impl Sinks {
    /// What is on the wires is what the neighbours give.
    ///
    /// # Errors
    /// Where they may not.
    pub(in super::super) fn adopt(
        &mut self,
        pins: &Pins,
        side: &SidePins,
        ledger: &mut Ledger<'_, '_>,
    ) -> Result<(), String> {
        for sink in &mut self.ports {
            sink.adopt(pins, side, ledger)
                .map_err(|(vc, why)| format!("output {} VC {vc}: {why}", sink.port))?;
        }
        Ok(())
    }

    /// Whether the switch may send a packet of the longest by each VC.
    pub(in super::super) fn have_room(&self, promise: Promise, side: &SidePins) -> bool {
        let has_credits = matches!(side.flow, FlowPins::Credit { .. });
        self.ports.iter().all(|sink| {
            sink.channels.iter().all(|channel| {
                if !has_credits {
                    return channel.ready;
                }
                let longest = u16::try_from(self.longest).unwrap_or(u16::MAX);
                let room = promise.room_to_send(sink.port.kind, longest, channel.capacity);
                channel.capacity - channel.held >= room.min(channel.capacity)
            })
        })
    }

    /// A credit that has not been given, or a VC that has not been freed.
    pub(in super::super) fn kept(&self) -> Option<String> {
        self.ports.iter().find_map(|sink| {
            let mut channels = sink.channels.iter().enumerate();
            let (vc, channel) = channels.find(|(_, channel)| channel.held > 0 || channel.gate.is_due())?;
            let what = match channel.held {
                0 => "the VC has not been freed".to_owned(),
                held => format!("{held} credits have not been given back"),
            };
            Some(format!("output {} VC {vc}: {what}", sink.port))
        })
    }
}

impl Sink {
    fn adopt(
        &mut self,
        pins: &Pins,
        side: &SidePins,
        ledger: &mut Ledger<'_, '_>,
    ) -> Result<(), (usize, String)> {
        let port = self.port.switch;
        match &side.flow {
            FlowPins::Credit { credit, vc: Some(group) } => {
                if pins.driven(credit.of(port, 0)) == 1 {
                    self.given(pins.driven(group.of(port, 0)) as usize, ledger)?;
                }
            }
            FlowPins::Credit { credit, vc: None } => {
                for vc in (0..credit.lanes).filter(|&vc| pins.driven(credit.of(port, vc)) == 1) {
                    self.given(vc, ledger)?;
                }
            }
            FlowPins::ValidReady { ready, .. } => {
                let opens = ledger.cycle >= self.ready_at;
                for (vc, channel) in self.channels.iter_mut().enumerate() {
                    channel.ready = pins.driven(ready.of(port, vc)) == 1;
                    if channel.ready && !opens {
                        return Err((vc, "it is ready before the link takes another flit".to_owned()));
                    }
                }
            }
            FlowPins::OnOff { on, freed, .. } => {
                for (vc, channel) in self.channels.iter_mut().enumerate() {
                    channel.ready = pins.driven(on.of(port, vc)) == 1;
                    channel.gate.look(channel.ready);
                    let frees = freed.as_ref().is_some_and(|freed| pins.driven(freed.of(port, vc)) == 1);
                    if frees && !channel.gate.is_due() {
                        return Err((vc, "a VC is freed whose packet has not come out".to_owned()));
                    }
                    if frees {
                        channel.frees((self.number, vc), ledger);
                    }
                }
            }
        }
        Ok(())
    }

    fn given(&mut self, vc: usize, ledger: &mut Ledger<'_, '_>) -> Result<(), (usize, String)> {
        match self.channels.get(vc) {
            Some(channel) if channel.held > 0 => {}
            Some(_) => return Err((vc, "a credit is given for a flit that did not come out".to_owned())),
            None => {
                return Err((vc, format!("a credit is given, but the port has {} VCs", self.channels.len())));
            }
        }
        self.give(vc, ledger);
        Ok(())
    }
}
