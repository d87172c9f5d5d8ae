//! What a buffer stores of a packet.

use crate::header::{Header, Packet, RawHeader, TAG_BITS};
use crate::layout::PORT_BITS;
use crate::units::{Bits, PortId};

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
    pub(super) fn new<B: Bits>(packet: &Packet) -> Self {
        if B::IS_WIDE {
            return Self::of_wide(packet);
        }
        Self { header: packet.header.emit(), tag_and_counted: packet.tag & Self::TAG }
    }

    #[inline(always)]
    pub(super) fn packet<B: Bits>(&self) -> Packet {
        if B::IS_WIDE {
            return self.wide_packet();
        }
        Packet { header: Header::read(self.header), tag: self.tag_and_counted & Self::TAG }
    }

    /// A forward mark, beside a backward one that it may have.
    pub(super) fn mark<B: Bits>(&mut self) {
        let (Packet { mut header, tag }, counted) = (self.packet::<B>(), self.counted_at::<B>());
        header.carried = header.carried.with_marks(true, header.carried.backward_mark());
        *self = Self::new::<B>(&Packet { header, tag });
        self.count_at::<B>(counted);
    }

    /// Notes the output that a packet is counted at.
    #[inline(always)]
    pub(super) fn count_at<B: Bits>(&mut self, port: PortId) {
        if B::IS_WIDE {
            self.header.keep_beside(port.number().wrapping_shr(PORT_BITS));
        }
        let tag = self.tag_and_counted & Self::TAG;
        self.tag_and_counted = tag | u32::from(port.number()).wrapping_shl(TAG_BITS);
    }

    #[inline(always)]
    pub(super) fn counted_at<B: Bits>(&self) -> PortId {
        let low = self.tag_and_counted.wrapping_shr(TAG_BITS) as u8;
        if B::IS_WIDE {
            return PortId::new(low | self.header.beside().wrapping_shl(PORT_BITS));
        }
        PortId::new(low)
    }

    #[inline(never)]
    fn of_wide(packet: &Packet) -> Self {
        Self { header: RawHeader::wide(&packet.header), tag_and_counted: packet.tag & Self::TAG }
    }

    #[inline(never)]
    fn wide_packet(&self) -> Packet {
        Packet { header: self.header.wide_header(), tag: self.tag_and_counted & Self::TAG }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::WideBits;
    use proptest::prelude::*;

    proptest! {
        /// Where a packet is counted depends on no bit of its header, and changes none.
        #[test]
        fn a_descriptor_keeps_header_tag_and_counted_output(
            words: [u32; crate::header::WORDS], tag: u32, first in 0u8..64, port in 0u8..64,
        ) {
            let packet = Packet { header: Header::read(RawHeader(words)), tag };
            let kept = Packet { tag: tag & Descriptor::TAG, ..packet };
            let mut one = Descriptor::new::<usize>(&packet);
            one.count_at::<usize>(PortId::new(first));
            one.count_at::<usize>(PortId::new(port));
            prop_assert_eq!(one.packet::<usize>(), kept);
            prop_assert_eq!(one.packet::<usize>().header.emit(), RawHeader(words));
            prop_assert_eq!(one.counted_at::<usize>(), PortId::new(port));
            prop_assert_eq!(size_of::<Descriptor>(), 16);
        }

        /// A descriptor of a router with more than 64 ports keeps all but the spare byte; a mark changes nothing else.
        #[test]
        fn a_descriptor_keeps_ports_of_eight_bits(
            words: [u32; crate::header::WORDS], ports: (u8, u8, u8), tag: u32,
        ) {
            let (to, first, port) = ports;
            let mut header = Header::read(RawHeader(words));
            (header.to.port, header.carried) = (to, header.carried.with_spare(0));
            let kept = Packet { header, tag: tag & Descriptor::TAG };
            let spare = Packet { header: Header { carried: header.carried.with_spare(255), ..header }, tag };
            let mut one = Descriptor::new::<WideBits>(&spare);
            one.count_at::<WideBits>(PortId::new(first));
            one.count_at::<WideBits>(PortId::new(port));
            prop_assert_eq!((one.packet::<WideBits>(), one.counted_at::<WideBits>()), (kept, PortId::new(port)));
            one.mark::<WideBits>();
            let carried = header.carried.with_marks(true, header.carried.backward_mark());
            let marked = Packet { header: Header { carried, ..header }, ..kept };
            prop_assert_eq!((one.packet::<WideBits>(), one.counted_at::<WideBits>()), (marked, PortId::new(port)));
        }
    }
}
