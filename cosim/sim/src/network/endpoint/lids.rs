//! Paths by LIDs: the agent of congestion control in each node's channel adapter.

use super::Kind;
use super::paths::Leaving;
use crate::blueprint::Blueprint;
use crate::topology::Peer;
use router_core::congestion::{Agent, PATHS, PathSet, PathSettings, notification};
use router_core::header::{Carried, Header};
use router_core::lfsr::Lfsr;
use router_core::route::drb_infiniband::DrbInfiniBand;
use router_core::route::{Routing, RoutingScheme};
use std::collections::VecDeque;

/// The LIDs of a pair of routers, the shortest path first.
type Lids = ([u8; PATHS], u8);

/// What all nodes of a network have in common: what the subnet manager answers to queries for paths.
#[derive(Debug, Clone)]
pub(crate) struct LidPaths {
    settings: PathSettings,
    /// Entry `here * routers + there`.
    lids: Vec<Lids>,
    /// Entry `node`: its router.
    routers_of: Vec<u32>,
    routers: usize,
    seed: u64,
}

/// One node's adapter.
#[derive(Debug, Clone)]
pub(crate) struct Adapter {
    random: Lfsr,
    /// By destination.
    agent: Agent<Vec<PathSet>>,
    /// The paths that the answers which wait will name, in their order.
    named: VecDeque<u8>,
}

impl LidPaths {
    /// Those of a network whose routing is by LIDs.
    pub(crate) fn new(blueprint: &Blueprint) -> Option<Self> {
        let scenario = blueprint.scenario();
        let RoutingScheme::DrbInfiniBand(scheme) = scenario.routing.scheme else { return None };
        let Ok(Routing::DrbInfiniBand(routing)) = blueprint.routing() else { return None };
        let wiring = blueprint.wiring();
        let routers = wiring.routers();
        let pairs = (0..routers).flat_map(|here| (0..routers).map(move |there| (here, there)));
        Some(Self {
            settings: scheme.paths,
            lids: pairs.map(|pair| lids(&routing, blueprint, pair)).collect(),
            routers_of: (0..wiring.nodes()).map(|node| wiring.attachment(node).0 as u32).collect(),
            routers,
            seed: scenario.run.seed,
        })
    }

    /// The LIDs by which packets of one router go to another.
    pub(crate) fn of(&self, here: u32, there: u32) -> &[u8] {
        let place = here as usize * self.routers + there as usize;
        self.lids.get(place).map_or(&[], |(lids, count)| &lids[..usize::from(*count)])
    }
}

/// The LIDs of a pair, the shortest path first.
fn lids(routing: &DrbInfiniBand<'_>, blueprint: &Blueprint, (here, there): (usize, usize)) -> Lids {
    let hops = |lid: u8| {
        let (mut at, mut hops) = (here, 0u32);
        while at != there {
            let port = routing.port(at as u32, there as u32, lid)?;
            let Some(Peer::Router { router, .. }) = blueprint.wiring().peer(at, port.index()) else {
                return None;
            };
            (at, hops) = (router as usize, hops + 1);
        }
        Some(hops)
    };
    let paths = routing.paths(here as u32, there as u32);
    let mut paths: Vec<_> = paths.filter_map(|lid| Some((hops(lid)?, lid))).collect();
    paths.sort_unstable();
    let mut lids = [0; PATHS];
    let count = paths.len().min(PATHS);
    lids.iter_mut().zip(paths).for_each(|(place, (_, lid))| *place = lid);
    (lids, count as u8)
}

impl Adapter {
    /// That of node `node`, at router `router`, in a network of `nodes`.
    pub(crate) fn new(paths: &LidPaths, node: u32, router: u32, nodes: usize) -> Self {
        let sets = (0..nodes).map(|to| PathSet::new(paths.of(router, paths.routers_of[to])));
        Self {
            random: Lfsr::new(paths.seed, node),
            agent: Agent::new(sets.collect(), paths.settings),
            named: VecDeque::new(),
        }
    }

    /// The header of the next packet, and how many paths were open to it.
    pub(super) fn header(&mut self, paths: &LidPaths, leaving: Leaving, now: u64) -> (Header, u8) {
        let Leaving { kind, from, to: (node, to), flits } = leaving;
        if kind != Kind::Request {
            // Each answer that waits has its path.
            let lid = self.named.pop_front().unwrap_or_default();
            return (notification(to, from, flits, lid), 0);
        }
        self.agent.expire_to(paths.settings.expiries(now));
        self.random.step();
        let carried = Carried::default().with_source(from);
        let header = Header { to, length: flits, carried, ..Header::default() };
        let header = self.agent.rewrite(node as usize, header, self.random.word());
        let open = self.agent.sets().get(node as usize).map_or(1, PathSet::open);
        (header, open)
    }

    /// The head of an answer has come from a node: it may be a notification, too.
    pub(super) fn learn(&mut self, paths: &LidPaths, from: u32, header: &Header, now: u64) {
        self.agent.expire_to(paths.settings.expiries(now));
        self.agent.process_becn(from as usize, header);
    }

    /// The next answer names this path.
    pub(super) fn answer(&mut self, lid: u8) {
        self.named.push_back(lid);
    }

    /// The sets of paths, by destination.
    #[cfg(test)]
    pub(crate) fn sets(&self) -> &[PathSet] {
        self.agent.sets()
    }
}
