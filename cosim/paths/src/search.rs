//! A way from a source to a tree, by a depth-first search.

use crate::graph::{Graph, Link, Tree, links};
use std::collections::HashSet;

/// Routers that a search for one source looks at, at most.
const STEPS: u32 = 4096;

/// What ways are looked for.
pub(crate) struct Wanted<'a> {
    /// The tree that they lead to, and its root.
    pub(crate) tree: &'a Tree,
    pub(crate) there: usize,
    /// Entry `router`: hops that it takes at least.
    pub(crate) least: &'a [u32],
    /// Links that the way must not use.
    pub(crate) taken: &'a HashSet<Link>,
    /// Hops of a route, at most.
    pub(crate) limit: u32,
    /// Whether the way may enter the root itself, by a link that is not in the tree.
    pub(crate) enters: bool,
}

/// A depth-first search for a way from a source to a tree.
pub(crate) struct Search<'a, G> {
    graph: &'a G,
    wanted: Wanted<'a>,
    steps: u32,
    way: Vec<(usize, u8)>,
    on_way: HashSet<usize>,
    /// The hops of the best route, and its part up to the tree.
    best: Option<(u32, Vec<(usize, u8)>)>,
}

impl<'a, G: Graph> Search<'a, G> {
    /// The shortest way from a router, and the hops of the route by it; of several, the first that is found.
    pub(crate) fn way(graph: &'a G, wanted: Wanted<'a>, from: usize) -> Option<(u32, Vec<(usize, u8)>)> {
        let (way, on_way) = (Vec::new(), HashSet::from([from]));
        let mut search = Self { graph, wanted, steps: 0, way, on_way, best: None };
        search.go(from);
        search.best
    }

    /// Goes on from a router that has just been put on the way.
    fn go(&mut self, at: usize) {
        self.steps += 1;
        let (done, limit) = (self.way.len() as u32, self.wanted.limit);
        let most = self.best.as_ref().map_or(limit, |(length, _)| limit.min(length - 1));
        if self.steps > STEPS || done.saturating_add(self.wanted.least[at]) > most {
            return;
        }
        if let Some((port, rest)) = self.wanted.tree[at] {
            if done + rest <= most && self.may_leave(at, port) && self.is_free(at) {
                self.best = Some((done + rest, self.way.clone()));
            }
            return;
        }
        let graph = self.graph;
        for (port, near) in graph.neighbours(at) {
            let is_open = !self.wanted.taken.contains(&graph.link(at, port)) && self.may_leave(at, port);
            if near == self.wanted.there {
                if is_open && self.wanted.enters {
                    self.enter(at, port);
                }
            } else if is_open && self.on_way.insert(near) {
                self.way.push((at, port));
                self.go(near);
                self.way.pop();
                self.on_way.remove(&near);
            }
        }
    }

    /// The way is at its end, if there is none that is as short.
    fn enter(&mut self, at: usize, port: u8) {
        let length = self.way.len() as u32 + 1;
        let is_best = self.best.as_ref().is_none_or(|&(best, _)| length < best);
        if is_best && length <= self.wanted.limit {
            let last = std::iter::once((at, port));
            self.best = Some((length, self.way.iter().copied().chain(last).collect()));
        }
    }

    /// Whether a packet that has come so far may leave by a port.
    fn may_leave(&self, at: usize, port: u8) -> bool {
        let leaves = self.graph.link(at, port);
        self.way.last().is_none_or(|&(from, by)| self.graph.may_turn(self.graph.link(from, by), leaves))
    }

    /// Whether the rest of the way, by the tree, has no link that is taken. It meets no router of the way so far, none of which is in the
    /// tree.
    fn is_free(&self, at: usize) -> bool {
        let Wanted { tree, there, taken, .. } = self.wanted;
        let links = links(self.graph, at, there, |router| tree[router].map(|(port, _)| port));
        !links.iter().any(|link| taken.contains(link))
    }
}
