//! Results of a network so far: sums over its shards.

use super::Network;
use super::audit::ports;
use super::endpoint::Endpoint;
use super::link_waits::LinkWait;
use super::shard::Shard;
use super::tally::{Series, Tally};
use super::violation::Violation;
use crate::summary::{Discards, Utilisation};
use router_core::units::{Bits, PortClass};
use serde::{Deserialize, Serialize};

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
        let sum_of = |all: &mut dyn Iterator<Item = &Tally>| {
            let mut sum = Tally::default();
            all.for_each(|one| sum += one);
            sum
        };
        let own = sum_of(&mut self.shards.iter().map(|shard| &shard.tally));
        if self.is_alone() { own } else { sum_of(&mut self.gather(own).iter()) }
    }

    /// Packets delivered since the last reset.
    pub(crate) fn delivered(&self) -> u64 {
        let [packets] = self.totals([self.shards.iter().map(|shard| shard.tally.packets).sum()]);
        packets
    }

    /// The time series, if the run records one.
    pub(crate) fn series(&self) -> Option<Series> {
        let own: Vec<_> = self.shards.iter().filter_map(|shard| shard.series.clone()).collect();
        self.gather_all(own).into_iter().reduce(|mut sum, one| {
            sum.add(&one);
            sum
        })
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
        let each =
            others.map(|((flits, node), addresses)| flits.saturating_sub(node.ack_flits() + addresses));
        self.gather_all(each.collect())
    }

    /// Flits of dead addresses that routers have killed since the start.
    pub(crate) fn flits_killed(&self) -> u64 {
        let [killed] = self.totals([self.shards.iter().map(|shard| shard.flits_killed()).sum()]);
        killed
    }

    /// What routers have discarded since the start.
    pub(crate) fn discards(&self) -> Discards {
        let each = self.shards.iter().map(|shard| shard.packets.discards);
        let own = each.fold(Discards::default(), |sum, more| sum.plus(more));
        self.gather(own).into_iter().fold(Discards::default(), Discards::plus)
    }

    /// The congestion control index (CCTI) of each node that sends at all; empty where sources do not listen to notifications, `None`
    /// where no router marks either.
    pub(crate) fn congestion_indexes(&self) -> Option<Vec<u16>> {
        let adapters = &self.constants.adapters;
        let nodes = self.shards.iter().flat_map(|shard| &shard.nodes);
        let sending = nodes.filter(|node| node.source.request.is_some());
        let indexes = sending.flat_map(|node| node.control.indexes(adapters, self.cycle));
        adapters.are_counted.then(|| self.gather_all(indexes.collect()))
    }

    /// How long the packets at the front of the source queues have waited: the mean over all nodes that send at
    /// all, and the longest. Unit: cycles.
    pub(crate) fn waits(&self) -> (f64, f64) {
        let nodes = self.shards.iter().flat_map(|shard| &shard.nodes);
        let waits = nodes.filter_map(|node| node.wait(self.cycle));
        let own = waits.fold((0, 0, 0u64), |(s, m, n), wait| (s + wait, m.max(wait), n + 1));
        let both = |(s, m, n), (sum, longest, count): (u64, u64, u64)| (s + sum, longest.max(m), n + count);
        let (sum, longest, count) = self.gather(own).into_iter().fold((0, 0, 0), both);
        (sum as f64 / count.max(1) as f64, longest as f64)
    }

    /// Every port that leads somewhere.
    pub(crate) fn carried(&self) -> Vec<Carried> {
        let switches = self.shards.iter().flat_map(|shard| {
            let routers = shard.routers.iter().enumerate();
            routers.map(move |(at, switch)| (shard, at, switch))
        });
        let each = switches.flat_map(|(shard, at, switch)| {
            let wired = switch.router.here().wired.into_iter();
            wired.map(move |port| Carried {
                router: shard.first_router + at,
                port: port.number(),
                class: switch.plan.links.class(port).number(),
                flits: switch.carried(port, self.cycle),
                wait: shard.waits.as_ref().map_or_else(LinkWait::default, |waits| waits.of(at, port)),
            })
        });
        self.gather_all(each.collect())
    }

    /// How busy the links of a class were in the `cycles` since the last reset.
    pub(crate) fn utilisation(&self, class: PortClass, cycles: u64) -> Utilisation {
        let links = self.carried().into_iter().filter(|link| link.class == class.number());
        let (sum, max, count) = links
            .map(|link| link.flits)
            .fold((0, 0, 0u64), |(sum, max, n), flits| (sum + u64::from(flits), flits.max(max), n + 1));
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
        self.gather_all(nodes.map(|node| node.wait(self.cycle).unwrap_or(0)).collect())
    }

    /// Whether it has all shards.
    pub(super) fn is_alone(&self) -> bool {
        self.team.is_none()
    }
}

/// A port that leads somewhere.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Carried {
    /// Its router, counted through.
    pub(crate) router: usize,
    pub(crate) port: u8,
    /// The number of its class.
    pub(crate) class: u8,
    /// Flits that have been on its wire since the last reset.
    pub(crate) flits: u32,
    /// What heads that were granted since the last reset have waited for it; nothing without `run.details`.
    pub(crate) wait: LinkWait,
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// Flits put on a wire by nodes, and taken off by them, since the start.
    pub(crate) fn flits_through(&self) -> (u64, u64) {
        let injected: u64 = self.injected.iter().map(|&flits| u64::from(flits)).sum();
        (self.injected_before + injected, self.delivered_before + self.tally.flits)
    }
}
