//! An escape beside other candidates.

use super::{CandidateSet, Candidates, SETS};
use crate::route::HopKind;
use crate::units::{Bits, PortSet, VcSet};

impl<B: Bits> Candidates<B> {
    /// These candidates, and behind them an escape: what a packet requests where it cannot leave by any of them. `enters`: it comes on to a
    /// ring, and leaves [room for another packet](crate::links::VcAllocation::Bubble) there. The escape is the last set, in the last place;
    /// without a port there is none. The feature `small` has no escapes.
    #[must_use]
    pub fn escaping(mut self, ports: PortSet<B>, vcs: VcSet, enters: bool) -> Self {
        let set = CandidateSet::new(ports, vcs, HopKind::Escape);
        if !set.is_empty() {
            self.put(SETS.wrapping_sub(1), &set);
            self.kinds.specialise();
            self.hops.set_enters(enters);
        }
        self
    }

    /// Whether its escape is one on to a ring.
    #[inline(always)]
    pub const fn enters(&self) -> bool {
        self.hops.enters()
    }

    /// Whether a detour is due, or there is an escape.
    #[inline(always)]
    pub(crate) const fn is_special(&self) -> bool {
        self.kinds.is_special()
    }

    #[inline(always)]
    pub(super) fn has_escape(&self) -> bool {
        // What has no port is no escape, and has the same kind.
        let [.., last] = self.ports;
        !cfg!(feature = "small")
            && self.kinds.is(SETS.wrapping_sub(1), HopKind::Escape)
            && !last.get().is_empty()
    }

    /// The candidates but for the escape, and the ports of that, if there is one. Where none is minimal a detour is due.
    pub(crate) fn beside_escape(&self) -> Option<(Self, PortSet<B>)> {
        if !self.has_escape() {
            return None;
        }
        let mut all = Self::NONE;
        for (at, set) in self.every().enumerate() {
            if set.kind != HopKind::Escape {
                all.put(at, &set);
            }
        }
        let is_due = all.minimal_ports().is_empty();
        Some((if is_due { all.forced() } else { all }, self.ports_of(HopKind::Escape)))
    }
}
