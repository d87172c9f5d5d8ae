//! What a buffer stores of a packet.

use crate::header::{Header, Packet, RawHeader, TAG_BITS};
use crate::units::PortId;

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
    pub(super) fn new(packet: &Packet) -> Self {
        Self { header: packet.header.emit(), tag_and_counted: packet.tag & Self::TAG }
    }

    #[inline(always)]
    pub(super) fn packet(&self) -> Packet {
        Packet { header: Header::read(self.header), tag: self.tag_and_counted & Self::TAG }
    }

    /// A forward mark, beside a backward one that it may have.
    pub(super) fn mark(&mut self) {
        let mut header = Header::read(self.header);
        header.carried = header.carried.with_marks(true, header.carried.backward_mark());
        self.header = header.emit();
    }

    /// Notes the output that a packet is counted at.
    #[inline(always)]
    pub(super) fn count_at(&mut self, port: PortId) {
        let tag = self.tag_and_counted & Self::TAG;
        self.tag_and_counted = tag | u32::from(port.number()).wrapping_shl(TAG_BITS);
    }

    #[inline(always)]
    pub(super) const fn counted_at(&self) -> PortId {
        PortId::new(self.tag_and_counted.wrapping_shr(TAG_BITS) as u8)
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
