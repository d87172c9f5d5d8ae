//! Maps: where a router is in its network, and which port leads where.
//!
//! A map is pure arithmetic on addresses. It knows no queue, and no packet but its destination. It is the one
//! description of a topology: the simulator's wiring, the routing functions, the cuts between shards and the constants
//! of the RTL are derived from it.

pub mod distance;
pub mod dragonfly;
pub mod forwarding;
pub mod grid;
pub mod intervals;
pub mod levels;
pub mod routes;
pub mod sl_to_vl;
pub mod steps;
pub mod table;
pub mod tree;
pub mod trees;
pub mod up_down;

use crate::units::{Bits, PortClass, PortId};
use distance::DistanceTable;
use dragonfly::Dragonfly;
use forwarding::ForwardingTable;
use grid::Grid;
use intervals::IntervalTable;
use levels::Levels;
use routes::RouteTable;
use steps::StepTable;
use table::Table;
use tree::Tree;
use up_down::UpDownTable;

/// A class of routers: those with ports of the same classes in the same places. They share a [`crate::plan::Plan`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RouterClass(pub u8);

/// What lies at the other end of a connected port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Peer {
    /// An end node.
    Node,
    /// Another router.
    Router {
        /// Its address.
        router: u32,
        /// Its port.
        port: PortId,
    },
}

/// A topology, as arithmetic on the addresses of its routers.
pub trait Map {
    /// The addresses of all routers, in the order in which they are numbered.
    fn routers(&self) -> impl Iterator<Item = u32>;

    /// Ports of the widest router, those included that are not connected.
    fn ports(&self) -> usize;

    /// The class of a router.
    fn router_class(&self, _router: u32) -> RouterClass {
        RouterClass(0)
    }

    /// The class of a port of every router of a class, whether it is connected or not.
    fn port_class(&self, of: RouterClass, port: PortId) -> PortClass;

    /// What lies behind a port; `None` where it is not connected. The peer of a peer is the port itself.
    fn peer(&self, router: u32, port: PortId) -> Option<Peer>;

    /// Whether flits leave by a port. Where they do not, the link is one-way: flits come by it, and credits alone leave.
    fn sends(&self, _router: u32, _port: PortId) -> bool {
        true
    }

    /// Routers of each block, in the order of their numbers: where a simulation cuts the network into shards, it keeps
    /// blocks whole, because the links inside them are short.
    fn blocks(&self) -> impl Iterator<Item = u32> {
        self.routers().map(|_| 1)
    }
}

/// The kinds of maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum MapKind {
    /// Groups of fully connected routers, fully connected among each other.
    Dragonfly,
    /// A grid of any dimensions.
    Mesh,
    /// A grid whose edges are joined.
    Torus,
    /// A grid whose edges are joined, with links that lead up alone.
    OneWayTorus,
    /// Levels of routers, nodes below the lowest.
    Tree,
    /// Levels of routers, nodes below the lowest, each joined with any of the next: a table of the ports up, then down.
    Levels,
    /// Any graph: a table of the ports on shortest routes.
    Graph,
    /// Any graph whose links have an upper end: a table of the ports on shortest routes that go up, then down.
    UpDown,
    /// Any graph: one port for each router and destination.
    Forwarding,
    /// Any graph: a table of the ports on shortest routes, and of their hops.
    Distance,
    /// Any graph: a table of whole routes.
    Routes,
    /// Any graph: labels of the routers, and an interval of them for each port.
    Intervals,
    /// Any graph: one shortest route for each pair of routers, for paths of several of them.
    Steps,
}

/// A map, of the closed list of them: the same for every router of a network. It fixes what the routers' addresses are.
#[derive(Clone, Copy, Debug)]
pub enum AnyMap<'m, B: Bits = usize> {
    /// Of a Dragonfly.
    Dragonfly(Dragonfly<'m>),
    /// Of a mesh or torus.
    Grid(Grid),
    /// Of a fat tree.
    Tree(Tree),
    /// Of levels of routers, by a table.
    Levels(Levels<'m, B>),
    /// Of any graph.
    Graph(Table<'m, B>),
    /// Of any graph whose links have an upper end.
    UpDown(UpDownTable<'m, B>),
    /// Of any graph, one port for each router and destination.
    Forwarding(ForwardingTable<'m>),
    /// Of any graph, with the hops of its shortest routes.
    Distance(DistanceTable<'m, B>),
    /// Of any graph, with whole routes.
    Routes(RouteTable<'m>),
    /// Of any graph, with an interval of labels for each port.
    Intervals(IntervalTable<'m>),
    /// Of any graph, with one shortest route for each pair of routers.
    Steps(StepTable<'m>),
}

impl<B: Bits> AnyMap<'_, B> {
    /// Its kind.
    pub const fn kind(&self) -> MapKind {
        match self {
            Self::Dragonfly(_) => MapKind::Dragonfly,
            Self::Grid(grid) if grid.is_one_way() => MapKind::OneWayTorus,
            Self::Grid(grid) if grid.wraps => MapKind::Torus,
            Self::Grid(_) => MapKind::Mesh,
            Self::Tree(_) => MapKind::Tree,
            Self::Levels(_) => MapKind::Levels,
            Self::Graph(_) => MapKind::Graph,
            Self::UpDown(_) => MapKind::UpDown,
            Self::Forwarding(_) => MapKind::Forwarding,
            Self::Distance(_) => MapKind::Distance,
            Self::Routes(_) => MapKind::Routes,
            Self::Intervals(_) => MapKind::Intervals,
            Self::Steps(_) => MapKind::Steps,
        }
    }
}
