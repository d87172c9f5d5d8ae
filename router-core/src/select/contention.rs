//! The contention trigger: detours by how many packets have an output as their minimal one, whatever its buffers hold.
//!
//! Source: Fuentes et al., IPDPS 2015; patent, example 3 and claim 6.

use super::{Detour, Outputs, Thresholds, Trigger, Waiting};
use crate::layout;
use crate::settings::{Settings, Visit};
use crate::units::{Bits, PortId};

/// A fixed threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ContentionTrigger {
    /// Packets that want an output from which on it is contended. Range: 1 to the number of input VCs.
    pub threshold: u16,
}

impl Default for ContentionTrigger {
    fn default() -> Self {
        Self { threshold: 3 }
    }
}

impl Settings for ContentionTrigger {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("contention_threshold", 1..=255, &mut self.threshold)
    }
}

impl ContentionTrigger {
    /// Whether an output is contended.
    #[inline(always)]
    pub fn is_contended<const P: usize, const V: usize, B: Bits>(
        &self,
        port: PortId,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        outputs.contention.at(port) >= self.threshold
    }
}

impl Trigger for ContentionTrigger {
    const WORD: &'static str = "contention";
    const RTL: Option<u32> = Some(layout::TRIGGER_CONTENTION);

    #[inline(always)]
    fn fires<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        self.is_contended(packet.minimal, outputs)
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
        Thresholds { contention: Some(self.threshold), ..Thresholds::NONE }
    }
}
