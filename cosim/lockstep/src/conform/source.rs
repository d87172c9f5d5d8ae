//! The neighbours that send to the switch.

mod adopt;
mod one;

use super::bits::Bits;
use super::dice::Dice;
use super::gate::Gate;
use super::ledger::{Departed, Ledger};
use super::pins::{FlowPins, Pins, SidePins};
use super::promise::Promise;
use super::rule::Violation;
use super::share::Channel;
use super::site::{Port, Site};
use super::walk::{Arrived, Pool};
use std::collections::BTreeSet;

/// What the sources are to send in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// Whether new packets begin.
    pub(super) generate: bool,
    /// How likely a port sends in a cycle in which it may.
    pub(super) load: f64,
    /// Mean cycles of the stretches in which a port sends and in which it does not.
    pub(super) burst: Option<(f64, f64)>,
    /// The output that all packets want that can.
    pub(super) towards: Option<usize>,
    /// The share of packets that want any other all the same.
    pub(super) crossing: f64,
    /// The VC of that output that all packets can take.
    pub(super) vc: Option<usize>,
    /// How long packets are.
    pub(super) lengths: Lengths,
    /// The inputs that send, a bit for each port.
    pub(super) among: u64,
}

impl Demand {
    /// What has begun is finished, and nothing begins.
    pub(super) const FINISH: Self = Self {
        generate: false,
        load: 1.0,
        burst: None,
        towards: None,
        crossing: 0.0,
        vc: None,
        lengths: Lengths::Any,
        among: u64::MAX,
    };
}

/// How long packets are, of the lengths that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lengths {
    /// Each of any.
    Any,
    /// All of the least.
    Shortest,
    /// All of the most.
    Longest,
}

/// What all sources have in common.
#[derive(Clone, Debug)]
pub(super) struct Habits {
    /// Lengths of packets, in flits.
    pub(super) lengths: Vec<u16>,
    /// What is promised of heads.
    pub(super) promise: Promise,
    /// Cycles per flit.
    pub(super) pace: u64,
    /// Flits that the switch's buffers hold; without it, what the scenario says.
    pub(super) buffer: Option<u32>,
}

impl Habits {
    /// The length of the next packet.
    fn length(&self, lengths: Lengths, dice: &mut Dice) -> u16 {
        let any = dice.pick(&self.lengths);
        let length = match lengths {
            Lengths::Any => any,
            Lengths::Shortest => self.lengths.iter().min(),
            Lengths::Longest => self.lengths.iter().max(),
        };
        length.copied().unwrap_or(1)
    }
}

/// All neighbours that send.
#[derive(Debug)]
pub(super) struct Sources {
    habits: Habits,
    ports: Vec<Source>,
    /// VCs that had nothing to send in some cycle, since too many packets were about.
    idle: BTreeSet<Channel>,
}

/// One neighbour.
#[derive(Debug)]
struct Source {
    number: usize,
    port: Port,
    channels: Vec<Lane>,
    sends: bool,
    /// The cycle from which on the link takes a flit again.
    ready_at: u64,
    offer: Option<Offer>,
}

/// One VC of a neighbour.
#[derive(Debug)]
struct Lane {
    sending: Option<Sending>,
    /// Credits at home, and how many there are in all.
    credits: u32,
    capacity: u32,
    /// The cycle in which a flit went or a credit came.
    moved: u64,
    /// The cycle in which every credit was last home or with a flit in the switch.
    even: u64,
    /// The flit that came out first after that.
    first: Option<Departed>,
    /// With on/off flow control.
    gate: Gate,
    /// Whether the switch has freed the VC in this cycle.
    freed: bool,
}

/// What a neighbour knows of the credits of one VC.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account {
    pub(super) port: usize,
    pub(super) vc: usize,
    pub(super) home: u32,
    pub(super) all: u32,
    /// The cycle in which a flit went or a credit came.
    pub(super) moved: u64,
    /// The cycle in which every credit was last home or with a flit in the switch.
    pub(super) even: u64,
    /// The flit that came out first after that.
    pub(super) first: Option<Departed>,
    /// Whether its last packet has gone in, and the switch has not freed the VC since.
    pub(super) is_held: bool,
}

#[derive(Clone, Copy, Debug)]
struct Sending {
    number: u64,
    length: u16,
    next: u16,
}

/// A flit on the wires.
#[derive(Clone, Debug)]
struct Offer {
    vc: usize,
    flit: Bits,
}

impl Sources {
    pub(super) fn new(site: &Site<'_>, habits: Habits, gate: Gate) -> Self {
        let source = |number| {
            let port = site.port(number);
            let capacity = habits.buffer.unwrap_or(port.buffer);
            let channel = |_| Lane {
                sending: None,
                credits: capacity,
                capacity,
                moved: 0,
                even: 0,
                first: None,
                gate,
                freed: false,
            };
            Source {
                number,
                port,
                channels: (0..port.vcs).map(channel).collect(),
                sends: true,
                ready_at: 0,
                offer: None,
            }
        };
        Self { ports: site.wired().map(source).collect(), habits, idle: BTreeSet::new() }
    }

    /// Begins one packet, for a port whose VC is idle.
    pub(super) fn inject(
        &mut self,
        at: (usize, usize),
        arrived: &Arrived,
        length: u16,
        ledger: &mut Ledger<'_, '_>,
    ) {
        let source = self.ports.iter_mut().find(|source| source.number == at.0);
        let channel = source.and_then(|source| source.channels.get_mut(at.1));
        if let (Some(channel), Some(number)) = (channel, ledger.begin(at, arrived, length)) {
            channel.sending = Some(Sending { number, length, next: 0 });
        }
    }

    /// Begins new packets where a VC is idle.
    pub(super) fn generate(
        &mut self,
        demand: &Demand,
        pool: &Pool,
        ledger: &mut Ledger<'_, '_>,
        dice: &mut Dice,
    ) {
        for source in &mut self.ports {
            if let Some((on, off)) = demand.burst {
                let mean = if source.sends { on } else { off };
                source.sends ^= dice.chance(1.0 / mean);
            } else {
                source.sends = true;
            }
            if !demand.generate || demand.among >> source.number & 1 == 0 {
                continue;
            }
            for (vc, channel) in source.channels.iter_mut().enumerate() {
                if channel.sending.is_some() {
                    continue;
                }
                let towards = demand.towards.filter(|_| !dice.chance(demand.crossing));
                let Some(arrived) = pool.at(source.number, vc).pick(towards, dice) else { continue };
                let may = |vc| ledger.may_leave_by(arrived, demand.towards, vc);
                if demand.vc.is_some_and(|vc| !may(vc)) {
                    continue;
                }
                let length = self.habits.length(demand.lengths, dice);
                let number = ledger.begin((source.number, vc), arrived, length);
                if number.is_none() {
                    self.idle.insert((source.number, vc));
                }
                channel.sending = number.map(|number| Sending { number, length, next: 0 });
            }
        }
    }

    /// The flits of packets that are as long as that, at most.
    pub(super) fn length(&self, lengths: Lengths) -> u16 {
        let all = self.habits.lengths.iter().copied();
        let length = if lengths == Lengths::Shortest { all.min() } else { all.max() };
        length.unwrap_or(1)
    }

    /// The VCs that had nothing to send in some cycle since the last call although they were to.
    pub(super) fn take_idle(&mut self) -> BTreeSet<Channel> {
        std::mem::take(&mut self.idle)
    }

    /// Puts a flit on the wires of each port that sends one. Where a port sees which VCs are ready, the wires from the
    /// switch are those of this cycle.
    pub(super) fn drive(
        &mut self,
        demand: &Demand,
        pins: &mut Pins,
        side: &SidePins,
        ledger: &Ledger<'_, '_>,
        dice: &mut Dice,
    ) {
        let cycle = ledger.cycle;
        for source in &mut self.ports {
            source.watch(side, pins);
            if source.offer.is_none() && cycle >= source.ready_at && source.sends && dice.chance(demand.load)
            {
                let half = source.half_sent().filter(|_| self.habits.promise.is_by_packet());
                let fitting: Vec<_> = (0..source.channels.len())
                    .filter(|vc| half.is_none_or(|half| half == *vc))
                    .filter(|&vc| source.may_send(vc, &self.habits, side, pins))
                    .collect();
                source.offer = dice.pick(&fitting).and_then(|&vc| source.next(vc, ledger, dice));
            }
            source.put(pins, side);
        }
    }

    /// Takes everything from the wires that may not be seen before the VCs that are ready are known.
    pub(super) fn clear(&self, pins: &mut Pins, side: &SidePins) {
        for source in &self.ports {
            clear(pins, side, source.port.switch);
        }
    }

    /// Books what the switch took and what it gave back in this cycle.
    pub(super) fn settle(
        &mut self,
        pins: &Pins,
        side: &SidePins,
        ledger: &mut Ledger<'_, '_>,
    ) -> Result<(), Violation> {
        for source in &mut self.ports {
            source.sent(pins, side, self.habits.pace, ledger);
            if let FlowPins::Credit { credit, vc } = &side.flow {
                let back: Vec<usize> = match vc {
                    Some(vc) => {
                        let is_there = pins.get(credit.of(source.port.switch, 0)) == 1;
                        is_there
                            .then(|| pins.get(vc.of(source.port.switch, 0)) as usize)
                            .into_iter()
                            .collect()
                    }
                    None => (0..credit.lanes)
                        .filter(|&vc| pins.get(credit.of(source.port.switch, vc)) == 1)
                        .collect(),
                };
                for vc in back {
                    source.credit(vc, ledger)?;
                }
            }
            source.freed(pins, side, ledger);
        }
        Ok(())
    }

    /// Notes which accounts are even at the end of a cycle, and which VCs have been freed in it.
    pub(super) fn close(&mut self, ledger: &mut Ledger<'_, '_>) -> Result<(), Violation> {
        for source in &mut self.ports {
            source.release(ledger)?;
            for (vc, channel) in source.channels.iter_mut().enumerate() {
                if channel.capacity - channel.credits <= ledger.inside(source.number, vc) {
                    (channel.even, channel.first) = (ledger.cycle, None);
                } else {
                    channel.first = channel.first.or_else(|| ledger.last_out(source.number, vc));
                }
            }
        }
        Ok(())
    }

    /// Whether every packet has gone in whole, and every credit is home.
    pub(super) fn is_quiet(&self) -> bool {
        let mut channels = self.ports.iter().flat_map(|source| &source.channels);
        channels.all(|channel| {
            channel.sending.is_none() && channel.credits == channel.capacity && channel.gate.is_free()
        })
    }

    /// The credits of each VC.
    pub(super) fn accounts(&self) -> impl Iterator<Item = Account> + '_ {
        self.ports.iter().flat_map(|source| {
            let account = |(vc, channel): (usize, &Lane)| Account {
                port: source.number,
                vc,
                home: channel.credits,
                all: channel.capacity,
                moved: channel.moved,
                even: channel.even,
                first: channel.first,
                is_held: channel.gate.is_due(),
            };
            source.channels.iter().enumerate().map(account)
        })
    }
}

fn clear(pins: &mut Pins, side: &SidePins, port: usize) {
    for lane in 0..side.valid.lanes {
        pins.put(side.valid.of(port, lane), 0);
    }
}
