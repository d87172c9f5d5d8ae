//! Breadth-first searches: distances, and the ports that start a shortest path.

use rayon::prelude::*;
use router_core::rate::Rate;
use router_core::units::{Bits, PortId, PortSet};

use super::Wiring;

/// Distance of a router that cannot be reached.
pub(super) const UNREACHED: u32 = u32::MAX;

impl Wiring {
    /// Hops between routers, from `router` to every router.
    #[must_use]
    pub fn distances_from(&self, router: usize) -> Vec<u32> {
        let mut search = Search::new(self.routers());
        search.run(self, router);
        search.distances
    }

    /// Entry `router`: the least rate on a shortest route from `start`, that of the best such route, where links have rates by router and port.
    pub(crate) fn rates_from(&self, start: usize, rate: impl Fn(usize, usize) -> Rate) -> Vec<Rate> {
        let mut search = Search::new(self.routers());
        search.run(self, start);
        let mut best: Vec<Option<Rate>> = vec![None; self.routers()];
        best[start] = Some(Rate::FULL);
        for (here, hops) in search.reached() {
            for (port, there) in self.onward(here) {
                if search.distances[there] == hops + 1 {
                    let least = best[here].min(Some(rate(here, port)));
                    best[there] = best[there].max(least);
                }
            }
        }
        best.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// The ports on shortest paths, for a routing table.
    ///
    /// Entry `here * routers + there` has bit `port` set when that port of `here` brings a packet one hop closer to
    /// `there`; 0 where `here` is `there`. Takes 8 bytes per pair of routers. For routers of at most 64 ports; [`Self::minimal_sets`] is
    /// for all.
    #[must_use]
    pub fn minimal_ports(&self) -> Vec<u64> {
        masks(self.minimal_sets())
    }

    /// The same as sets.
    #[must_use]
    pub fn minimal_sets<B: Bits>(&self) -> Vec<PortSet<B>> {
        let routers = self.routers();
        let mut sets = vec![PortSet::EMPTY; routers * routers];
        let rows = sets.par_chunks_mut(routers).enumerate();
        rows.for_each_init(
            || Search::new(routers),
            |search, (here, row)| search.first_ports(self, here, row),
        );
        sets
    }
}

/// Sets of at most 64 ports as numbers.
pub(super) fn masks(sets: Vec<PortSet>) -> Vec<u64> {
    sets.into_iter().map(|set| set.bits() as u64).collect()
}

/// One search after the other in the same memory.
pub(super) struct Search {
    distances: Vec<u32>,
    /// Entry `router`: how many shortest routes lead there.
    routes: Vec<f64>,
    /// The routers reached, by rising distance.
    reached: Vec<u32>,
}

impl Search {
    pub(super) fn new(routers: usize) -> Self {
        let (distances, routes) = (vec![UNREACHED; routers], vec![0.0; routers]);
        Self { distances, routes, reached: Vec::with_capacity(routers) }
    }

    /// Searches from `start`.
    pub(super) fn run(&mut self, wiring: &Wiring, start: usize) {
        self.distances.fill(UNREACHED);
        self.reached.clear();
        self.reach(start, 0);
        self.routes[start] = 1.0;
        let mut next = 0;
        while let Some(&here) = self.reached.get(next) {
            next += 1;
            let hops = self.distances[here as usize] + 1;
            for (_, there) in wiring.onward(here as usize) {
                if self.distances[there] == UNREACHED {
                    self.reach(there, hops);
                }
                if self.distances[there] == hops {
                    self.routes[there] += self.routes[here as usize];
                }
            }
        }
    }

    /// The routers the last search reached, by rising distance, and their distances.
    pub(super) fn reached(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.reached.iter().map(|&router| (router as usize, self.distances[router as usize]))
    }

    /// How many shortest routes the last search found to a router that it reached.
    pub(super) fn routes(&self, router: usize) -> f64 {
        self.routes[router]
    }

    /// Fills `sets[there]` with the ports of `start` on shortest paths to `there`.
    fn first_ports<B: Bits>(&mut self, wiring: &Wiring, start: usize, sets: &mut [PortSet<B>]) {
        self.run(wiring, start);
        for &here in &self.reached {
            let here = here as usize;
            let hops = self.distances[here] + 1;
            for (port, there) in wiring.onward(here) {
                if self.distances[there] == hops {
                    let first =
                        if here == start { PortSet::only(PortId::new(port as u8)) } else { sets[here] };
                    sets[there] = sets[there].union(first);
                }
            }
        }
    }

    fn reach(&mut self, router: usize, hops: u32) {
        self.distances[router] = hops;
        self.routes[router] = 0.0;
        self.reached.push(router as u32);
    }
}
