//! What an input got last.

use super::grant::Match;
use crate::units::PortId;

/// What an input got last, in two bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Last {
    pub(super) output: PortId,
    /// The VC, and the one behind the output.
    pub(super) vcs: u8,
}

impl Last {
    /// VCs that are never granted.
    pub(super) const NO_VCS: u8 = u8::MAX;
    /// Nothing; past its output comes port 0.
    pub(super) const NONE: Self = Self { output: PortId::new(u8::MAX), vcs: Self::NO_VCS };

    #[inline(always)]
    pub(super) const fn new(granted: &Match) -> Self {
        let vcs = granted.vc.number().wrapping_shl(4) | granted.out_vc.number();
        Self { output: granted.output, vcs }
    }
}
