//! The neighbours that take from the switch.

mod adopt;

use super::bits::Bits;
use super::dice::Dice;
use super::event::Event;
use super::gate::Gate;
use super::ledger::{Ledger, Seen};
use super::phase::Sinks as Manner;
use super::pins::{FlowPins, Group, Pins, SidePins};
use super::rule::{Rule, Violation};
use super::site::{Port, Site};

/// All neighbours that take.
#[derive(Debug)]
pub(super) struct Sinks {
    ports: Vec<Sink>,
    /// Ports of the switch that lead nowhere.
    idle: Vec<usize>,
    /// Cycles per flit.
    pace: u64,
    /// Flits of the longest packet: with less room some switches send nothing.
    longest: u32,
}

/// One neighbour.
#[derive(Debug)]
struct Sink {
    number: usize,
    port: Port,
    channels: Vec<Channel>,
    /// The cycle from which on the link takes a flit again.
    ready_at: u64,
    /// The cycle from which on neither a flit nor a credit is near.
    quiet_from: u64,
    /// What was offered and not taken.
    refused: Option<(usize, Bits)>,
}

/// One VC of a neighbour.
#[derive(Debug)]
struct Channel {
    /// Flits whose credits have not been given back, and how many there may be.
    held: u32,
    capacity: u32,
    /// Flits taken so far.
    taken: u64,
    /// Cycles for which it goes on as it does.
    for_cycles: u64,
    stalls: bool,
    /// Whether it takes a flit in this cycle, where it says so.
    ready: bool,
    /// With on/off flow control.
    gate: Gate,
}

impl Sinks {
    pub(super) fn new(
        site: &Site<'_>,
        ports: usize,
        pace: u64,
        longest: u16,
        buffer: Option<u32>,
        gate: Gate,
    ) -> Self {
        let sink = |number| {
            let port = site.port(number);
            let channel = |_| Channel {
                held: 0,
                taken: 0,
                capacity: buffer.unwrap_or(port.buffer),
                for_cycles: 0,
                stalls: false,
                ready: false,
                gate,
            };
            Sink {
                number,
                port,
                channels: (0..port.vcs).map(channel).collect(),
                ready_at: 0,
                quiet_from: 0,
                refused: None,
            }
        };
        let sinks: Vec<_> = site.wired().map(sink).collect();
        let idle = (0..ports).filter(|port| sinks.iter().all(|sink| sink.port.switch != *port)).collect();
        Self { ports: sinks, idle, pace, longest: u32::from(longest) }
    }

    /// Gives credits, or says which VCs are ready. Ports that lead nowhere are ready: many a switch offers no flit before.
    pub(super) fn drive(
        &mut self,
        manner: Manner,
        pins: &mut Pins,
        side: &SidePins,
        ledger: &mut Ledger<'_, '_>,
        dice: &mut Dice,
    ) {
        self.open_idle(pins, side);
        // Credits run out; what is on or off has none.
        let longest = if matches!(side.flow, FlowPins::OnOff { .. }) { u32::MAX } else { self.longest };
        for sink in &mut self.ports {
            let opens = ledger.cycle >= sink.ready_at;
            for channel in &mut sink.channels {
                channel.decide(manner, longest, dice);
            }
            if manner == Manner::Gentle
                && ledger.cycle >= sink.quiet_from
                && let Some(channel) = sink.channels.iter_mut().find(|channel| channel.held > 0)
            {
                channel.ready = true;
            }
            match &side.flow {
                FlowPins::Credit { credit, vc: None } => {
                    for vc in 0..credit.lanes {
                        let gives =
                            sink.channels.get(vc).is_some_and(|channel| channel.held > 0 && channel.ready);
                        pins.put(credit.of(sink.port.switch, vc), u64::from(gives));
                        if gives {
                            sink.give(vc, ledger);
                        }
                    }
                }
                FlowPins::Credit { credit, vc: Some(group) } => {
                    let giving = |vc: &usize| {
                        sink.channels.get(*vc).is_some_and(|channel| channel.held > 0 && channel.ready)
                    };
                    let willing: Vec<_> = (0..sink.channels.len()).filter(giving).collect();
                    let given = dice.pick(&willing).copied();
                    pins.put(credit.of(sink.port.switch, 0), u64::from(given.is_some()));
                    if let Some(vc) = given {
                        pins.put(group.of(sink.port.switch, 0), vc as u64);
                        sink.give(vc, ledger);
                    }
                }
                FlowPins::ValidReady { ready, .. } => {
                    let any = sink.channels.iter().any(|channel| channel.ready);
                    for lane in 0..ready.lanes {
                        let is_ready = if ready.lanes == 1 {
                            any
                        } else {
                            sink.channels.get(lane).is_some_and(|channel| channel.ready)
                        };
                        pins.put(ready.of(sink.port.switch, lane), u64::from(opens && is_ready));
                    }
                    for channel in &mut sink.channels {
                        channel.ready = opens && if ready.lanes == 1 { any } else { channel.ready };
                    }
                }
                FlowPins::OnOff { on, freed, .. } => {
                    for (vc, channel) in sink.channels.iter_mut().enumerate() {
                        channel.gate.look(channel.ready);
                        pins.put(on.of(sink.port.switch, vc), u64::from(channel.ready));
                    }
                    if let Some(freed) = freed {
                        sink.free(manner, pins, freed, ledger, dice);
                    }
                }
            }
        }
    }

    fn open_idle(&self, pins: &mut Pins, side: &SidePins) {
        let (FlowPins::ValidReady { ready, .. } | FlowPins::OnOff { on: ready, .. }) = &side.flow else {
            return;
        };
        for &port in &self.idle {
            (0..ready.lanes).for_each(|lane| pins.put(ready.of(port, lane), 1));
        }
    }

    /// Takes what the switch sends in this cycle.
    pub(super) fn settle(
        &mut self,
        pins: &Pins,
        side: &SidePins,
        ledger: &mut Ledger<'_, '_>,
    ) -> Result<(), Violation> {
        for &port in &self.idle {
            ledger.checks.count(Rule::UnwiredPort);
            if let Some(vc) = (0..side.valid.lanes).find(|&lane| pins.get(side.valid.of(port, lane)) == 1) {
                let flit = pins.get_bits(side.flit.of(port, 0));
                return Err(Violation {
                    rule: Rule::UnwiredPort,
                    since: None,
                    place: format!("output port {port} VC {vc}"),
                    message: format!("a flit came out of a port that leads nowhere: {flit:x}"),
                    packet: ledger.describe(ledger.layout.number(&flit)),
                });
            }
        }
        for sink in &mut self.ports {
            sink.settle(pins, side, self.pace, ledger)?;
        }
        Ok(())
    }

    /// Whether every credit has been given back, and every VC freed.
    pub(super) fn is_quiet(&self) -> bool {
        self.ports
            .iter()
            .flat_map(|sink| &sink.channels)
            .all(|channel| channel.held == 0 && channel.gate.is_free())
    }

    /// Credits that the switch must hold for a VC of a port, and how many there are in all.
    pub(super) fn account(&self, port: usize, vc: usize) -> Option<(u32, u32)> {
        let sink = self.ports.iter().find(|sink| sink.number == port)?;
        sink.channels.get(vc).map(|channel| (channel.capacity - channel.held, channel.capacity))
    }
}

impl Sinks {
    /// Flits that came out by each VC of a port so far.
    pub(super) fn taken(&self, port: usize) -> Vec<u64> {
        let sink = self.ports.iter().find(|sink| sink.number == port);
        sink.map_or(Vec::new(), |sink| sink.channels.iter().map(|channel| channel.taken).collect())
    }
}

impl Channel {
    /// The VC is freed.
    fn frees(&mut self, (port, vc): (usize, usize), ledger: &mut Ledger<'_, '_>) {
        if self.gate.free().is_ok() {
            ledger.tally.credits_given += 1;
            ledger.events.add(Event::FreeGiven { cycle: ledger.cycle, port, vc });
        }
    }

    /// Whether credits are given in this cycle, or flits taken.
    fn decide(&mut self, manner: Manner, longest: u32, dice: &mut Dice) {
        self.ready = match manner {
            Manner::Free => true,
            Manner::Slow(share) => dice.chance(share),
            Manner::Stalling => {
                if self.for_cycles == 0 {
                    self.stalls = !self.stalls;
                    self.for_cycles = 20 + dice.below(if self.stalls { 400 } else { 100 }) as u64;
                }
                self.for_cycles -= 1;
                !self.stalls
            }
            Manner::Withheld | Manner::Gentle => false,
            Manner::Starving => self.capacity - self.held < longest && dice.chance(0.125),
        };
    }
}

impl Sink {
    /// Frees the VCs whose packets are through, at once or some time after.
    fn free(
        &mut self,
        manner: Manner,
        pins: &mut Pins,
        freed: &Group,
        ledger: &mut Ledger<'_, '_>,
        dice: &mut Dice,
    ) {
        for (vc, channel) in self.channels.iter_mut().enumerate() {
            let frees = channel.gate.is_due() && (manner == Manner::Free || dice.chance(0.25));
            pins.put(freed.of(self.port.switch, vc), u64::from(frees));
            if frees {
                channel.frees((self.number, vc), ledger);
            }
        }
    }

    fn give(&mut self, vc: usize, ledger: &mut Ledger<'_, '_>) {
        if let Some(channel) = self.channels.get_mut(vc) {
            channel.held -= 1;
            self.quiet_from = ledger.cycle + NEAR;
            ledger.tally.credits_given += 1;
            ledger.events.add(Event::CreditGiven { cycle: ledger.cycle, port: self.number, vc });
        }
    }

    fn settle(
        &mut self,
        pins: &Pins,
        side: &SidePins,
        pace: u64,
        ledger: &mut Ledger<'_, '_>,
    ) -> Result<(), Violation> {
        let port = self.port.switch;
        let lanes: Vec<_> =
            (0..side.valid.lanes).filter(|&lane| pins.get(side.valid.of(port, lane)) == 1).collect();
        let Some(&lane) = lanes.first() else { return self.check_offer(None, ledger) };
        let flit = pins.get_bits(side.flit.of(port, 0));
        let vc = if side.valid.lanes > 1 {
            lane
        } else {
            let beside = side.vc.as_ref().map(|group| pins.get(group.of(port, 0)) as usize);
            beside.or_else(|| ledger.layout.vc(&flit)).unwrap_or(0)
        };
        let flag =
            |group: &Option<super::pins::Group>| group.as_ref().map(|group| pins.get(group.of(port, 0)) == 1);
        let (head, tail) = (flag(&side.head), flag(&side.tail));
        let credits = matches!(side.flow, FlowPins::Credit { .. }).then(|| self.channels.get(vc)).flatten();
        let credits = credits.map(|channel| (channel.capacity - channel.held, channel.capacity));
        let seen = Seen { port: self.number, vc, flit, head, tail, credits };
        if lanes.len() > 1 {
            return Err(ledger.broken(
                Rule::LinkPace,
                &seen,
                "it sends on several VCs in one cycle".to_owned(),
            ));
        }
        self.check_offer(Some(&seen), ledger)?;
        if let FlowPins::ValidReady { hold, .. } = &side.flow {
            let is_taken = self.channels.get(vc).is_none_or(|channel| channel.ready);
            if !is_taken {
                self.refused = hold.then_some((vc, seen.flit));
                return Ok(());
            }
        }
        self.take(&seen, side, pace, ledger)
    }

    fn take(
        &mut self,
        seen: &Seen,
        side: &SidePins,
        pace: u64,
        ledger: &mut Ledger<'_, '_>,
    ) -> Result<(), Violation> {
        let begins = ledger.owner(seen.port, seen.vc).is_none();
        ledger.leave(seen)?;
        if let FlowPins::OnOff { .. } = &side.flow {
            ledger.checks.count(Rule::CreditNoDebt);
            let ends = ledger.owner(seen.port, seen.vc).is_none();
            let sent =
                self.channels.get_mut(seen.vc).map_or(Ok(()), |channel| channel.gate.send(begins, ends));
            sent.map_err(|(rule, message)| ledger.broken(rule, seen, message))?;
        }
        ledger.checks.count(Rule::LinkPace);
        if ledger.cycle < self.ready_at {
            let message = format!("the flit before it was sent less than {pace} cycles ago");
            let violation = ledger.broken(Rule::LinkPace, seen, message);
            ledger.raise(violation)?;
        }
        self.ready_at = ledger.cycle + pace;
        self.quiet_from = ledger.cycle + NEAR;
        let Some(channel) = self.channels.get_mut(seen.vc) else { return Ok(()) };
        if matches!(side.flow, FlowPins::Credit { .. }) {
            ledger.checks.count(Rule::CreditNoDebt);
            if channel.held == channel.capacity {
                let message =
                    format!("a flit was sent without a credit: all {} are in use", channel.capacity);
                return Err(ledger.broken(Rule::CreditNoDebt, seen, message));
            }
            channel.held += 1;
        }
        channel.taken += 1;
        Ok(())
    }

    /// What was offered and not taken is still there.
    fn check_offer(&mut self, seen: Option<&Seen>, ledger: &mut Ledger<'_, '_>) -> Result<(), Violation> {
        let Some((vc, flit)) = self.refused.take() else { return Ok(()) };
        ledger.checks.count(Rule::OfferStable);
        if seen.is_some_and(|seen| seen.vc == vc && seen.flit == flit) {
            return Ok(());
        }
        let was = Seen { port: self.number, vc, flit, head: None, tail: None, credits: None };
        let message = "a flit was offered, not taken, and is gone".to_owned();
        let violation = ledger.broken(Rule::OfferStable, &was, message);
        ledger.raise(violation)
    }
}

/// Cycles between a flit and a credit that have nothing to do with each other.
const NEAR: u64 = 6;
