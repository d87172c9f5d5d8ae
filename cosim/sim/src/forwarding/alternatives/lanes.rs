//! Which paths a source has, and on which lanes.

use super::Network;
use crate::forwarding::layers::VCS;
use crate::forwarding::only;
use crate::forwarding::rows::Rows;
use desvio_paths::{Layer, Link};
use router_core::units::VcSet;
use std::collections::HashSet;

/// The paths of all pairs, and the lanes of each.
pub(super) struct Lanes<'a> {
    network: &'a Network<'a>,
    rows: &'a Rows,
    pub(super) layers: Vec<Layer>,
    /// Entry `source LID * LIDs + destination LID`.
    vcs: Vec<VcSet>,
    count: usize,
}

impl<'a> Lanes<'a> {
    pub(super) fn new(network: &'a Network<'a>, rows: &'a Rows) -> Self {
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
    pub(super) fn add_paths(&mut self, number: usize) {
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
        let limit = self.route(here, there, 0).len() + self.network.limits.detour as usize;
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
    pub(super) fn spread(mut self) -> Vec<VcSet> {
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
