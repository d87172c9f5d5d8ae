//! The triggers, with random thresholds.

use super::TRIGGERS;
use crate::rtl_unit::bench::Chance;
use router_core::fixed::{U1F15, U8F8};
use router_core::select::Selection;
use router_core::select::always::AlwaysTrigger;
use router_core::select::contention::ContentionTrigger;
use router_core::select::contention_average::AverageTrigger;
use router_core::select::ectn::EctnTrigger;
use router_core::select::hybrid::HybridTrigger;
use router_core::select::occupancy::{GlobalRestriction, OccupancyTrigger};
use router_core::select::ugal::{Queue, UgalTrigger};

/// The triggers, with thresholds of all magnitudes.
#[derive(Clone, Copy)]
pub(super) struct Thresholds {
    pub(super) occupancy: OccupancyTrigger,
    pub(super) fixed: ContentionTrigger,
    pub(super) average: AverageTrigger,
    pub(super) ugal: UgalTrigger,
}

impl Thresholds {
    pub(super) fn random(queue: Queue, chance: &mut Chance) -> Self {
        let mut share = |one: usize| match chance.below(8) {
            0 => 0,
            1 => 1,
            2 => one as u16,
            3 => u16::MAX,
            4 => chance.word() as u16,
            5 => (one / 8 * chance.below(9)) as u16,
            _ => chance.below(one * 2) as u16,
        };
        let (minimal, relative, factor, average) =
            (share(1 << 14), share(1 << 8), share(1 << 8), share(1 << 8));
        let packets = [0, 1, 2, 5, 255, 256, 512, u16::MAX][chance.below(8)];
        let global_restriction =
            chance.happens(2, 3).then_some(GlobalRestriction { factor: U8F8::from_bits(factor), packets });
        Self {
            occupancy: OccupancyTrigger {
                minimal_occupancy: U1F15::from_bits(minimal),
                relative_threshold: U8F8::from_bits(relative),
                global_restriction,
            },
            fixed: ContentionTrigger { threshold: chance.below(12) as u16 },
            average: AverageTrigger { factor: U8F8::from_bits(average) },
            ugal: UgalTrigger { bias: [0, 0, 1, 40, chance.word() as u16][chance.below(5)], queue },
        }
    }

    /// In the order of `TRIGGERS`.
    pub(super) fn selections(&self) -> [Selection; TRIGGERS.len()] {
        [
            Selection::NEVER,
            Selection::Occupancy(self.occupancy),
            Selection::Contention(self.fixed),
            Selection::ContentionAverage(self.average),
            Selection::Hybrid(HybridTrigger { occupancy: self.occupancy, contention: self.fixed }),
            Selection::Always(AlwaysTrigger),
            Selection::Ectn(EctnTrigger { contention: self.fixed, ..EctnTrigger::default() }),
            Selection::Ugal(self.ugal),
            Selection::Always(AlwaysTrigger),
        ]
    }
}
