//! What most routers leave out.

use super::Plan;
use crate::alloc::vl_arbiter::VlArbitration;

impl<const P: usize> Plan<P> {
    /// Whether the steps of its routers are those of most: requests are not registered, and there are no marks, tables of VL arbitration,
    /// discards, lifetime limits and groups of nodes.
    #[inline(always)]
    pub(crate) const fn is_plain(&self) -> bool {
        !(self.options.pipeline.registers_requests()
            | self.marks()
            | self.lanes().is_some()
            | self.drops()
            | self.replicates())
    }

    /// Whether packets for groups leave by all their candidates. The feature `small` leaves that out: a microcontroller has no trees.
    #[inline(always)]
    pub const fn replicates(&self) -> bool {
        !cfg!(feature = "small") & self.groups_from.is_some()
    }

    /// Whether packets are marked. The feature `small` leaves that out, and what follows: a microcontroller has no tables for it.
    #[inline(always)]
    pub(crate) const fn marks(&self) -> bool {
        !cfg!(feature = "small") & self.marking.is_on()
    }

    /// The tables of VL arbitration.
    #[inline(always)]
    pub(crate) const fn lanes(&self) -> Option<&VlArbitration<P>> {
        if cfg!(feature = "small") { None } else { self.vl_arbitration.as_ref() }
    }

    /// Whether packets are discarded that wait, or are in the router, for too long.
    #[inline(always)]
    pub(crate) const fn has_lifetimes(&self) -> bool {
        !cfg!(feature = "small") & self.lifetimes.is_on()
    }

    /// Whether packets are discarded, for whatever reason.
    #[inline(always)]
    pub(crate) const fn drops(&self) -> bool {
        self.discards() | self.has_lifetimes()
    }

    /// Whether packets are discarded that a forwarding table leads nowhere.
    #[inline(always)]
    pub(crate) const fn discards(&self) -> bool {
        !cfg!(feature = "small") & self.options.discards
    }

    /// Whether new packets react to the broadcasts of their group, while they wait. The feature `small` leaves that out: a
    /// microcontroller has no wires for it.
    #[inline(always)]
    pub const fn listens(&self) -> bool {
        !cfg!(feature = "small") && self.groups > 0
    }

    /// Whether a packet requests every candidate with room at once.
    pub const fn asks_all(&self) -> bool {
        self.selection.asks_any() && !self.options.pipeline.registers_requests()
    }

    /// Whether packets wait for a detour that is good enough until it has room, where routers flag their links; else they ask for their
    /// minimal output as long as it has none.
    #[inline(always)]
    pub const fn waits_for_detours(&self) -> bool {
        !cfg!(feature = "small") && self.flags.is_some()
    }
}
