//! What changes with every packet of a VC.

use super::Descriptor;
use crate::event::ProtocolError;
use crate::header::Packet;
use crate::links::{Place, Ring};
use crate::route::Candidates;
use crate::units::{Bits, PackedPorts, PortId, PortSet, VcSet};

/// The packets of one VC, and the request of the front one: the state that changes with each packet.
#[derive(Clone, Copy, Debug)]
pub struct Front<B: Bits = usize> {
    /// The port that the front packet is counted at and that triggers look at.
    minimal: PortId,
    /// Packets in the buffer, those partly here included.
    packets: Place,
    /// The place of the front packet in the ring of descriptors.
    front: Place,
    /// The outputs that the front packet requests.
    request: PackedPorts<B>,
    /// The VCs of all its candidates, looked at in each cycle in which it waits.
    vcs: VcSet,
    candidates: Candidates<B>,
}

impl<B: Bits> Front<B> {
    /// No packet.
    pub const EMPTY: Self = Self {
        minimal: PortId::new(0),
        packets: 0,
        front: 0,
        request: PackedPorts::EMPTY,
        vcs: VcSet::EMPTY,
        candidates: Candidates::NONE,
    };

    /// The port that the front packet is counted at.
    #[inline(always)]
    pub const fn minimal(&self) -> PortId {
        self.minimal
    }
    /// Packets in the buffer.
    #[inline(always)]
    #[allow(clippy::unnecessary_cast)] // needed where a place is narrower
    pub const fn packets(&self) -> u16 {
        self.packets as u16
    }
    /// The outputs that the front packet requests.
    #[inline(always)]
    pub fn request(&self) -> PortSet<B> {
        self.request.get()
    }
    /// The front packet's candidates.
    #[inline(always)]
    pub const fn candidates(&self) -> &Candidates<B> {
        &self.candidates
    }

    /// The VCs of all the front packet's candidates.
    #[inline(always)]
    pub(crate) const fn vcs(&self) -> VcSet {
        self.vcs
    }

    /// Sets the outputs that the front packet requests.
    #[inline(always)]
    pub fn ask(&mut self, request: PortSet<B>) {
        self.request = PackedPorts::new(request);
    }

    /// The place of the `nth` packet in the store.
    #[inline(always)]
    fn place(&self, ring: Ring, nth: Place) -> usize {
        let ahead = u32::from(self.front).wrapping_add(u32::from(nth));
        let places = u32::from(ring.places);
        let turned = if ahead >= places { ahead.wrapping_sub(places) } else { ahead };
        ring.base.wrapping_add(turned) as usize
    }

    /// The packet behind the front one, if there is one.
    #[inline(always)]
    pub fn packet_behind(&self, store: &[Descriptor], ring: Ring) -> Option<Packet> {
        if self.packets < 2 { None } else { store.get(self.place(ring, 1)).map(Descriptor::packet::<B>) }
    }

    /// The output that the packet behind the front one was counted at when it arrived.
    #[inline(always)]
    pub fn counted_behind(&self, store: &[Descriptor], ring: Ring) -> Option<PortId> {
        store.get(self.place(ring, 1)).map(Descriptor::counted_at::<B>)
    }

    /// Notes at which output the packet behind the front one will be counted.
    #[inline(always)]
    pub fn count_behind(&self, store: &mut [Descriptor], ring: Ring, port: PortId) {
        if let Some(behind) = store.get_mut(self.place(ring, 1)) {
            behind.count_at::<B>(port);
        }
    }

    /// The front packet, if there is one.
    #[inline(always)]
    pub fn packet(&self, store: &[Descriptor], ring: Ring) -> Option<Packet> {
        if self.packets == 0 { None } else { store.get(self.place(ring, 0)).map(Descriptor::packet::<B>) }
    }

    /// The output that the front packet was counted at before it came to the front.
    #[inline(always)]
    pub fn counted_before(&self, store: &[Descriptor], ring: Ring) -> Option<PortId> {
        store.get(self.place(ring, 0)).map(Descriptor::counted_at::<B>)
    }

    /// The newest packet.
    pub fn newest(&self, store: &[Descriptor], ring: Ring) -> Option<Packet> {
        let place = self.packets.checked_sub(1)?;
        store.get(self.place(ring, place)).map(Descriptor::packet::<B>)
    }

    /// Marks the newest packet: it has met congestion.
    pub fn mark_newest(&self, store: &mut [Descriptor], ring: Ring) {
        if let Some(newest) = store.get_mut(self.place(ring, self.packets.wrapping_sub(1))) {
            newest.mark::<B>();
        }
    }

    /// Notes at which output the newest packet is counted.
    #[inline]
    pub fn count_newest(&self, store: &mut [Descriptor], ring: Ring, port: PortId) {
        if let Some(newest) = store.get_mut(self.place(ring, self.packets.wrapping_sub(1))) {
            newest.count_at::<B>(port);
        }
    }

    /// A packet comes behind the others. Says whether there are none.
    ///
    /// # Errors
    /// When there is no place for it; nothing changes.
    #[inline]
    pub fn push(
        &mut self,
        store: &mut [Descriptor],
        ring: Ring,
        packet: &Packet,
    ) -> Result<bool, ProtocolError> {
        if self.packets >= ring.places {
            return Err(ProtocolError::TooManyPackets);
        }
        let place = self.place(ring, self.packets);
        *store.get_mut(place).ok_or(ProtocolError::TooManyPackets)? = Descriptor::new::<B>(packet);
        self.packets = self.packets.wrapping_add(1);
        Ok(self.packets == 1)
    }

    /// These are the candidates of the front packet, or of the one behind a tail, and what it requests of them.
    #[inline]
    pub fn show(&mut self, candidates: &Candidates<B>, request: PortSet<B>) {
        self.vcs = candidates.all_vcs();
        self.candidates.copy_from(candidates);
        self.request = PackedPorts::new(request);
    }

    /// The front packet is counted at this port.
    #[inline(always)]
    pub const fn count(&mut self, minimal: PortId) {
        self.minimal = minimal;
    }

    /// The front packet has left: the one behind it moves up, with the candidates and the request that are here.
    #[inline]
    pub fn finish(&mut self, ring: Ring) {
        self.packets = self.packets.wrapping_sub(1);
        let next = self.front.wrapping_add(1);
        self.front = if next == ring.places { 0 } else { next };
    }
}
