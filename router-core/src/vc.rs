//! Stage 4. Virtual channels of an input port: their buffers and their state.
//!
//! ```text
//!        1              2              3
//! Idle ─────► Waiting ─────► Waiting ─────► Active
//!   ▲        (no request)   (requesting)      │ 4
//!   └─────────────────────────────────────────┘   5: to Waiting, when another packet is behind
//! 1 InputVc::show (a head at the front)   2 select   3 InputVc::activate (the head is granted)
//! 4, 5 InputVc::finish (the tail is granted)
//! ```
//!
//! A buffer stores one descriptor per packet and counts flits; the flits themselves are the RTL's business.

use crate::event::ProtocolError;
use crate::header::{Flit, Packet};
use crate::route::Candidates;
use crate::units::{PortId, PortSet, VcId, VcSet};

/// A packet in a buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Descriptor {
    packet: Packet,
    /// The output it is counted at.
    counted_at: PortId,
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
}

/// One VC of an input port.
#[derive(Clone, Copy, Debug)]
pub struct InputVc {
    state: VcState,
    /// The port that the front packet is counted at and that triggers look at.
    minimal: PortId,
    /// Flits in the buffer.
    flits: u16,
    /// Flits of the front packet that have yet to leave.
    left: u16,
    /// Flits of the newest packet that have yet to arrive.
    expected: u16,
    /// Packets in the buffer, those partly here included.
    packets: u16,
    /// The ring of descriptors: its first place in the store, its length, and the front.
    base: u32,
    places: u16,
    front: u16,
    /// The outputs that the front packet asks for.
    request: PortSet,
    candidates: Candidates,
}

impl InputVc {
    /// An empty buffer whose descriptors are `places` places of the store from `base` on.
    pub const fn new(base: u32, places: u16) -> Self {
        Self {
            state: VcState::Idle,
            minimal: PortId::new(0),
            flits: 0,
            left: 0,
            expected: 0,
            packets: 0,
            base,
            places,
            front: 0,
            request: PortSet::EMPTY,
            candidates: Candidates::NONE,
        }
    }

    /// What the front packet is doing.
    #[inline(always)]
    pub const fn state(&self) -> VcState {
        self.state
    }
    /// The port that the front packet is counted at.
    #[inline(always)]
    pub const fn minimal(&self) -> PortId {
        self.minimal
    }
    /// Flits in the buffer.
    #[inline(always)]
    pub const fn flits(&self) -> u16 {
        self.flits
    }
    /// Packets in the buffer.
    #[inline(always)]
    pub const fn packets(&self) -> u16 {
        self.packets
    }
    /// Flits of the front packet that have yet to leave.
    #[inline(always)]
    pub const fn left(&self) -> u16 {
        self.left
    }
    /// Flits of the newest packet that have yet to arrive.
    #[inline(always)]
    pub const fn expected(&self) -> u16 {
        self.expected
    }
    /// Whether all that is left of the front packet has arrived.
    #[inline(always)]
    pub const fn is_whole(&self) -> bool {
        self.flits >= self.left
    }
    /// The outputs that the front packet asks for.
    #[inline(always)]
    pub const fn request(&self) -> PortSet {
        self.request
    }
    /// The front packet's candidates.
    #[inline(always)]
    pub const fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// Sets what the front packet asks for.
    #[inline(always)]
    pub const fn ask(&mut self, request: PortSet) {
        self.request = request;
    }

    #[inline(always)]
    fn place(&self, nth: u16) -> usize {
        let ahead = u32::from(self.front).wrapping_add(u32::from(nth));
        let places = u32::from(self.places);
        let turned = if ahead >= places { ahead.wrapping_sub(places) } else { ahead };
        self.base.wrapping_add(turned) as usize
    }

    /// The front packet, if there is one.
    #[inline(always)]
    pub fn front_packet(&self, store: &[Descriptor]) -> Option<Packet> {
        if self.packets == 0 { None } else { store.get(self.place(0)).map(|d| d.packet) }
    }

    /// The output that the front packet was counted at when it arrived.
    #[inline(always)]
    pub fn counted_on_arrival(&self, store: &[Descriptor]) -> Option<PortId> {
        store.get(self.place(0)).map(|d| d.counted_at)
    }

    /// Notes at which output the newest packet is counted.
    #[inline]
    pub fn count_newest(&self, store: &mut [Descriptor], port: PortId) {
        if let Some(newest) = store.get_mut(self.place(self.packets.wrapping_sub(1))) {
            newest.counted_at = port;
        }
    }

    /// Whether a flit may enter a buffer of `depth` flits.
    fn admit(&self, flit: &Flit, depth: u16) -> Result<(), ProtocolError> {
        if self.flits >= depth {
            return Err(ProtocolError::Overflow);
        }
        match flit {
            Flit::Head(_) if self.expected > 0 => Err(ProtocolError::HeadInsidePacket),
            Flit::Head(packet) if packet.header.length == 0 => Err(ProtocolError::NoFlits),
            Flit::Head(_) if self.packets >= self.places => Err(ProtocolError::TooManyPackets),
            Flit::Head(_) => Ok(()),
            Flit::Body { .. } if self.expected == 0 => Err(ProtocolError::BodyWithoutHead),
            Flit::Body { tail } if *tail != (self.expected == 1) => Err(ProtocolError::WrongLength),
            Flit::Body { .. } => Ok(()),
        }
    }

    /// Writes a flit into a buffer of `depth` flits. Says whether it brought a packet to the front.
    ///
    /// # Errors
    /// When the flit does not belong here; the buffer is as it was.
    #[inline]
    pub fn write(&mut self, store: &mut [Descriptor], flit: Flit, depth: u16) -> Result<bool, ProtocolError> {
        self.admit(&flit, depth)?;
        let mut fronts = false;
        match flit {
            Flit::Head(packet) => {
                let place = store.get_mut(self.place(self.packets)).ok_or(ProtocolError::TooManyPackets)?;
                *place = Descriptor { packet, counted_at: PortId::new(0) };
                self.packets = self.packets.wrapping_add(1);
                self.expected = packet.header.length.wrapping_sub(1);
                fronts = self.packets == 1;
            }
            Flit::Body { .. } => self.expected = self.expected.wrapping_sub(1),
        }
        self.flits = self.flits.wrapping_add(1);
        Ok(fronts)
    }

    /// The front packet is shown to selection, with its candidates.
    #[inline]
    pub fn show(&mut self, length: u16, candidates: Candidates, minimal: PortId) {
        self.state = VcState::Waiting;
        self.left = length;
        self.candidates = candidates;
        self.minimal = minimal;
        self.request = PortSet::EMPTY;
    }

    /// The front packet's head is granted: it holds output `out`, VC `vc`.
    #[inline(always)]
    pub const fn activate(&mut self, out: PortId, vc: VcId) {
        self.state = VcState::Active { out, vc };
        self.request = PortSet::only(out);
    }

    /// One flit of the front packet leaves. Says whether it is the tail.
    #[inline(always)]
    pub const fn read(&mut self) -> bool {
        self.flits = self.flits.wrapping_sub(1);
        self.left = self.left.wrapping_sub(1);
        self.left == 0
    }

    /// The front packet has left: the one behind it moves up, or the VC falls idle.
    #[inline]
    pub fn finish(&mut self) {
        self.state = VcState::Idle;
        self.request = PortSet::EMPTY;
        self.packets = self.packets.wrapping_sub(1);
        let next = self.front.wrapping_add(1);
        self.front = if next == self.places { 0 } else { next };
    }
}

/// The VCs of one input port, with masks of those that matter in a cycle.
#[derive(Clone, Copy, Debug)]
pub struct InputPort<const V: usize> {
    vcs: [InputVc; V],
    /// VCs that hold a flit.
    pub occupied: VcSet,
    /// VCs whose front packet waits for an output.
    pub waiting: VcSet,
}

impl<const V: usize> InputPort<V> {
    /// Empty buffers; `rings[vc]` are base and length of each one's descriptors.
    pub fn new(rings: [(u32, u16); V]) -> Self {
        Self {
            vcs: rings.map(|(base, places)| InputVc::new(base, places)),
            occupied: VcSet::EMPTY,
            waiting: VcSet::EMPTY,
        }
    }
    /// One VC.
    #[inline(always)]
    pub fn vc(&self, vc: VcId) -> Option<&InputVc> {
        self.vcs.get(vc.index())
    }
    /// One VC, to change it.
    #[inline(always)]
    pub fn vc_mut(&mut self, vc: VcId) -> Option<&mut InputVc> {
        self.vcs.get_mut(vc.index())
    }
}
