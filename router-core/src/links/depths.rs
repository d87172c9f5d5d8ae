//! Buffers of different depths at the VCs of a port.

use super::Links;
#[cfg(not(feature = "small"))]
use crate::per_port::{PerPort, wrapped};
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
            if self.class(port) == class {
                let depths = depths.map(|depth| depth.min(self.buffer(port)));
                self.depths.set(port, depths);
                self.own_depths.set(port, depths);
            }
        }
        self
    }

    /// Flits that a VC at the other end of a port holds.
    #[inline(always)]
    pub fn depth(&self, of: Channel) -> u16 {
        #[cfg(not(feature = "small"))]
        return at(&self.depths, of);
        #[cfg(feature = "small")]
        self.buffer(of.port)
    }

    /// Flits that a VC at the other end of a port holds where VCs share no places, else 0.
    #[inline(always)]
    pub(crate) fn own_depth(&self, of: Channel) -> u16 {
        #[cfg(not(feature = "small"))]
        return at(&self.own_depths, of);
        #[cfg(feature = "small")]
        self.buffer(of.port)
    }

    /// Flits that the VCs of a set hold together, at the other end of a port.
    pub fn depth_of_all(&self, port: PortId, vcs: VcSet) -> u32 {
        vcs.iter().map(|vc| u32::from(self.depth(Channel::new(port, vc)))).fold(0, u32::wrapping_add)
    }
}

/// The depth of a VC.
#[cfg(not(feature = "small"))]
#[inline(always)]
fn at<const P: usize>(depths: &PerPort<Depths, P>, Channel { port, vc }: Channel) -> u16 {
    let of_port = depths.get(port).and_then(|of| of.get(wrapped::<{ VcSet::CAPACITY }>(vc.index())));
    of_port.copied().unwrap_or_default()
}
