//! Results of a network so far: sums over its shards.

use super::Network;
use super::audit::ports;
use super::endpoint::Endpoint;
use super::link_waits::LinkWait;
use super::shard::Shard;
use super::tally::{Series, Tally};
use super::violation::Violation;
use crate::summary::{Discards, Utilisation};
use router_core::units::{Bits, PortClass, PortId};

impl<const P: usize, const V: usize, R, B: Bits> Network<'_, P, V, R, B> {
    /// The link cycle to come: how many have been run.
    pub(crate) fn cycle(&self) -> u64 {
        self.cycle
    }

    /// What went wrong, if anything.
    pub(crate) fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// What has been delivered since the last reset.
    pub(crate) fn tally(&self) -> Tally {
        let mut sum = Tally::default();
        self.shards.iter().for_each(|shard| sum += &shard.tally);
        sum
    }

    /// Packets delivered since the last reset.
    pub(crate) fn delivered(&self) -> u64 {
        self.shards.iter().map(|shard| shard.tally.packets).sum()
    }

    /// The time series, if the run records one.
    pub(crate) fn series(&self) -> Option<Series> {
        let mut series = self.shards.iter().filter_map(|shard| shard.series.as_ref());
        let mut sum = series.next()?.clone();
        series.for_each(|one| sum.add(one));
        Some(sum)
    }

    /// Records packets by the time of their injection, in windows of this many cycles.
    ///
    /// One of them begins at cycle `origin`.
    pub(crate) fn record_series(&mut self, width: u64, origin: u64) {
        self.shards.iter_mut().for_each(|shard| shard.series = Some(Series::new(width, origin)));
    }

    /// Forgets what has been counted so far.
    pub(crate) fn reset_tally(&mut self) {
        for shard in &mut self.shards {
            (shard.injected_before, shard.delivered_before) = shard.flits_through();
            shard.tally = Tally::default();
            for switch in &mut shard.routers {
                for port in ports::<P>() {
                    switch.links[port.index()].carried = switch.waiting(port, self.cycle);
                }
            }
            shard.injected.fill(0);
            shard.waits.iter_mut().for_each(|waits| waits.reset());
            shard.nodes.iter_mut().for_each(Endpoint::reset);
            shard.postman.iter_mut().for_each(|postman| postman.sent.fill(0));
        }
    }

    /// Flits that each node has injected since the last reset, ACKs, messages and addresses not counted.
    pub(crate) fn injected(&self) -> Vec<u32> {
        let nodes = self.shards.iter().flat_map(|shard| shard.injected.iter().zip(&shard.nodes));
        let addresses = self.shards.iter().flat_map(|shard| &shard.postman).flat_map(|postman| &postman.sent);
        let addresses = addresses.copied().chain(std::iter::repeat(0));
        let others = nodes.zip(addresses);
        others.map(|((flits, node), addresses)| flits.saturating_sub(node.ack_flits() + addresses)).collect()
    }

    /// Flits of dead addresses that routers have killed since the start.
    pub(crate) fn flits_killed(&self) -> u64 {
        self.shards.iter().map(|shard| shard.flits_killed()).sum()
    }

    /// What routers have discarded since the start.
    pub(crate) fn discards(&self) -> Discards {
        let each = self.shards.iter().map(|shard| shard.packets.discards);
        each.fold(Discards::default(), |sum, more| sum.plus(more))
    }

    /// The congestion control index (CCTI) of each node that sends at all; empty where sources do not listen to notifications, `None`
    /// where no router marks either.
    pub(crate) fn congestion_indexes(&self) -> Option<Vec<u16>> {
        let adapters = &self.constants.adapters;
        let nodes = self.shards.iter().flat_map(|shard| &shard.nodes);
        let sending = nodes.filter(|node| node.source.request.is_some());
        let indexes = sending.flat_map(|node| node.control.indexes(adapters, self.cycle));
        adapters.are_counted.then(|| indexes.collect())
    }

    /// How long the packets at the front of the source queues have waited: the mean over all nodes that send at
    /// all, and the longest. Unit: cycles.
    pub(crate) fn waits(&self) -> (f64, f64) {
        let nodes = self.shards.iter().flat_map(|shard| &shard.nodes);
        let waits = nodes.filter_map(|node| node.wait(self.cycle));
        let (sum, longest, count) =
            waits.fold((0, 0, 0u64), |(s, m, n), wait| (s + wait, m.max(wait), n + 1));
        (sum as f64 / count.max(1) as f64, longest as f64)
    }

    /// Every port that leads somewhere: its router, counted through, its class, and the flits that have been on its wire since the
    /// last reset.
    pub(crate) fn carried(&self) -> impl Iterator<Item = (usize, PortId, PortClass, u32)> {
        let switches = self.shards.iter().flat_map(|shard| &shard.routers).enumerate();
        switches.flat_map(move |(router, switch)| {
            let ports = ports::<P>().filter(|&port| switch.router.here().wired.contains(port));
            ports.map(move |port| {
                (router, port, switch.plan.links.class(port), switch.carried(port, self.cycle))
            })
        })
    }

    /// What heads that were granted since the last reset have waited for the link behind a port; nothing without `run.details`.
    pub(crate) fn link_wait(&self, router: usize, port: PortId) -> LinkWait {
        let behind = self.shards.partition_point(|shard| shard.first_router <= router);
        let shard = behind.checked_sub(1).and_then(|at| self.shards.get(at));
        let waits = shard.and_then(|shard| Some((shard.waits.as_ref()?, router - shard.first_router)));
        waits.map_or_else(LinkWait::default, |(waits, router)| waits.of(router, port))
    }

    /// How busy the links of a class were in the `cycles` since the last reset.
    pub(crate) fn utilisation(&self, class: PortClass, cycles: u64) -> Utilisation {
        let links = self.carried().filter(|&(_, _, of, _)| of == class).map(|(.., carried)| carried);
        let (sum, max, count) =
            links.fold((0, 0, 0u64), |(sum, max, n), flits| (sum + u64::from(flits), flits.max(max), n + 1));
        let share = |flits: f64| flits / cycles as f64;
        Utilisation {
            mean: if count == 0 { f64::NAN } else { share(sum as f64 / count as f64) },
            max: if count == 0 { f64::NAN } else { share(f64::from(max)) },
        }
    }

    /// How long the packet that has waited longest in each node's source queue has waited, in cycles; 0 for a node that has nothing to
    /// send.
    pub(crate) fn waits_of_nodes(&self) -> Vec<u64> {
        let nodes = self.shards.iter().flat_map(|shard| &shard.nodes);
        nodes.map(|node| node.wait(self.cycle).unwrap_or(0)).collect()
    }
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// Flits put on a wire by nodes, and taken off by them, since the start.
    pub(crate) fn flits_through(&self) -> (u64, u64) {
        let injected: u64 = self.injected.iter().map(|&flits| u64::from(flits)).sum();
        (self.injected_before + injected, self.delivered_before + self.tally.flits)
    }
}
