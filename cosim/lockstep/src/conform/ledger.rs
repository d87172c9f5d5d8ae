//! The account of every packet: what went in, what came out, and whether that is as it must be.

mod adopt;
mod ahead;
mod head;
mod leave;

use super::bits::Bits;
use super::event::{Event, Events};
use super::finding::Findings;
use super::flit::{Contents, FlitLayout};
use super::promise::Promise;
use super::rule::{Checks, Rule, Violation};
use super::site::{Site, Way};
use super::tally::Tally;
use super::walk::Arrived;
pub(super) use adopt::Offered;
use router_core::header::Header;
use std::collections::{HashMap, VecDeque};

/// A packet that is in the switch, or half in it.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    pub(super) number: u64,
    pub(super) header: Header,
    ways: Vec<Way>,
    pub(super) port: usize,
    pub(super) vc: usize,
    /// The cycle in which its head went in, and that of its last flit so far.
    entered: u64,
    grew: u64,
    /// Its place among all that came by its input VC.
    order: u64,
    /// Its flits, as they went in.
    flits: Vec<Bits>,
    left: usize,
    /// Port, VC and way by which it leaves.
    leaving: Option<(usize, usize, Way)>,
    /// When a flit of it last went in or out, in cycles in which nothing held up the outputs.
    moved: u64,
    /// Whether it has been reported that it waits.
    is_reported: bool,
}

impl Packet {
    /// Flits of it that are in the switch.
    fn inside(&self) -> usize {
        self.flits.len() - self.left
    }
}

/// A flit that came out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departed {
    pub(super) cycle: u64,
    pub(super) number: u64,
    pub(super) index: u64,
    /// The output.
    pub(super) port: usize,
    pub(super) vc: usize,
}

/// A flit on an output.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) port: usize,
    pub(super) vc: usize,
    pub(super) flit: Bits,
    /// The signals beside the flit, where there are any.
    pub(super) head: Option<bool>,
    pub(super) tail: Option<bool>,
    /// Credits that the switch has for the VC, and how many there are; `None` where the wires do not show that.
    pub(super) credits: Option<(u32, u32)>,
}

/// All packets.
#[derive(Debug)]
pub(super) struct Ledger<'s, 'b> {
    site: &'s Site<'b>,
    pub(super) promise: Promise,
    pub(super) layout: FlitLayout,
    packets: HashMap<u64, Packet>,
    /// Numbers of the packets that left last, and when: a number that is in use again may be among them.
    gone: VecDeque<(u64, u64)>,
    next: u64,
    /// By input port and VC: packets that came so far.
    came: HashMap<(usize, usize), u64>,
    /// By input port and VC, output port and VC: the order of the last packet.
    last: HashMap<[usize; 4], u64>,
    /// By input port and VC: flits in the switch.
    inside: HashMap<(usize, usize), u32>,
    /// By input port and VC: the flit that last came out.
    out: HashMap<(usize, usize), Departed>,
    /// By output port and VC: the packet whose tail has not come out.
    owner: HashMap<(usize, usize), u64>,
    pub(super) checks: Checks,
    pub(super) events: Events,
    pub(super) tally: Tally,
    /// Broken rules behind which the run goes on.
    pub(super) findings: Findings,
    pub(super) cycle: u64,
    /// Cycles in which nothing held up the outputs.
    pub(super) free: u64,
}

impl<'s, 'b> Ledger<'s, 'b> {
    pub(super) fn new(site: &'s Site<'b>, layout: FlitLayout, findings: Findings) -> Self {
        Self {
            site,
            promise: Promise::of(site.blueprint.scenario()),
            layout,
            packets: HashMap::new(),
            gone: VecDeque::new(),
            next: 1,
            came: HashMap::new(),
            last: HashMap::new(),
            inside: HashMap::new(),
            out: HashMap::new(),
            owner: HashMap::new(),
            checks: Checks::default(),
            events: Events::default(),
            tally: Tally::default(),
            findings,
            cycle: 0,
            free: 0,
        }
    }

    /// A number that no packet has had for long; `None` while too many packets are about.
    fn fresh(&mut self) -> Option<u64> {
        let numbers = self.layout.numbers();
        if self.packets.len() as u64 >= numbers / 2 {
            return None;
        }
        while self.packets.contains_key(&(self.next % numbers)) {
            self.next += 1;
        }
        self.next += 1;
        Some((self.next - 1) % numbers)
    }

    /// A packet begins to go in by a port and VC: its number. `None` while too many packets are about.
    pub(super) fn begin(
        &mut self,
        (port, vc): (usize, usize),
        arrived: &Arrived,
        length: u16,
    ) -> Option<u64> {
        let number = self.fresh()?;
        let arrived = Arrived { header: Header { length, ..arrived.header }, ways: arrived.ways.clone() };
        let packet = self.packet(number, (port, vc), &arrived);
        self.packets.insert(number, packet);
        Some(number)
    }

    /// The port that the field `next_port` of a packet names: the lowest on its shortest ways.
    fn next_port(&self, packet: &Packet) -> usize {
        packet.ways.first().map_or(0, |way| self.site.port(way.port).switch)
    }

    /// The flit of a packet that goes in next.
    pub(super) fn flit(&self, number: u64, index: u16, dice: &mut super::dice::Dice) -> Option<Bits> {
        let packet = self.packets.get(&number)?;
        let next_port = self.next_port(packet);
        Some(
            self.layout
                .emit(&Contents { header: &packet.header, next_port, number, index, vc: packet.vc }, dice),
        )
    }

    /// A flit has gone in.
    pub(super) fn enter(&mut self, number: u64, flit: Bits) {
        let Some(packet) = self.packets.get_mut(&number) else { return };
        if packet.flits.is_empty() {
            packet.entered = self.cycle;
            let came = self.came.entry((packet.port, packet.vc)).or_default();
            *came += 1;
            packet.order = *came;
        }
        packet.flits.push(flit);
        packet.grew = self.cycle;
        packet.moved = self.free;
        let (cycle, port, vc, index) = (self.cycle, packet.port, packet.vc, packet.flits.len() - 1);
        self.tally.flits_in += 1;
        *self.inside.entry((port, vc)).or_default() += 1;
        self.events.add(Event::FlitIn { cycle, port, vc, number, index, length: packet.header.length });
    }

    /// Whether no packet is about.
    pub(super) fn is_empty(&self) -> bool {
        self.packets.is_empty()
    }

    /// Flits in the switch that came by a port and VC.
    pub(super) fn inside(&self, port: usize, vc: usize) -> u32 {
        self.inside.get(&(port, vc)).copied().unwrap_or(0)
    }

    /// The flit that last came out of those that had come by a port and VC.
    pub(super) fn last_out(&self, port: usize, vc: usize) -> Option<Departed> {
        self.out.get(&(port, vc)).copied()
    }

    /// The packet that an output VC belongs to.
    pub(super) fn owner(&self, port: usize, vc: usize) -> Option<u64> {
        self.owner.get(&(port, vc)).copied()
    }

    /// A rule is broken: an error, unless it is allowed to break.
    pub(super) fn raise(&mut self, violation: Violation) -> Result<(), Violation> {
        self.findings.raise(self.cycle, violation)
    }

    /// The packet that has waited longest with flits in the switch, of those not reported yet, and how long.
    pub(super) fn oldest_unreported(&mut self) -> Option<(u64, u64)> {
        self.checks.count(Rule::Waiting);
        self.oldest(|packet| !packet.is_reported)
    }

    /// The packet that has waited longest with flits in the switch, and how long.
    pub(super) fn oldest_of_all(&mut self) -> Option<(u64, u64)> {
        self.checks.count(Rule::Waiting);
        self.oldest(|_| true)
    }

    /// It is reported once that a packet waits, however long it goes on.
    pub(super) fn set_reported(&mut self, number: u64) {
        if let Some(packet) = self.packets.get_mut(&number) {
            packet.is_reported = true;
        }
    }

    fn oldest(&self, counts: impl Fn(&Packet) -> bool) -> Option<(u64, u64)> {
        let waiting = self.packets.values().filter(|packet| packet.inside() > 0 && counts(packet));
        let oldest = waiting.min_by_key(|packet| (packet.moved, packet.order, packet.number))?;
        Some((oldest.number, self.free - oldest.moved))
    }

    /// The port and VC that a packet came by, and the cycle.
    pub(super) fn came_by(&self, number: u64) -> Option<(usize, usize, u64)> {
        self.packets.get(&number).map(|packet| (packet.port, packet.vc, packet.entered))
    }

    /// The ways that a packet may still take: those of its head, or the one it has taken; as port and VC.
    pub(super) fn wanted(&self, number: u64) -> Vec<(usize, usize)> {
        let Some(packet) = self.packets.get(&number) else { return Vec::new() };
        if let Some((port, vc, _)) = packet.leaving {
            return vec![(port, vc)];
        }
        let all = packet.ways.iter().flat_map(|way| (0..8).map(move |vc| (way, vc)));
        all.filter(|(way, vc)| self.site.allows(way, *vc)).map(|(way, vc)| (way.port, vc)).collect()
    }

    /// Whether a packet may leave by a VC of an output, any if there is none.
    pub(super) fn may_leave_by(&self, arrived: &Arrived, output: Option<usize>, vc: usize) -> bool {
        let mut ways = arrived.ways.iter().filter(|way| output.is_none_or(|output| output == way.port));
        ways.any(|way| self.site.allows(way, vc))
    }

    /// Packets whose head has left and whose next flit is in the switch, and the port and VC by which they leave.
    pub(super) fn half_out(&self) -> Vec<(u64, usize, usize)> {
        let inside = self.packets.values().filter(|packet| packet.inside() > 0);
        let half = inside.filter_map(|packet| packet.leaving.map(|(port, vc, _)| (packet.number, port, vc)));
        let mut half: Vec<_> = half.collect();
        half.sort_unstable();
        half
    }

    /// A packet, as reports name it.
    pub(super) fn describe(&self, number: u64) -> String {
        let Some(packet) = self.packets.get(&number) else { return String::new() };
        let Packet { header, port, vc, entered, flits, left, .. } = packet;
        let to = header.to;
        let whence = format!("{} VC {vc} from {}", self.site.port(*port), self.site.neighbour(*port));
        let when = if flits.is_empty() { "not yet".to_owned() } else { format!("in cycle {entered}") };
        format!(
            "packet {number}: to router {} port {}, length {}, header {:#026x}\n  came in by {whence} {when}; flits in so far {}, out {left}\n  legal: {}",
            to.router,
            to.port,
            header.length,
            u128::from(header.emit()),
            flits.len(),
            self.site.tell(&packet.ways)
        )
    }

    fn unknown(&self, seen: &Seen, number: u64) -> Violation {
        match self.gone.iter().rev().find(|(gone, _)| *gone == number) {
            Some((_, when)) => {
                let message = format!(
                    "a flit of packet {number} came out, the whole of which had left in cycle {when}: {:x}",
                    seen.flit
                );
                self.broken(Rule::FlitDuplicated, seen, message)
            }
            None => {
                let message =
                    format!("a flit came out that never went in: {:x} (packet number {number})", seen.flit);
                self.broken(Rule::FlitInvented, seen, message)
            }
        }
    }

    /// A broken rule at an output.
    pub(super) fn broken(&self, rule: Rule, seen: &Seen, message: String) -> Violation {
        Violation {
            rule,
            since: None,
            place: format!("output {} VC {}", self.site.port(seen.port), seen.vc),
            message,
            packet: self.describe(self.layout.number(&seen.flit)),
        }
    }
}
