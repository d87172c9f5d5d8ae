//! A way from a source to a tree, by a depth-first search.

use super::{Link, Network, Tree};
use std::collections::HashSet;

/// Routers that a search for one source looks at, at most.
const STEPS: u32 = 4096;

/// A depth-first search for a way from a source to a tree.
pub(super) struct Search<'a> {
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
    pub(super) best: Option<(u32, Vec<(usize, u8)>)>,
}

impl<'a> Search<'a> {
    /// Of ways to `there` of up to `limit` hops. `least`: by entry `router`, the hops that it takes at least.
    pub(super) fn new(
        network: &'a Network<'a>,
        (tree, least): (&'a Tree, &'a [u32]),
        there: usize,
        taken: &'a HashSet<Link>,
        limit: u32,
    ) -> Self {
        let (way, on_way) = (Vec::new(), HashSet::new());
        Self { network, tree, least, there, taken, limit, steps: 0, way, on_way, best: None }
    }

    /// Goes on from a router that is not on the way yet.
    pub(super) fn from(&mut self, at: usize) {
        if self.way.is_empty() {
            self.on_way.insert(at);
        }
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
