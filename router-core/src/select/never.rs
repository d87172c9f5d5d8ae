//! No trigger: minimal hops only.

use super::{Detour, Outputs, Trigger, Waiting};
use crate::layout;
use crate::units::Bits;

/// Never: minimal hops only, except where the routing forces a detour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NeverTrigger;

crate::no_settings!(NeverTrigger);

impl Trigger for NeverTrigger {
    const WORD: &'static str = "never";
    const RTL: Option<u32> = Some(layout::TRIGGER_NEVER);

    #[inline(always)]
    fn fires<const P: usize, const V: usize, B: Bits>(
        &self,
        _packet: &Waiting<'_, B>,
        _outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        false
    }

    #[inline(always)]
    fn allows<const P: usize, const V: usize, B: Bits>(
        &self,
        _packet: &Waiting<'_, B>,
        _detour: Detour,
        _outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        false
    }
}
