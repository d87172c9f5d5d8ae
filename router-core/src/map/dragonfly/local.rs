//! The local links of a Dragonfly: each router of a group with each other one, by one link or by several parallel ones.
//!
//! The ports to one router are a bundle, side by side; the port of each number leads to that of its number at the other end.

use super::{Dragonfly, MapError};
use crate::units::{PortClass, PortId, PortSet};

impl Dragonfly<'_> {
    /// The Dragonfly with `links` parallel local links between any two routers of a group.
    ///
    /// # Errors
    /// When there is none, or a router would have too many ports.
    pub fn with_local_links(self, links: u8) -> Result<Self, MapError> {
        let width = u32::from(links);
        let neighbours = self.locals.checked_div(self.width).unwrap_or_default();
        let locals = neighbours.wrapping_mul(width);
        let ports = self.nodes.wrapping_add(locals).wrapping_add(self.globals);
        if links == 0 || ports as usize > <PortSet>::CAPACITY {
            return Err(MapError::Ports);
        }
        Ok(Self { locals, width, bundle: PortSet::first_n(links.into()), ..self })
    }

    /// Parallel local links between two routers of a group.
    pub const fn local_links(&self) -> u32 {
        self.width
    }

    /// All local ports of a router.
    #[inline]
    pub fn local_ports(&self) -> PortSet {
        PortSet::range(self.nodes as usize, self.first_global() as usize)
    }

    /// The first local port from index `from` to index `to` of the same group.
    #[inline]
    pub const fn local_port(&self, from: u32, to: u32) -> PortId {
        let skip = if to > from { 1 } else { 0 };
        PortId::new(self.nodes.wrapping_add(to.wrapping_sub(skip).wrapping_mul(self.width)) as u8)
    }

    /// The local ports from index `from` to index `to` of the same group: as many as there are parallel links.
    #[inline]
    pub fn local_ports_to(&self, from: u32, to: u32) -> PortSet {
        self.bundle_at(self.local_port(from, to))
    }

    /// A bundle of parallel links, from its first port on.
    #[inline]
    fn bundle_at(&self, first: PortId) -> PortSet {
        PortSet::from_bits(self.bundle.bits().wrapping_shl(first.number().into()))
    }

    /// The place of a local port among the parallel ones to the same router, from 0.
    pub(super) const fn parallel(&self, port: PortId) -> u32 {
        match (port.number() as u32).wrapping_sub(self.nodes).checked_rem(self.width) {
            Some(parallel) => parallel,
            None => 0,
        }
    }

    /// The ports that lead where a port leads: its bundle, of a local one; else itself.
    #[inline]
    fn beside(&self, port: PortId) -> PortSet {
        if self.width == 1 || self.class(port) != PortClass::LOCAL {
            return PortSet::only(port);
        }
        self.bundle_at(PortId::new(port.number().wrapping_sub(self.parallel(port) as u8)))
    }

    /// Index of the router behind a local port of index `at`: the inverse of [`Self::local_ports_to`].
    #[inline]
    pub const fn local_neighbour(&self, at: u32, port: PortId) -> u32 {
        let n = (port.number() as u32).wrapping_sub(self.nodes);
        let n = match n.checked_div(self.width) {
            Some(bundle) if self.width > 1 => bundle,
            _ => n,
        };
        n.wrapping_add(if n >= at { 1 } else { 0 })
    }

    /// The local ports of those that are `wired`, by which a packet may be misrouted: not those it would take anyway, nor back.
    #[inline]
    pub fn local_detours(&self, wired: PortSet, back: PortId, minimal: PortSet) -> PortSet {
        self.local_ports().and(wired).minus(minimal).minus(self.beside(back))
    }
}
