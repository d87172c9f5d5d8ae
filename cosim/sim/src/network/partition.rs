//! The cut of a network into shards: a shard is a range of routers with their nodes, run for many cycles on its own.
//!
//! What one shard sends reaches another after the latency of a link between them at the earliest (the lookahead), so that
//! shards need a barrier only once in so many cycles. In between a shard has its core's cache for itself.

use super::constants::draws;
use super::credit_delay;
use super::informed::is_informed;
use super::link_credits;
use super::reservation;
use crate::blueprint::Blueprint;
use crate::processes::Processes;
use crate::topology::Peer;
use std::ops::Range;

/// Target size of a shard's routers, in bytes: about a core's second-level cache. Chosen by hand; half and twice as much
/// were hardly slower, in a measurement that is not recorded.
const CACHE: usize = 1 << 20;
/// Least work of a shard between two barriers, in routers times link cycles. Chosen by hand; not swept.
const WORK: u64 = 256;
/// Link cycles between barriers from which on shards are cut to [`CACHE`] and [`PER_THREAD`]; below, one shard for each
/// thread. Chosen by hand; not swept.
const LONG: u64 = 10;
/// Least shards for each of several threads, so that they balance the load. Chosen by hand; not swept.
const PER_THREAD: usize = 4;

/// A network cut into shards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Partition {
    /// The first router and the first node of each shard; after the last, how many there are.
    starts: Vec<(usize, usize)>,
    /// Link cycles after which the shards have to meet.
    pub(crate) lookahead: u64,
    /// The shards of this process: all of them where it is the only one.
    own: Range<usize>,
}

impl Partition {
    /// Into so many shards as pay on `threads` threads, when each router takes `bytes` of memory.
    pub(crate) fn new(blueprint: &Blueprint, threads: usize, bytes: usize) -> Self {
        let routers = blueprint.wiring().routers();
        let lookahead = Self::with(blueprint, 2).lookahead;
        let worth = (routers as u64).saturating_mul(lookahead) / WORK;
        let wanted = if lookahead < LONG {
            threads
        } else {
            let threads = if threads > 1 { threads * PER_THREAD } else { 1 };
            threads.max((routers * bytes).div_ceil(CACHE))
        };
        let processes = blueprint.processes().map_or(1, Processes::count);
        Self::with(blueprint, wanted.min(usize::try_from(worth).unwrap_or(usize::MAX)).max(processes))
    }

    /// Into `shards` shards, or fewer where there are no more groups or routers.
    pub(crate) fn with(blueprint: &Blueprint, shards: usize) -> Self {
        let wiring = blueprint.wiring();
        let blocks: Vec<usize> = wiring.blocks().map(|block| block.start).chain([wiring.routers()]).collect();
        let shards = if Self::is_whole(blueprint).is_some() { 1 } else { shards.clamp(1, blocks.len() - 1) };
        let starts = (0..=shards).map(|n| blocks[n * (blocks.len() - 1) / shards]);
        let first_node = |router: usize| (router..wiring.routers()).find_map(|r| wiring.nodes_of(r).next());
        let starts = starts.map(|router| (router, first_node(router).unwrap_or(wiring.nodes()))).collect();
        let mut partition = Self { starts, lookahead: u64::MAX, own: 0..shards };
        partition.lookahead = match partition.shortest_way_out(blueprint) {
            // Headers are drawn when the shards meet, while the heads are on their nodes' wires.
            Some(_) if draws(blueprint) => 1,
            None if is_informed(blueprint) => 1,
            latency => latency.unwrap_or(u64::MAX),
        };
        partition
    }

    /// What keeps a network in one shard. Shadows see everything in order, as do what holds credits back and places on links; what is lost
    /// is drawn in order. The records of probes that go back are where they were, and dead addresses have none.
    pub(crate) fn is_whole(blueprint: &Blueprint) -> Option<&'static str> {
        let atomic = blueprint.scenario().router.options.flow_control.is_atomic();
        let causes = [
            (blueprint.shadowing().is_some(), "a network with routers in SystemVerilog"),
            (atomic, "`router.flow_control` with circuits or addresses that go ahead"),
            (credit_delay::is_on(blueprint), "a network whose routers hold credits back"),
            (
                link_credits::is_on(blueprint),
                "`links` with losses, absolute credits or credits for several flits",
            ),
            (reservation::is_on(blueprint), "a network whose sources reserve places on links"),
        ];
        causes.into_iter().find_map(|(is, cause)| is.then_some(cause))
    }

    /// The part of process `own` of `count`, each of which has as many shards as the others, or one more.
    pub(crate) fn of_process(mut self, own: usize, count: usize) -> Self {
        let shards = self.shards();
        self.own = own * shards / count..(own + 1) * shards / count;
        self
    }

    /// Whether sources draw numbers of one sequence, so that all of them have to be in one process.
    pub(crate) fn draws_together(blueprint: &Blueprint) -> bool {
        draws(blueprint) || is_informed(blueprint)
    }

    /// The shards of this process.
    pub(crate) fn own(&self) -> Range<usize> {
        self.own.clone()
    }

    pub(crate) fn shards(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn routers(&self, shard: usize) -> Range<usize> {
        self.starts[shard].0..self.starts[shard + 1].0
    }

    pub(crate) fn nodes(&self, shard: usize) -> Range<usize> {
        self.starts[shard].1..self.starts[shard + 1].1
    }

    /// The shard of a router, and its number there.
    pub(crate) fn place(&self, router: usize) -> (usize, usize) {
        let shard = self.starts.partition_point(|&(first, _)| first <= router) - 1;
        (shard, router - self.starts[shard].0)
    }

    /// The lowest latency of a link from one shard to another, for flits or for credits, if there is one.
    fn shortest_way_out(&self, blueprint: &Blueprint) -> Option<u64> {
        let wiring = blueprint.wiring();
        let mut shortest: Option<u32> = None;
        for (shard, port) in (0..self.shards()).flat_map(|s| (0..wiring.ports()).map(move |port| (s, port))) {
            let own = self.routers(shard);
            for router in own.clone() {
                if let Some(Peer::Router { router: there, .. }) = wiring.peer(router, port)
                    && !own.contains(&(there as usize))
                {
                    let latency =
                        blueprint.link_latency(router, port).min(blueprint.credit_latency(router, port));
                    shortest = Some(shortest.map_or(latency, |shortest| shortest.min(latency)));
                }
            }
        }
        shortest.map(u64::from)
    }
}
