//! The contention trigger whose threshold follows the mean of all counters.
//!
//! Source: Fuentes et al., IPDPS 2015; patent, claim 7.

use super::{Detour, Outputs, Thresholds, Trigger, Waiting};
use crate::fixed::U8F8;
use crate::layout;
use crate::settings::{Settings, Visit};
use crate::units::{Bits, PortId};

/// A threshold that follows the mean of all counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AverageTrigger {
    /// An output is contended when its counter exceeds this many times the mean: that of this cycle, or where requests are
    /// [registered](crate::options::Pipeline) that of three cycles before. Range: 0…16.
    pub factor: U8F8,
}

impl Default for AverageTrigger {
    fn default() -> Self {
        Self { factor: U8F8::ratio(3, 2) }
    }
}

impl Settings for AverageTrigger {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.number("contention_factor", U8F8::ZERO..=U8F8::ratio(16, 1), &mut self.factor)
    }
}

impl AverageTrigger {
    /// Whether an output is contended.
    #[inline(always)]
    pub fn is_contended<const P: usize, const V: usize, B: Bits>(
        &self,
        port: PortId,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        let count = outputs.contention.at(port);
        if let Some(mean) = outputs.contention.late_mean {
            return u32::from(count) > mean.packets();
        }
        let count = u64::from(count).wrapping_mul(outputs.wired.len() as u64);
        let mean = u64::from(outputs.contention.total()).wrapping_mul(u64::from(self.factor.to_bits()));
        count.wrapping_shl(8) > mean
    }

    /// Whether an output is contended by more than the packet under selection.
    #[inline(always)]
    pub fn is_crowded<const P: usize, const V: usize, B: Bits>(
        &self,
        port: PortId,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        outputs.contention.at(port) > 1 && self.is_contended(port, outputs)
    }
}

impl Trigger for AverageTrigger {
    const WORD: &'static str = "contention-average";
    const RTL: Option<u32> = Some(layout::TRIGGER_CONTENTION_AVERAGE);

    #[inline(always)]
    fn fires<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        self.is_crowded(packet.minimal, outputs)
    }

    #[inline(always)]
    fn allows<const P: usize, const V: usize, B: Bits>(
        &self,
        _packet: &Waiting<'_, B>,
        detour: Detour,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        !self.is_contended(detour.port, outputs)
    }

    fn thresholds(&self) -> Thresholds {
        Thresholds { average: Some(self.factor), ..Thresholds::NONE }
    }
}
