//! Two ports and a line that does to their frames what a seed says.

use desvio_link::{Arrival, DataFlit, Port, PortState, Setup, Tick, Timing, Why, frame_bytes};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::header::{Flit, Header, Packet};
use router_core::links::FlowControl;
use router_core::units::VcId;
use std::collections::{BTreeSet, VecDeque};
use std::num::NonZeroU32;

/// VCs, flits of each buffer, bytes of a flit.
pub(crate) const VCS: usize = 2;
pub(crate) const BUFFER: u16 = 4;
pub(crate) const BYTES: usize = 4;
pub(crate) const FRAME: usize = frame_bytes(VCS, BYTES);
pub(crate) type End = Port<VCS, BYTES, 8, FRAME>;

pub(crate) const TIMING: Timing = Timing { hello: 8, heartbeat: 10, patience: 60, resend: 30 };

pub(crate) fn setup(session: u32) -> Setup<VCS> {
    let session = NonZeroU32::new(session).unwrap();
    Setup { flow: FlowControl::Vct, buffers: [BUFFER; VCS], session, timing: TIMING }
}

/// A flit whose payload is its number.
pub(crate) fn numbered(vc: u8, flit: Flit, number: u32) -> DataFlit<BYTES> {
    DataFlit { vc: VcId::new(vc), flit, payload: number.to_le_bytes() }
}

pub(crate) fn head(length: u16, tag: u32) -> Flit {
    Flit::Head(Packet { header: Header { length, ..Header::default() }, tag })
}

/// Faults in a thousand frames.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    pub(crate) dropped: u64,
    pub(crate) repeated: u64,
    pub(crate) flipped: u64,
    pub(crate) truncated: u64,
    pub(crate) garbage: u64,
    pub(crate) stalled: u64,
}

pub(crate) struct Draw(Xoshiro256PlusPlus);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0.next_u64() % n.max(1)
    }
    pub(crate) fn in_thousand(&mut self, n: u64) -> bool {
        self.below(1000) < n
    }
}

/// One direction of a cable.
#[derive(Default)]
pub(crate) struct Line {
    bytes: VecDeque<u8>,
    /// Frames that may come again, those of sessions before as well.
    before: VecDeque<Vec<u8>>,
    stall: u64,
    pub(crate) cut: bool,
}

impl Line {
    /// Whether there is room for another frame.
    pub(crate) fn takes(&self) -> bool {
        self.bytes.len() < 64
    }

    pub(crate) fn put(&mut self, frame: &[u8], faults: &Faults, draw: &mut Draw) {
        if self.cut {
            return;
        }
        self.before.push_back(frame.to_vec());
        if self.before.len() > 8 {
            self.before.pop_front();
        }
        if draw.in_thousand(faults.stalled) {
            self.stall = draw.below(40);
        }
        if draw.in_thousand(faults.garbage) {
            let length = draw.below(20);
            self.bytes.extend((0..length).map(|_| draw.below(256) as u8));
        }
        if draw.in_thousand(faults.dropped) {
            return;
        }
        let mut frame = frame.to_vec();
        if draw.in_thousand(faults.flipped) {
            let at = draw.below(frame.len() as u64) as usize;
            frame[at] ^= 1 << draw.below(8);
        }
        if draw.in_thousand(faults.truncated) {
            frame.truncate(draw.below(frame.len() as u64) as usize);
        }
        self.bytes.extend(frame);
        if draw.in_thousand(faults.repeated) {
            let at = draw.below(self.before.len() as u64) as usize;
            self.bytes.extend(self.before[at].clone());
        }
    }

    pub(crate) fn take(&mut self, most: usize) -> Vec<u8> {
        if self.stall > 0 {
            self.stall -= 1;
            return Vec::new();
        }
        let most = most.min(self.bytes.len());
        self.bytes.drain(..most).collect()
    }

    pub(crate) fn cut(&mut self) {
        self.cut = true;
        self.bytes.clear();
    }
}

/// A port and its owner, who sends packets and keeps what comes.
pub(crate) struct Owner {
    pub(crate) port: End,
    /// Places of the neighbour's buffers that this end may use.
    credits: [u16; VCS],
    /// Flits of the packet under way in each VC.
    left: [u16; VCS],
    /// What is in the buffers.
    held: [u16; VCS],
    /// Flits that the packet under way in each VC has yet to bring.
    coming: [u16; VCS],
    pub(crate) sends: bool,
}

/// What was sent in one direction, and what became of it.
#[derive(Debug, Default)]
pub(crate) struct Fate {
    pub(crate) next: u32,
    pub(crate) delivered: Vec<u32>,
    pub(crate) lost: BTreeSet<u32>,
    /// Flits that may be missing, since their sender died with them.
    pub(crate) died: usize,
    /// How often the receiver has restarted.
    pub(crate) receiver_restarts: u32,
    pub(crate) fillers: u32,
}

impl Owner {
    pub(crate) fn new(session: u32) -> Self {
        Self {
            port: End::new(&setup(session)).unwrap(),
            credits: [BUFFER; VCS],
            left: [0; VCS],
            held: [0; VCS],
            coming: [0; VCS],
            sends: true,
        }
    }

    /// Fetches lost flits and credits, and sends another flit now and then.
    fn send(&mut self, fate: &mut Fate, draw: &mut Draw) {
        while let Some(lost) = self.port.poll_lost() {
            assert!(fate.lost.insert(u32::from_le_bytes(lost.payload)), "a flit is lost twice");
        }
        while let Some(vc) = self.port.poll_credit() {
            self.credits[vc.index()] += 1;
            assert!(self.credits[vc.index()] <= BUFFER, "more credits than places");
        }
        let vc = draw.below(VCS as u64) as usize;
        let begins = self.left[vc] == 0;
        if self.credits[vc] == 0 || (begins && (!self.sends || draw.in_thousand(500))) {
            return;
        }
        let flit = if begins {
            self.left[vc] = 1 + draw.below(5) as u16;
            head(self.left[vc], fate.next)
        } else {
            Flit::Body { tail: self.left[vc] == 1 }
        };
        self.left[vc] -= 1;
        self.credits[vc] -= 1;
        match self.port.send(numbered(vc as u8, flit, fate.next)) {
            Ok(()) => {}
            Err(refused) => {
                assert_eq!(refused.why, Why::Severed, "{refused:?}");
                assert!(fate.lost.insert(fate.next), "a flit is lost twice");
                self.credits[vc] += 1;
            }
        }
        fate.next += 1;
    }

    fn receive(&mut self, fate: &mut Fate, draw: &mut Draw) {
        while let Some(arrival) = self.port.poll_arrival() {
            let flit = *arrival.flit();
            let vc = flit.vc.index();
            self.held[vc] += 1;
            assert!(self.held[vc] <= BUFFER, "a buffer overflows");
            match arrival {
                Arrival::Flit(flit) => fate.delivered.push(u32::from_le_bytes(flit.payload)),
                Arrival::Filler(_) => fate.fillers += 1,
            }
            match flit.flit {
                Flit::Head(packet) => {
                    assert_eq!(self.coming[vc], 0, "a head within a packet");
                    self.coming[vc] = packet.header.length - 1;
                }
                Flit::Body { tail } => {
                    assert!(self.coming[vc] > 0, "a body flit of no packet");
                    self.coming[vc] -= 1;
                    assert_eq!(tail, self.coming[vc] == 0, "the tail comes at the wrong time");
                }
            }
        }
        let vc = draw.below(VCS as u64) as usize;
        if self.held[vc] > 0 && draw.in_thousand(600) {
            self.held[vc] -= 1;
            self.port.free(VcId::new(vc as u8));
        }
    }
}

/// Two ends and a cable: `fates[0]` is what end 0 sends.
pub(crate) struct World {
    pub(crate) ends: [Owner; 2],
    pub(crate) lines: [Line; 2],
    pub(crate) fates: [Fate; 2],
    pub(crate) faults: Faults,
    pub(crate) draw: Draw,
    now: u32,
    sessions: u32,
    /// How many times as slow the second end is.
    pub(crate) slowness: u32,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            ends: [Owner::new(1), Owner::new(2)],
            lines: Default::default(),
            fates: Default::default(),
            faults: Faults::default(),
            draw: Draw::new(seed),
            now: u32::MAX - 500,
            sessions: 2,
            slowness: 1,
        }
    }

    pub(crate) fn tick(&mut self) {
        self.now = self.now.wrapping_add(1);
        for me in 0..2 {
            if me == 1 && !self.now.is_multiple_of(self.slowness) {
                continue;
            }
            let bytes = self.lines[1 - me].take(48);
            let end = &mut self.ends[me];
            end.port.handle(&bytes);
            end.port.step(Tick(self.now));
            end.send(&mut self.fates[me], &mut self.draw);
            end.receive(&mut self.fates[1 - me], &mut self.draw);
            let mut frame = [0; FRAME];
            while self.lines[me].takes() {
                let length = self.ends[me].port.poll_transmit(&mut frame);
                if length == 0 {
                    break;
                }
                self.lines[me].put(&frame[..length], &self.faults, &mut self.draw);
            }
        }
    }

    pub(crate) fn run(&mut self, ticks: u32) {
        (0..ticks).for_each(|_| self.tick());
    }

    pub(crate) fn cut(&mut self) {
        self.lines.iter_mut().for_each(Line::cut);
    }

    pub(crate) fn mend(&mut self) {
        self.lines.iter_mut().for_each(|line| line.cut = false);
    }

    /// Power off and on: what was in its memory is gone.
    pub(crate) fn restart(&mut self, me: usize) {
        self.sessions += 1;
        let died = self.ends[me].port.unacknowledged();
        self.fates[me].died += died;
        self.fates[1 - me].receiver_restarts += 1;
        let sends = self.ends[me].sends;
        self.ends[me] = Owner::new(self.sessions);
        self.ends[me].sends = sends;
    }

    /// Without faults, until nothing is under way; then each flit has its fate.
    pub(crate) fn settle(&mut self) {
        self.faults = Faults::default();
        self.mend();
        self.ends.iter_mut().for_each(|end| end.sends = false);
        let quiet = |end: &Owner| {
            end.port.state() == PortState::Up
                && end.port.unacknowledged() == 0
                && end.credits == [BUFFER; VCS]
                && end.left == [0; VCS]
                && end.held == [0; VCS]
                && end.coming == [0; VCS]
        };
        let mut ticks = 0;
        while !self.ends.iter().all(quiet) {
            self.tick();
            ticks += 1;
            assert!(ticks < 40_000, "the link does not settle: {:?}", self.ends.each_ref().map(|e| &e.port));
        }
        self.fates.iter().for_each(Fate::check);
    }

    pub(crate) fn is_up(&self) -> bool {
        self.ends.iter().all(|end| end.port.state() == PortState::Up)
    }
}

impl Fate {
    /// Once and in order, or reported lost, or gone with its sender.
    fn check(&self) {
        assert!(self.delivered.is_sorted_by(|one, next| one < next), "twice or out of order: {self:?}");
        let delivered: BTreeSet<u32> = self.delivered.iter().copied().collect();
        let both = delivered.intersection(&self.lost).count();
        assert!(self.receiver_restarts > 0 || both == 0, "delivered and lost: {self:?}");
        assert!(self.receiver_restarts > 0 || self.lost.is_empty(), "lost without a restart: {self:?}");
        let missing = (0..self.next).filter(|n| !delivered.contains(n) && !self.lost.contains(n)).count();
        assert!(missing <= self.died, "{missing} flits have no fate, {} died with their sender", self.died);
    }
}
