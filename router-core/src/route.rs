//! Stage 2. Routing: every legal candidate of a packet. It knows the map and never a queue.
//!
//! To add a routing, write one file beside these and one line in the list below.

pub mod candidates;
mod drawn;
mod grouped;
mod in_transit;
pub mod ladder;
mod launch;
pub mod parity_sign;
pub mod ways;
#[macro_use]
mod scheme;
mod wide;

pub use candidates::{Candidate, CandidateSet, Candidates, Full};
pub use grouped::Grouped;
pub use launch::Draw;

use crate::header::{Address, Header};
use crate::layout;
use crate::map::{AnyMap, MapKind};
use crate::units::{Bits, PortClass, PortId, PortSet, VcId, VcSet};
pub(crate) use in_transit::way_out;
pub use scheme::{Misfit, Needs, Scheme, Vcs};
use ways::{Exit, Ways};
pub use wide::WideRouting;

/// What a hop is for.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum HopKind {
    /// It follows the route the packet would take in an empty network.
    #[default]
    Minimal = layout::HOP_KIND_MINIMAL as u8,
    /// It leads through a group that is neither the origin nor the destination.
    GlobalMisroute = layout::HOP_KIND_GLOBAL_MISROUTE as u8,
    /// It is one extra hop inside a group.
    LocalMisroute = layout::HOP_KIND_LOCAL_MISROUTE as u8,
    /// It is one on an escape ring, on to it or along it. The RTL has none.
    Escape = 3,
}

impl HopKind {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::Minimal, Self::GlobalMisroute, Self::LocalMisroute, Self::Escape];
}

/// Where a router is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Here<B: Bits = usize> {
    /// The router's own address.
    pub router: u32,
    /// The ports that are connected.
    pub wired: PortSet<B>,
    /// Those that lead to a router of the same group with a connected global port: all local ones in a full
    /// Dragonfly, fewer where links do not come out even.
    pub group_exits: PortSet<B>,
    /// The ports that lead to one and the same node: a packet for one of them leaves by any. Empty: each leads to a node of its own,
    /// as they do with the feature `small`.
    pub channels: PortSet<B>,
}

/// How a packet came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Arrival {
    /// The port it came by.
    pub port: PortId,
    /// What lies there.
    pub kind: PortClass,
    /// The VC it is in, in ascending order.
    pub vc: VcId,
}

/// A routing function.
pub trait Route<B: Bits = usize> {
    /// Every legal way on for a packet that came by `from`. Empty only if the header makes no sense here.
    ///
    /// # Errors
    /// When there are more sets of candidates than a packet has room for.
    fn offer(&self, here: &Here<B>, from: Arrival, header: &Header) -> Result<Candidates<B>, Full>;

    /// The ports of a packet's shortest way on: needed only where [`offer`](Self::offer) has a way on and passes over the shortest one, since the
    /// packet has to leave its group by any link. Nothing for a routing that does not make it.
    fn passed_over(&self, _here: &Here<B>, _header: &Header) -> PortSet<B> {
        PortSet::EMPTY
    }

    /// The ports of which a packet with these candidates is counted for one. They are those of its shortest way on, whether it may take
    /// them or not. They are all offered ports where the routing knows no shortest way among them, as where another way has been decided.
    /// There are none where nothing is offered.
    #[inline(always)]
    fn counted(&self, here: &Here<B>, header: &Header, offered: &Candidates<B>) -> PortSet<B> {
        let minimal = offered.minimal_ports();
        if minimal.is_empty() { counted_elsewhere(self, here, header, offered) } else { minimal }
    }

    /// The header as it leaves by `out`, a port of kind `out_kind`, on a hop of kind `hop`.
    fn onward(&self, _here: &Here<B>, header: &Header, _out_kind: PortClass, _hop: HopKind) -> Header {
        *header
    }

    /// The header of a new packet of `length` flits, for a node at router `here`: picks an intermediate point
    /// where the routing uses one, by nothing but `draw`. What routers only carry is left for the sender to fill in.
    fn launch(&self, _here: &Here<B>, to: Address, length: u16, _draw: &mut impl Draw) -> Header {
        Header { to, length, ..Header::default() }
    }

    /// The service level of packets from one node to another, which routers read to find a virtual lane.
    fn level(&self, _from: Address, _to: Address) -> u8 {
        0
    }

    /// The other group that a packet is going to by its shortest way, where the routers of its group count it together: it came by
    /// `from`, from a node or from another group. Nothing where routers have no groups.
    fn leaves_for(&self, _here: &Here<B>, _from: Arrival, _header: &Header) -> Option<u32> {
        None
    }

    /// The global link by which shortest ways from a router leave its group for another one, where each two groups have one between them.
    /// Nothing where it is not asked for.
    fn exit(&self, _here: &Here<B>, _group: u32) -> Option<Exit> {
        None
    }

    /// Both ways of a new packet, where its first router has to take one of them. Nothing where there is no choice.
    fn ways(&self, _here: &Here<B>, _from: Arrival, _header: &Header) -> Option<Ways> {
        None
    }

    /// The output straight ahead of a packet that came by `from`, in its dimension and direction; connected or not. Nothing where it came
    /// from a node, and for a routing with which no packet goes ahead of its address.
    fn straight(&self, _from: Arrival) -> Option<PortId> {
        None
    }

    /// In how many dimensions a packet travels from one router to another: the addresses that it brings where it goes ahead of them.
    fn legs(&self, _from: u32, _to: u32) -> u16 {
        0
    }

    /// Whether a packet in the buffer it came to keeps the order that excludes deadlock: `VC-ORDER`.
    fn keeps_order(&self, _here: &Here<B>, _from: Arrival, _header: &Header) -> bool {
        true
    }
}

impl<B: Bits, R: Route<B>> Route<B> for &R {
    #[inline]
    fn offer(&self, here: &Here<B>, from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        R::offer(self, here, from, header)
    }
    fn passed_over(&self, here: &Here<B>, header: &Header) -> PortSet<B> {
        R::passed_over(self, here, header)
    }
    #[inline]
    fn onward(&self, here: &Here<B>, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        R::onward(self, here, header, out_kind, hop)
    }
    fn launch(&self, here: &Here<B>, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        R::launch(self, here, to, length, draw)
    }
    fn level(&self, from: Address, to: Address) -> u8 {
        R::level(self, from, to)
    }
    fn leaves_for(&self, here: &Here<B>, from: Arrival, header: &Header) -> Option<u32> {
        R::leaves_for(self, here, from, header)
    }
    fn exit(&self, here: &Here<B>, group: u32) -> Option<Exit> {
        R::exit(self, here, group)
    }
    fn ways(&self, here: &Here<B>, from: Arrival, header: &Header) -> Option<Ways> {
        R::ways(self, here, from, header)
    }
    fn straight(&self, from: Arrival) -> Option<PortId> {
        R::straight(self, from)
    }
    fn legs(&self, from: u32, to: u32) -> u16 {
        R::legs(self, from, to)
    }
    #[inline]
    fn keeps_order(&self, here: &Here<B>, from: Arrival, header: &Header) -> bool {
        R::keeps_order(self, here, from, header)
    }
}

/// Makes the closed list of routings, and sends each call to the one in use.
macro_rules! routings {
    ($($(#[$about:meta])* $name:ident($module:ident::$scheme:ident)),* $(,)?) => {
        $(pub mod $module;)*

        schemes! { $($(#[$about])* $name($module::$scheme)),* }

        /// The routing in use: one for all routers of a network.
        #[derive(Clone, Copy, Debug)]
        pub enum Routing<'m> {
            $(
                $(#[$about])*
                #[doc = ""]
                #[doc = concat!("See [`", stringify!($module), "::", stringify!($scheme), "`].")]
                $name(<$module::$scheme as Scheme>::Routing<'m>)
            ),*
        }

        impl Route for Routing<'_> {
            #[inline]
            fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
                match self { $(Self::$name(routing) => routing.offer(here, from, header)),* }
            }
            #[cold]
            fn passed_over(&self, here: &Here, header: &Header) -> PortSet {
                match self { $(Self::$name(routing) => routing.passed_over(here, header)),* }
            }
            #[inline]
            fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
                match self { $(Self::$name(routing) => routing.onward(here, header, out_kind, hop)),* }
            }
            fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
                match self { $(Self::$name(routing) => routing.launch(here, to, length, draw)),* }
            }
            fn level(&self, from: Address, to: Address) -> u8 {
                match self { $(Self::$name(routing) => Route::<usize>::level(routing, from, to)),* }
            }
            fn leaves_for(&self, here: &Here, from: Arrival, header: &Header) -> Option<u32> {
                match self { $(Self::$name(routing) => routing.leaves_for(here, from, header)),* }
            }
            fn exit(&self, here: &Here, group: u32) -> Option<Exit> {
                match self { $(Self::$name(routing) => routing.exit(here, group)),* }
            }
            fn ways(&self, here: &Here, from: Arrival, header: &Header) -> Option<Ways> {
                match self { $(Self::$name(routing) => routing.ways(here, from, header)),* }
            }
            fn straight(&self, from: Arrival) -> Option<PortId> {
                match self { $(Self::$name(routing) => Route::<usize>::straight(routing, from)),* }
            }
            fn legs(&self, from: u32, to: u32) -> u16 {
                match self { $(Self::$name(routing) => Route::<usize>::legs(routing, from, to)),* }
            }
            #[inline]
            fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
                match self { $(Self::$name(routing) => routing.keeps_order(here, from, header)),* }
            }
        }
    };
}

routings! {
    /// Shortest routes on a Dragonfly.
    Minimal(minimal::MinimalScheme),
    /// Through a random intermediate group or router of a Dragonfly.
    Valiant(valiant::ValiantScheme),
    /// On-the-fly local misrouting on a Dragonfly.
    Olm(olm::OlmScheme),
    /// One dimension after the other, on a mesh or torus.
    DimensionOrder(dimension_order::DimensionOrderScheme),
    /// Dimension order on the VCs that datelines leave free, on a torus.
    DatelineAdaptive(dateline_adaptive::DatelineAdaptiveScheme),
    /// Every shortest way, with an escape in dimension order, on a mesh or torus.
    Duato(duato::DuatoScheme),
    /// Every shortest way in two dimensions at a time, on a mesh.
    PlanarAdaptive(planar_adaptive::PlanarAdaptiveScheme),
    /// Every shortest way, on VCs that rise with each hop to a router of the even colour.
    NegativeHop(negative_hop::NegativeHopScheme),
    /// Every shortest way without certain turns, on a mesh.
    TurnModel(turn_model::TurnModelScheme),
    /// Every shortest way without certain turns, others in odd columns than in even ones, on a mesh.
    OddEven(odd_even::OddEvenScheme),
    /// Every shortest route, from a table.
    Table(table::TableScheme),
    /// Every shortest route, from a table, on any VC: it can deadlock.
    Multipath(multipath::MultipathScheme),
    /// Through a random router, by every shortest route to it and from it, from a table.
    ValiantTable(valiant_table::ValiantTableScheme),
    /// Up, then down, in a network of levels.
    UpDown(up_down::UpDownScheme),
    /// Up, then down, in any graph, from a table.
    UpDownStar(up_down_star::UpDownStarScheme),
    /// Up, then down, to a random leaf of a network of levels, and from there.
    ValiantLeaves(valiant_leaves::ValiantLeavesScheme),
    /// Up and down twice, by random ways, in a network of two levels.
    UpDownDerouting(up_down_derouting::UpDownDeroutingScheme),
    /// One port for each router and destination, from a table that is given.
    Forwarding(forwarding::ForwardingScheme),
    /// One shortest route for each router and destination, on a VC for each pair of routers.
    Layered(layered::LayeredScheme),
    /// By a route that the source writes into the header.
    Source(source::SourceScheme),
    /// By the interval of labels that the destination is in, one for each port.
    Interval(interval::IntervalScheme),
    /// A shortest route, or one through a random router where its queue is shorter, from a table.
    Ugal(ugal::UgalScheme),
    /// Through two routers that the source chooses by the latency of the ways.
    Drb(drb::DrbScheme),
    /// By one of several LIDs of the destination, which the source chooses by notifications of congestion, from a table.
    DrbInfiniBand(drb_infiniband::DrbInfiniBandScheme),
    /// Misrouting in transit on a Dragonfly, with a VC for each hop.
    Par(par::ParScheme),
    /// Misrouting in transit on a Dragonfly, with restricted pairs of local hops.
    Rlm(rlm::RlmScheme),
    /// A shortest route, or Valiant's where its queue is shorter, on a Dragonfly.
    UgalDragonfly(ugal_dragonfly::UgalDragonflyScheme),
    /// Misrouting in transit on a Dragonfly, on VCs without an order, with a ring to escape by.
    Ofar(ofar::OfarScheme),
}

/// The ports of which a packet is counted for one that is offered no minimal hop.
#[cold]
#[inline(never)]
fn counted_elsewhere<B: Bits, R: Route<B> + ?Sized>(
    routing: &R,
    here: &Here<B>,
    header: &Header,
    offered: &Candidates<B>,
) -> PortSet<B> {
    let passed_over = if offered.is_empty() { PortSet::EMPTY } else { routing.passed_over(here, header) };
    if passed_over.is_empty() { offered.ports() } else { passed_over }
}

/// The candidates at the destination router: the node's port, on any VC, if there is such a port and it is connected; all of the node's
/// ports, where it has several.
#[inline]
pub fn consume<B: Bits>(here: &Here<B>, to: Address) -> Candidates<B> {
    let port = if usize::from(to.port) < PortSet::<B>::CAPACITY {
        PortSet::only(PortId::new(to.port)).and(here.wired)
    } else {
        PortSet::EMPTY
    };
    let is_own = cfg!(feature = "small") | port.and(here.channels).is_empty();
    let ports = if is_own { port } else { here.channels };
    Candidates::minimal(ports, VcSet::from_bits(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_connected_node_gets_its_packets() {
        let here: Here = Here { wired: PortSet::range(1, 4), ..Here::default() };
        let consumed = |port: u8| consume(&here, Address { router: 0, port });
        assert_eq!(consumed(1).ports(), PortSet::only(PortId::new(1)));
        assert!(consumed(0).is_empty());
        // Higher than any set can hold: not port 1 once more.
        assert!(consumed(<PortSet>::CAPACITY as u8 + 1).is_empty());
        // A node with two ports of three.
        let here = Here { channels: PortSet::range(1, 3), ..here };
        let consumed = |port: u8| consume(&here, Address { router: 0, port });
        assert_eq!(consumed(2).ports(), PortSet::range(1, 3));
        assert_eq!(consumed(3).ports(), PortSet::only(PortId::new(3)));
        assert!(consumed(0).is_empty());
    }
}
