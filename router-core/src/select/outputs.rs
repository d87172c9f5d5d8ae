//! What selection, admission and the way out see of the outputs.

use super::Preference;
use crate::contention::Contention;
use crate::lent::Lent;
use crate::links::Links;
use crate::output::OutputPort;
use crate::per_port::PerPort;
use crate::route::{Candidates, HopKind};
use crate::units::{Bits, Channel, PortId, PortSet, VcId, VcSet};

/// The outputs, with what is behind them, as they were at the end of the cycle before.
#[derive(Clone, Copy)]
pub struct Outputs<'a, const P: usize, const V: usize, B: Bits = usize> {
    /// What is at the ports.
    pub links: &'a Links<P>,
    /// The output ports.
    pub ports: &'a PerPort<OutputPort<V>, P>,
    /// VCs of the next router that a packet holds, from its head's grant to its tail's.
    pub owned: &'a PerPort<VcSet, P>,
    /// What VCs behind them have lent each other.
    pub lent: &'a Lent<P, V>,
    /// The contention counters, and those that the group has broadcast.
    pub contention: &'a Contention<P>,
    /// The connected ports.
    pub wired: PortSet<B>,
    /// Whether packets wait for a detour that is good enough until it has room.
    pub waits_for_detours: bool,
    /// Whether a packet requests one output at a time, whatever the trigger: requests are registered.
    pub asks_one: bool,
    /// What a packet prefers of outputs and VCs with room for it.
    pub preference: Preference,
    /// Those whose FIFO takes no flit more.
    pub full: PortSet<B>,
    /// Those that a packet holds until its tail has left, where packets are allocated.
    pub held: PortSet<B>,
}

impl<const P: usize, const V: usize, B: Bits> Outputs<'_, P, V, B> {
    /// Whether a port takes a packet now: its FIFO one flit more, and no packet holds it where packets are allocated.
    #[inline(always)]
    pub fn accepts(&self, port: PortId) -> bool {
        !self.closed().contains(port)
    }

    /// The ports that take no packet now.
    #[inline(always)]
    pub(crate) fn closed(&self) -> PortSet<B> {
        self.full.union(self.held)
    }

    /// Whether a port cannot take a packet for lack of space: in the buffer of this VC, or in the FIFO. A packet that is passing into the VC,
    /// or through the port, does not count: that port is busy, and is free as soon as the packet has passed.
    #[inline(always)]
    pub fn is_blocked(&self, port: PortId, vc: VcId, length: u16) -> bool {
        self.full.contains(port)
            || self.ports.get(port).is_some_and(|out| {
                out.credits.left(vc) < length || self.with_place_ahead(port, out, VcSet::only(vc)).is_empty()
            })
    }

    /// Those of `vcs` in which there is a place for the first flit of a packet whatever others take before it leaves.
    #[inline(always)]
    fn with_place_ahead(&self, port: PortId, out: &OutputPort<V>, vcs: VcSet) -> VcSet {
        #[cfg(not(feature = "small"))]
        if self.lent.ahead() > 0 && self.links.is_shared(port) {
            return self.with_shared_place_ahead(port, out, vcs);
        }
        let _ = (port, out);
        vcs
    }

    /// Those of `vcs` that keep a place for a packet's first flit, behind a port whose VCs share places.
    #[cfg(not(feature = "small"))]
    #[inline(never)]
    fn with_shared_place_ahead(&self, port: PortId, out: &OutputPort<V>, vcs: VcSet) -> VcSet {
        let (sharing, mut found) = (self.links.sharing(port), vcs);
        for vc in vcs {
            let places = self.lent.places(&out.credits, Channel::new(port, vc), sharing);
            if places.left(self.lent.ahead()) == 0 {
                found.remove(vc);
            }
        }
        found
    }

    /// Places that are in use of a VC behind a port, by its credits.
    #[inline(always)]
    pub fn occupancy(&self, port: PortId, vc: VcId) -> u16 {
        let Some(out) = self.ports.get(port) else { return 0 };
        out.credits
            .occupancy(vc, self.links.depth(Channel::new(port, vc)))
            .wrapping_sub(self.lent.at(port, vc))
    }

    /// How a head may leave by `port` now: the hop and the VCs of the first set, in offer order, that has open ones there.
    /// FIFO, VC and credits have room for it. No VC: infeasible.
    #[inline]
    pub fn open(&self, port: PortId, all: &Candidates<B>, length: u16) -> (HopKind, VcSet) {
        let (Some(out), true) = (self.ports.get(port), self.accepts(port)) else {
            return (HopKind::Minimal, VcSet::EMPTY);
        };
        let free = self.links.vcs(port).minus(self.owned.at(port));
        all.first_at(port, |vcs, kind| {
            let vcs = vcs.and(free);
            // Of most packets that wait: others hold all VCs of the set.
            if vcs.is_empty() {
                return vcs;
            }
            let room = self.links.flow.room(length, kind == HopKind::Minimal);
            let room = self.links.room_for(port, room, || kind == HopKind::Escape && all.enters());
            out.roomy(self.with_place_ahead(port, out, vcs), room)
        })
    }

    /// Whether a head may leave by `port` now.
    #[inline(always)]
    pub fn is_open(&self, port: PortId, all: &Candidates<B>, length: u16) -> bool {
        // Only the minimal hops of a wormhole or a circuit need less room than the whole packet takes.
        self.has_room(port, all.vcs_at(port), length)
            || self.links.flow.by_flit() && self.is_open_minimally(port, all, length)
    }

    /// Whether a head may leave by `port` now, on a minimal hop.
    #[inline(never)]
    pub(super) fn is_open_minimally(&self, port: PortId, all: &Candidates<B>, length: u16) -> bool {
        self.has_room(port, all.minimal_vcs_at(port), self.links.flow.room(length, true))
    }

    /// Whether one of these VCs behind a port takes a head now, on a minimal hop.
    #[inline]
    pub(super) fn takes_minimally(&self, port: PortId, vcs: VcSet, length: u16) -> bool {
        self.has_room(port, vcs, self.links.flow.room(length, true))
    }

    /// Whether one of these VCs behind a port takes a head that needs this much room.
    #[inline(always)]
    fn has_room(&self, port: PortId, vcs: VcSet, room: u16) -> bool {
        let (Some(out), true) = (self.ports.get(port), self.accepts(port)) else { return false };
        let free = self.links.vcs(port).minus(self.owned.at(port));
        out.has_room(self.with_place_ahead(port, out, vcs.and(free)), self.links.room_at(port, room))
    }

    /// The ports by which a head may leave now.
    pub fn open_ports(&self, all: &Candidates<B>, length: u16) -> PortSet<B> {
        let mut found = all.ports().minus(self.closed());
        for port in found {
            if !self.is_open(port, all, length) {
                found.remove(port);
            }
        }
        found
    }
}
