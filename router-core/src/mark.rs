//! Stage 4. Forward explicit congestion notification (FECN): which packets a router marks, by InfiniBand's rule.
//!
//! InfiniBand gives every output port and virtual lane (VL) of a switch a threshold weight (InfiniBand Architecture Specification,
//! annex A10: Threshold, Victim_Mask, Packet_Size, Marking_Rate). The rule, for a packet whose head has been written into a buffer:
//!
//! - **Queue.** The switch of the specification has a queue for each output port and VL. This router has input buffers. The queue of an
//!   output VC is the flits in all input VCs whose front packet holds that output VC, or waits for that port and may take that VC. Packets
//!   behind the front one count with it, since nothing passes them. A packet that may take
//!   several VCs of the port joins the queue of all of them together. The output FIFO is not counted: it feeds the link at full rate. A
//!   packet that has to leave its group by any link may not take its minimal output. It waits in no queue, and is not marked in that
//!   router.
//! - **Threshold.** The packet meets congestion if that queue, without its head, is longer than [`limit`] of the weight and of the
//!   buffers behind the output, those of the VCs that it may take together. Of several weights the highest counts.
//! - **Root or victim.** An output is the root of congestion if one of these VCs has room for the packet behind the link: packets wait for the
//!   link. If none has, packets wait for a congested router further on, and the output is a victim. Victims are marked at ports of the
//!   victim mask only. Flits in the output FIFO have taken their credits already. Those beyond one packet count as room, since they wait
//!   for the link alone. (One packet is there also where a credit that comes back late lets one go at a time.)
//! - **Packet_Size, Marking_Rate.** Packets of fewer flits are not marked, and of the others that qualify one in `marking_rate` + 1: each
//!   with this probability, drawn from the router's LFSR, so that there is no counter for each output. The mean number of packets
//!   passed over between two marks is `marking_rate`.
//!
//! All of this is tested in the internal cycle after the head is written, against the registers as that cycle left them. The mark is set in
//! the buffer, since a head cannot leave before. So heads that come at the same time see each other, and no decision waits for what
//! allocation grants. A packet with several minimal outputs is tested at one of them, drawn like the output that it is counted at on
//! arrival.

use crate::lfsr::Tap;
use crate::per_port::PerPort;
use crate::settings::{Settings, Visit};
use crate::units::{PortId, PortSet, VcId, VcSet};

/// The highest threshold weight, and the most aggressive one.
pub const MOST_WEIGHT: u8 = 15;

/// The longest queue that is no congestion to `weight`, for buffers of `size` flits: ⌊size · (16 − weight) / 16⌋ flits. `None` for weight 0:
/// nothing is congestion. Falls in equal steps from 15/16 of the buffers at weight 1 to 1/16 at weight 15.
pub const fn limit(weight: u8, size: u32) -> Option<u32> {
    match weight {
        0 => None,
        weight => {
            let weight = if weight > MOST_WEIGHT { MOST_WEIGHT } else { weight };
            Some(size.wrapping_mul(16u32.wrapping_sub(weight as u32)) / 16)
        }
    }
}

/// What all ports have in common (SwitchCongestionSetting).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MarkSettings {
    /// Flits of the shortest packet that is marked, 0…1023.
    pub packet_size: u16,
    /// Mean number of packets that qualify and are passed over between two marks, 0…65535.
    pub marking_rate: u16,
}

impl Settings for MarkSettings {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("packet_size", 0..=1023, &mut self.packet_size)?;
        visitor.whole("marking_rate", 0..=u16::MAX, &mut self.marking_rate)
    }
}

impl MarkSettings {
    /// Whether a packet of `length` flits that meets congestion is marked, by a draw.
    #[inline]
    pub fn picks(&self, length: u16, tap: impl Fn() -> Tap) -> bool {
        // A wider draw than other decisions have: rates go up to 65,535.
        length >= self.packet_size
            && (self.marking_rate == 0
                || tap().second_below(usize::from(self.marking_rate).wrapping_add(1)) == 0)
    }
}

/// The threshold weights of the VCs of one port, four bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Weights(u32);

impl Weights {
    const BITS: u32 = 4;

    fn of(self, vc: VcId) -> u8 {
        (self.0.wrapping_shr(u32::from(vc.number()).wrapping_mul(Self::BITS)) & u32::from(MOST_WEIGHT)) as u8
    }

    fn with(self, vc: VcId, weight: u8) -> Self {
        let at = u32::from(vc.number()).wrapping_mul(Self::BITS);
        let others = self.0 & !u32::from(MOST_WEIGHT).wrapping_shl(at);
        Self(others | u32::from(weight.min(MOST_WEIGHT)).wrapping_shl(at))
    }
}

/// When the routers of a class mark packets. By default, never.
#[derive(Clone, Debug, Default)]
pub struct Marking<const P: usize> {
    weights: PerPort<Weights, P>,
    is_on: bool,
    /// Outputs that mark victims, too (Victim_Mask).
    pub victim_mask: PortSet,
    /// What all ports have in common.
    pub settings: MarkSettings,
}

impl<const P: usize> Marking<P> {
    /// Marks nothing yet: all weights are 0.
    pub fn new(settings: MarkSettings, victim_mask: PortSet) -> Self {
        Self { weights: PerPort::default(), is_on: false, victim_mask, settings }
    }

    /// The marking with this threshold weight, 0…15, for one VC of an output; a higher one is 15.
    #[must_use]
    pub fn with_weight(mut self, port: PortId, vc: VcId, weight: u8) -> Self {
        if vc.index() < VcSet::CAPACITY
            && let Some(weights) = self.weights.get_mut(port)
        {
            *weights = weights.with(vc, weight);
        }
        self.is_on = self.weights.iter().any(|weights| *weights != Weights::default());
        self
    }

    /// Whether any weight is above 0.
    #[inline(always)]
    pub const fn is_on(&self) -> bool {
        self.is_on
    }

    /// The highest weight of these VCs of an output.
    pub fn weight(&self, port: PortId, vcs: VcSet) -> u8 {
        let weights = self.weights.at(port);
        vcs.into_iter().map(|vc| weights.of(vc)).max().unwrap_or_default()
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;
    use crate::lfsr::Lfsr;

    #[test]
    fn limits_fall_in_equal_steps_and_weight_0_has_none() {
        assert_eq!(limit(0, 4096), None);
        for weight in 1..=15 {
            assert_eq!(limit(weight, 4096), Some(4096 - 256 * u32::from(weight)));
            assert_eq!(limit(weight, 8), Some((8 * (16 - u32::from(weight))) / 16));
        }
        assert_eq!((limit(15, 32), limit(200, 32)), (Some(2), Some(2)));
    }

    #[test]
    fn each_vc_of_each_port_has_a_weight_of_its_own() {
        let (two, three) = (PortId::new(2), PortId::new(3));
        let marking = Marking::<5>::default();
        assert!(!marking.is_on());
        let marking = marking.with_weight(two, VcId::new(7), 15).with_weight(two, VcId::new(6), 99);
        let marking = marking.with_weight(two, VcId::new(0), 4).with_weight(two, VcId::new(6), 3);
        assert!(marking.is_on());
        for (vc, weight) in [4, 0, 0, 0, 0, 0, 3, 15].into_iter().enumerate() {
            assert_eq!(marking.weight(two, VcSet::only(VcId::new(vc as u8))), weight);
            assert_eq!(marking.weight(three, VcSet::only(VcId::new(vc as u8))), 0);
        }
        assert_eq!(marking.weight(two, VcSet::first_n(7)), 4);
        assert_eq!(marking.weight(two, VcSet::EMPTY), 0);
        let off = marking.with_weight(two, VcId::new(7), 0).with_weight(two, VcId::new(6), 0);
        assert!(!off.with_weight(two, VcId::new(0), 0).is_on());
    }

    /// The LFSR has full period, so that its words are even: the share of marks is 1 in rate + 1 to the resolution of 16 bits.
    #[test]
    fn of_packets_that_qualify_one_in_the_rate_and_one_is_marked() {
        for rate in [0u16, 1, 2, 7, 99] {
            let settings = MarkSettings { marking_rate: rate, packet_size: 4 };
            let mut lfsr = Lfsr::new(1, 1);
            let marked = (0..100_000).filter(|_| {
                lfsr.step();
                settings.picks(4, || lfsr.tap(1, 0))
            });
            let (share, marked) = (1.0 / (f64::from(rate) + 1.0), marked.count() as f64);
            let deviation = (100_000.0 * share * (1.0 - share)).sqrt();
            assert!((marked - 100_000.0 * share).abs() <= 4.0 * deviation, "rate {rate}: {marked}");
            assert!(!settings.picks(3, || lfsr.tap(1, 0)));
        }
        // All 65,536 values of the bits that are read, once each.
        for rate in [1u32, 3, 255, 65_535] {
            let below = |bits: u32| (bits * (rate + 1)) >> 16;
            assert_eq!((0..1u32 << 16).filter(|&bits| below(bits) == 0).count() as u32, 65_536 / (rate + 1));
        }
    }
}
