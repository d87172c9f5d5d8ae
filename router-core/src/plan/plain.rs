//! What most routers leave out.

use super::Plan;
use crate::alloc::vl_arbiter::VlArbitration;

impl<const P: usize> Plan<P> {
    /// Whether the steps of its routers are those of most: requests are not registered, and there are no marks, tables of VL arbitration
    /// and discards.
    #[inline(always)]
    pub(crate) const fn is_plain(&self) -> bool {
        !(self.pipeline.registers_requests() | self.marks() | self.lanes().is_some() | self.discards())
    }

    /// Whether packets are marked. The feature `small` leaves that out, and the next two: what a microcontroller is told has no tables.
    #[inline(always)]
    pub(crate) const fn marks(&self) -> bool {
        !cfg!(feature = "small") & self.marking.is_on()
    }

    /// The tables of VL arbitration.
    #[inline(always)]
    pub(crate) const fn lanes(&self) -> Option<&VlArbitration<P>> {
        if cfg!(feature = "small") { None } else { self.vl_arbitration.as_ref() }
    }

    /// Whether packets are discarded.
    #[inline(always)]
    pub(crate) const fn discards(&self) -> bool {
        !cfg!(feature = "small") & self.discards
    }
}
