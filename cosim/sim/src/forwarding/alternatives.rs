//! Several LIDs for each router with nodes, as a subnet manager gives them to ports with LMC. Each LID has a tree of routes, so that a
//! source has short paths without a common link. Each path has a lane on which none of them closes a cycle.
//!
//! 1. *Trees* (`desvio-paths`). LID 0 of a destination has shortest routes: in dimension order on a grid, spread over the links elsewhere. Each further one has
//!    routes that enter the destination by one link of its own. From each source, the nearest first, a depth-first search enumerates the ways to
//!    the tree as it stands, and keeps the one that shares no link with the source's paths so far; of several, the shortest.
//! 2. *Paths.* A source has LID 0. Then it gets, the shortest first, LIDs whose routes share no link with those that it has, up to the
//!    number of paths. Each needs a lane that takes the route without a cycle in its channel dependency graph.
//! 3. *Lanes.* At last each path gets every further lane that takes it, too. A packet keeps the lane of its first hop.
//!
//! Source of 1: `docs/papers.md`, on Distributed Routing Balancing in InfiniBand (depth-first search, short and disjoint paths); of 2: LASH and DFSSSP, as `layers.rs` says.

mod lanes;

use super::rows::{ANY, Destinations, MOST_ROWS, Row, Rows};
use super::{Flaw, Tables, shortest};
use crate::topology::Wiring;
use desvio_paths::{Link, Tree};
use lanes::Lanes;

/// What is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    /// LIDs of a destination.
    pub(crate) lids: usize,
    /// Paths of a source to a destination.
    pub(crate) paths: usize,
    /// Hops by which a path may be longer than the shortest one.
    pub(crate) detour: u32,
    /// Lanes.
    pub(crate) vcs: usize,
    /// Routers along each dimension of a grid, whose ports stand in the order of dimensions; empty elsewhere.
    pub(crate) dims: Vec<u32>,
}

impl Tables {
    /// Those of several LIDs for each router.
    ///
    /// # Errors
    /// When there are more LIDs than memory is meant for.
    pub(crate) fn alternatives(wiring: &Wiring, limits: &Limits) -> Result<Self, Flaw> {
        let network = Network::new(wiring, limits);
        let lids = network.first.last().map_or(0, |&count| count as usize);
        if lids * lids > MOST_ROWS {
            return Err(Flaw::TooLarge(lids * lids));
        }
        let mut rows = Rows::new(wiring, Destinations::Ports(network.first.clone()))?;
        let shortest = if limits.dims.is_empty() { Some(shortest::rows(wiring)?) } else { None };
        for &there in &network.ends {
            network.plant(there, shortest.as_ref(), &mut rows);
        }
        let mut lanes = Lanes::new(&network, &rows);
        for number in 0..limits.paths.min(limits.lids) {
            lanes.add_paths(number);
        }
        let vcs = lanes.layers.len() as u32;
        let layers = lanes.spread();
        rows.set_layers(layers);
        let tables = rows.into_tables();
        Ok(Self { vcs: tables.vcs.max(vcs), ..tables })
    }
}

/// The network, and its LIDs.
struct Network<'w> {
    wiring: &'w Wiring,
    limits: &'w Limits,
    /// Routers with nodes.
    ends: Vec<usize>,
    /// Entry `router`: its first LID; one entry more.
    first: Vec<u32>,
}

impl<'w> Network<'w> {
    fn new(wiring: &'w Wiring, limits: &'w Limits) -> Self {
        let has_nodes = |router: &usize| wiring.nodes_of(*router).next().is_some();
        let ends = (0..wiring.routers()).filter(has_nodes).collect();
        let mut first = vec![0];
        for router in 0..wiring.routers() {
            let lids = if has_nodes(&router) { limits.lids as u32 } else { 0 };
            first.push(first[router] + lids);
        }
        Self { wiring, limits, ends, first }
    }

    fn lid(&self, router: usize, lid: usize) -> usize {
        self.first[router] as usize + lid
    }

    /// The trees of all LIDs of a router.
    fn plant(&self, there: usize, shortest: Option<&Rows>, rows: &mut Rows) {
        let hops = self.wiring.distances_from(there);
        let first = self.shortest_tree(there, &hops, shortest);
        let Limits { lids, detour, .. } = *self.limits;
        let limits = desvio_paths::Limits { lids, detour, anywhere: false };
        let trees = desvio_paths::alternatives(self.wiring, there, &self.ends, first, limits);
        for (lid, tree) in trees.iter().enumerate() {
            for (router, way) in tree.iter().enumerate() {
                let row = way.map(|(port, _)| Row { port, vcs: ANY, line: 0 });
                *rows.at(router, self.lid(there, lid)) = row;
            }
        }
    }

    /// Shortest routes.
    fn shortest_tree(&self, there: usize, hops: &[u32], shortest: Option<&Rows>) -> Tree {
        let mut tree: Tree = vec![None; hops.len()];
        for router in (0..hops.len()).filter(|&router| router != there) {
            let port = match shortest {
                Some(rows) => rows.get(router, there).map(|row| row.port),
                None => self.in_order(router, hops),
            };
            tree[router] = port.map(|port| (port, hops[router]));
        }
        tree
    }

    /// The port of the first dimension in which a router is not where the destination is. Half-way round a ring, even coordinates go
    /// up and odd ones down, as in dimension order.
    fn in_order(&self, router: usize, hops: &[u32]) -> Option<u8> {
        let mut closer = self.wiring.neighbours(router).filter(|&(_, near)| hops[near] < hops[router]);
        let (first, second) = (closer.next()?.0, closer.next().map(|(port, _)| port));
        let dims = &self.limits.dims;
        let dimension = (first + 2 * dims.len()).checked_sub(self.wiring.ports())? / 2;
        let stride: usize = dims[..dimension].iter().map(|&size| size as usize).product();
        let is_odd = router / stride % dims[dimension] as usize % 2 == 1;
        let (up, down) = (self.wiring.ports() - 2 * (dims.len() - dimension), second);
        match down {
            Some(down) if is_odd && first == up && down == up + 1 => Some(down as u8),
            _ => Some(first as u8),
        }
    }

    /// The links of a route.
    fn links(&self, from: usize, there: usize, port: impl Fn(usize) -> Option<u8>) -> Vec<Link> {
        desvio_paths::links(self.wiring, from, there, port)
    }
}
