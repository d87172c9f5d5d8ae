//! From a stimulus to wires: neighbours that keep the protocol, given what the router drives.

use super::frame::{Frame, Notice, PortSignals, WireFlit};
use super::stimulus::{NoiseKind, Stimulus};
use crate::shape::Shape;
use router_core::header::{Address, Header, Packet, TAG_BITS};
use std::collections::VecDeque;

/// All neighbours of one router.
#[derive(Debug)]
pub struct Driver<'s> {
    stimulus: &'s Stimulus,
    ports: Vec<Neighbour>,
    now: u32,
    /// The first noise that has not happened yet; noise is in order of time.
    noise: usize,
    /// The first notice of the group that has not come yet; they are in order of time.
    notice: usize,
}

/// The neighbour at one port.
#[derive(Debug)]
struct Neighbour {
    /// Packets to come, by VC and in order of time.
    queues: Vec<VecDeque<usize>>,
    /// The packet that each VC is sending: its number, and the number of its next flit.
    sending: Vec<Option<(usize, u16)>>,
    /// Places of each VC of the router's input that it does not use; and those of them that all VCs share.
    credits: Vec<u32>,
    shared: u32,
    /// The VC to try first.
    turn: usize,
    /// The earliest cycle of the next flit.
    next_flit: u32,
    /// Credits to return: when, and for which VC.
    returns: VecDeque<(u32, u8)>,
}

impl Neighbour {
    /// Flits that a VC of the router's input takes: what it does not use of its own, and what no VC uses of what is shared.
    fn left(&self, vc: usize) -> u32 {
        let lent: u32 = self.credits.iter().map(|&credits| self.shared.saturating_sub(credits)).sum();
        self.credits[vc].max(self.shared).saturating_sub(lent)
    }
}

impl<'s> Driver<'s> {
    /// The neighbours of a router that has just been reset.
    pub fn new(stimulus: &'s Stimulus, shape: &Shape) -> Self {
        let vcs = 1 << shape.vc_bits();
        let neighbour = |port| Neighbour {
            queues: vec![VecDeque::new(); vcs],
            sending: vec![None; vcs],
            credits: vec![u32::from(shape.depth_of(port)); vcs],
            shared: shape.shared_of(port).into(),
            turn: 0,
            next_flit: 0,
            returns: VecDeque::new(),
        };
        let mut driver =
            Self { stimulus, ports: (0..shape.ports).map(neighbour).collect(), now: 0, noise: 0, notice: 0 };
        let mut order: Vec<_> = (0..stimulus.packets.len()).collect();
        order.sort_by_key(|&number| stimulus.packets[number].at);
        for number in order {
            let packet = &stimulus.packets[number];
            driver.ports[packet.port].queues[usize::from(packet.vc)].push_back(number);
        }
        driver
    }

    /// Forgets what was under way: the router has been reset. Packets that were to come still come.
    pub fn reset(&mut self, shape: &Shape) {
        for (port, neighbour) in self.ports.iter_mut().enumerate() {
            neighbour.sending.fill(None);
            neighbour.credits.fill(u32::from(shape.depth_of(port)));
            neighbour.returns.clear();
        }
    }

    /// What the neighbours drive in this cycle.
    pub fn drive(&mut self, inputs: &mut Frame) {
        inputs.clear();
        for port in 0..self.ports.len() {
            inputs.ports[port].flit = self.flit(port);
            inputs.ports[port].credit = self.credit(port);
        }
        self.make_noise(inputs);
        self.tell(inputs);
        if let Some(flood) = self.stimulus.flood.filter(|flood| flood.from <= self.now) {
            for signals in &mut inputs.ports {
                *signals = PortSignals::default();
                NoiseKind::Credit.put(flood.vc, signals);
                flood.kind.put(flood.vc, signals);
            }
        }
    }

    /// What the router drove in this cycle; the next one begins.
    pub fn sense(&mut self, outputs: &Frame) {
        for (neighbour, signals) in self.ports.iter_mut().zip(&outputs.ports) {
            if let Some(flit) = signals.flit {
                let due = (self.now + 1).saturating_add(self.stimulus.credit_delay);
                neighbour.returns.push_back((due, flit.vc));
            }
            if let Some(vc) = signals.credit
                && let Some(credits) = neighbour.credits.get_mut(usize::from(vc))
            {
                *credits += 1;
            }
        }
        self.now += 1;
    }

    fn flit(&mut self, port: usize) -> Option<WireFlit> {
        let neighbour = &mut self.ports[port];
        if self.now < neighbour.next_flit {
            return None;
        }
        let vcs = neighbour.queues.len();
        let can_send = |vc: &usize| {
            let due = neighbour.queues[*vc].front().is_some_and(|&n| self.stimulus.packets[n].at <= self.now);
            (due || neighbour.sending[*vc].is_some()) && (neighbour.left(*vc) > 0 || self.stimulus.overdraws)
        };
        let vc = (0..vcs).map(|n| (neighbour.turn + n) % vcs).find(can_send)?;
        let (number, index) = match neighbour.sending[vc] {
            Some(sending) => sending,
            None => (neighbour.queues[vc].pop_front()?, 0),
        };
        let packet = &self.stimulus.packets[number];
        let is_last = index + 1 >= packet.length;
        neighbour.sending[vc] = if is_last { None } else { Some((number, index + 1)) };
        neighbour.credits[vc] = neighbour.credits[vc].saturating_sub(1);
        neighbour.turn = (vc + 1) % vcs;
        neighbour.next_flit = self.now.saturating_add(self.stimulus.pace.max(1));
        Some(if index == 0 {
            WireFlit::head(packet.vc, &packet.packet(number as u32))
        } else {
            WireFlit::body(packet.vc, number as u32, index, is_last)
        })
    }

    fn credit(&mut self, port: usize) -> Option<u8> {
        let stalls = &self.stimulus.stalls;
        let is_stalled = |stall: &super::stimulus::Stall| {
            stall.port == port && self.now >= stall.from && self.now - stall.from < stall.cycles
        };
        let returns = &mut self.ports[port].returns;
        let &(due, vc) = returns.front()?;
        if self.now < due || stalls.iter().any(is_stalled) {
            return None;
        }
        returns.pop_front();
        Some(vc)
    }

    /// What the other routers of the group tell: one notice from each in a cycle.
    fn tell(&mut self, inputs: &mut Frame) {
        while let Some(notice) = self.stimulus.notices.get(self.notice).filter(|notice| notice.at <= self.now)
        {
            self.notice += 1;
            inputs.notices.retain(|other| other.from != notice.from);
            inputs.notices.push(Notice { from: notice.from, counts: notice.counts.clone() });
        }
    }

    fn make_noise(&mut self, inputs: &mut Frame) {
        while let Some(noise) = self.stimulus.noise.get(self.noise).filter(|noise| noise.at <= self.now) {
            self.noise += 1;
            noise.kind.put(noise.vc, &mut inputs.ports[noise.port]);
        }
    }
}

impl NoiseKind {
    /// Puts it on the wires of a port, for this VC.
    fn put(self, vc: u8, signals: &mut PortSignals) {
        let head = |length| {
            let nowhere = Address { router: u32::MAX, port: 0 };
            let header = Header { to: nowhere, length, ..Header::default() };
            WireFlit::head(vc, &Packet { header, tag: (1 << TAG_BITS) - 1 })
        };
        match self {
            Self::Credit => signals.credit = signals.credit.or(Some(vc)),
            Self::EmptyHead => signals.flit = Some(head(0)),
            Self::Head => signals.flit = Some(head(Self::FLITS)),
            Self::Body => signals.flit = Some(WireFlit::body(vc, 0, 0, false)),
            Self::Tail => signals.flit = Some(WireFlit::body(vc, 0, 0, true)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Replay;
    use desvio_sim::blueprint::Blueprint;
    use desvio_sim::scenario::Scenario;
    use std::path::Path;

    const STIMULUS: &str = "scenario = \"s.toml\"\nrouter = 0\nseed = 1\n\n[stimulus]\ncycles = 9\npace = 4294967295\n\
        credit_delay = 4294967295\n\n[[stimulus.packets]]\nat = 1\nport = 0\nvc = 0\nto_router = 1\nto_port = 0\nlength = 2\n";

    #[test]
    fn a_pace_and_a_delay_beyond_the_end_of_time_are_for_ever() {
        let text = "[topology]\nkind = \"dragonfly\"\np = 1\na = 2\nh = 1\n[traffic]\nloads = [0.1]\n";
        let scenario = Scenario::parse(text, "s.toml", Path::new("."), &[]).unwrap();
        let shape = Shape::of(&Blueprint::new(scenario).unwrap()).unwrap();
        let replay: Replay = toml::from_str(STIMULUS).unwrap();
        let mut driver = Driver::new(&replay.stimulus, &shape);
        let (mut inputs, mut outputs) = (Frame::idle(shape.ports), Frame::idle(shape.ports));
        outputs.ports[1].flit = Some(WireFlit::body(0, 1, 1, true));
        let (mut flits, mut credits) = (0, 0);
        for _ in 0..replay.stimulus.cycles {
            driver.drive(&mut inputs);
            flits += inputs.ports.iter().filter(|port| port.flit.is_some()).count();
            credits += inputs.ports.iter().filter(|port| port.credit.is_some()).count();
            driver.sense(&outputs);
        }
        assert_eq!((flits, credits), (1, 0));
    }
}
