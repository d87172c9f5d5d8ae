//! Networks: which port is joined with which, and the facts about it.
//!
//! A topology is one file that implements `Layout`, and one line in the list below. What its routers know of it, its map,
//! is in `router-core`; the wiring is that map, collected.

mod apart;
mod bisection;
mod connected;
mod distance;
mod edges;
mod error;
mod export;
mod facts;
mod field;
mod file;
mod file_error;
mod generated;
mod grid;
mod layout;
mod levels;
mod limits;
mod link_rates;
mod matching;
mod names;
mod order;
mod paths;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use router_core::map::{self, AnyMap, Map, MapKind, RouterClass};
use router_core::units::{PortId, PortSet};

use crate::document::{Lines, Problem, Section};
use layout::topologies;
pub use layout::{Defaults, Layout};
pub use limits::{MAX_ADDRESS, MAX_PORTS, MAX_ROUTERS, WORD_PORTS};
use limits::{MOST_PORTS, check_size};
use link_rates::LinkRates;

pub use bisection::Cut;
pub use butterfly::StageWiring;
pub use edges::NodesPerRouter;
pub use error::{MapFlaw, TopologyError};
pub use export::Export;
pub use facts::{Distances, Fact, Facts, Hops};
pub(crate) use file::{Fabric, LidFlaw, rate as rate_of};
pub use file_error::{FileError, LineError, PlaceError};
pub use grid::Grid;
pub use names::Names;
pub use order::Order;
pub use random_folded_clos::Clos;
pub use router_core::map::dragonfly::Arrangement;
pub use router_core::units::PortClass;
pub use tree::Children;

topologies! {
    dragonfly::Dragonfly,
    mesh::Mesh,
    torus::Torus,
    graph::Graph,
    fat_tree::FatTree,
    hypercube::Hypercube,
    ring::Ring,
    complete::Complete,
    star::Star,
    binary_tree::BinaryTree,
    illiac::Illiac,
    barrel_shifter::BarrelShifter,
    cube_connected_cycles::CubeConnectedCycles,
    hyperx::HyperX,
    slim_fly::SlimFly,
    random_regular::RandomRegular,
    orthogonal_fat_tree::OrthogonalFatTree,
    random_folded_clos::RandomFoldedClos,
    xgft::Xgft,
    multi_layer_full_mesh::MultiLayerFullMesh,
    dragonfly_plus::DragonflyPlus,
    one_way_torus::OneWayTorus,
    butterfly::Butterfly,
    crossbar::Crossbar,
    de_bruijn::DeBruijn,
    star_graph::StarGraph,
    tree::Tree,
    hypermesh::Hypermesh,
    bus::Bus,
}

/// Facts that follow from the construction of a topology.
#[derive(Debug, Clone, Default)]
struct Known {
    /// Links between two equal halves, where proven.
    bisection: Option<u64>,
    /// How many of the first routers stand for all: every router sees the network as one of them does, and equally
    /// many as each of them.
    representatives: Option<usize>,
    /// Routers of each level, the leaves first; none where there are no levels.
    levels: Vec<u32>,
    /// The radix that joins any two leaves by a root above both, where the links between levels are random.
    connecting_radix: Option<f64>,
    /// Mean hops of a hierarchical minimal route, uniform traffic.
    minimal_hops: Option<Hops>,
}

/// Who is at the other end of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// A node.
    Node(u32),
    /// A port of another router.
    Router {
        /// The router.
        router: u32,
        /// Its port.
        port: u8,
    },
}

/// Routers, nodes, and which port is joined with which.
#[derive(Debug, Clone)]
pub struct Wiring {
    ports: usize,
    class_names: &'static [&'static str],
    /// Entry `router class`: the class of each port.
    classes: Vec<Vec<PortClass>>,
    /// Entry `router`.
    router_classes: Vec<RouterClass>,
    /// Entry `router`.
    addresses: Vec<u32>,
    /// Entry `router * ports + port`.
    peers: Vec<Option<Peer>>,
    /// Entry `router * ports + port`: whether flits only come by it; no entries where they leave by every port.
    receives_only: Vec<bool>,
    /// Entry `router * ports + port`: link cycles, where a link has a latency of its own; no entries where none has.
    latencies: Vec<Option<u32>>,
    rates: LinkRates,
    /// Entry `node`: its router and port.
    attachments: Vec<(u32, u8)>,
    /// Those of the file that the network is read from.
    names: Option<Arc<Names>>,
    /// What a reader should know of how that file was read.
    notes: Vec<String>,
    /// The first router of each block; one entry more, the number of routers.
    blocks: Vec<usize>,
    known: Known,
}

impl Wiring {
    /// Wires `topology`; the result is connected.
    ///
    /// # Errors
    /// When there can be no such network, or it falls into parts.
    pub fn build(topology: &Topology) -> Result<Self, TopologyError> {
        let wiring = topology.wire()?;
        wiring.check_connected()?;
        Ok(wiring)
    }

    /// Wires a map of a program's own, class 0 of whose links is `node`.
    ///
    /// # Errors
    /// When the map contradicts itself, is too large to hold, or has no nodes.
    pub fn of(map: &impl Map, class_names: &'static [&'static str]) -> Result<Self, TopologyError> {
        custom::verify(map, class_names.len())?;
        Self::collect(map, class_names, Known::default())
    }

    /// Collects a map: routers, nodes and blocks are numbered in its order.
    fn collect(
        map: &impl Map,
        class_names: &'static [&'static str],
        known: Known,
    ) -> Result<Self, TopologyError> {
        let ports = map.ports();
        let addresses: Vec<u32> = map.routers().take(MAX_ROUTERS + 1).collect();
        check_size(addresses.len(), ports)?;
        let router_classes: Vec<_> = addresses.iter().map(|&address| map.router_class(address)).collect();
        let most = router_classes.iter().max().map_or(0, |class| usize::from(class.0) + 1);
        let class =
            |of| (0..ports).map(|port| map.port_class(RouterClass(of as u8), port_id(port))).collect();
        let mut wiring = Self {
            ports,
            class_names,
            classes: (0..most).map(class).collect(),
            router_classes,
            peers: Vec::with_capacity(addresses.len() * ports),
            receives_only: Vec::new(),
            latencies: Vec::new(),
            rates: LinkRates::default(),
            attachments: Vec::new(),
            names: None,
            notes: Vec::new(),
            blocks: ends(map.blocks()),
            known,
            addresses,
        };
        wiring.add_peers(map);
        Ok(wiring)
    }

    fn add_peers(&mut self, map: &impl Map) {
        let highest = self.addresses.iter().copied().max().unwrap_or(0) as usize;
        let mut numbers = vec![u32::MAX; highest + 1];
        for (number, &address) in (0..).zip(&self.addresses) {
            numbers[address as usize] = number;
        }
        for (router, &address) in (0u32..).zip(&self.addresses) {
            for port in 0..self.ports {
                let peer = map.peer(address, port_id(port)).map(|peer| match peer {
                    map::Peer::Node => {
                        self.attachments.push((router, port as u8));
                        Peer::Node(self.attachments.len() as u32 - 1)
                    }
                    map::Peer::Router { router, port } => {
                        Peer::Router { router: numbers[router as usize], port: port.number() }
                    }
                });
                self.peers.push(peer);
                self.receives_only.push(!map.sends(address, port_id(port)));
            }
        }
        if !self.has_one_way() {
            self.receives_only.clear();
        }
    }

    /// Whether flits go one way only over some links.
    #[must_use]
    pub fn has_one_way(&self) -> bool {
        self.receives_only.contains(&true)
    }

    /// How many routers there are.
    #[must_use]
    pub fn routers(&self) -> usize {
        self.addresses.len()
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.attachments.len()
    }

    /// Ports of the largest router, at most [`MAX_PORTS`].
    #[must_use]
    pub fn ports(&self) -> usize {
        self.ports
    }

    /// The names of the classes of links, class 0 (`node`) first.
    #[must_use]
    pub fn class_names(&self) -> &'static [&'static str] {
        self.class_names
    }

    /// The class of `port` of `router`, whether it is connected or not.
    #[must_use]
    pub fn class(&self, router: usize, port: usize) -> PortClass {
        self.port_classes(self.router_class(router))[port]
    }

    /// The class of `router`.
    #[must_use]
    pub fn router_class(&self, router: usize) -> RouterClass {
        self.router_classes[router]
    }

    /// How many classes of routers there are.
    #[must_use]
    pub fn router_classes(&self) -> usize {
        self.classes.len()
    }

    /// The class of each port of the routers of a class.
    #[must_use]
    pub fn port_classes(&self, of: RouterClass) -> &[PortClass] {
        &self.classes[usize::from(of.0)]
    }

    /// The address of `router` in its map.
    #[must_use]
    pub fn address(&self, router: usize) -> u32 {
        self.addresses[router]
    }

    /// The routers that a cut into shards keeps together, block by block.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Range<usize>> + '_ {
        self.blocks.windows(2).map(|ends| ends[0]..ends[1])
    }

    /// The other end of `port` of `router`; `None` where nothing is connected.
    #[must_use]
    pub fn peer(&self, router: usize, port: usize) -> Option<Peer> {
        self.peers_of(router)[port]
    }

    /// The latency of the link at `port` of `router`, in link cycles, where it is not the one of its class.
    #[must_use]
    pub fn latency(&self, router: usize, port: usize) -> Option<u32> {
        self.latencies.get(router * self.ports + port).copied().flatten()
    }

    /// The highest latency that a link has of its own.
    #[must_use]
    pub fn longest_latency(&self) -> Option<u32> {
        self.latencies.iter().copied().flatten().max()
    }

    /// Router and port of `node`.
    #[must_use]
    pub fn attachment(&self, node: usize) -> (usize, usize) {
        let (router, port) = self.attachments[node];
        (router as usize, usize::from(port))
    }

    /// The links of `router` to other routers, as (own port, other router), by rising port.
    pub fn neighbours(&self, router: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.peers_of(router).iter().enumerate().filter_map(|(port, peer)| match peer {
            Some(Peer::Router { router, .. }) => Some((port, *router as usize)),
            _ => None,
        })
    }

    /// The links of `router` by which flits leave it for other routers, as (own port, other router), by rising port.
    pub fn onward(&self, router: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.neighbours(router).filter(move |&(port, _)| self.sends(router, port))
    }

    /// Whether flits leave by `port` of `router`.
    #[must_use]
    pub fn sends(&self, router: usize, port: usize) -> bool {
        !self.receives_only.get(router * self.ports + port).is_some_and(|&only| only)
    }

    /// The port at the other end of a link between routers; the port itself where there is none.
    pub(crate) fn far_port(&self, router: usize, port: usize) -> usize {
        match self.peer(router, port) {
            Some(Peer::Router { port, .. }) => port.into(),
            _ => port,
        }
    }

    /// Entry `router * ports + port`: the router there; the highest number where there is none.
    pub(crate) fn neighbour_table(&self) -> Vec<u32> {
        let router = |peer: &Option<Peer>| match peer {
            Some(Peer::Router { router, .. }) => *router,
            _ => u32::MAX,
        };
        self.peers.iter().map(router).collect()
    }

    /// The nodes of `router`.
    pub fn nodes_of(&self, router: usize) -> impl Iterator<Item = usize> + '_ {
        self.peers_of(router).iter().filter_map(|peer| match peer {
            Some(Peer::Node(node)) => Some(*node as usize),
            _ => None,
        })
    }

    fn peers_of(&self, router: usize) -> &[Option<Peer>] {
        &self.peers[router * self.ports()..][..self.ports()]
    }
}

/// Where each stretch of these lengths starts, and where the last one ends.
fn ends(lengths: impl Iterator<Item = u32>) -> Vec<usize> {
    let ends = lengths.scan(0, |end, length| {
        *end += length as usize;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

fn port_id(port: usize) -> PortId {
    PortId::new(port as u8)
}
