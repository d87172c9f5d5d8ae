//! What a router drives, put on the wheel, or into the outbox where a link leads out of the shard.

use super::link::{Exit, Link};
use super::outbox::Outbox;
use super::packets::Packets;
use super::shadow::Shadows;
use super::wheel::{End, OnWire, Wheel};
use router_core::header::{Flit, Packet};
use router_core::route::HopKind;
use router_core::router::Wires;
use router_core::units::{Channel, PortId};

/// The outputs of a router in one internal cycle.
pub(crate) struct OnWheel<'a, 'o, const P: usize> {
    pub(crate) links: &'a mut [Link; P],
    pub(crate) wheel: &'a mut Wheel,
    pub(crate) packets: &'a mut Packets,
    pub(crate) outside: &'a mut Outside<'o>,
    pub(crate) speedup: u64,
    pub(crate) internal: u64,
    /// The last link cycle in which something is known to move.
    pub(crate) moved: &'a mut u64,
    pub(crate) router: usize,
}

/// Where links lead that do not end in the shard, or that leave a router with a second implementation.
pub(crate) struct Outside<'a> {
    pub(crate) exits: &'a [Exit],
    pub(crate) outbox: &'a mut [Outbox],
    pub(crate) shadows: Option<&'a mut Shadows>,
}

impl<const P: usize> Wires for OnWheel<'_, '_, P> {
    #[inline(always)]
    fn flit(&mut self, channel: Channel, at: u64, flit: Flit) {
        let link = &mut self.links[channel.port.index() % P];
        link.carried += 1;
        let (to, on_wire) = (link.to, self.speedup * at);
        let when = on_wire + u64::from(link.delay) + 1;
        *self.moved = at.max(*self.moved);
        if to.is_local() {
            self.wheel.flit(when, to, channel.vc, flit);
        } else {
            let source = Source { router: self.router, channel };
            self.outside.flit(self.wheel, self.packets, source, (on_wire, when), to, flit);
        }
    }

    #[inline(always)]
    fn credit(&mut self, channel: Channel) {
        let link = &self.links[channel.port.index() % P];
        let (to, when) = (link.to, self.internal + 2 + u64::from(link.delay));
        if to.is_local() {
            self.wheel.credit(when, OnWire::new(to, channel.vc, false));
        } else {
            let source = Source { router: self.router, channel };
            self.outside.credit(self.wheel, source, (self.internal + 1, when), to);
        }
    }

    #[inline(always)]
    fn hop(&mut self, packet: &Packet, _port: PortId, hop: HopKind) {
        self.packets.hop(packet, hop);
    }
}

/// Who drives a wire.
#[derive(Clone, Copy)]
struct Source {
    router: usize,
    channel: Channel,
}

impl Outside<'_> {
    /// A flit that leaves the shard, or a router with a second implementation. Of the two cycles, in the first it is on the
    /// wire, in the second it is written.
    #[inline(never)]
    fn flit(
        &mut self,
        wheel: &mut Wheel,
        packets: &mut Packets,
        Source { router, channel }: Source,
        (on_wire, when): (u64, u64),
        to: End,
        flit: Flit,
    ) {
        if let Some(exit) = to.as_exit() {
            let Exit { shard, to } = self.exits[exit];
            self.outbox[shard as usize].flit(when, to, channel.vc, flit, |tag| packets.leave(tag));
            return;
        }
        if let Some(shadows) = &mut self.shadows {
            shadows.flit(router, channel, on_wire, &flit);
        }
        wheel.flit(when, to.untapped(), channel.vc, flit);
    }

    /// A credit, in the same way.
    #[inline(never)]
    fn credit(
        &mut self,
        wheel: &mut Wheel,
        Source { router, channel }: Source,
        (on_wire, when): (u64, u64),
        to: End,
    ) {
        if let Some(exit) = to.as_exit() {
            let Exit { shard, to } = self.exits[exit];
            self.outbox[shard as usize].credit(when, to, channel.vc);
            return;
        }
        if let Some(shadows) = &mut self.shadows {
            shadows.credit(router, channel, on_wire);
        }
        wheel.credit(when, OnWire::new(to.untapped(), channel.vc, false));
    }
}
