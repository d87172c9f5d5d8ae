//! Several LIDs for each router with nodes, as a subnet manager gives them to ports with LMC: a tree of routes for each LID, so that a source has
//! short paths without a common link; and lanes on which none of them closes a cycle.
//!
//! 1. *Trees.* LID 0 of a destination has shortest routes: in dimension order on a grid, spread over the links elsewhere. Each further one has
//!    routes that enter the destination by one link of its own. From each source, the nearest first, a depth-first search enumerates the ways to
//!    the tree as it stands, and keeps the one that shares no link with the source's paths so far; of several, the shortest.
//! 2. *Paths.* A source has LID 0; then, the shortest first, LIDs whose routes share no link with those that it has, up to
//!    the number of paths, as long as a lane takes the route without a cycle in its channel dependency graph.
//! 3. *Lanes.* At last each path gets every further lane that takes it, too. A packet keeps the lane of its first hop.
//!
//! Source of 1: `docs/papers.md`, on Distributed Routing Balancing in InfiniBand (depth-first search, short and disjoint paths); of 2: LASH and DFSSSP, as `layers.rs` says.

mod lanes;
mod search;

use std::collections::HashSet;

use super::check::next;
use super::rows::{ANY, Destinations, MOST_ROWS, Row, Rows};
use super::{Flaw, Tables, shortest};
use crate::topology::Wiring;
use lanes::Lanes;
use search::Search;

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

/// The way on of each router to one LID, and its hops.
type Tree = Vec<Option<(u8, u32)>>;

/// A link, by the router that it leaves and the port.
type Link = u32;

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

    fn link(&self, router: usize, port: u8) -> Link {
        (router * self.wiring.ports()) as u32 + u32::from(port)
    }

    /// The trees of all LIDs of a router.
    fn plant(&self, there: usize, shortest: Option<&Rows>, rows: &mut Rows) {
        let hops = self.wiring.distances_from(there);
        let mut trees = vec![self.shortest_tree(there, &hops, shortest)];
        // A link from each neighbour, by the port of the neighbour that leads here.
        let roots = self.wiring.neighbours(there);
        let roots: Vec<_> =
            roots.map(|(port, root)| (root, self.wiring.far_port(there, port) as u8)).collect();
        for &root in roots.iter().take(self.limits.lids - 1) {
            let tree = self.grow(there, root, &hops, &trees);
            trees.push(tree);
        }
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

    /// Routes that enter by one link, from the router and port that it leaves.
    fn grow(&self, there: usize, (root, port): (usize, u8), hops: &[u32], others: &[Tree]) -> Tree {
        let mut tree: Tree = vec![None; hops.len()];
        tree[root] = Some((port, 1));
        let least = self.distances_by(there, root);
        let mut order: Vec<usize> = self.ends.iter().copied().filter(|&end| end != there).collect();
        order.sort_by_key(|&end| least[end]);
        for from in order {
            if tree[from].is_some() {
                continue;
            }
            let taken = self.own_links(from, there, hops[from], others);
            let limit = hops[from] + self.limits.detour;
            let mut search = Search::new(self, (&tree, &least), there, &taken, limit);
            search.from(from);
            let Some((length, way)) = search.best else { continue };
            for (place, &(router, port)) in way.iter().enumerate() {
                tree[router] = Some((port, length - place as u32));
            }
        }
        tree
    }

    /// Hops to a router by way of one neighbour.
    fn distances_by(&self, there: usize, root: usize) -> Vec<u32> {
        let mut least = vec![u32::MAX; self.wiring.routers()];
        least[root] = 1;
        let mut queue = std::collections::VecDeque::from([root]);
        while let Some(at) = queue.pop_front() {
            for (_, near) in self.wiring.neighbours(at) {
                if near != there && least[near] == u32::MAX {
                    least[near] = least[at] + 1;
                    queue.push_back(near);
                }
            }
        }
        least
    }

    /// The links of the paths that a source has in these trees: of each that shares none with those before it.
    fn own_links(&self, from: usize, there: usize, hops: u32, trees: &[Tree]) -> HashSet<Link> {
        let mut taken = HashSet::new();
        for tree in trees {
            let Some((_, length)) = tree[from] else { continue };
            let links = self.links(from, there, |router| tree[router].map(|(port, _)| port));
            if length <= hops + self.limits.detour && links.iter().all(|link| !taken.contains(link)) {
                taken.extend(links);
            }
        }
        taken
    }

    /// The links of a route.
    fn links(&self, from: usize, there: usize, port: impl Fn(usize) -> Option<u8>) -> Vec<Link> {
        let mut links = Vec::new();
        let mut at = from;
        while at != there {
            let Some(port) = port(at) else { break };
            links.push(self.link(at, port));
            let Some(near) = next(self.wiring, at, port) else { break };
            at = near;
        }
        links
    }
}
