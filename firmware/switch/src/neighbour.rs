//! A neighbour in memory, for demonstrations: it sends packets anywhere, takes what comes, and returns its credits.

use crate::link::Link;
use router_core::header::{Address, Carried, Flit, Header, Packet};
use router_core::lfsr::Lfsr;
use router_core::pins::{FlitSignal, PortInputs};
use router_core::units::VcId;

/// Destinations of random packets: routers `0…routers − 1` of groups `0…groups − 1`, and their nodes.
#[derive(Clone, Copy, Debug)]
pub struct Anywhere {
    /// Groups; 1 in a grid.
    pub groups: u32,
    /// Routers of each.
    pub routers: u32,
    /// Nodes of each.
    pub nodes: u8,
}

/// The other end of one link.
#[derive(Clone, Debug)]
pub struct Neighbour {
    /// Its number, in the source address of its packets.
    number: u8,
    lfsr: Lfsr,
    to: Anywhere,
    /// Packets are for this group alone, if there is one.
    favourite: Option<u32>,
    flits: u16,
    /// Free places in VC 0 of the router's input.
    credits: u16,
    /// Flits of the packet under way that have yet to be sent.
    left: u16,
    /// Packets to send.
    packets: u32,
    /// Packets sent and received.
    sent: u32,
    received: u32,
    /// The credit to return.
    owed: Option<VcId>,
    /// Internal cycles to the next flit: the link has half the clock.
    phase: bool,
    /// It sends a body flit of no packet before it begins.
    rude: bool,
}

impl Neighbour {
    /// A neighbour with `number`, who sends `packets` packets of `flits` flits each into a buffer of `buffer` places.
    pub const fn new(number: u32, to: Anywhere, packets: u32, flits: u16, buffer: u16) -> Self {
        Self {
            number: number as u8,
            lfsr: Lfsr::new(2, number),
            to,
            favourite: None,
            flits,
            credits: buffer,
            left: 0,
            packets,
            sent: 0,
            received: 0,
            owed: None,
            phase: false,
            rude: false,
        }
    }

    /// One whose packets all go to one group.
    #[must_use]
    pub const fn with_favourite(mut self, group: u32) -> Self {
        self.favourite = Some(group);
        self
    }

    /// One who breaks the protocol once.
    #[must_use]
    pub const fn rude(mut self) -> Self {
        self.rude = true;
        self
    }

    /// Packets sent.
    pub const fn sent(&self) -> u32 {
        self.sent
    }

    /// Packets received, by their tails.
    pub const fn received(&self) -> u32 {
        self.received
    }

    fn next_packet(&mut self) -> Packet {
        self.lfsr.step();
        let draw = |n: u32, turn: u8| self.lfsr.tap(turn, 0).below(n as usize) as u32;
        let group = self.favourite.unwrap_or_else(|| draw(self.to.groups, 0));
        let router = group.wrapping_shl(router_core::map::dragonfly::INDEX_BITS) | draw(self.to.routers, 1);
        let to = Address { router, port: draw(self.to.nodes.into(), 2) as u8 };
        self.sent = self.sent.wrapping_add(1);
        self.left = self.flits.saturating_sub(1);
        // A source, a class and a spare byte that differ from packet to packet: a switch passes them on.
        let source = Address { router: self.sent, port: self.number };
        let carried =
            Carried::default().with_source(source).with_level(self.number).with_spare(self.sent as u8);
        let header = Header { to, length: self.flits, carried, ..Header::default() };
        Packet { header, tag: self.sent }
    }

    fn next_flit(&mut self) -> Option<Flit> {
        if self.rude {
            self.rude = false;
            return Some(Flit::Body { tail: false });
        }
        if self.credits == 0 || (self.left == 0 && self.sent >= self.packets) {
            return None;
        }
        self.credits = self.credits.wrapping_sub(1);
        if self.left == 0 {
            return Some(Flit::Head(self.next_packet()));
        }
        self.left = self.left.wrapping_sub(1);
        Some(Flit::Body { tail: self.left == 0 })
    }
}

impl Link for Neighbour {
    fn receive(&mut self) -> PortInputs {
        self.phase = !self.phase;
        let flit = if self.phase { self.next_flit() } else { None };
        let flit = flit.map(|flit| FlitSignal { vc: VcId::new(0), flit });
        PortInputs { flit, credit: self.owed.take() }
    }

    fn send(&mut self, driven: PortInputs) {
        if let Some(signal) = driven.flit {
            self.owed = Some(signal.vc);
            self.received = self.received.wrapping_add(signal.flit.is_tail().into());
        }
        if driven.credit.is_some() {
            self.credits = self.credits.wrapping_add(1);
        }
    }
}
