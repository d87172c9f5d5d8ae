//! The hybrid trigger: occupancy or contention.

use super::contention::ContentionTrigger;
use super::occupancy::OccupancyTrigger;
use super::{Detour, Outputs, Thresholds, Trigger, Waiting};
use crate::layout;
use crate::settings::{Settings, Visit};
use crate::units::Bits;

/// Either of two triggers: a detour is taken when one of them fires and allows it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HybridTrigger {
    /// By occupancy.
    pub occupancy: OccupancyTrigger,
    /// By contention.
    pub contention: ContentionTrigger,
}

impl Settings for HybridTrigger {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        self.occupancy.visit(visitor)?;
        self.contention.visit(visitor)
    }
}

impl HybridTrigger {
    /// Asked by both conditions: a function of its own, so that its code is there once.
    #[inline(never)]
    fn fires_by_occupancy<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        self.occupancy.fires(packet, outputs)
    }
}

impl Trigger for HybridTrigger {
    const WORD: &'static str = "hybrid";
    const RTL: Option<u32> = Some(layout::TRIGGER_HYBRID);

    #[inline(always)]
    fn fires<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        self.contention.fires(packet, outputs) || self.fires_by_occupancy(packet, outputs)
    }

    #[inline(always)]
    fn allows<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        detour: Detour,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        let by_count =
            || self.contention.allows(packet, detour, outputs) && self.contention.fires(packet, outputs);
        let by_occupancy =
            || self.occupancy.allows(packet, detour, outputs) && self.fires_by_occupancy(packet, outputs);
        by_count() || by_occupancy()
    }

    fn thresholds(&self) -> Thresholds {
        Thresholds {
            occupancy: Some(self.occupancy),
            contention: Some(self.contention.threshold),
            ..Thresholds::NONE
        }
    }
}
