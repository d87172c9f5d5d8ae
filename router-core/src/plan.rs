//! What all routers of a class have in common: classes of ports, sizes, flow control, selection, allocation.

mod flow_control;
mod pipeline;
mod plain;
mod shared_places;
mod sharing;
mod vc_allocation;

use crate::alloc::Allocation;
use crate::alloc::vl_arbiter::VlArbitration;
use crate::layout;
use crate::lifetime::Lifetimes;
use crate::mark::Marking;
use crate::per_port::PerPort;
use crate::piggyback::FlagRule;
use crate::select::Selection;
use crate::units::{Channel, PortClass, PortId, PortSet, VcId, VcSet};
pub use flow_control::FlowControl;
pub use pipeline::Pipeline;
pub use sharing::{AllocationUnit, Priority};
pub use vc_allocation::VcAllocation;

/// How VCs of local and global ports are labelled on the wires.
///
/// Inside a router VCs always rise along a route. The descending order (patent, claim 9) calls VC `c` of `n`
/// by the name `n − 1 − c`: the same machine with mirrored labels.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VcOrder {
    /// By their order index.
    #[default]
    Ascending = layout::VC_ORDER_ASCENDING as u8,
    /// Against it.
    Descending = layout::VC_ORDER_DESCENDING as u8,
}

crate::words!(VcOrder {
    "ascending" => [Self::Ascending],
    "descending" => [Self::Descending],
});

/// When a packet is counted as wanting its minimal output.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CountAt {
    /// When it reaches the front of its VC.
    #[default]
    Head = layout::COUNT_AT_HEAD as u8,
    /// When its head is written into the buffer.
    Arrival = layout::COUNT_AT_ARRIVAL as u8,
}

crate::words!(CountAt {
    "head" => [Self::Head],
    "arrival" => [Self::Arrival],
});

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
    /// Flits that the buffer of each VC holds; where VCs [share](Plan::with_reserved) places, at most.
    pub buffer: u16,
}

/// What is known of one port: looked up for every flit, so worked out once.
#[derive(Clone, Copy, Debug, Default)]
struct PortPlan {
    class: PortClass,
    vcs: VcSet,
    buffer: u16,
    /// The same where VCs share no places, else 0.
    #[cfg(not(feature = "small"))]
    own: u16,
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

/// The common settings of all routers of one class, in a network of routers with up to `P` ports.
///
/// Most networks have one class of routers; a fat tree has one for each level, of which only the lowest has ports to
/// nodes, and buffers for them.
#[derive(Clone, Debug)]
pub struct Plan<const P: usize> {
    ports: PerPort<PortPlan, P>,
    radix: u8,
    /// By class.
    sizes: [PortSizes; PortClass::COUNT],
    /// Descriptors of all ports together.
    places: u32,
    /// By class: the flits of each VC's buffer that are kept for it, where VCs share the others.
    reserved: [Option<u16>; PortClass::COUNT],
    /// Flits that the FIFO of each output holds, at least the speedup.
    pub output_flits: u32,
    /// When packets move.
    pub flow: FlowControl,
    /// When they may take a VC of the next router.
    pub vc_allocation: VcAllocation,
    /// Labels on the wires.
    pub vc_order: VcOrder,
    /// When packets are counted.
    pub count_at: CountAt,
    /// Minimal or detour.
    pub selection: Selection,
    /// The class of links that [`crate::select::occupancy::GlobalRestriction`] compares with each other; a Dragonfly's
    /// global ones, unless set.
    pub restricted: Option<PortClass>,
    /// Who gets an output.
    pub allocation: Allocation,
    /// For how long.
    pub allocation_unit: AllocationUnit,
    /// Before whom.
    pub priority: Priority,
    /// In how many cycles.
    pub pipeline: Pipeline,
    /// Whether the packet behind a tail is selected while the tail leaves; else it is selected a cycle later.
    pub selects_ahead: bool,
    /// The tables by which outputs pick the VC of the next packet, instead of turn by turn.
    pub vl_arbitration: Option<VlArbitration<P>>,
    /// Flits of the address of a dimension, where packets bring [one for each](FlowControl::goes_ahead).
    pub address_flits: u16,
    /// Which packets are marked where they meet congestion.
    pub marking: Marking<P>,
    /// Whether packets are discarded that a forwarding table leads nowhere ([`crate::discard`]). Then port 0 has to be one to a node.
    pub discards: bool,
    /// For how long packets wait at the head of a queue before they are discarded.
    pub lifetimes: Lifetimes<P>,
    /// Groups of the network, where new packets heed what the routers of theirs tell each other ([`crate::notice`]): what they count, or
    /// flags, where there are any; 0 where packets do not.
    pub groups: u16,
    /// Which global links routers flag, where those of a group tell each other that ([`crate::piggyback`]).
    pub flags: Option<FlagRule>,
}

/// What is wrong with a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PlanError {
    /// More ports than `P`.
    Ports,
    /// A class of port has no VC, or more than `V`.
    Vcs,
    /// A buffer or an output FIFO holds nothing.
    Buffer,
    /// An allocator needs at least one iteration.
    Iterations,
}

impl core::fmt::Display for PlanError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Ports => "more ports than the router has room for",
            Self::Vcs => {
                "every class of port needs at least one VC and at most as many as the router has room for"
            }
            Self::Buffer => "every buffer and output FIFO holds at least one flit",
            Self::Iterations => "an allocator runs at least one iteration",
        })
    }
}

impl core::error::Error for PlanError {}

impl<const P: usize> Plan<P> {
    /// A plan for routers whose ports are of these classes, everything else as a plain router has it: virtual
    /// cut-through, minimal hops only, one iteration of a separable input-first allocator, a one-flit output register.
    ///
    /// `sizes` has an entry for each class, by number; those of classes without a port do not matter.
    ///
    /// # Errors
    /// When there are more than `P` ports, or one of them has no size, a size of 0, or more than 8 VCs.
    pub fn new(classes: &[PortClass], sizes: &[PortSizes]) -> Result<Self, PlanError> {
        if classes.len() > P {
            return Err(PlanError::Ports);
        }
        let size = |class: PortClass| sizes.get(class.index()).copied().unwrap_or_default();
        for PortSizes { vcs, buffer } in classes.iter().map(|&class| size(class)) {
            if vcs == 0 || usize::from(vcs) > VcSet::CAPACITY {
                return Err(PlanError::Vcs);
            }
            if buffer == 0 {
                return Err(PlanError::Buffer);
            }
        }
        let port = |at: usize| {
            let class = classes.get(at).copied().unwrap_or_default();
            let PortSizes { vcs, buffer } = size(class);
            PortPlan {
                class,
                vcs: VcSet::first_n(usize::from(vcs)),
                buffer,
                #[cfg(not(feature = "small"))]
                own: buffer,
                places: 0,
                base: 0,
            }
        };
        let plan = Self {
            ports: PerPort::from_fn(port),
            radix: classes.len() as u8,
            sizes: core::array::from_fn(|class| size(PortClass::new(class as u8))),
            places: 0,
            reserved: [None; PortClass::COUNT],
            output_flits: 1,
            flow: FlowControl::default(),
            vc_allocation: VcAllocation::default(),
            vc_order: VcOrder::default(),
            count_at: CountAt::default(),
            selection: Selection::default(),
            restricted: Some(PortClass::GLOBAL),
            allocation: Allocation::default(),
            allocation_unit: AllocationUnit::default(),
            priority: Priority::default(),
            pipeline: Pipeline::default(),
            selects_ahead: true,
            vl_arbitration: None,
            address_flits: 1,
            marking: Marking::default(),
            discards: false,
            lifetimes: Lifetimes::default(),
            groups: 0,
            flags: None,
        };
        Ok(plan.with_shortest(1))
    }

    /// The same for packets of at least `shortest` flits: they need fewer descriptors. Shorter ones may be refused.
    // Casts that one of the widths of a place does not need.
    #[allow(clippy::unnecessary_cast)]
    #[must_use]
    pub fn with_shortest(mut self, shortest: u16) -> Self {
        self.places = 0;
        for port in PortSet::first_n(self.radix.into()) {
            let Some(plan) = self.ports.get_mut(port) else { continue };
            let places = descriptors(plan.buffer, shortest);
            (plan.base, plan.places) = (self.places, places.min(Place::MAX as u16) as Place);
            self.places =
                self.places.wrapping_add(u32::from(plan.places).wrapping_mul(plan.vcs.len() as u32));
        }
        self
    }

    /// Flits with which an output FIFO takes no more. What is admitted to an output comes a cycle later for each register behind admission,
    /// and in each of these cycles another flit may come: a place is kept for each. At a speedup of 1 a FIFO has sent what came before by
    /// then: one that has fewer places keeps one for what is admitted.
    pub const fn full_at(&self) -> u32 {
        let full_at = self.output_flits.saturating_sub(self.pipeline.kept_places());
        if full_at == 0 { 1 } else { full_at }
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
    pub const fn radix(&self) -> u8 {
        self.radix
    }

    /// The class of a port.
    #[inline(always)]
    pub fn class(&self, port: PortId) -> PortClass {
        self.ports.at(port).class
    }

    /// The ports to nodes.
    pub fn nodes(&self) -> PortSet {
        PortSet::first_n(self.radix.into())
            .into_iter()
            .filter(|&port| self.class(port) == PortClass::NODE)
            .fold(PortSet::EMPTY, |all, port| all.union(PortSet::only(port)))
    }

    /// The ports whose requests give way to those of the others.
    pub fn yielding(&self) -> PortSet {
        match self.priority {
            Priority::None => PortSet::EMPTY,
            Priority::Transit => self.nodes(),
        }
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

    /// Flits that each VC at the other end of a port holds.
    #[inline(always)]
    pub fn buffer(&self, port: PortId) -> u16 {
        self.ports.at(port).buffer
    }

    /// Free places that a head needs in a VC behind a port, where flow control asks for `room`.
    #[inline(always)]
    pub fn room_at(&self, port: PortId, room: u16) -> u16 {
        self.room_for(port, room, || false)
    }

    /// The same, where `enters` says whether the packet comes on to an escape ring.
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

    /// Between the name of a VC on the wires and its place in ascending order; the same function leads back.
    #[inline(always)]
    pub fn relabel(&self, port: PortId, vc: VcId) -> VcId {
        match self.vc_order {
            VcOrder::Ascending => vc,
            VcOrder::Descending => self.relabel_of_class(self.class(port), vc),
        }
    }

    /// The same for two VCs, with one look at the order.
    #[inline(always)]
    pub(crate) fn relabel_both(&self, one: Channel, other: Channel) -> (VcId, VcId) {
        match self.vc_order {
            VcOrder::Ascending => (one.vc, other.vc),
            VcOrder::Descending => (self.relabel(one.port, one.vc), self.relabel(other.port, other.vc)),
        }
    }

    /// The same for any port of a class.
    pub fn relabel_of_class(&self, class: PortClass, vc: VcId) -> VcId {
        match (self.vc_order, class) {
            (VcOrder::Ascending, _) | (_, PortClass::NODE) => vc,
            (VcOrder::Descending, _) => {
                VcId::new(self.sizes(class).vcs.wrapping_sub(1).wrapping_sub(vc.number()))
            }
        }
    }
}
