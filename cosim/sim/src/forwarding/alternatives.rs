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

use std::collections::HashSet;

use router_core::units::VcSet;

use super::check::next;
use super::layers::{Layer, VCS};
use super::rows::{ANY, Destinations, MOST_ROWS, Row, Rows};
use super::{Flaw, Tables, only, shortest};
use crate::topology::Wiring;

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

/// Routers that a search for one source looks at, at most.
const STEPS: u32 = 4096;

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
            let mut search = Search {
                network: self,
                tree: &tree,
                least: &least,
                there,
                taken: &taken,
                limit,
                steps: 0,
                way: Vec::new(),
                on_way: HashSet::from([from]),
                best: None,
            };
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

/// A depth-first search for a way from a source to a tree.
struct Search<'a> {
    network: &'a Network<'a>,
    tree: &'a Tree,
    /// Entry `router`: hops that it takes at least.
    least: &'a [u32],
    there: usize,
    /// Links that the way must not use.
    taken: &'a HashSet<Link>,
    /// Hops of a route, at most.
    limit: u32,
    steps: u32,
    way: Vec<(usize, u8)>,
    on_way: HashSet<usize>,
    /// The hops of the best route, and its part up to the tree.
    best: Option<(u32, Vec<(usize, u8)>)>,
}

impl Search<'_> {
    fn from(&mut self, at: usize) {
        self.steps += 1;
        let done = self.way.len() as u32;
        let most = self.best.as_ref().map_or(self.limit, |(length, _)| self.limit.min(length - 1));
        if self.steps > STEPS || done.saturating_add(self.least[at]) > most {
            return;
        }
        if let Some((_, rest)) = self.tree[at] {
            if done + rest <= most && self.is_free(at) {
                self.best = Some((done + rest, self.way.clone()));
            }
            return;
        }
        for (port, near) in self.network.wiring.neighbours(at) {
            let port = port as u8;
            let is_open = near != self.there && !self.taken.contains(&self.network.link(at, port));
            if is_open && self.on_way.insert(near) {
                self.way.push((at, port));
                self.from(near);
                self.way.pop();
                self.on_way.remove(&near);
            }
        }
    }

    /// Whether the rest of the way, by the tree, has no link that is taken, and meets no router on the way so far.
    fn is_free(&self, at: usize) -> bool {
        let links = self.network.links(at, self.there, |router| self.tree[router].map(|(port, _)| port));
        let ports = self.network.wiring.ports() as u32;
        let meets =
            |link: &Link| (link / ports) as usize != at && self.on_way.contains(&((link / ports) as usize));
        !links.iter().any(|link| self.taken.contains(link) || meets(link))
    }
}

/// The paths of all pairs, and the lanes of each.
struct Lanes<'a> {
    network: &'a Network<'a>,
    rows: &'a Rows,
    layers: Vec<Layer>,
    /// Entry `source LID * LIDs + destination LID`.
    vcs: Vec<VcSet>,
    count: usize,
}

impl<'a> Lanes<'a> {
    fn new(network: &'a Network<'a>, rows: &'a Rows) -> Self {
        let count = rows.count();
        Self { network, rows, layers: Vec::new(), vcs: vec![VcSet::EMPTY; count * count], count }
    }

    /// The place of a pair and LID.
    fn place(&self, here: usize, there: usize, lid: usize) -> usize {
        self.network.lid(here, 0) * self.count + self.network.lid(there, lid)
    }

    fn route(&self, here: usize, there: usize, lid: usize) -> Vec<Link> {
        let row = |router| self.rows.get(router, self.network.lid(there, lid)).map(|row| row.port);
        self.network.links(here, there, row)
    }

    /// All pairs of routers with nodes.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let ends = &self.network.ends;
        ends.iter()
            .flat_map(move |&there| ends.iter().map(move |&here| (here, there)))
            .filter(|(a, b)| a != b)
    }

    /// One more path for each pair that there is one for, the first of all included.
    fn add_paths(&mut self, number: usize) {
        for (here, there) in self.pairs() {
            if number == 0 {
                let route = self.route(here, there, 0);
                let lane = self.lane(&route, usize::MAX).unwrap_or(VCS);
                let place = self.place(here, there, 0);
                self.vcs[place] = if lane < VCS { only(lane as u8) } else { VcSet::EMPTY };
                continue;
            }
            self.add_path(here, there, number);
        }
    }

    /// One more path for a pair that has so many.
    fn add_path(&mut self, here: usize, there: usize, has: usize) {
        let lids = self.network.limits.lids;
        let own = |lid: &usize| !self.vcs[self.place(here, there, *lid)].is_empty();
        let chosen: Vec<usize> = (0..lids).filter(own).collect();
        if chosen.len() != has {
            return;
        }
        let taken: HashSet<Link> = chosen.iter().flat_map(|&lid| self.route(here, there, lid)).collect();
        let limit = self.network.wiring_hops(self.route(here, there, 0).len());
        let routes = (1..lids).filter(|lid| !chosen.contains(lid));
        let mut routes: Vec<_> = routes.map(|lid| (self.route(here, there, lid), lid)).collect();
        routes.retain(|(route, _)| !route.is_empty() && route.len() <= limit);
        routes.sort_by_key(|(route, lid)| (route.len(), *lid));
        for (route, lid) in routes {
            if route.iter().any(|link| taken.contains(link)) {
                continue;
            }
            if let Some(lane) = self.lane(&route, self.network.limits.vcs.min(VCS)) {
                let place = self.place(here, there, lid);
                self.vcs[place] = only(lane as u8);
                return;
            }
        }
    }

    /// The first lane that takes a route, of up to `most`.
    fn lane(&mut self, route: &[Link], most: usize) -> Option<usize> {
        let found = self.layers.iter_mut().position(|layer| layer.takes(route));
        if found.is_some() || self.layers.len() >= most {
            return found;
        }
        let mut new = Layer::new(self.network.wiring);
        new.takes(route);
        self.layers.push(new);
        Some(self.layers.len() - 1)
    }

    /// Each path also has every other lane that takes it.
    fn spread(mut self) -> Vec<VcSet> {
        let lanes = self.network.limits.vcs.min(VCS);
        while self.layers.len() < lanes {
            self.layers.push(Layer::new(self.network.wiring));
        }
        for (here, there) in self.pairs() {
            for lid in 0..self.network.limits.lids {
                let place = self.place(here, there, lid);
                if self.vcs[place].is_empty() {
                    continue;
                }
                let route = self.route(here, there, lid);
                for (lane, layer) in (0u8..).zip(&mut self.layers[..lanes]) {
                    if layer.takes(&route) {
                        self.vcs[place] = self.vcs[place].union(only(lane));
                    }
                }
            }
        }
        self.vcs
    }
}

impl Network<'_> {
    /// Hops of a path, at most, where the shortest has so many.
    fn wiring_hops(&self, shortest: usize) -> usize {
        shortest + self.limits.detour as usize
    }
}
