//! What is at the ports of all routers of a class: links of some class, with VCs and buffers at either end, and when packets move over them.

mod depths;
mod flow_control;
mod shared_places;
mod vc_allocation;
mod vc_order;

use crate::per_port::PerPort;
use crate::units::{Bits, Channel, PortClass, PortCount, PortId, PortSet, VcId, VcSet};
pub use depths::Depths;
pub use flow_control::FlowControl;
pub use vc_allocation::VcAllocation;
pub use vc_order::VcOrder;

/// Descriptors that a VC with `depth` places needs when no packet is shorter than `shortest` flits: whole packets,
/// one that is still leaving and one that is still arriving.
pub const fn descriptors(depth: u16, shortest: u16) -> u16 {
    match depth.saturating_sub(2).checked_div(shortest) {
        Some(whole) if whole.saturating_add(2) < depth => whole.saturating_add(2),
        _ => depth,
    }
}

/// A number of packets in a VC.
#[cfg(not(feature = "small"))]
pub type Place = u16;
/// A number of packets in a VC.
#[cfg(feature = "small")]
pub type Place = u8;

/// The places of the store that keep the packets of one VC, one after the other in a circle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ring {
    /// The first of them.
    pub base: u32,
    /// How many.
    pub places: Place,
}

/// Sizes of one class of port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PortSizes {
    /// VCs, 1…8.
    pub vcs: u8,
    /// Flits that the buffer of each VC holds; where VCs [share](Links::with_reserved) places, at most.
    pub buffer: u16,
}

/// What is known of one port: looked up for every flit, so worked out once.
#[derive(Clone, Copy, Debug, Default)]
struct PortPlan {
    class: PortClass,
    vcs: VcSet,
    buffer: u16,
    /// Descriptors of each VC, and of all ports before this one.
    places: Place,
    base: u32,
}

impl PortPlan {
    /// Where the descriptors of a VC are in the store.
    #[inline(always)]
    fn ring(&self, vc: VcId) -> Ring {
        let ahead = u32::from(self.places).wrapping_mul(vc.number().into());
        Ring { base: self.base.wrapping_add(ahead), places: self.places }
    }
}

/// The links of all routers of one class, in a network of routers with up to `P` ports.
#[derive(Clone, Debug)]
pub struct Links<const P: usize> {
    ports: PerPort<PortPlan, P>,
    /// Flits that the buffer of each VC holds.
    #[cfg(not(feature = "small"))]
    depths: PerPort<Depths, P>,
    /// Flits that the buffer of each VC holds where VCs share no places, else 0.
    #[cfg(not(feature = "small"))]
    own_depths: PerPort<Depths, P>,
    radix: PortCount,
    /// By class.
    sizes: [PortSizes; PortClass::COUNT],
    /// Descriptors of all ports together.
    places: u32,
    /// By class: the flits of each VC's buffer that are kept for it, where VCs share the others.
    reserved: [Option<u16>; PortClass::COUNT],
    /// When packets move.
    pub flow: FlowControl,
    /// When they may take a VC of the next router.
    pub vc_allocation: VcAllocation,
    /// Labels on the wires.
    pub vc_order: VcOrder,
    /// The class of links that [`crate::select::occupancy::GlobalRestriction`] compares with each other; a Dragonfly's
    /// global ones, unless set.
    pub restricted: Option<PortClass>,
}

/// Why there are no such links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LinksError {
    /// More ports than `P`.
    Ports,
    /// A class of port has no VC, or more than 8.
    Vcs,
    /// A buffer holds nothing.
    Buffer,
}

impl core::fmt::Display for LinksError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Ports => "more ports than the router has room for",
            Self::Vcs => "every class of port needs from 1 to 8 VCs",
            Self::Buffer => "every buffer holds at least one flit",
        })
    }
}

impl core::error::Error for LinksError {}

/// The first so many ports, one after the other.
// A cast that one of the two widths does not need.
#[allow(clippy::unnecessary_cast)]
fn each(ports: PortCount) -> impl DoubleEndedIterator<Item = PortId> + Clone {
    (0..ports).map(|port| PortId::new(port as u8))
}

impl<const P: usize> Links<P> {
    /// Those of routers whose ports are of these classes, with virtual cut-through and VCs that are allocated non-atomically.
    ///
    /// `sizes` has an entry for each class, by number; those of classes without a port do not matter.
    ///
    /// # Errors
    /// When there are more than `P` ports, or one of them has no size, a size of 0, or more than 8 VCs.
    pub fn new(classes: &[PortClass], sizes: &[PortSizes]) -> Result<Self, LinksError> {
        if classes.len() > P {
            return Err(LinksError::Ports);
        }
        let size = |class: PortClass| sizes.get(class.index()).copied().unwrap_or_default();
        for PortSizes { vcs, buffer } in classes.iter().map(|&class| size(class)) {
            if vcs == 0 || usize::from(vcs) > VcSet::CAPACITY {
                return Err(LinksError::Vcs);
            }
            if buffer == 0 {
                return Err(LinksError::Buffer);
            }
        }
        let port = |at: usize| {
            let class = classes.get(at).copied().unwrap_or_default();
            let PortSizes { vcs, buffer } = size(class);
            PortPlan { class, vcs: VcSet::first_n(usize::from(vcs)), buffer, places: 0, base: 0 }
        };
        #[cfg(not(feature = "small"))]
        let depths = PerPort::from_fn(|at| [port(at).buffer; VcSet::CAPACITY]);
        let links = Self {
            ports: PerPort::from_fn(port),
            #[cfg(not(feature = "small"))]
            own_depths: depths.clone(),
            #[cfg(not(feature = "small"))]
            depths,
            radix: classes.len() as PortCount,
            sizes: core::array::from_fn(|class| size(PortClass::new(class as u8))),
            places: 0,
            reserved: [None; PortClass::COUNT],
            flow: FlowControl::default(),
            vc_allocation: VcAllocation::default(),
            vc_order: VcOrder::default(),
            restricted: Some(PortClass::GLOBAL),
        };
        Ok(links.with_shortest(1))
    }

    /// The links for packets of at least `shortest` flits: they need fewer descriptors. Shorter ones may be refused.
    // Casts that one of the widths of a place does not need.
    #[allow(clippy::unnecessary_cast)]
    #[must_use]
    pub fn with_shortest(mut self, shortest: u16) -> Self {
        self.places = 0;
        for port in each(self.radix) {
            let Some(plan) = self.ports.get_mut(port) else { continue };
            let places = descriptors(plan.buffer, shortest);
            (plan.base, plan.places) = (self.places, places.min(Place::MAX as u16) as Place);
            self.places =
                self.places.wrapping_add(u32::from(plan.places).wrapping_mul(plan.vcs.len() as u32));
        }
        self
    }

    /// Descriptors that the store of each router needs.
    pub const fn places(&self) -> usize {
        self.places as usize
    }

    /// What is known of a port.
    #[inline(always)]
    fn port(&self, port: PortId) -> Option<&PortPlan> {
        self.ports.get(port)
    }

    /// Where the descriptors of a VC are in the store.
    #[inline(always)]
    pub fn ring(&self, port: PortId, vc: VcId) -> Ring {
        self.port(port).map(|port| port.ring(vc)).unwrap_or_default()
    }

    /// Ports of a router, those included that are not connected.
    #[inline(always)]
    pub const fn radix(&self) -> usize {
        self.radix as usize
    }

    /// All of them, one after the other.
    pub fn each(&self) -> impl DoubleEndedIterator<Item = PortId> + Clone + use<P> {
        each(self.radix)
    }

    /// The VCs of all of them.
    pub fn channels(&self) -> impl Iterator<Item = Channel> + '_ {
        self.each().flat_map(|port| self.vcs(port).iter().map(move |vc| Channel::new(port, vc)))
    }

    /// The class of a port.
    #[inline(always)]
    pub fn class(&self, port: PortId) -> PortClass {
        self.ports.at(port).class
    }

    /// The ports to nodes.
    pub fn nodes<B: Bits>(&self) -> PortSet<B> {
        self.each()
            .filter(|&port| self.class(port) == PortClass::NODE)
            .fold(PortSet::EMPTY, |all, port| all.union(PortSet::only(port)))
    }

    /// The sizes of a class of port.
    #[inline(always)]
    pub fn sizes(&self, class: PortClass) -> PortSizes {
        self.sizes.get(class.index()).copied().unwrap_or_default()
    }

    /// The VCs of a port.
    #[inline(always)]
    pub fn vcs(&self, port: PortId) -> VcSet {
        self.ports.at(port).vcs
    }

    /// Flits that the deepest VC at the other end of a port holds.
    #[inline(always)]
    pub fn buffer(&self, port: PortId) -> u16 {
        self.ports.at(port).buffer
    }

    /// Free places that a head needs in a VC behind a port, where flow control asks for `room`.
    #[inline(always)]
    pub fn room_at(&self, port: PortId, room: u16) -> u16 {
        self.room_for(port, room, || false)
    }

    /// Free places that a head needs in a VC behind a port, where `enters` says whether the packet comes on to an escape ring.
    #[inline(always)]
    pub(crate) fn room_for(&self, port: PortId, room: u16, enters: impl FnOnce() -> bool) -> u16 {
        match self.vc_allocation {
            VcAllocation::NonAtomic => room,
            VcAllocation::Bubble if enters() => room.saturating_mul(2),
            VcAllocation::Bubble => room,
            VcAllocation::Atomic if self.class(port) == PortClass::NODE => room,
            VcAllocation::Atomic => room.max(self.buffer(port)),
        }
    }

    /// Whether a VC behind a port can ever have room for the head of a packet, on a minimal hop or on another one.
    pub fn can_take(&self, to: Channel, length: u16, is_minimal: bool) -> bool {
        self.room_at(to.port, self.flow.room(length, is_minimal)) <= self.depth(to)
    }

    /// Between the name of a VC on the wires and its place in ascending order; the same function leads back.
    #[inline(always)]
    pub fn relabel(&self, port: PortId, vc: VcId) -> VcId {
        match self.vc_order {
            VcOrder::Ascending => vc,
            VcOrder::Descending => self.relabel_of_class(self.class(port), vc),
        }
    }

    /// The names of two VCs on the wires, or their places in ascending order, with one look at the order.
    #[inline(always)]
    pub(crate) fn relabel_both(&self, one: Channel, other: Channel) -> (VcId, VcId) {
        match self.vc_order {
            VcOrder::Ascending => (one.vc, other.vc),
            VcOrder::Descending => (self.relabel(one.port, one.vc), self.relabel(other.port, other.vc)),
        }
    }

    /// Between the name of a VC and its place in ascending order, at any port of a class.
    pub fn relabel_of_class(&self, class: PortClass, vc: VcId) -> VcId {
        match (self.vc_order, class) {
            (VcOrder::Ascending, _) | (_, PortClass::NODE) => vc,
            (VcOrder::Descending, _) => {
                VcId::new(self.sizes(class).vcs.wrapping_sub(1).wrapping_sub(vc.number()))
            }
        }
    }
}
