//! Stage 1. The header: its bits, which never fail, and its meaning, which is always legal.
//!
//! ```text
//!          31           22 21       18 17                     0
//! word 2   | length      | class     | via                     |
//!          31             24 23     18 17                     0
//! word 1   | spare         | port    | router    of the source |
//!          31   30 29     24 23     18 17                     0
//! word 0   | marks | progress | port | router    of the destination |
//! ```
//!
//! Word 0 is the lowest. The marks are bit 30 (forward, FECN) and bit 31 (backward, BECN).

mod carried;
mod progress;

use crate::layout;
pub use crate::layout::{LENGTH_BITS, ROUTER_BITS};
pub use carried::Carried;
pub use progress::Progress;

/// Where a node is: a router, in the numbering of the routing function, and the port of it that leads to the node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Address {
    /// The router's address, 18 bits. What its bits mean is the routing function's business: group and index in
    /// a Dragonfly, coordinates in a grid, a row of the table otherwise.
    pub router: u32,
    /// The port, 6 bits; 8 in a network of routers with more than 64 ports, whose headers go by no wires.
    pub port: u8,
}

/// Words of 32 bits of a header.
pub const WORDS: usize = layout::HEADER_WORDS as usize;

/// The bits on the wire, 32 to a word, the lowest first. Any pattern may arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RawHeader(pub [u32; WORDS]);

impl RawHeader {
    const EMPTY: Self = Self([0; WORDS]);

    /// The field of `bits` bits from bit `at` on. No field lies across two words.
    #[inline(always)]
    fn field(&self, at: u32, bits: u32) -> u32 {
        let word = self.0.get((at / u32::BITS) as usize).copied().unwrap_or_default();
        word.wrapping_shr(at) & ones(bits)
    }

    /// Replaces a field.
    #[inline]
    pub(crate) fn put(&mut self, at: u32, bits: u32, value: u32) {
        if let Some(word) = self.0.get_mut((at / u32::BITS) as usize) {
            *word &= !ones(bits).wrapping_shl(at);
        }
        *self = self.with(at, bits, value);
    }

    /// Adds a field to bits that are 0; one wider than its place is cut to it.
    #[inline(always)]
    fn with(mut self, at: u32, bits: u32, value: u32) -> Self {
        if let Some(word) = self.0.get_mut((at / u32::BITS) as usize) {
            *word |= (value & ones(bits)).wrapping_shl(at);
        }
        self
    }
}

/// As one number, word 0 lowest.
impl From<RawHeader> for u128 {
    fn from(raw: RawHeader) -> Self {
        raw.0.iter().rev().fold(0, |bits, &word| bits.wrapping_shl(u32::BITS) | Self::from(word))
    }
}

const fn ones(bits: u32) -> u32 {
    u32::MAX.wrapping_shr(u32::BITS.wrapping_sub(bits))
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
    /// What the packet brings along and no router reads.
    pub carried: Carried,
}

/// Why the bits are not a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum HeaderError {
    /// A packet has at least one flit.
    NoLength,
}

impl core::fmt::Display for HeaderError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NoLength => "the header announces a packet without flits",
        })
    }
}

impl core::error::Error for HeaderError {}

impl Header {
    /// Reads any bits; fails only if they mean nothing.
    ///
    /// # Errors
    /// When the length is 0.
    pub fn parse(raw: RawHeader) -> Result<Self, HeaderError> {
        let header = Self::read(raw);
        if header.length == 0 { Err(HeaderError::NoLength) } else { Ok(header) }
    }

    /// What the bits say, a length of 0 included.
    #[inline]
    pub(crate) fn read(raw: RawHeader) -> Self {
        use layout::*;
        let marks = raw.field(MARKS_AT, MARKS_BITS).wrapping_shl(SERVICE_LEVEL_BITS);
        Self {
            to: Address {
                router: raw.field(ROUTER_AT, ROUTER_BITS),
                port: raw.field(PORT_AT, PORT_BITS) as u8,
            },
            via: raw.field(VIA_AT, VIA_BITS),
            length: raw.field(LENGTH_AT, LENGTH_BITS) as u16,
            progress: Progress(raw.field(PROGRESS_AT, PROGRESS_BITS) as u8),
            carried: Carried {
                source: raw.field(SOURCE_AT, SOURCE_BITS).to_le_bytes(),
                level_and_marks: (raw.field(SERVICE_LEVEL_AT, SERVICE_LEVEL_BITS) | marks) as u8,
            },
        }
    }

    /// The bits. Never fails; a field wider than its place is cut to it.
    #[inline]
    pub fn emit(self) -> RawHeader {
        use layout::*;
        let level_and_marks = u32::from(self.carried.level_and_marks);
        RawHeader::EMPTY
            .with(ROUTER_AT, ROUTER_BITS, self.to.router)
            .with(PORT_AT, PORT_BITS, self.to.port.into())
            .with(VIA_AT, VIA_BITS, self.via)
            .with(LENGTH_AT, LENGTH_BITS, self.length.into())
            .with(PROGRESS_AT, PROGRESS_BITS, self.progress.0.into())
            .with(SOURCE_AT, SOURCE_BITS, u32::from_le_bytes(self.carried.source))
            .with(SERVICE_LEVEL_AT, SERVICE_LEVEL_BITS, level_and_marks)
            .with(MARKS_AT, MARKS_BITS, level_and_marks.wrapping_shr(SERVICE_LEVEL_BITS))
    }
}

/// Where routers with more than 64 ports keep what a port has beyond the bits of its field: in the spare byte, which is 0 as a packet leaves
/// them.
const HIGH_AT: u32 = layout::SOURCE_AT + layout::SOURCE_SPARE_AT;
const HIGH_BITS: u32 = u8::BITS - layout::PORT_BITS;

impl RawHeader {
    /// The bits of a header in a buffer of such a router.
    pub(crate) fn wide(header: &Header) -> Self {
        let mut raw = header.emit();
        raw.put(
            HIGH_AT,
            layout::SOURCE_SPARE_BITS,
            u32::from(header.to.port).wrapping_shr(layout::PORT_BITS),
        );
        raw
    }

    /// What they say.
    pub(crate) fn wide_header(self) -> Header {
        let mut header = Header::read(self);
        header.to.port |= (self.field(HIGH_AT, HIGH_BITS) as u8).wrapping_shl(layout::PORT_BITS);
        header.carried = header.carried.with_spare(0);
        header
    }

    /// A number beside the header, of as many bits as a port has too many.
    pub(crate) fn keep_beside(&mut self, number: u8) {
        self.put(HIGH_AT + HIGH_BITS, HIGH_BITS, number.into());
    }

    /// That number.
    pub(crate) fn beside(&self) -> u8 {
        self.field(HIGH_AT + HIGH_BITS, HIGH_BITS) as u8
    }
}

/// Bits of a packet's tag that a router keeps: what the number of a port leaves of a word.
pub const TAG_BITS: u32 = u32::BITS.wrapping_sub(layout::PORT_BITS);

/// A packet as a router stores it: the header, and a tag that stands for the payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Packet {
    /// The header.
    pub header: Header,
    /// Carried along and never read: a number by which the owner finds the payload. Its lowest [`TAG_BITS`] bits are kept.
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
        fn what_is_emitted_is_parsed(to in address(), via in 0u32..1 << 18, length in 1u16..1024,
                                     progress in 0u8..64, carried in carried()) {
            let header = Header { to, via, length, progress: Progress(progress), carried };
            prop_assert_eq!(Header::parse(header.emit()), Ok(header));
        }

        #[test]
        fn each_part_that_is_carried_is_its_own(was in carried(), source in address(), class in 0u8..16,
                                                spare: u8, marks: (bool, bool)) {
            let parts = |of: Carried| (of.source(), of.level(), of.spare(), (of.forward_mark(), of.backward_mark()));
            let (old_source, old_class, old_spare, old_marks) = parts(was);
            prop_assert_eq!(parts(was.with_source(source)), (source, old_class, old_spare, old_marks));
            prop_assert_eq!(parts(was.with_level(class)), (old_source, class, old_spare, old_marks));
            prop_assert_eq!(parts(was.with_spare(spare)), (old_source, old_class, spare, old_marks));
            prop_assert_eq!(parts(was.with_marks(marks.0, marks.1)), (old_source, old_class, old_spare, marks));
        }

        #[test]
        fn any_bits_are_refused_or_understood_in_full(words: [u32; WORDS]) {
            match Header::parse(RawHeader(words)) {
                Ok(header) => prop_assert_eq!(header.emit(), RawHeader(words)),
                Err(HeaderError::NoLength) => prop_assert_eq!(words[WORDS - 1] >> 22, 0),
            }
        }
    }

    fn carried() -> impl Strategy<Value = Carried> {
        (address(), 0u8..16, any::<(u8, bool, bool)>()).prop_map(
            |(source, class, (spare, forward, backward))| {
                let carried = Carried::default().with_source(source).with_level(class).with_spare(spare);
                carried.with_marks(forward, backward)
            },
        )
    }

    fn address() -> impl Strategy<Value = Address> {
        (0u32..1 << 18, 0u8..64).prop_map(|(router, port)| Address { router, port })
    }

    #[test]
    fn an_eighth_local_misroute_does_not_spill_over() {
        let seven = (0..7).fold(Progress::default(), |p, _| p.with_local_misroute());
        assert_eq!(seven.with_local_misroute(), seven);
        assert!(!seven.left_origin());
    }
}
