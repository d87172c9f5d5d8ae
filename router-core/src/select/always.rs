//! Every candidate with room at once: the allocator chooses. Where requests are registered ([`Pipeline`](crate::options::Pipeline) of five and
//! six) a packet requests one of them, drawn at random in each cycle.
//!
//! Source: patent, example 1.

use super::{Detour, Outputs, Trigger, Waiting};
use crate::layout;
use crate::units::Bits;

/// Always: every candidate with room is requested at once, or one of them, drawn at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AlwaysTrigger;

crate::no_settings!(AlwaysTrigger);

impl Trigger for AlwaysTrigger {
    const WORD: &'static str = "always";
    const ASKS_ANY: bool = true;
    const RTL: Option<u32> = Some(layout::TRIGGER_ALWAYS);

    #[inline(always)]
    fn fires<const P: usize, const V: usize, B: Bits>(
        &self,
        _packet: &Waiting<'_, B>,
        _outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        true
    }

    #[inline(always)]
    fn allows<const P: usize, const V: usize, B: Bits>(
        &self,
        _packet: &Waiting<'_, B>,
        _detour: Detour,
        _outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        true
    }
}
