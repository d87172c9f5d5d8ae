//! What a router drives, put on the wheel, or into the outbox where a link leads out of the shard.

use super::circuits::{AnswerOnWire, Circuits};
use super::credit_delay::CreditDelays;
use super::down::DownLink;
use super::link::{Exit, Link};
use super::link_credits::LinkCredits;
use super::link_waits::LinkWaits;
use super::outbox::Outbox;
use super::packets::Packets;
use super::reservation::Reservations;
use super::shadow::Shadows;
use super::signal::Signal;
use super::wheel::{End, Wheel};
use router_core::discard::Discard;
use router_core::header::{Flit, Packet};
use router_core::route::HopKind;
use router_core::router::{Answer, Wires};
use router_core::units::{Channel, PortId};

/// The outputs of a router in one internal cycle.
pub(crate) struct OnWheel<'a, 's, const P: usize> {
    pub(crate) router: usize,
    pub(crate) links: &'a mut [Link; P],
    pub(crate) shared: &'a mut Shared<'s>,
}

/// What the outputs of all routers of a shard have in common in one internal cycle.
pub(crate) struct Shared<'a> {
    pub(crate) wheel: &'a mut Wheel,
    pub(crate) packets: &'a mut Packets,
    pub(crate) outside: Outside<'a>,
    pub(crate) speedup: u64,
    pub(crate) internal: u64,
    /// The last link cycle in which something is known to move.
    pub(crate) moved: u64,
}

/// Where links lead that do not end in the shard, that leave a router with a second implementation, or that are down.
pub(crate) struct Outside<'a> {
    pub(crate) exits: &'a [Exit],
    pub(crate) down: &'a mut [DownLink],
    pub(crate) outbox: &'a mut [Outbox],
    pub(crate) shadows: Option<&'a mut Shadows>,
    pub(crate) circuits: Option<&'a mut Circuits>,
    pub(crate) delays: Option<&'a mut CreditDelays>,
    pub(crate) reservations: Option<&'a mut Reservations>,
    pub(crate) waits: Option<&'a mut LinkWaits>,
    pub(crate) credits: Option<&'a mut LinkCredits>,
}

impl<const P: usize> Wires for OnWheel<'_, '_, P> {
    #[inline(always)]
    fn flit(&mut self, to: Channel, at: u64, flit: Flit) {
        let link = &mut self.links[to.port.index() % P];
        link.carried += 1;
        self.shared.moved = at.max(self.shared.moved);
        let way = (link.to, link.delay);
        self.send(to.port, way, self.shared.speedup * at, || Signal::Flit(to.vc, flit));
    }

    #[inline(always)]
    fn credit(&mut self, from: Channel) {
        let Link { to, credit_delay, .. } = self.links[from.port.index() % P];
        self.send(from.port, (to, credit_delay), self.shared.internal + 1, || Signal::Credit(from.vc));
    }

    #[inline(always)]
    fn hop(&mut self, packet: &Packet, _port: PortId, hop: HopKind) {
        self.shared.packets.hop(packet, hop);
    }

    fn discard(&mut self, flit: &Flit, why: Discard) {
        let Shared { packets, speedup, internal, moved, .. } = &mut *self.shared;
        *moved = (*internal / *speedup).max(*moved);
        packets.discard(flit, why);
    }

    #[inline(always)]
    fn granted(&mut self, from: Channel, to: PortId, at: u64) {
        if let Some(waits) = &mut self.shared.outside.waits {
            waits.grant(self.router, from, to, at, self.shared.internal);
        }
    }

    /// Networks with circuits are one shard, without routers in SystemVerilog and links that go down: each link is local.
    fn answer(&mut self, from: Channel, at: u64, answer: Answer) {
        let Link { to, delay, .. } = self.links[from.port.index() % P];
        self.shared.moved = at.max(self.shared.moved);
        if let Some(circuits) = &mut self.shared.outside.circuits {
            let when = self.shared.speedup * at + u64::from(delay) + 1;
            circuits.put(when, AnswerOnWire { to, vc: from.vc, answer });
        }
    }

    fn back(&mut self, packet: &Packet) {
        self.shared.packets.back(packet);
    }

    fn copy(&mut self, packet: &Packet) -> u32 {
        self.shared.packets.copy(packet.tag)
    }

    #[inline(always)]
    fn keep(&mut self) {
        self.shared.packets.kept += 1;
    }
}

impl<const P: usize> OnWheel<'_, '_, P> {
    /// Puts a signal on the wire of `port`, which leads `to` somewhere in so many internal cycles, in internal cycle `on_wire`. It is made
    /// where it goes, so that it is packed at once on the short way.
    #[inline(always)]
    fn send(&mut self, port: PortId, (to, delay): (End, u32), on_wire: u64, signal: impl Fn() -> Signal) {
        let when = on_wire + u64::from(delay) + 1;
        let Shared { wheel, packets, outside, .. } = &mut *self.shared;
        if to.is_local() {
            wheel.put(when, to, signal());
        } else if let Some(exit) = to.as_exit() {
            match signal() {
                credit @ Signal::Credit(_) => outside.put(exit, when, credit, packets),
                flit => outside.leave(exit, when, flit, packets),
            }
        } else {
            let from = End::port::<P>(self.router, port.index());
            let way = Way { router: self.router, port, from, on_wire, when, to };
            outside.tap::<P>(&way, signal(), wheel, packets);
        }
    }
}

/// The way of a signal over a link.
pub(super) struct Way {
    pub(super) router: usize,
    pub(super) port: PortId,
    /// The router and port that the signal leaves by, as an end.
    pub(super) from: End,
    /// The internal cycle in which it is on the wire, and the one in which its receiver writes it.
    pub(super) on_wire: u64,
    pub(super) when: u64,
    pub(super) to: End,
}

impl Outside<'_> {
    /// A flit leaves the shard.
    #[inline(never)]
    fn leave(&mut self, exit: usize, when: u64, flit: Signal, packets: &mut Packets) {
        self.put(exit, when, flit, packets);
    }

    /// A signal leaves the shard: a credit is short enough to be written at once.
    #[inline(always)]
    fn put(&mut self, exit: usize, when: u64, signal: Signal, packets: &mut Packets) {
        let Exit { shard, to } = self.exits[exit];
        self.outbox[shard as usize].put(when, to, signal, packets);
    }

    /// A signal leaves a router with a second implementation, or one that holds credits back, or gives back a place on a link, or is lost.
    #[cold]
    #[inline(never)]
    fn tap<const P: usize>(&mut self, way: &Way, signal: Signal, wheel: &mut Wheel, packets: &mut Packets) {
        let &Way { router, port, from, on_wire, to, .. } = way;
        if let Some(shadows) = &mut self.shadows {
            shadows.expect(router, port, on_wire, signal);
        }
        if let Some(reservations) = &mut self.reservations {
            reservations.pass(way, signal);
        }
        match to.as_down() {
            Some(link) => {
                if let (true, Signal::Flit(vc, _)) = (self.down[link].discards, signal) {
                    wheel.put(on_wire + 1, from, Signal::Credit(vc));
                }
                self.down[link].lose(signal, packets);
            }
            None => {
                let when = self.delays.as_mut().map_or(way.when, |delays| delays.pass::<P>(way, signal));
                let (when, times) = match &mut self.credits {
                    Some(links) => links.pass::<P>(way, signal, packets),
                    None => (when, 1),
                };
                for _ in 0..times {
                    wheel.put(when, to.untapped(), signal);
                }
            }
        }
    }
}
