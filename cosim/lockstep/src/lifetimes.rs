//! Lifetime limits that a stimulus draws: every output has its own.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::lifetime::{HeadLimit, Lifetimes, MOST_STALL_COUNT};
use router_core::plan::Plan;
use router_core::units::PortId;

/// Those of a seed, for the outputs of a plan: not above its highest. Most are short: else few packets waited for so long.
pub(crate) fn drawn<const P: usize>(seed: u32, plan: &Plan<P>, speedup: u8) -> Lifetimes<P> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(seed) ^ 1 << 33);
    let mut below = move |n: u32| ((u64::from(random.next_u32()) * u64::from(n)) >> 32) as u32;
    let most = u32::MAX >> (u32::BITS - plan.lifetimes.width());
    let mut all = Lifetimes::new(speedup);
    all.set_packet_limit(plan.lifetimes.packet_limit());
    for port in plan.links.each() {
        let cycles = [0, 1, 1 + below(8), 1 + below(8), 1 + below(32), most, below(most)][below(7) as usize];
        let stall_count = [0, 1, 2, below(u32::from(MOST_STALL_COUNT) + 1)][below(4) as usize] as u8;
        all.set_limit(port, HeadLimit { cycles: cycles.min(most), stall_count });
    }
    // A router with limits has the registers for them.
    if !all.limits_heads() {
        all.set_limit(PortId::new(0), HeadLimit { cycles: 1, stall_count: 1 });
    }
    all
}

/// The limits of the first ports, for a plan of fewer ports.
pub(crate) fn narrowed<const P: usize, const Q: usize>(all: &Lifetimes<P>, speedup: u8) -> Lifetimes<Q> {
    let mut narrow = Lifetimes::new(speedup);
    narrow.set_packet_limit(all.packet_limit());
    (0..Q as u8).map(PortId::new).for_each(|port| narrow.set_limit(port, all.limit(port)));
    narrow
}

/// Rows of the RTL's table memory: the bit of each output in the row of each bit of its limit, which has `width` bits, and stall count.
pub(crate) fn rows<const P: usize>(plan: &Plan<P>, all: &Lifetimes<P>) -> Vec<u64> {
    let mut rows = Vec::new();
    for port in plan.links.each() {
        for (row, bit) in all.limit(port).bits(plan.lifetimes.width()).enumerate() {
            rows.resize(rows.len().max(row + 1), 0);
            rows[row] |= u64::from(bit) << port.number();
        }
    }
    rows
}
