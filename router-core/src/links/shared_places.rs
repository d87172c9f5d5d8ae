//! Buffers whose places VCs share.

#[cfg(not(feature = "small"))]
use super::Depths;
use super::Links;
#[cfg(not(feature = "small"))]
use crate::lent::Sharing;
use crate::units::{Channel, PortClass, PortId, VcId};

impl<const P: usize> Links<P> {
    /// The VCs of each port of a class share places. Of the `buffer` flits that a VC holds at most, `reserved` are kept for it. The others
    /// are there once, for all VCs of the port. A port of `V` VCs has `V · reserved + buffer − reserved` places. (Dynamically allocated
    /// multi-queues with a reserved minimum: Tamir and Frazier, 1992.)
    ///
    /// With [`FlowControl::Wormhole`](super::FlowControl::Wormhole) `reserved` is at least 1, else it is at least the longest packet. Then
    /// an empty VC takes a packet whatever the others hold, and no packet waits for another VC than it would if nothing were shared. Not at
    /// ports to nodes; not where VCs are allocated other than [`NonAtomic`](super::VcAllocation::NonAtomic); without marks. Where requests
    /// are [registered](crate::options::Pipeline), others may take shared places before a flit that is admitted leaves:
    /// [`Lent`](crate::lent::Lent). The feature `small` leaves this out: all of a buffer is reserved then.
    #[must_use]
    pub fn with_reserved(mut self, class: PortClass, reserved: u16) -> Self {
        let sizes = self.sizes(class);
        if cfg!(feature = "small") | (class == PortClass::NODE) | (reserved >= sizes.buffer) {
            return self;
        }
        if let Some(of_class) = self.reserved.get_mut(class.index()) {
            *of_class = Some(reserved);
        }
        #[cfg(not(feature = "small"))]
        for port in super::each(self.radix) {
            if self.class(port) == class {
                self.own_depths.set(port, Depths::default());
            }
        }
        self
    }

    /// Flits of each VC's buffer at either end of a port that are kept for it: all of them where VCs share none.
    pub fn reserved(&self, port: PortId) -> u16 {
        let of_class = self.reserved.get(self.class(port).index()).copied().flatten();
        of_class.unwrap_or_else(|| self.buffer(port))
    }

    /// Flits of each VC's buffer that are kept for it, at the ports of a class.
    pub fn reserved_of_class(&self, class: PortClass) -> u16 {
        let reserved = self.reserved.get(class.index()).copied().flatten();
        reserved.unwrap_or_else(|| self.sizes(class).buffer)
    }

    /// Flits that the VCs of a port share.
    pub fn shared(&self, port: PortId) -> u16 {
        self.buffer(port).wrapping_sub(self.reserved(port))
    }

    /// How VCs share the places behind a port.
    #[cfg(not(feature = "small"))]
    pub(crate) fn sharing(&self, port: PortId) -> Sharing {
        Sharing { depth: self.buffer(port), reserved: self.reserved(port) }
    }

    /// Whether VCs of a port share places: those behind an output, and those of an input.
    #[inline(always)]
    pub(crate) fn is_shared(&self, port: PortId) -> bool {
        !cfg!(feature = "small") && self.own_depth(Channel::new(port, VcId::new(0))) == 0
    }

    /// Whether those of any port do.
    #[cfg(not(feature = "small"))]
    pub(crate) fn shares_places(&self) -> bool {
        self.reserved.iter().any(Option::is_some)
    }
}
