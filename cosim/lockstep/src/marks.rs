//! Marks of congestion that a stimulus draws: thresholds, victim mask, packet size, marking rate.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::layout;
use router_core::mark::{MOST_WEIGHT, MarkSettings, Marking};
use router_core::plan::Plan;
use router_core::units::{PortId, PortSet, VcId, VcSet};

/// Those of a seed, for the outputs of a plan. Most thresholds are high, and most rates low: else few packets were marked.
pub(crate) fn drawn<const P: usize>(seed: u32, plan: &Plan<P>) -> Marking<P> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(seed) ^ 1 << 32);
    let mut below = move |n: u32| ((u64::from(random.next_u32()) * u64::from(n)) >> 32) as u32;
    let rates = [0, 0, 1, 3, below(64), below(1 << 16), 0xffff];
    // Half of them are lengths that packets have.
    let sizes = [0, 1 + below(8), 1 + below(8), below(1 << layout::LENGTH_BITS)];
    let settings = MarkSettings {
        packet_size: sizes[below(4) as usize] as u16,
        marking_rate: rates[below(7) as usize] as u16,
    };
    let ports = PortSet::first_n(plan.links.radix());
    let masks = [0, below(u32::MAX) as usize, usize::MAX];
    let victims = PortSet::from_bits(masks[below(3) as usize]).and(ports);
    let channels =
        ports.into_iter().flat_map(|port| plan.links.vcs(port).into_iter().map(move |vc| (port, vc)));
    let mut weight = || [u32::from(MOST_WEIGHT), 14, below(16), below(16)][below(4) as usize] as u8;
    let drawn = channels
        .fold(Marking::new(settings, victims), |marking, (port, vc)| marking.with_weight(port, vc, weight()));
    // A router that marks has the registers for it.
    if drawn.is_on() { drawn } else { drawn.with_weight(PortId::new(0), VcId::new(0), MOST_WEIGHT) }
}

/// The marking of routers of another number of ports, as far as both have them.
pub(crate) fn narrowed<const P: usize, const Q: usize>(marking: &Marking<P>) -> Marking<Q> {
    let ports = PortSet::first_n(P.min(Q));
    let none = Marking::new(marking.settings, marking.victim_mask.and(ports));
    let channels = ports
        .into_iter()
        .flat_map(|port| VcSet::first_n(VcSet::CAPACITY).into_iter().map(move |vc| (port, vc)));
    channels.fold(none, |all, (port, vc)| all.with_weight(port, vc, marking.weight(port, VcSet::only(vc))))
}

/// Rows of the RTL's table memory. First come rows with the bit of each output: one for each bit of the thresholds and one for the victim
/// mask. Then come rows with a bit of the packet size or of the marking rate each.
pub(crate) fn rows<const P: usize>(plan: &Plan<P>, marking: &Marking<P>) -> Vec<u64> {
    let ports = || plan.links.each();
    let vcs = (0..VcSet::CAPACITY as u8).map(|vc| VcSet::only(VcId::new(vc)));
    let weights = vcs.flat_map(|vc| (0..layout::MARK_WEIGHT_BITS).map(move |bit| (vc, bit)));
    let row = |(vc, bit)| {
        ports().fold(0, |row, port| row | u64::from(marking.weight(port, vc) >> bit & 1) << port.number())
    };
    let victims = ports().filter(|&port| marking.victim_mask.contains(port));
    let victims = victims.fold(0, |row, port| row | 1 << port.number());
    let MarkSettings { packet_size, marking_rate } = marking.settings;
    let size = (0..layout::LENGTH_BITS).map(|bit| u64::from(packet_size >> bit & 1));
    let rate = (0..layout::MARK_RATE_BITS).map(|bit| u64::from(marking_rate >> bit & 1));
    weights.map(row).chain([victims]).chain(size).chain(rate).collect()
}
