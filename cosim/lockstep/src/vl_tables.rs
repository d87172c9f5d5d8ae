//! Tables of VL arbitration that a stimulus draws: every output has its own.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::alloc::vl_arbiter::{NO_LIMIT, VL_ENTRIES, VlArbitration, VlEntry, VlTables};
use router_core::plan::Plan;
use router_core::units::VcId;

/// Those of a seed, for the outputs of a plan; nothing where outputs do not arbitrate by tables.
pub(crate) fn drawn<const P: usize>(seed: u32, plan: &Plan<P>) -> Option<VlArbitration<P>> {
    let mut all = plan.vl_arbitration.clone()?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.into());
    let mut below = move |n: u32| ((u64::from(random.next_u32()) * u64::from(n)) >> 32) as u32;
    for port in plan.links.each() {
        // Some tables are empty, some full; VLs that the router does not have are skipped.
        let mut table = || {
            let skips = below(5);
            core::array::from_fn::<_, VL_ENTRIES, _>(|_| {
                let weight = [0, 1, 2, 255, below(8), below(64), below(256)][below(7) as usize] as u8;
                let weight = if below(4) < skips { 0 } else { weight };
                let vls = if below(8) == 0 { 8 } else { plan.links.vcs(port).len() as u32 };
                VlEntry { vl: VcId::new(below(vls) as u8), weight }
            })
        };
        let (high, low) = (table(), table());
        let limit = [0, 0, 1, 2, NO_LIMIT - 1, NO_LIMIT, below(8) as u8, below(256) as u8][below(8) as usize];
        all.set_tables(port, VlTables { high, low, limit });
    }
    Some(all)
}

/// Rows of the RTL's table memory: the bit of each output in the row of each bit of the tables.
pub(crate) fn rows<const P: usize>(plan: &Plan<P>, lanes: &VlArbitration<P>) -> Vec<u64> {
    let mut rows = Vec::new();
    for port in plan.links.each() {
        for (row, bit) in lanes.tables(port).bits().enumerate() {
            rows.resize(rows.len().max(row + 1), 0);
            rows[row] |= u64::from(bit) << port.number();
        }
    }
    rows
}
