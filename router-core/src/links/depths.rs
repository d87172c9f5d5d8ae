//! Buffers of different depths at the VCs of a port.

use super::Links;
use crate::units::{Channel, PortClass, PortId, VcSet};

/// Flits that the buffer of each VC of a port holds, VC 0 first.
pub type Depths = [u16; VcSet::CAPACITY];

impl<const P: usize> Links<P> {
    /// Each VC of the ports of a class has a buffer of its own depth, at most the `buffer` of the class. A misroute needs room for the whole
    /// packet, in one buffer of a route at most; with [`FlowControl::Wormhole`](super::FlowControl::Wormhole) the others may be smaller.
    /// (García, Vallejo, Beivide and Valero, patent on adaptive routing in hierarchical networks, claim 8.)
    ///
    /// Not at ports to nodes, and not where VCs share places or are allocated other than [`NonAtomic`](super::VcAllocation::NonAtomic). The
    /// feature `small` leaves it out: all VCs are as deep as the class says then.
    #[must_use]
    #[cfg_attr(feature = "small", expect(unused_mut, unused_variables, reason = "all VCs are alike there"))]
    pub fn with_depths(mut self, class: PortClass, depths: Depths) -> Self {
        #[cfg(not(feature = "small"))]
        for port in super::each(self.radix) {
            if let Some(plan) = self.ports.get_mut(port).filter(|plan| plan.class == class) {
                plan.depths = depths.map(|depth| depth.min(plan.buffer));
            }
        }
        self
    }

    /// Flits that a VC at the other end of a port holds.
    #[inline(always)]
    pub fn depth(&self, of: Channel) -> u16 {
        #[cfg(not(feature = "small"))]
        return self.ports.at(of.port).depths.get(of.vc.index()).copied().unwrap_or_default();
        #[cfg(feature = "small")]
        self.buffer(of.port)
    }

    /// Flits that the VCs of a set hold together, at the other end of a port.
    pub fn depth_of_all(&self, port: PortId, vcs: VcSet) -> u32 {
        vcs.iter().map(|vc| u32::from(self.depth(Channel::new(port, vc)))).fold(0, u32::wrapping_add)
    }
}
