//! The trigger of explicit contention notification (ECtN): detours by the router's own contention counters and, where a packet is
//! injected, by those of all routers of its group.
//!
//! Source: Fuentes et al., IPDPS 2015. A packet that is injected need not come to the owner of its minimal global link to meet contention
//! there. The routers of a group share the numbers of their packets that are leaving for each group ([`crate::notice`]).

use super::contention::ContentionTrigger;
use super::{Detour, Outputs, Thresholds, Trigger, Waiting};
use crate::layout;
use crate::settings::{Settings, Visit};
use crate::units::Bits;

/// A threshold for the router's own counters, and one for the sums over its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EctnTrigger {
    /// By the router's own counters.
    pub contention: ContentionTrigger,
    /// Packets of the group that are leaving for another one from which on the way there is contended. Range: 1…65535.
    pub combined_threshold: u16,
    /// Cycles after which routers share their counters again. Range: 1…65535.
    pub period: u16,
    /// Counters in a flit, of which each local link carries as many as it takes; 0: they go by wires of their own. Range: 0…1023.
    pub counters_per_flit: u16,
}

impl Default for EctnTrigger {
    fn default() -> Self {
        let contention = ContentionTrigger::default();
        Self { contention, combined_threshold: 10, period: 100, counters_per_flit: 20 }
    }
}

impl Settings for EctnTrigger {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        self.contention.visit(visitor)?;
        visitor.whole("combined_threshold", 1..=u16::MAX, &mut self.combined_threshold)?;
        visitor.whole("ectn_period", 1..=u16::MAX, &mut self.period)?;
        visitor.whole("ectn_counters_per_flit", 0..=1023, &mut self.counters_per_flit)
    }
}

impl EctnTrigger {
    /// Whether the way to a group is contended that the routers of this group have so many packets for.
    #[inline]
    pub fn is_contended(&self, packets: u32) -> bool {
        packets >= self.combined_threshold.into()
    }

    /// Flits that each local link carries each time, for so many other groups.
    pub const fn flits(&self, groups: u32) -> u32 {
        match self.counters_per_flit {
            0 => 0,
            counters => groups.div_ceil(counters as u32),
        }
    }
}

impl Trigger for EctnTrigger {
    const WORD: &'static str = "ectn";
    const LISTENS: bool = true;
    const RTL: Option<u32> = Some(layout::TRIGGER_ECTN);

    #[inline(always)]
    fn fires<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        self.contention.fires(packet, outputs) || outputs.contention.notices.has_told(packet.at)
    }

    #[inline(always)]
    fn allows<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        detour: Detour,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        self.contention.allows(packet, detour, outputs)
    }

    fn thresholds(&self) -> Thresholds {
        let (contention, combined) = (Some(self.contention.threshold), Some(self.combined_threshold));
        Thresholds { contention, combined, ..Thresholds::NONE }
    }
}
