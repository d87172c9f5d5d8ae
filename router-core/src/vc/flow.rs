//! What changes with every flit of a VC.

mod probe;

use super::VcState;
use crate::discard::Discard;
use crate::event::ProtocolError;
use crate::units::{Channel, PortId, VcId};

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

    /// All flits of the front packet, of `length` flits, are in the buffer again: it waits.
    pub const fn put_back_all(&mut self, length: u16) {
        self.flits = self.flits.wrapping_add(length);
        self.wait(length);
    }

    /// The front packet has left.
    #[inline(always)]
    pub const fn finish(&mut self) {
        self.out_vc = Self::IDLE;
    }
}
