//! Routes: a forwarding table for each switch, and a service level for each pair.
//!
//! The first LID of a node has shortest routes. Each further one has routes that share no link with those of the LIDs before it, as far as
//! a table by destination and the length of detours allow (`desvio-paths`). Pairs get service levels, and lanes by them, on which no routes
//! close a cycle. Where they need more lanes than there are, routes of further LIDs are up*/down*, on one lane more; where that is too
//! much, all are, on one.

use crate::subnet::{End, Subnet};
use desvio_paths::{
    Graph, Layer, Limits, Link, Tree, UpDown, alternatives, complete, distances, links, shortest,
};
use std::collections::HashSet;

/// No way on.
pub(crate) const NOWHERE: u8 = 255;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) lmc: u8,
    pub(crate) lanes: u8,
    pub(crate) detour: u32,
}

/// Routes that are up*/down*.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Restricted {
    /// None has to be.
    #[default]
    None,
    /// Those of all LIDs of a node but the first.
    Further,
    /// All.
    All,
}

/// What has come of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// Lanes that keep the routes free of deadlock: service levels are numbered from 0.
    pub lanes: u8,
    /// Which of them are restricted, because they did not fit on the lanes that there are.
    pub up_down: Restricted,
    /// Pairs of different switches with ends.
    pub pairs: u64,
    /// Paths of these pairs that share no link with those of lower LIDs, the first ones included.
    pub disjoint: u64,
    /// Hops between switches of the longest route.
    pub longest: u32,
}

/// The routes of a fabric.
#[derive(Debug, Clone, Default)]
pub(crate) struct Routes {
    /// By switch: the port for each LID.
    pub(crate) tables: Vec<Vec<u8>>,
    /// Entry `LID of the destination * switches + switch of the source`.
    levels: Vec<u8>,
    pub(crate) facts: Facts,
}

impl Routes {
    pub(crate) fn new(subnet: &Subnet, lids: &[u16], wanted: Wanted) -> Self {
        let graph = Switches::new(subnet);
        if graph.links.is_empty() {
            return Self::default();
        }
        let (trees, layers, up_down) = graph.plan(wanted);
        let mut facts = graph.facts(&trees);
        facts.lanes = layers.iter().max().map_or(1, |&most| most + 1);
        facts.up_down = up_down;
        let mut routes = Self { tables: Vec::new(), levels: Vec::new(), facts };
        routes.fill(subnet, lids, wanted.lmc, (&trees, &layers));
        routes
    }

    fn fill(&mut self, subnet: &Subnet, lids: &[u16], lmc: u8, (trees, layers): (&[Vec<Tree>], &[u8])) {
        let switches = subnet.switches();
        let top = subnet.nodes.iter().zip(lids).map(|(node, &lid)| last(node.info.is_switch, lid, lmc)).max();
        let rows = usize::from(top.unwrap_or(0)) + 1;
        self.tables = vec![vec![NOWHERE; rows]; switches];
        self.levels = vec![0; rows * switches];
        let (count, stride) = (1usize << lmc, most(trees));
        for (place, (node, &first)) in subnet.nodes.iter().zip(lids).enumerate() {
            if node.info.is_switch {
                self.tables[place][usize::from(first)] = 0;
                self.fill_row(place, &trees[place][0], first.into());
                continue;
            }
            let Some((_, End { node: home, port })) = node.links().next() else { continue };
            if home >= switches {
                continue;
            }
            for lid in 0..count {
                let row = usize::from(first) + lid;
                self.tables[home][row] = port;
                let number = lid % trees[home].len();
                self.fill_row(home, &trees[home][number], row);
                for here in 0..switches {
                    let layer = layers.get((home * stride + number) * switches + here);
                    self.levels[row * switches + here] = layer.copied().unwrap_or(0);
                }
            }
        }
    }

    fn fill_row(&mut self, home: usize, tree: &Tree, row: usize) {
        for (router, way) in tree.iter().enumerate().filter(|&(router, _)| router != home) {
            self.tables[router][row] = way.map_or(NOWHERE, |(port, _)| port);
        }
    }

    /// The service level of packets from the ends at a switch to a LID.
    pub(crate) fn level(&self, from: usize, lid: u16) -> Option<u8> {
        self.levels.get(usize::from(lid) * self.tables.len() + from).copied()
    }

    /// The highest LID that the tables have a row for.
    pub(crate) fn top(&self) -> u16 {
        self.tables.first().map_or(0, |table| table.len().saturating_sub(1) as u16)
    }
}

/// The last LID of a node.
fn last(is_switch: bool, first: u16, lmc: u8) -> u16 {
    if is_switch { first } else { first + ((1 << lmc) - 1) }
}

/// Trees of a switch, at most.
fn most(trees: &[Vec<Tree>]) -> usize {
    trees.iter().map(Vec::len).max().unwrap_or(0)
}

/// The switches and the links between them.
#[derive(Debug)]
pub(crate) struct Switches {
    links: Vec<Vec<Option<(usize, u8)>>>,
    ports: usize,
    /// By switch: the ends there.
    ends: Vec<u64>,
}

impl Graph for Switches {
    fn routers(&self) -> usize {
        self.links.len()
    }

    fn ports(&self) -> usize {
        self.ports
    }

    fn behind(&self, router: usize, port: u8) -> Option<(usize, u8)> {
        self.links[router].get(usize::from(port)).copied().flatten()
    }
}

impl Switches {
    pub(crate) fn new(subnet: &Subnet) -> Self {
        let count = subnet.switches();
        let ports =
            subnet.nodes[..count].iter().map(|node| usize::from(node.info.ports) + 1).max().unwrap_or(0);
        let (mut links, mut ends) = (vec![vec![None; ports]; count], vec![0; count]);
        for (place, node) in subnet.nodes[..count].iter().enumerate() {
            for (port, far) in node.links() {
                if far.node >= count {
                    ends[place] += 1;
                } else if far.node != place {
                    links[place][usize::from(port)] = Some((far.node, far.port));
                }
            }
        }
        Self { links, ports, ends }
    }

    /// Switches with ends, or without.
    fn with_ends(&self, has: bool) -> Vec<usize> {
        (0..self.ends.len()).filter(|&switch| (self.ends[switch] > 0) == has).collect()
    }

    /// Trees and their layers, as few of them restricted as the lanes need.
    fn plan(&self, wanted: Wanted) -> (Vec<Vec<Tree>>, Vec<u8>, Restricted) {
        let mut routes = vec![0; self.links.len() * self.ports];
        let trees = self.plant(self, wanted, |there| {
            let tree = shortest(self, there, &distances(self, there), &self.ends, &mut routes);
            (tree.clone(), tree)
        });
        if let Some(layers) = self.layers(&trees, wanted.lanes) {
            return (trees, layers, Restricted::None);
        }
        let order = UpDown::new(self);
        if wanted.lmc > 0 {
            let mut routes = vec![0; self.links.len() * self.ports];
            let first = |there: usize| (trees[there][0].clone(), order.tree(there, &mut routes));
            let mixed = self.plant(&order, wanted, first);
            if let Some(layers) = self.layers(&mixed, wanted.lanes) {
                return (mixed, layers, Restricted::Further);
            }
        }
        let mut routes = vec![0; self.links.len() * self.ports];
        let trees = self.plant(&order, wanted, |there| {
            let tree = order.tree(there, &mut routes);
            (tree.clone(), tree)
        });
        let layers = self.layers(&trees, u8::MAX).unwrap_or_default();
        (trees, layers, Restricted::All)
    }

    /// The trees of each switch, those of ends first, so that they are spread best. `first` gives the first tree of a switch, and one by which
    /// those routers go that have no way in a further tree.
    fn plant(
        &self,
        graph: &impl Graph,
        wanted: Wanted,
        mut first: impl FnMut(usize) -> (Tree, Tree),
    ) -> Vec<Vec<Tree>> {
        let mut trees = vec![Vec::new(); self.links.len()];
        let ends = self.with_ends(true);
        let limits = Limits { lids: 1 << wanted.lmc, detour: wanted.detour, anywhere: true };
        for &there in &ends {
            let (first, base) = first(there);
            let mut own = alternatives(graph, there, &ends, first, limits).into_iter();
            let shortest = own.next();
            let further = own.map(|tree| complete(graph, &tree, &base));
            trees[there] = shortest.into_iter().chain(further).collect();
        }
        for there in self.with_ends(false) {
            trees[there] = vec![first(there).0];
        }
        trees
    }

    fn route(&self, here: usize, there: usize, tree: &Tree) -> Vec<Link> {
        links(self, here, there, |router| tree[router].map(|(port, _)| port))
    }

    /// The layer of each route between switches with ends, entry `(destination * trees + tree) * switches + source`; nothing where it takes
    /// more than there are.
    fn layers(&self, trees: &[Vec<Tree>], lanes: u8) -> Option<Vec<u8>> {
        let ends = self.with_ends(true);
        let lids = most(trees);
        let mut layers: Vec<Layer> = Vec::new();
        let mut of = vec![0; self.links.len() * lids * self.links.len()];
        for lid in 0..lids {
            for &there in &ends {
                let Some(tree) = trees[there].get(lid) else { continue };
                for &here in ends.iter().filter(|&&here| here != there) {
                    let route = self.route(here, there, tree);
                    let found = layers.iter_mut().position(|layer| layer.takes(&route));
                    let layer = match found {
                        Some(layer) => layer,
                        None if layers.len() >= lanes.into() => return None,
                        None => {
                            let mut new = Layer::new(self);
                            new.takes(&route);
                            layers.push(new);
                            layers.len() - 1
                        }
                    };
                    of[(there * lids + lid) * self.links.len() + here] = layer as u8;
                }
            }
        }
        Some(of)
    }

    fn facts(&self, trees: &[Vec<Tree>]) -> Facts {
        let (ends, mut facts) = (self.with_ends(true), Facts::default());
        for &there in &ends {
            for &here in ends.iter().filter(|&&here| here != there) {
                facts.pairs += 1;
                let mut taken = HashSet::new();
                for tree in &trees[there] {
                    let route = self.route(here, there, tree);
                    facts.longest = facts.longest.max(route.len() as u32);
                    if !route.is_empty() && route.iter().all(|link| !taken.contains(link)) {
                        facts.disjoint += 1;
                        taken.extend(route);
                    }
                }
            }
        }
        facts
    }
}
