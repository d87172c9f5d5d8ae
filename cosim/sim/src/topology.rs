//! Networks: which port is joined with which, and the facts about it.
//!
//! A topology is one file that implements `Layout`, and one line in `layout`.

mod bisection;
mod distance;
mod dragonfly;
mod error;
mod facts;
mod graph;
mod grid;
#[cfg(test)]
mod tests;

use crate::scenario;
pub use router_core::PortKind;

pub use bisection::Cut;
pub use dragonfly::{Dragonfly, GlobalLink};
pub use error::{LineError, TopologyError};
pub use facts::{Distances, Fact, Facts, Hops};
pub use grid::{Direction, Grid};

use graph::Graph;

/// The list of topologies.
fn layout(topology: &scenario::Topology) -> Result<Box<dyn Layout>, TopologyError> {
    use scenario::Topology::{Dragonfly as D, Graph as G, Mesh, Torus};
    Ok(match topology {
        D { p, group_sizes, h, arrangement } => Box::new(Dragonfly::new(*p, group_sizes, *h, *arrangement)),
        Mesh { dims, nodes_per_router } => Box::new(Grid::mesh(dims, *nodes_per_router)),
        Torus { dims, nodes_per_router } => Box::new(Grid::torus(dims, *nodes_per_router)),
        G { file, nodes_per_router } => Box::new(Graph::read(file, *nodes_per_router)?),
    })
}

/// What every topology tells about itself.
trait Layout {
    /// Refuses sizes that no network of this topology can have.
    fn check(&self) -> Result<(), TopologyError> {
        Ok(())
    }
    /// Routers; `usize::MAX` when they cannot be counted.
    fn routers(&self) -> usize;
    /// Ports of the largest router.
    fn ports(&self) -> usize;
    /// Nodes at `router`: they take its first ports.
    fn nodes_at(&self, router: usize) -> usize;
    /// The kind of `port`, on every router.
    fn kind(&self, port: usize) -> PortKind;
    /// Router and port at the other end of a router-to-router port.
    fn across(&self, router: usize, port: usize) -> Option<(usize, usize)>;
    /// What needs no search.
    fn known(&self) -> Known {
        Known::default()
    }
}

/// Facts that follow from the construction of a topology.
#[derive(Debug, Clone, Default)]
struct Known {
    /// Links between two equal halves, where proven.
    bisection: Option<u64>,
    /// How many of the first routers stand for all: every router sees the network as one of them does, and equally
    /// many as each of them.
    representatives: Option<usize>,
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
    routers: usize,
    kinds: Vec<PortKind>,
    /// Entry `router * ports + port`.
    peers: Vec<Option<Peer>>,
    /// Entry `node`: its router and port.
    attachments: Vec<(u32, u8)>,
    known: Known,
}

impl Wiring {
    /// Wires `topology`; the result is connected.
    pub fn build(topology: &scenario::Topology) -> Result<Self, TopologyError> {
        let layout = layout(topology)?;
        check_size(layout.routers(), layout.ports())?;
        layout.check()?;
        let mut wiring = Self {
            routers: layout.routers(),
            kinds: (0..layout.ports()).map(|port| layout.kind(port)).collect(),
            peers: Vec::with_capacity(layout.routers() * layout.ports()),
            attachments: Vec::new(),
            known: layout.known(),
        };
        for router in 0..wiring.routers {
            wiring.add_router(&*layout, router);
        }
        wiring.check_connected()?;
        Ok(wiring)
    }

    /// How many routers there are.
    #[must_use]
    pub fn routers(&self) -> usize {
        self.routers
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.attachments.len()
    }

    /// Ports of the largest router, at most [`MAX_PORTS`].
    #[must_use]
    pub fn ports(&self) -> usize {
        self.kinds.len()
    }

    /// The kind of `port`, which is the same on every router.
    #[must_use]
    pub fn kind(&self, port: usize) -> PortKind {
        self.kinds[port]
    }

    /// The other end of `port` of `router`; `None` where nothing is connected.
    #[must_use]
    pub fn peer(&self, router: usize, port: usize) -> Option<Peer> {
        self.peers_of(router)[port]
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

    fn add_router(&mut self, layout: &dyn Layout, router: usize) {
        let nodes = layout.nodes_at(router);
        for port in 0..self.ports() {
            let peer = if port < nodes {
                self.attachments.push((router as u32, port as u8));
                Some(Peer::Node(self.attachments.len() as u32 - 1))
            } else {
                let end = layout.across(router, port);
                end.map(|(router, port)| Peer::Router { router: router as u32, port: port as u8 })
            };
            self.peers.push(peer);
        }
    }

    fn check_connected(&self) -> Result<(), TopologyError> {
        let distances = self.distances_from(0);
        match distances.iter().position(|&hops| hops == distance::UNREACHED) {
            Some(router) => Err(TopologyError::Unconnected { router }),
            None => Ok(()),
        }
    }
}

fn check_size(routers: usize, ports: usize) -> Result<(), TopologyError> {
    if routers == 0 {
        Err(TopologyError::NoRouters)
    } else if routers > MAX_ROUTERS {
        Err(TopologyError::TooManyRouters)
    } else if ports > MAX_PORTS {
        Err(TopologyError::TooManyPorts { ports })
    } else {
        Ok(())
    }
}

/// Most ports of a router: a set of ports is 64 bits.
pub const MAX_PORTS: usize = 64;

/// Most routers of a network: the wiring of the widest ones then takes half a gibibyte.
pub const MAX_ROUTERS: usize = 1 << 20;
