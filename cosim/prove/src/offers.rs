//! What packets are offered in each channel: the relation that a proof is about.
//!
//! Packets for different destinations that may take the same hops are the same to it: one of them stands for all.

use crate::channel::Number;
use crate::network::{Hop, Target};
use router_core::header::Header;
use rustc_hash::FxHashMap;

/// A hop to a channel, or to a node, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Way(u32);

impl Way {
    const REQUESTED: u32 = 0b10;
    const WHOLE: u32 = 0b01;
    /// The number of no channel: a node, which takes every packet, or what goes on along an escape ring.
    const NODE: Number = Number::MAX >> 2;

    pub(crate) fn of(hop: &Hop) -> Self {
        let to = match hop.to {
            Target::Channel(number, _) if !hop.is_along_ring => number,
            _ => Self::NODE,
        };
        let flag = |is: bool, bit: u32| if is { bit } else { 0 };
        Self(to << 2 | flag(hop.is_requested, Self::REQUESTED) | flag(hop.is_whole, Self::WHOLE))
    }

    /// The channel; `None`: a node.
    pub(crate) fn to(self) -> Option<Number> {
        let to = self.0 >> 2;
        (to != Self::NODE).then_some(to)
    }

    pub(crate) fn is_requested(self) -> bool {
        self.0 & Self::REQUESTED != 0
    }

    pub(crate) fn is_whole(self) -> bool {
        self.0 & Self::WHOLE != 0
    }
}

/// A packet that stands for all with the same hops in a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Example {
    /// The destination.
    pub(crate) node: u32,
    pub(crate) header: Header,
}

/// The different sets of hops of each channel, while they are collected.
#[derive(Debug)]
pub(crate) struct Offers(Vec<FxHashMap<Box<[Way]>, Example>>);

impl Offers {
    pub(crate) fn new(channels: usize) -> Self {
        Self((0..channels).map(|_| FxHashMap::default()).collect())
    }

    /// Adds what a packet is offered, in ascending order.
    pub(crate) fn add(&mut self, from: Number, ways: &[Way], example: Example) {
        let of = &mut self.0[from as usize];
        match of.get_mut(ways) {
            Some(known) => keep_lower(known, example),
            None => {
                of.insert(ways.into(), example);
            }
        }
    }

    /// Both together; the same whatever the order.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        for (of, others) in self.0.iter_mut().zip(other.0) {
            for (ways, example) in others {
                of.entry(ways).and_modify(|known| keep_lower(known, example)).or_insert(example);
            }
        }
        self
    }

    /// In the order of channels, then of hops.
    pub(crate) fn into_relation(self) -> Relation {
        let mut relation = Relation { channels: self.0.len(), offers: Vec::new(), ways: Vec::new() };
        for (from, of) in (0..).zip(self.0) {
            let mut of: Vec<_> = of.into_iter().collect();
            of.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
            for (ways, example) in of {
                let start = relation.ways.len();
                relation.ways.extend_from_slice(&ways);
                relation.offers.push(Offer { from, start, end: relation.ways.len(), example });
            }
        }
        relation
    }
}

/// The packet for the lowest destination; of those of one destination the first that was found.
fn keep_lower(known: &mut Example, other: Example) {
    if other.node < known.node {
        *known = other;
    }
}

/// What a packet in a channel is offered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer {
    pub(crate) from: Number,
    start: usize,
    end: usize,
    pub(crate) example: Example,
}

/// All that packets are offered, each set of hops of a channel once.
#[derive(Debug)]
pub(crate) struct Relation {
    /// One above the highest number of a channel.
    pub(crate) channels: usize,
    pub(crate) offers: Vec<Offer>,
    ways: Vec<Way>,
}

impl Relation {
    /// The hops of an offer.
    pub(crate) fn ways(&self, offer: &Offer) -> &[Way] {
        &self.ways[offer.start..offer.end]
    }

    /// The channels that packets are in, in ascending order, and the offers of each.
    pub(crate) fn by_channel(&self) -> impl Iterator<Item = (Number, &[Offer])> {
        self.offers.chunk_by(|a, b| a.from == b.from).map(|of| (of[0].from, of))
    }
}
