//! Stage 4. Virtual channels of an input port: their buffers and their state.
//!
//! ```text
//!        1              2              3
//! Idle ─────► Waiting ─────► Waiting ─────► Active
//!   ▲        (no request)   (requesting)      │ 4
//!   └─────────────────────────────────────────┘   5: to Waiting, when another packet is behind
//!   ▲
//! Idle ◄────► Discarding
//! 1 wait (a head at the front)   2 select   3 activate (the head is granted)   4, 5 finish (the tail is granted)
//! ```
//!
//! Where packets follow each other, the one behind is routed and selected while the tail before it leaves, so that it is
//! requesting as it comes to the front: a packet of L flits takes L cycles.
//!
//! A buffer stores one descriptor per packet and counts flits; the flits themselves are the RTL's business. What changes with
//! every flit ([`Flow`]) is kept apart from what changes with every packet ([`Front`]), so that streaming touches little memory.

mod probe;

use crate::discard::Discard;
use crate::event::ProtocolError;
use crate::header::{Header, Packet, RawHeader, TAG_BITS};
use crate::plan::{Place, Ring};
use crate::route::Candidates;
use crate::units::{Channel, PackedPorts, PortId, PortSet, VcId, VcSet};

/// A packet in a buffer: its header as it was on the wire, and in one word its tag and the output that it is counted at. 16
/// bytes: a router is mostly descriptors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Descriptor {
    header: RawHeader,
    /// The tag in the lowest [`TAG_BITS`] bits, the port of the output above.
    tag_and_counted: u32,
}

impl Descriptor {
    const TAG: u32 = (1 << TAG_BITS) - 1;

    /// Counted at port 0 until [`count_at`](Self::count_at). A tag wider than its place is cut to it.
    #[inline(always)]
    fn new(packet: &Packet) -> Self {
        Self { header: packet.header.emit(), tag_and_counted: packet.tag & Self::TAG }
    }

    #[inline(always)]
    fn packet(&self) -> Packet {
        Packet { header: Header::read(self.header), tag: self.tag_and_counted & Self::TAG }
    }

    /// A forward mark, beside a backward one that it may have.
    fn mark(&mut self) {
        let mut header = Header::read(self.header);
        header.carried = header.carried.with_marks(true, header.carried.backward_mark());
        self.header = header.emit();
    }

    /// Notes the output that a packet is counted at.
    #[inline(always)]
    fn count_at(&mut self, port: PortId) {
        let tag = self.tag_and_counted & Self::TAG;
        self.tag_and_counted = tag | u32::from(port.number()).wrapping_shl(TAG_BITS);
    }

    #[inline(always)]
    const fn counted_at(&self) -> PortId {
        PortId::new(self.tag_and_counted.wrapping_shr(TAG_BITS) as u8)
    }
}

/// What the front packet of a VC is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VcState {
    /// There is no packet.
    #[default]
    Idle,
    /// Its head waits for an output.
    Waiting,
    /// It is leaving.
    Active {
        /// By this port,
        out: PortId,
        /// into this VC.
        vc: VcId,
    },
    /// It is leaving by no output.
    Discarding {
        /// For this reason.
        why: Discard,
    },
}

/// The flits of one VC: what changes with each of them.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    /// Where the front packet is leaving to; or the number of the reason why it is discarded.
    out: PortId,
    /// Into which VC; or what it does instead.
    out_vc: VcId,
    /// Flits in the buffer.
    flits: u16,
    /// Flits of the newest packet that have yet to arrive. Between the two that change as a flit leaves: side by side the compiler changes
    /// them as a vector, which takes longer.
    expected: u16,
    /// Flits of the front packet that have yet to leave.
    left: u16,
}

impl Flow {
    const IDLE: VcId = VcId::new(u8::MAX);
    const WAITING: VcId = VcId::new(u8::MAX - 1);
    const DISCARDING: VcId = VcId::new(u8::MAX - 2);

    /// An empty buffer.
    pub const EMPTY: Self = Self { out: PortId::new(0), out_vc: Self::IDLE, flits: 0, left: 0, expected: 0 };

    /// What the front packet is doing.
    #[inline(always)]
    pub fn state(&self) -> VcState {
        match self.out_vc {
            Self::IDLE => VcState::Idle,
            Self::WAITING => VcState::Waiting,
            Self::DISCARDING => VcState::Discarding { why: Discard::numbered(self.out.number()) },
            vc => VcState::Active { out: self.out, vc },
        }
    }
    /// Whether the front packet is leaving by an output.
    #[inline(always)]
    pub const fn is_active(&self) -> bool {
        self.out_vc.number() < Self::DISCARDING.number()
    }
    /// Whether it waits for one.
    #[inline(always)]
    pub const fn is_waiting(&self) -> bool {
        self.out_vc.number() == Self::WAITING.number()
    }
    /// Whether it is discarded.
    #[inline(always)]
    pub const fn is_discarding(&self) -> bool {
        self.out_vc.number() == Self::DISCARDING.number()
    }
    /// Where to; meaningless for others.
    #[inline(always)]
    pub const fn to(&self) -> Channel {
        Channel::new(self.out, self.out_vc)
    }
    /// Flits in the buffer.
    #[inline(always)]
    pub const fn flits(&self) -> u16 {
        self.flits
    }
    /// Flits of the front packet that have yet to leave.
    #[inline(always)]
    pub const fn left(&self) -> u16 {
        self.left
    }
    /// Whether all that is left of the front packet has arrived.
    #[inline(always)]
    pub const fn is_whole(&self) -> bool {
        self.flits >= self.left
    }

    /// A head of a packet of `length` flits may be written into a buffer of `depth` flits.
    ///
    /// # Errors
    /// When it does not belong here.
    #[inline(always)]
    pub const fn accept_head(&self, length: u16, depth: u16) -> Result<(), ProtocolError> {
        if self.flits >= depth {
            return Err(ProtocolError::Overflow);
        }
        if self.expected > 0 {
            return Err(ProtocolError::HeadInsidePacket);
        }
        if length == 0 { Err(ProtocolError::NoFlits) } else { Ok(()) }
    }

    /// Writes the head of a packet of `length` flits, which has been accepted.
    #[inline(always)]
    pub const fn write_head(&mut self, length: u16) {
        self.flits = self.flits.wrapping_add(1);
        self.expected = length.wrapping_sub(1);
    }

    /// Writes a later flit into a buffer of `depth` flits.
    ///
    /// # Errors
    /// When it does not belong here; the buffer is as it was.
    #[inline(always)]
    pub const fn write_body(&mut self, tail: bool, depth: u16) -> Result<(), ProtocolError> {
        if self.flits >= depth {
            return Err(ProtocolError::Overflow);
        }
        if self.expected == 0 {
            return Err(ProtocolError::BodyWithoutHead);
        }
        if tail != (self.expected == 1) {
            return Err(ProtocolError::WrongLength);
        }
        self.flits = self.flits.wrapping_add(1);
        self.expected = self.expected.wrapping_sub(1);
        Ok(())
    }

    /// The front packet, of `length` flits, waits for an output.
    #[inline(always)]
    pub const fn wait(&mut self, length: u16) {
        self.out_vc = Self::WAITING;
        self.left = length;
    }

    /// The front packet's head is granted: it holds output `out`, VC `vc`.
    #[inline(always)]
    pub const fn activate(&mut self, out: PortId, vc: VcId) {
        (self.out, self.out_vc) = (out, vc);
    }

    /// The front packet, of `length` flits, is discarded.
    pub const fn discard(&mut self, length: u16, why: Discard) {
        (self.out, self.out_vc, self.left) = (PortId::new(why as u8), Self::DISCARDING, length);
    }

    /// One flit of the front packet leaves. Says whether it is the tail.
    #[inline(always)]
    pub const fn read(&mut self) -> bool {
        self.flits = self.flits.wrapping_sub(1);
        self.left = self.left.wrapping_sub(1);
        self.left == 0
    }

    /// The front packet has left.
    #[inline(always)]
    pub const fn finish(&mut self) {
        self.out_vc = Self::IDLE;
    }
}

/// The packets of one VC, and the request of the front one: the state that changes with each packet.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    /// The port that the front packet is counted at and that triggers look at.
    minimal: PortId,
    /// Packets in the buffer, those partly here included.
    packets: Place,
    /// The place of the front packet in the ring of descriptors.
    front: Place,
    /// The outputs that the front packet requests.
    request: PackedPorts,
    /// The VCs of all its candidates, looked at in each cycle in which it waits.
    vcs: VcSet,
    candidates: Candidates,
}

impl Front {
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
    pub const fn request(&self) -> PortSet {
        self.request.get()
    }
    /// The front packet's candidates.
    #[inline(always)]
    pub const fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// The VCs of all the front packet's candidates.
    #[inline(always)]
    pub(crate) const fn vcs(&self) -> VcSet {
        self.vcs
    }

    /// Sets the outputs that the front packet requests.
    #[inline(always)]
    pub const fn ask(&mut self, request: PortSet) {
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
        if self.packets < 2 { None } else { store.get(self.place(ring, 1)).map(Descriptor::packet) }
    }

    /// The output that the packet behind the front one was counted at when it arrived.
    #[inline(always)]
    pub fn counted_behind(&self, store: &[Descriptor], ring: Ring) -> Option<PortId> {
        store.get(self.place(ring, 1)).map(Descriptor::counted_at)
    }

    /// Notes at which output the packet behind the front one will be counted.
    #[inline(always)]
    pub fn count_behind(&self, store: &mut [Descriptor], ring: Ring, port: PortId) {
        if let Some(behind) = store.get_mut(self.place(ring, 1)) {
            behind.count_at(port);
        }
    }

    /// The front packet, if there is one.
    #[inline(always)]
    pub fn packet(&self, store: &[Descriptor], ring: Ring) -> Option<Packet> {
        if self.packets == 0 { None } else { store.get(self.place(ring, 0)).map(Descriptor::packet) }
    }

    /// The output that the front packet was counted at before it came to the front.
    #[inline(always)]
    pub fn counted_before(&self, store: &[Descriptor], ring: Ring) -> Option<PortId> {
        store.get(self.place(ring, 0)).map(Descriptor::counted_at)
    }

    /// The newest packet.
    pub fn newest(&self, store: &[Descriptor], ring: Ring) -> Option<Packet> {
        let place = self.packets.checked_sub(1)?;
        store.get(self.place(ring, place)).map(Descriptor::packet)
    }

    /// Marks the newest packet: it has met congestion.
    pub fn mark_newest(&self, store: &mut [Descriptor], ring: Ring) {
        if let Some(newest) = store.get_mut(self.place(ring, self.packets.wrapping_sub(1))) {
            newest.mark();
        }
    }

    /// Notes at which output the newest packet is counted.
    #[inline]
    pub fn count_newest(&self, store: &mut [Descriptor], ring: Ring, port: PortId) {
        if let Some(newest) = store.get_mut(self.place(ring, self.packets.wrapping_sub(1))) {
            newest.count_at(port);
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
        *store.get_mut(place).ok_or(ProtocolError::TooManyPackets)? = Descriptor::new(packet);
        self.packets = self.packets.wrapping_add(1);
        Ok(self.packets == 1)
    }

    /// These are the candidates of the front packet, or of the one behind a tail, and what it requests of them.
    #[inline]
    pub fn show(&mut self, candidates: &Candidates, request: PortSet) {
        self.vcs = candidates.all_vcs();
        self.candidates = *candidates;
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

/// One VC of an input port, to look at.
#[derive(Clone, Copy, Debug)]
pub struct InputVc {
    pub(crate) flow: Flow,
    pub(crate) front: Front,
}

impl InputVc {
    /// What the front packet is doing.
    pub fn state(&self) -> VcState {
        self.flow.state()
    }
    /// The port that the front packet is counted at.
    pub const fn minimal(&self) -> PortId {
        self.front.minimal
    }
    /// Flits in the buffer.
    pub const fn flits(&self) -> u16 {
        self.flow.flits
    }
    /// Packets in the buffer.
    pub const fn packets(&self) -> u16 {
        self.front.packets()
    }
    /// Flits of the front packet that have yet to leave.
    pub const fn left(&self) -> u16 {
        self.flow.left
    }
    /// Flits of the newest packet that have yet to arrive.
    pub const fn expected(&self) -> u16 {
        self.flow.expected
    }
    /// The outputs that the front packet requests.
    pub const fn request(&self) -> PortSet {
        self.front.request()
    }
    /// The front packet's candidates.
    pub const fn candidates(&self) -> &Candidates {
        self.front.candidates()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Where a packet is counted depends on no bit of its header, and changes none.
        #[test]
        fn a_descriptor_keeps_header_tag_and_counted_output(
            words: [u32; crate::header::WORDS], tag: u32, first in 0u8..64, port in 0u8..64,
        ) {
            let packet = Packet { header: Header::read(RawHeader(words)), tag };
            let kept = Packet { tag: tag & Descriptor::TAG, ..packet };
            let mut one = Descriptor::new(&packet);
            one.count_at(PortId::new(first));
            one.count_at(PortId::new(port));
            prop_assert_eq!(one.packet(), kept);
            prop_assert_eq!(one.packet().header.emit(), RawHeader(words));
            prop_assert_eq!(one.counted_at(), PortId::new(port));
            prop_assert_eq!(size_of::<Descriptor>(), 16);
        }
    }
}
