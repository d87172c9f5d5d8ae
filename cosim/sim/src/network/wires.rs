//! What a router drives, put on the wheel, or into the outbox where a link leads out of the shard.

use super::link::{Exit, Link};
use super::outbox::Outbox;
use super::packets::Packets;
use super::shadow::Shadows;
use super::wheel::{End, OnWire, Wheel};
use router_core::header::{Flit, Packet};
use router_core::route::HopKind;
use router_core::router::Wires;
use router_core::units::{PortId, VcId};

/// The outputs of one router after the other in one internal cycle.
pub(crate) struct OnWheel<'a, const P: usize> {
    pub(crate) links: &'a mut [[Link; P]],
    pub(crate) exits: &'a [Exit],
    pub(crate) wheel: &'a mut Wheel,
    pub(crate) outbox: &'a mut [Outbox],
    pub(crate) packets: &'a mut Packets,
    pub(crate) speedup: u64,
    pub(crate) internal: u64,
    /// The last link cycle in which something is known to move.
    pub(crate) moved: u64,
    pub(crate) router: usize,
    pub(crate) shadows: Option<&'a mut Shadows>,
}

impl<const P: usize> Wires for OnWheel<'_, P> {
    #[inline(always)]
    fn flit(&mut self, port: PortId, vc: VcId, at: u64, flit: Flit) {
        let link = &mut self.links[self.router][port.index() % P];
        link.carried += 1;
        let (to, on_wire) = (link.to, self.speedup * at);
        let when = on_wire + u64::from(link.delay) + 1;
        self.moved = self.moved.max(at);
        if to.is_local() {
            self.wheel.flit(when, to, vc, flit);
        } else {
            self.remote_flit(to, (port, vc), (on_wire, when), flit);
        }
    }

    #[inline(always)]
    fn credit(&mut self, port: PortId, vc: VcId) {
        let link = &self.links[self.router][port.index() % P];
        let (to, when) = (link.to, self.internal + 2 + u64::from(link.delay));
        if to.is_local() {
            self.wheel.credit(when, OnWire::new(to, vc, false));
        } else {
            self.remote_credit(to, (port, vc), when);
        }
    }

    #[inline(always)]
    fn hop(&mut self, packet: &Packet, _port: PortId, hop: HopKind) {
        self.packets.hop(packet, hop);
    }
}

impl<const P: usize> OnWheel<'_, P> {
    /// A flit that leaves the shard, or the model of a router in SystemVerilog.
    #[inline(never)]
    fn remote_flit(&mut self, to: End, (port, vc): (PortId, VcId), (on_wire, when): (u64, u64), flit: Flit) {
        if let Some(exit) = to.as_exit() {
            let Exit { shard, to } = self.exits[exit];
            self.outbox[shard as usize].flit(when, to, vc, flit, |tag| self.packets.leave(tag));
            return;
        }
        if let Some(shadows) = &mut self.shadows {
            shadows.flit(self.router, port, vc, on_wire, &flit);
        }
        self.wheel.flit(when, to.untapped(), vc, flit);
    }

    #[inline(never)]
    fn remote_credit(&mut self, to: End, (port, vc): (PortId, VcId), when: u64) {
        if let Some(exit) = to.as_exit() {
            let Exit { shard, to } = self.exits[exit];
            self.outbox[shard as usize].credit(when, to, vc);
            return;
        }
        if let Some(shadows) = &mut self.shadows {
            shadows.credit(self.router, port, vc, self.internal + 1);
        }
        self.wheel.credit(when, OnWire::new(to.untapped(), vc, false));
    }
}
