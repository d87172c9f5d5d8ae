//! Stage 1. The header: its bits, which never fail, and its meaning, which is always legal.
//!
//! ```text
//! 63       54 53          46 45        28 27     22 21         4 3 … 0
//! | length   | progress     | via        | port    | router     | 0   |
//! ```

use crate::layout::{
    LENGTH_AT, PORT_AT, PORT_BITS, PROGRESS_AT, PROGRESS_BITS, PROGRESS_LEFT_ORIGIN_AT,
    PROGRESS_LOCAL_MISROUTES_BITS, PROGRESS_MUST_LEAVE_AT, PROGRESS_VIA_AHEAD_AT, RESERVED_BITS, ROUTER_AT,
    VIA_AT, VIA_BITS,
};
pub use crate::layout::{LENGTH_BITS, ROUTER_BITS};

/// Where a node is: a router, in the numbering of the routing function, and the port of it that leads to the node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Address {
    /// The router's address, 18 bits. What its bits mean is the routing function's business: group and index in
    /// a Dragonfly, coordinates in a grid, a row of the table otherwise.
    pub router: u32,
    /// The port, 6 bits.
    pub port: u8,
}

/// The 64 bits on the wire, of which any pattern may arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RawHeader(pub u64);

/// What a packet has done on its way so far: the bits that a detour leaves behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Progress(u8);

impl Progress {
    const LOCAL_MISROUTES: u8 = (1 << PROGRESS_LOCAL_MISROUTES_BITS) - 1;
    const LEFT_ORIGIN: u8 = 1 << PROGRESS_LEFT_ORIGIN_AT;
    const MUST_LEAVE: u8 = 1 << PROGRESS_MUST_LEAVE_AT;
    const VIA_AHEAD: u8 = 1 << PROGRESS_VIA_AHEAD_AT;

    /// Local misroutes taken, 0…7, in the scope that the routing counts in.
    pub const fn local_misroutes(self) -> u8 {
        self.0 & Self::LOCAL_MISROUTES
    }
    /// Whether a global link has been crossed: the packet is no longer in its origin group.
    pub const fn left_origin(self) -> bool {
        self.0 & Self::LEFT_ORIGIN != 0
    }
    /// Whether the next hop has to be global (mandatory exit after a local misroute in the origin group).
    pub const fn must_leave(self) -> bool {
        self.0 & Self::MUST_LEAVE != 0
    }
    /// Whether the intermediate point is still ahead.
    pub const fn via_ahead(self) -> bool {
        self.0 & Self::VIA_AHEAD != 0
    }
    /// One local misroute more; the count stays at 7.
    #[must_use]
    pub const fn with_local_misroute(self) -> Self {
        if self.local_misroutes() == Self::LOCAL_MISROUTES { self } else { Self(self.0.wrapping_add(1)) }
    }
    /// The count of local misroutes back at 0.
    #[must_use]
    pub const fn without_local_misroutes(self) -> Self {
        Self(self.0 & !Self::LOCAL_MISROUTES)
    }
    /// A global link has been crossed, which also fulfils the duty to leave.
    #[must_use]
    pub const fn with_origin_left(self) -> Self {
        Self((self.0 | Self::LEFT_ORIGIN) & !Self::MUST_LEAVE)
    }
    /// The next hop has to be global.
    #[must_use]
    pub const fn with_duty_to_leave(self) -> Self {
        Self(self.0 | Self::MUST_LEAVE)
    }
    /// The intermediate point is ahead, or behind.
    #[must_use]
    pub const fn with_via_ahead(self, ahead: bool) -> Self {
        if ahead { Self(self.0 | Self::VIA_AHEAD) } else { Self(self.0 & !Self::VIA_AHEAD) }
    }
}

/// The fields of a head flit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Header {
    /// The destination.
    pub to: Address,
    /// The intermediate router or group, where the routing uses one.
    pub via: u32,
    /// Flits of the packet, head and tail included, 1…1023.
    pub length: u16,
    /// What the packet has done so far.
    pub progress: Progress,
}

/// Why 64 bits are not a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum HeaderError {
    /// A packet has at least one flit.
    NoLength,
    /// The four lowest and two highest progress bits are 0.
    ReservedBits,
}

impl core::fmt::Display for HeaderError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NoLength => "the header announces a packet without flits",
            Self::ReservedBits => "the header has reserved bits set",
        })
    }
}

impl core::error::Error for HeaderError {}

/// Bits that no header sets: the lowest ones, and the progress bits without a meaning.
const RESERVED: u64 = field(u64::MAX, 0, RESERVED_BITS)
    | field(0xff << (PROGRESS_VIA_AHEAD_AT + 1), PROGRESS_AT, PROGRESS_BITS);

const fn field(value: u64, at: u32, bits: u32) -> u64 {
    (value & (1u64.wrapping_shl(bits).wrapping_sub(1))).wrapping_shl(at)
}

const fn taken(raw: u64, at: u32, bits: u32) -> u64 {
    raw.wrapping_shr(at) & (1u64.wrapping_shl(bits).wrapping_sub(1))
}

impl Header {
    /// Reads any 64 bits; fails only if they mean nothing.
    ///
    /// # Errors
    /// When the length is 0 or a reserved bit is set.
    pub const fn parse(raw: RawHeader) -> Result<Self, HeaderError> {
        let length = taken(raw.0, LENGTH_AT, LENGTH_BITS) as u16;
        if length == 0 {
            return Err(HeaderError::NoLength);
        }
        if raw.0 & RESERVED != 0 {
            return Err(HeaderError::ReservedBits);
        }
        Ok(Self::read(raw))
    }

    /// The header in bits that were packed from one; reserved bits are ignored.
    #[inline]
    pub(crate) const fn read(raw: RawHeader) -> Self {
        Self {
            to: Address {
                router: taken(raw.0, ROUTER_AT, ROUTER_BITS) as u32,
                port: taken(raw.0, PORT_AT, PORT_BITS) as u8,
            },
            via: taken(raw.0, VIA_AT, VIA_BITS) as u32,
            length: taken(raw.0, LENGTH_AT, LENGTH_BITS) as u16,
            progress: Progress(taken(raw.0, PROGRESS_AT, PROGRESS_VIA_AHEAD_AT + 1) as u8),
        }
    }

    /// The bits. Never fails; a field wider than its place is cut to it.
    pub const fn emit(self) -> RawHeader {
        RawHeader(
            field(self.to.router as u64, ROUTER_AT, ROUTER_BITS)
                | field(self.to.port as u64, PORT_AT, PORT_BITS)
                | field(self.via as u64, VIA_AT, VIA_BITS)
                | field(self.progress.0 as u64, PROGRESS_AT, PROGRESS_BITS)
                | field(self.length as u64, LENGTH_AT, LENGTH_BITS),
        )
    }
}

/// A packet as a router stores it: the header, and a tag that stands for the payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Packet {
    /// The header.
    pub header: Header,
    /// Carried along and never read: the payload, or a number by which the owner finds it.
    pub tag: u32,
}

/// What crosses a link in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Flit {
    /// The first flit of a packet; also the last one when `header.length` is 1.
    Head(Packet),
    /// A later one.
    Body {
        /// Whether it is the last.
        tail: bool,
    },
}

impl Flit {
    /// Whether it is the last flit of its packet.
    #[inline(always)]
    pub const fn is_tail(&self) -> bool {
        match self {
            Self::Head(packet) => packet.header.length == 1,
            Self::Body { tail } => *tail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_emitted_is_parsed(router in 0u32..1 << 18, port in 0u8..64, via in 0u32..1 << 18,
                                     length in 1u16..1024, progress in 0u8..64) {
            let header = Header { to: Address { router, port }, via, length, progress: Progress(progress) };
            prop_assert_eq!(Header::parse(header.emit()), Ok(header));
        }

        #[test]
        fn any_bits_are_refused_or_understood_in_full(raw: u64) {
            if let Ok(header) = Header::parse(RawHeader(raw)) {
                prop_assert_eq!(header.emit(), RawHeader(raw));
            }
        }
    }

    #[test]
    fn an_eighth_local_misroute_does_not_spill_over() {
        let seven = (0..7).fold(Progress::default(), |p, _| p.with_local_misroute());
        assert_eq!(seven.with_local_misroute(), seven);
        assert!(!seven.left_origin());
    }
}
