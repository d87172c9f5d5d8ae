//! The trigger and its thresholds, as the registers in use have them.

use super::RegisterFile;
use crate::register::{Register, Staged};
use crate::registers::{
    ContentionFactor, ContentionThreshold, MinimalOccupancy, RelativeThreshold, Restriction,
    RestrictionFactor, RestrictionPackets, Trigger,
};
use router_core::fixed::{U1F15, U8F8};
use router_core::layout::{TRIGGER_ALWAYS, TRIGGER_CONTENTION_AVERAGE};
use router_core::select::Selection;
use router_core::select::always::AlwaysTrigger;
use router_core::select::contention::ContentionTrigger;
use router_core::select::contention_average::AverageTrigger;
use router_core::select::hybrid::HybridTrigger;
use router_core::select::occupancy::{GlobalRestriction, OccupancyTrigger};

impl<const ROWS: usize> RegisterFile<ROWS> {
    /// How the router selects, by the registers in use: what a driver asked for by `start` or `configure`.
    pub fn selection(&self) -> Selection {
        let built = self.shape.wrapping_shr(20) & 0xf;
        let trigger: Trigger = self.in_use();
        let contention =
            ContentionTrigger { threshold: self.in_use::<ContentionThreshold>().packets() as u16 };
        match (trigger.occupancy(), trigger.contention()) {
            _ if built == TRIGGER_ALWAYS => Selection::Always(AlwaysTrigger),
            (false, false) => Selection::NEVER,
            (true, false) => Selection::Occupancy(self.occupancy()),
            (true, true) => Selection::Hybrid(HybridTrigger { occupancy: self.occupancy(), contention }),
            (false, true) if built == TRIGGER_CONTENTION_AVERAGE => {
                let factor = U8F8::from_bits(self.in_use::<ContentionFactor>().factor() as u16);
                Selection::ContentionAverage(AverageTrigger { factor })
            }
            (false, true) => Selection::Contention(contention),
        }
    }

    fn occupancy(&self) -> OccupancyTrigger {
        let restriction = || GlobalRestriction {
            factor: U8F8::from_bits(self.in_use::<RestrictionFactor>().factor() as u16),
            packets: self.in_use::<RestrictionPackets>().packets() as u16,
        };
        OccupancyTrigger {
            minimal_occupancy: U1F15::from_bits(self.in_use::<MinimalOccupancy>().share() as u16),
            relative_threshold: U8F8::from_bits(self.in_use::<RelativeThreshold>().share() as u16),
            global_restriction: self.in_use::<Restriction>().enable().then(restriction),
        }
    }

    fn in_use<R: Register + Staged>(&self) -> R {
        R::from_bits(self.get(R::IN_USE))
    }
}
