//! Flits that another program puts on the wires of an input.

use super::super::bits::Bits;
use super::super::ledger::{Ledger, Offered};
use super::super::pins::{FlowPins, Pins, SidePins};
use super::{Offer, Sending, Source, Sources};

impl Sources {
    /// What is on the wires is what the neighbours offer.
    ///
    /// # Errors
    /// Where they may not.
    pub(in super::super) fn adopt(
        &mut self,
        pins: &Pins,
        side: &SidePins,
        pace: u64,
        ledger: &mut Ledger<'_, '_>,
    ) -> Result<(), String> {
        for source in &mut self.ports {
            source.watch(side, pins);
            source.adopt(pins, side, &self.habits, pace, ledger).map_err(|(vc, why)| {
                let vc = vc.map_or(String::new(), |vc| format!(" VC {vc}"));
                format!("input {}{vc}: {why}", source.port)
            })?;
        }
        Ok(())
    }

    /// A packet of which not all flits have been sent.
    pub(in super::super) fn half_sent(&self) -> Option<String> {
        let half = |source: &Source| {
            let mut channels = source.channels.iter().enumerate();
            channels.find_map(|(vc, channel)| {
                let Sending { number, next, .. } = channel.sending?;
                Some(format!(
                    "input {} VC {vc}: flit {next} of packet {number} has not been sent",
                    source.port
                ))
            })
        };
        self.ports.iter().find_map(half)
    }
}

type Refused = (Option<usize>, String);

impl Source {
    fn adopt(
        &mut self,
        pins: &Pins,
        side: &SidePins,
        habits: &super::Habits,
        pace: u64,
        ledger: &mut Ledger<'_, '_>,
    ) -> Result<(), Refused> {
        let port = self.port.switch;
        let mut lanes = (0..side.valid.lanes).filter(|&lane| pins.driven(side.valid.of(port, lane)) == 1);
        let Some(lane) = lanes.next() else {
            return match self.offer.take() {
                Some(offer) => Err((Some(offer.vc), "a flit that was not taken is withdrawn".to_owned())),
                None => Ok(()),
            };
        };
        if lanes.next().is_some() {
            return Err((None, "flits are sent to several VCs in one cycle".to_owned()));
        }
        let flit = pins.driven_bits(side.flit.of(port, 0));
        let beside = side.vc.as_ref().map(|group| pins.driven(group.of(port, 0)) as usize);
        let vc = if side.valid.lanes > 1 { Some(lane) } else { beside.or_else(|| ledger.layout.vc(&flit)) };
        let vc = vc.unwrap_or(0);
        let refuse = |why: String| (Some(vc), why);
        if let Some(offer) = &self.offer {
            let is_equal = offer.vc == vc && offer.flit == flit;
            let why = || refuse("a flit that was not taken is replaced by another".to_owned());
            return if is_equal { Ok(()) } else { Err(why()) };
        }
        if ledger.cycle < self.ready_at {
            return Err(refuse(format!("the flit before it was sent less than {pace} cycles ago")));
        }
        let flag = |group: &Option<super::super::pins::Group>| {
            group.as_ref().map(|group| pins.driven(group.of(port, 0)) == 1)
        };
        let (head, tail) = (flag(&side.head), flag(&side.tail));
        let offered = Offered { port: self.number, vc, flit: &flit, head, tail };
        self.follow(&offered, ledger).map_err(refuse)?;
        if !self.may_send(vc, habits, side, pins) {
            return Err(refuse(no_room(side).to_owned()));
        }
        self.offer = Some(Offer { vc, flit: Bits::clone(&flit) });
        Ok(())
    }

    /// The flit is the next one of its packet, or the first of another.
    fn follow(&mut self, offered: &Offered<'_>, ledger: &mut Ledger<'_, '_>) -> Result<(), String> {
        let count = self.channels.len();
        let channel = self.channels.get_mut(offered.vc);
        let channel = channel.ok_or_else(|| format!("the port has {count} VCs"))?;
        let Sending { number, next, .. } = match channel.sending {
            // With `ready`, a head that was not taken may give way to another.
            Some(sending) if sending.next > 0 || ledger.layout.number(offered.flit) == sending.number => {
                sending
            }
            _ => Sending { number: ledger.first(offered)?, length: 0, next: 0 },
        };
        let length = ledger.follows(number, next, offered)?;
        channel.sending = Some(Sending { number, length, next });
        Ok(())
    }
}

fn no_room(side: &SidePins) -> &'static str {
    match side.flow {
        FlowPins::Credit { .. } => "a flit is sent without the credits that it needs",
        FlowPins::ValidReady { .. } => "a flit is offered to a VC that is not ready",
        FlowPins::OnOff { .. } => "a flit is sent to a VC that is off, or that another packet holds",
    }
}
