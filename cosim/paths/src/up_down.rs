//! Up*/down*: links have a direction, towards a root or away from it, and no packet goes up when it has gone down. Then no packets wait for
//! each other in a circle, on one lane.
//!
//! Source: Schroeder et al., Autonet (1991); by destination, as switches with forwarding tables need it: where a router can reach the
//! destination by links down alone, it does.

use crate::graph::{Graph, Link, Tree, distances};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A network with such an order: [`Graph::may_turn`] is its rule.
#[derive(Debug)]
pub struct UpDown<'g, G> {
    graph: &'g G,
    /// By router: hops from the root, and its number. What is lower is further up.
    rank: Vec<(u32, usize)>,
}

impl<'g, G: Graph> UpDown<'g, G> {
    /// Of a network with one router at least. The root is the router with the fewest hops to the farthest one; of several the first.
    pub fn new(graph: &'g G) -> Self {
        let height = |&router: &usize| distances(graph, router).into_iter().max();
        let root = (0..graph.routers()).min_by_key(height).unwrap_or(0);
        let rank = distances(graph, root).into_iter().zip(0..).collect();
        Self { graph, rank }
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> usize {
        self.rank.iter().min().map_or(0, |&(_, root)| root)
    }

    fn is_up(&self, link: Link) -> bool {
        let ports = self.graph.ports();
        let from = link as usize / ports;
        let far = self.graph.behind(from, (link as usize % ports) as u8);
        far.is_some_and(|(to, _)| self.rank[to] < self.rank[from])
    }

    /// A tree of the shortest routes that the rule leaves: down where that leads to the destination, up otherwise. Of links that are
    /// equally good each router takes the one with the fewest routes so far (`routes`, by link), to which the tree is added.
    pub fn tree(&self, there: usize, routes: &mut [u64]) -> Tree {
        let mut tree: Tree = vec![None; self.routers()];
        for goes_up in [false, true] {
            self.extend(&mut tree, there, goes_up, routes);
        }
        for (router, way) in tree.iter().enumerate() {
            if let Some((port, _)) = way {
                routes[self.link(router, *port) as usize] += 1;
            }
        }
        tree
    }

    /// Routes of routers that have none yet, by links of one direction to those that have, the shortest first.
    fn extend(&self, tree: &mut Tree, there: usize, goes_up: bool, routes: &[u64]) {
        let hops = |tree: &Tree, router: usize| if router == there { Some(0) } else { Some(tree[router]?.1) };
        let mut heap: BinaryHeap<_> =
            (0..tree.len()).filter_map(|router| Some(Reverse((hops(tree, router)?, router)))).collect();
        let had: Vec<bool> = (0..tree.len()).map(|router| hops(tree, router).is_some()).collect();
        while let Some(Reverse((length, at))) = heap.pop() {
            if hops(tree, at) != Some(length) {
                continue;
            }
            for (port, near) in self.neighbours(at) {
                let Some((_, out)) = self.behind(at, port) else { continue };
                let link = self.link(near, out);
                if had[near] || self.is_up(link) != goes_up {
                    continue;
                }
                let is_better = match tree[near] {
                    None => true,
                    Some((other, so_far)) => {
                        let load = |port| routes[self.link(near, port) as usize];
                        (length + 1, load(out)) < (so_far, load(other))
                    }
                };
                if is_better {
                    tree[near] = Some((out, length + 1));
                    heap.push(Reverse((length + 1, near)));
                }
            }
        }
    }
}

impl<G: Graph> Graph for UpDown<'_, G> {
    fn routers(&self) -> usize {
        self.graph.routers()
    }

    fn ports(&self) -> usize {
        self.graph.ports()
    }

    fn behind(&self, router: usize, port: u8) -> Option<(usize, u8)> {
        self.graph.behind(router, port)
    }

    fn may_turn(&self, came: Link, leaves: Link) -> bool {
        self.is_up(came) || !self.is_up(leaves)
    }
}
