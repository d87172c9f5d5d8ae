//! The fields of a header that routers pass on unread.

use super::{Address, ones};
use crate::layout;

/// What a router passes on unread: source, service level, marks of congestion, of which it may set the forward one, and a spare byte.
///
/// Packed as on the wire, since a hop only copies it; in bytes, since they leave no gap in a [`Header`](super::Header).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Carried {
    /// The field `source` of a header.
    pub(super) source: [u8; 4],
    /// The fields `service_level`, lowest, and `marks` above it.
    pub(super) level_and_marks: u8,
}

impl Carried {
    const FORWARD: u8 = 1 << (layout::SERVICE_LEVEL_BITS + layout::MARKS_FORWARD_AT);
    const BACKWARD: u8 = 1 << (layout::SERVICE_LEVEL_BITS + layout::MARKS_BACKWARD_AT);

    /// The source of the packet.
    pub const fn source(self) -> Address {
        let router = self.part(layout::SOURCE_ROUTER_AT, layout::SOURCE_ROUTER_BITS);
        let port = self.part(layout::SOURCE_PORT_AT, layout::SOURCE_PORT_BITS);
        Address { router, port: port as u8 }
    }
    /// A byte without a meaning of its own.
    pub const fn spare(self) -> u8 {
        self.part(layout::SOURCE_SPARE_AT, layout::SOURCE_SPARE_BITS) as u8
    }
    /// The service level, 0…15.
    pub const fn level(self) -> u8 {
        self.level_and_marks & ones(layout::SERVICE_LEVEL_BITS) as u8
    }
    /// Forward explicit congestion notification (FECN): the packet has met congestion.
    pub const fn forward_mark(self) -> bool {
        self.level_and_marks & Self::FORWARD != 0
    }
    /// Backward explicit congestion notification (BECN): the receiver's own packets have met congestion.
    pub const fn backward_mark(self) -> bool {
        self.level_and_marks & Self::BACKWARD != 0
    }
    /// With this source, its fields cut to their width.
    #[must_use]
    pub const fn with_source(self, source: Address) -> Self {
        let with_router = self.with_part(layout::SOURCE_ROUTER_AT, layout::SOURCE_ROUTER_BITS, source.router);
        with_router.with_part(layout::SOURCE_PORT_AT, layout::SOURCE_PORT_BITS, source.port as u32)
    }
    /// With this spare byte.
    #[must_use]
    pub const fn with_spare(self, spare: u8) -> Self {
        self.with_part(layout::SOURCE_SPARE_AT, layout::SOURCE_SPARE_BITS, spare as u32)
    }
    /// With this service level, cut to its width.
    #[must_use]
    pub const fn with_level(self, level: u8) -> Self {
        let mask = ones(layout::SERVICE_LEVEL_BITS) as u8;
        Self { level_and_marks: self.level_and_marks & !mask | level & mask, ..self }
    }
    /// With this mark of congestion forward and backward.
    #[must_use]
    pub const fn with_marks(self, forward: bool, backward: bool) -> Self {
        let forward = if forward { Self::FORWARD } else { 0 };
        let backward = if backward { Self::BACKWARD } else { 0 };
        Self { level_and_marks: self.level() | forward | backward, ..self }
    }

    const fn part(self, at: u32, bits: u32) -> u32 {
        u32::from_le_bytes(self.source).wrapping_shr(at) & ones(bits)
    }
    const fn with_part(self, at: u32, bits: u32, value: u32) -> Self {
        let others = u32::from_le_bytes(self.source) & !ones(bits).wrapping_shl(at);
        Self { source: (others | (value & ones(bits)).wrapping_shl(at)).to_le_bytes(), ..self }
    }
}

impl core::fmt::Debug for Carried {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Carried")
            .field("source", &self.source())
            .field("level", &self.level())
            .field("forward_mark", &self.forward_mark())
            .field("backward_mark", &self.backward_mark())
            .field("spare", &self.spare())
            .finish()
    }
}
