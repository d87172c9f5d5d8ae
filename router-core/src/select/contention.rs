//! The contention triggers: detours by how many packets want an output, whatever its buffers hold.
//!
//! Source: Fuentes et al., IPDPS 2015; patent, example 3 and claims 6 and 7.

use super::Outputs;
use crate::units::PortId;
use fixed::types::U8F8;

/// A fixed threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ContentionTrigger {
    /// Packets that want an output from which on it is contended. Range: 1 to the number of input VCs.
    pub threshold: u16,
}

impl ContentionTrigger {
    /// Whether the minimal output is contended.
    #[inline(always)]
    pub fn fires<const P: usize, const V: usize>(
        &self,
        minimal: PortId,
        outputs: &Outputs<'_, P, V>,
    ) -> bool {
        outputs.contention.at(minimal) >= self.threshold
    }

    /// Whether a detour is not.
    #[inline(always)]
    pub fn allows<const P: usize, const V: usize>(
        &self,
        detour: PortId,
        outputs: &Outputs<'_, P, V>,
    ) -> bool {
        outputs.contention.at(detour) < self.threshold
    }
}

/// A threshold that follows the mean of all counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AverageTrigger {
    /// An output is contended when its counter exceeds this many times the mean. Range: 0…16.
    #[cfg_attr(feature = "defmt", defmt(Debug2Format))]
    pub factor: U8F8,
}

impl AverageTrigger {
    #[inline(always)]
    fn contended<const P: usize, const V: usize>(&self, port: PortId, outputs: &Outputs<'_, P, V>) -> bool {
        let count = u64::from(outputs.contention.at(port)).wrapping_mul(outputs.wired.len() as u64);
        let mean = u64::from(outputs.contention.total()).wrapping_mul(u64::from(self.factor.to_bits()));
        count.wrapping_shl(8) > mean
    }

    /// Whether the minimal output is contended, by more than the packet itself.
    #[inline(always)]
    pub fn fires<const P: usize, const V: usize>(
        &self,
        minimal: PortId,
        outputs: &Outputs<'_, P, V>,
    ) -> bool {
        outputs.contention.at(minimal) > 1 && self.contended(minimal, outputs)
    }

    /// Whether a detour is not.
    #[inline(always)]
    pub fn allows<const P: usize, const V: usize>(
        &self,
        detour: PortId,
        outputs: &Outputs<'_, P, V>,
    ) -> bool {
        !self.contended(detour, outputs)
    }
}
