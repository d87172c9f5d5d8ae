//! What a router reports. The only file that knows `defmt` and `log`.

use crate::discard::Discard;
use crate::layout;
use crate::route::{Full, HopKind};
use crate::units::{PortId, VcId};

/// Something that must not happen on a link, or a packet that cannot be routed. The flit or credit is dropped,
/// counted and reported; nothing else changes.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ProtocolError {
    /// No such port or VC.
    NoSuchVc = layout::PROTOCOL_ERROR_NO_SUCH_VC as u8,
    /// The buffer of the VC is full: the neighbour overdrew its credits.
    Overflow = layout::PROTOCOL_ERROR_OVERFLOW as u8,
    /// More packets than the VC has descriptors for.
    TooManyPackets = layout::PROTOCOL_ERROR_TOO_MANY_PACKETS as u8,
    /// A body flit with no packet to belong to.
    BodyWithoutHead = layout::PROTOCOL_ERROR_BODY_WITHOUT_HEAD as u8,
    /// A head flit inside another packet.
    HeadInsidePacket = layout::PROTOCOL_ERROR_HEAD_INSIDE_PACKET as u8,
    /// The last flit comes earlier or later than the header's length says.
    WrongLength = layout::PROTOCOL_ERROR_WRONG_LENGTH as u8,
    /// A packet of no flits.
    NoFlits = layout::PROTOCOL_ERROR_NO_FLITS as u8,
    /// A credit for a buffer that was already empty.
    CreditOverflow = layout::PROTOCOL_ERROR_CREDIT_OVERFLOW as u8,
    /// The routing function offers no candidate.
    NoRoute = layout::PROTOCOL_ERROR_NO_ROUTE as u8,
    /// The routing function offers more sets of candidates than a packet has room for.
    TooManySets = layout::PROTOCOL_ERROR_TOO_MANY_SETS as u8,
}

impl ProtocolError {
    /// How many different ones there are.
    pub const COUNT: usize = layout::PROTOCOL_ERROR_COUNT as usize;

    /// All of them, by number.
    pub const ALL: [Self; Self::COUNT] = [
        Self::NoSuchVc,
        Self::Overflow,
        Self::TooManyPackets,
        Self::BodyWithoutHead,
        Self::HeadInsidePacket,
        Self::WrongLength,
        Self::NoFlits,
        Self::CreditOverflow,
        Self::NoRoute,
        Self::TooManySets,
    ];

    /// A number from 0 to `COUNT − 1`, for counters.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl core::fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NoSuchVc => "there is no such port or virtual channel",
            Self::Overflow => "a flit for a full buffer",
            Self::TooManyPackets => "more packets in a virtual channel than it has descriptors for",
            Self::BodyWithoutHead => "a body flit without a head",
            Self::HeadInsidePacket => "a head flit inside another packet",
            Self::WrongLength => "a packet whose tail is not where its header says",
            Self::NoFlits => "a packet without flits",
            Self::CreditOverflow => "a credit for a buffer that was already empty",
            Self::NoRoute => "a packet that the routing function has no way for",
            Self::TooManySets => "the routing offers more sets than fit",
        })
    }
}

impl core::error::Error for ProtocolError {}

impl From<Full> for ProtocolError {
    fn from(_: Full) -> Self {
        Self::TooManySets
    }
}

/// One event of one router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Event {
    /// A packet left by a port that is not minimal.
    Detoured {
        /// The router's address.
        router: u32,
        /// It came by this port,
        from: PortId,
        /// in this VC,
        vc: VcId,
        /// and left by this one,
        to: PortId,
        /// as this kind of misroute.
        hop: HopKind,
    },
    /// The packet at the front of a VC is discarded.
    Discarded {
        /// The router's address.
        router: u32,
        /// The port that it came by.
        port: PortId,
        /// Its VC.
        vc: VcId,
        /// Why.
        why: Discard,
    },
    /// A neighbour broke the protocol.
    Refused {
        /// The router's address.
        router: u32,
        /// The port.
        port: PortId,
        /// The VC.
        vc: VcId,
        /// What was wrong.
        error: ProtocolError,
    },
}

/// Hands an event to whichever loggers are built in.
#[inline(always)]
pub(crate) fn emit(event: Event) {
    #[cfg(feature = "defmt")]
    defmt::trace!("{}", event);
    #[cfg(feature = "log")]
    log::trace!("{event:?}");
    let _ = event;
}
