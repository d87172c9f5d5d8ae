//! Intermediate points of new packets, drawn in one order whatever the number of shards: by cycle, then by node.

use super::constants::{Constants, draws};
use super::informed::is_informed;
use super::partition::Partition;
use super::signal::Signal;
use super::wheel::{End, Wheel};
use crate::blueprint::Blueprint;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;
use router_core::header::{Address, Carried, Flit, Header, Packet};
use router_core::route::{Here, Route};
use router_core::units::{Bits, VcId};

/// A new packet whose header has yet to be drawn. Its head is on the node's wire, for a cycle at least.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Launch<B: Bits> {
    pub(crate) here: Here<B>,
    pub(crate) to: Address,
    /// Its flits.
    pub(crate) length: u16,
    /// Whether it brings a backward mark of congestion.
    pub(crate) backward: bool,
    /// The internal cycle in which the router writes the head, where, and into which VC.
    pub(crate) when: u64,
    pub(crate) at: End,
    pub(crate) vc: VcId,
    pub(crate) tag: u32,
}

/// How the headers of a shard's packets are drawn.
pub(crate) enum Launches<B: Bits> {
    /// At once.
    Now(Xoshiro128PlusPlus),
    /// When all shards have come to the end of the cycle.
    Later(Vec<Launch<B>>),
}

impl<B: Bits> Launches<B> {
    pub(crate) fn new(seed: u64, later: bool) -> Self {
        if later { Self::Later(Vec::new()) } else { Self::Now(random(seed)) }
    }
}

/// Whether headers are drawn where all shards have come to the same cycle.
pub(crate) fn is_launched_later(blueprint: &Blueprint, partition: &Partition) -> bool {
    is_informed(blueprint) || draws(blueprint) && partition.shards() > 1
}

/// The numbers that intermediate points are drawn from.
pub(crate) fn random(seed: u64) -> Xoshiro128PlusPlus {
    Xoshiro128PlusPlus::seed_from_u64(seed)
}

impl<B: Bits> Launch<B> {
    #[inline]
    pub(crate) fn header<const P: usize, R: Route<B>>(
        &self,
        constants: &Constants<'_, P, R>,
        random: &mut Xoshiro128PlusPlus,
    ) -> Header {
        let source = Address { router: self.here.router, port: self.at.as_port::<P>().1.number() };
        let carried = Carried::default().with_source(source).with_marks(false, self.backward);
        let carried = carried.with_level(constants.routing.level(source, self.to));
        Header { carried, ..constants.routing.launch(&self.here, self.to, self.length, random) }
    }

    #[inline]
    pub(crate) fn onto(&self, wheel: &mut Wheel, header: Header) {
        let head = Flit::Head(Packet { header, tag: self.tag });
        wheel.put(self.when, self.at, Signal::Flit(self.vc, head));
    }
}
