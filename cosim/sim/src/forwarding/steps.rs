//! The tables of paths of several steps: one shortest route for each pair of routers, and the VCs on which a step may take it.
//!
//! VCs form three classes, one for each step, and each VC has a [layer](Layer): no channel dependency graph has a cycle. Steps to a router
//! of the source's supernode have the lowest class, steps from one of the destination's the highest. Each class has as many layers as its
//! routes need; the one in the middle also has the VCs that are left over. A packet with fewer steps than three may take the VCs of several
//! classes, so that in the end every pair of nodes' routers gets all further VCs whose layer takes its route.

#[cfg(test)]
mod tests;

use super::rows::Rows;
use super::{Flaw, layers, only, shortest};
use crate::topology::Wiring;
use desvio_paths::{Layer, Link};
use router_core::drb::{Network, Supernode, SupernodeShape};
use router_core::map::forwarding::Entry;
use router_core::map::steps::{StepParts, StepTable};
use router_core::map::table::TableError;
use router_core::route::drb::DrbScheme;
use router_core::units::{Bits, PortSet, VcSet};

/// The tables of all routers of a network, as [`StepTable`] has them.
#[derive(Debug, Clone)]
pub(crate) struct StepTables {
    entries: Vec<Entry>,
    hops: Vec<u8>,
    peers: Vec<u32>,
    width: u32,
    routers: u32,
    classes: [u8; 2],
    /// VCs between routers that the entries name, from 0 on.
    pub(crate) vcs: u32,
}

/// A step from one router to another.
type Step = (u32, u32);

impl StepTables {
    /// Routes that are spread over the links.
    ///
    /// # Errors
    /// When there are more routers than memory is meant for.
    pub(crate) fn spread(wiring: &Wiring) -> Result<Self, Flaw> {
        Ok(Self::of(shortest::to_all(wiring)?, wiring))
    }

    /// Routes by the lowest ports. In a network that is regular they need fewer VCs.
    ///
    /// # Errors
    /// When there are more routers than memory is meant for.
    pub(crate) fn by_lowest_port(wiring: &Wiring) -> Result<Self, Flaw> {
        Ok(Self::of(shortest::by_lowest_port(wiring)?, wiring))
    }

    /// These routes, without VCs.
    fn of(rows: Rows, wiring: &Wiring) -> Self {
        let mut entries = rows.into_tables().entries;
        entries.iter_mut().for_each(|entry| entry.vcs = VcSet::EMPTY);
        let hops = (0..wiring.routers()).flat_map(|router| wiring.distances_from(router));
        Self {
            entries,
            hops: hops.map(|hops| u8::try_from(hops).unwrap_or(u8::MAX)).collect(),
            peers: wiring.neighbour_table(),
            width: wiring.ports() as u32,
            routers: wiring.routers() as u32,
            classes: [0; 2],
            vcs: 0,
        }
    }

    /// The map; `between(r)` are the ports of router `r` that lead to other routers.
    pub(crate) fn map<B: Bits>(
        &self,
        between: impl Fn(u32) -> PortSet<B>,
    ) -> Result<StepTable<'_>, TableError> {
        let Self { entries, hops, peers, width, routers, classes, .. } = self;
        let parts = StepParts { entries, hops, peers, width: *width, routers: *routers, classes: *classes };
        StepTable::load(parts, between)
    }

    /// The map, with VCs for the steps of a scheme, of which ports have `vcs`. Nothing where the steps need more than `most`. `network` is
    /// its own map.
    pub(crate) fn with_vcs(
        &self,
        network: Network<'_>,
        wiring: &Wiring,
        scheme: &DrbScheme,
        (vcs, most): (usize, usize),
    ) -> Option<Self> {
        let ends: Vec<u32> =
            (0..self.routers).filter(|&r| wiring.nodes_of(r as usize).next().is_some()).collect();
        let routes = |(from, to): Step| -> Vec<Link> {
            network
                .links(from, to)
                .map(|(router, port)| router * self.width + u32::from(port.number()))
                .collect()
        };
        let around = |shape: SupernodeShape| -> Vec<Step> {
            let of = |&centre: &u32| {
                Supernode { network, centre, shape }.routers().map(move |router| (centre, router))
            };
            ends.iter().flat_map(of).collect()
        };
        let (sources, destinations) = (around(scheme.source()), around(scheme.destination()));
        let middle = pairs(&distinct(&sources, self.routers), &distinct(&destinations, self.routers));
        let last = destinations.iter().map(|&(to, from)| (from, to));
        let steps = [sources, middle, last.collect()].map(|mut steps| {
            steps.retain(|(from, to)| from != to);
            steps
        });
        let mut classes: [Vec<Layer>; 3] = Default::default();
        let mut found = Vec::new();
        for (class, &step) in
            steps.iter().enumerate().flat_map(|(class, steps)| steps.iter().map(move |step| (class, step)))
        {
            found.push((step, class, layers::first(&mut classes[class], wiring, &routes(step))));
            if classes.iter().map(Vec::len).sum::<usize>() > most {
                return None;
            }
        }
        let needed: usize = classes.iter().map(Vec::len).sum();
        let left = vcs.saturating_sub(needed);
        classes[1].extend((0..left).map(|_| Layer::new(wiring)));
        let starts = [0, classes[0].len(), classes[0].len() + classes[1].len()];
        let mut tables =
            Self { classes: [starts[1] as u8, starts[2] as u8], vcs: needed as u32, ..self.clone() };
        for (step, class, layer) in found {
            tables.let_on(step, starts[class] + layer);
        }
        let canonical = pairs(&ends, &ends);
        let all = classes.iter_mut().zip(starts).enumerate();
        for (class, (layers, start)) in all {
            for &step in canonical.iter().chain(&steps[class]) {
                for (layer, vc) in layers.iter_mut().zip(start..) {
                    if layer.takes(&routes(step)) {
                        tables.let_on(step, vc);
                    }
                }
            }
        }
        Some(tables)
    }

    /// Lets a step on to a VC; there are no more than a set holds.
    fn let_on(&mut self, (from, to): Step, vc: usize) {
        let entry = &mut self.entries[(from * self.routers + to) as usize];
        if vc < layers::VCS {
            entry.vcs = entry.vcs.union(only(vc as u8));
        }
    }
}

/// The second routers of some steps, each once.
fn distinct(steps: &[Step], routers: u32) -> Vec<u32> {
    let mut is_one = vec![false; routers as usize];
    steps.iter().for_each(|&(_, router)| is_one[router as usize] = true);
    (0..routers).filter(|&router| is_one[router as usize]).collect()
}

/// All steps from some routers to others.
fn pairs(from: &[u32], to: &[u32]) -> Vec<Step> {
    let steps = to.iter().flat_map(|&to| from.iter().map(move |&from| (from, to)));
    steps.filter(|(from, to)| from != to).collect()
}
