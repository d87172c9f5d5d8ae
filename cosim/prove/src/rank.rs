//! Ranks: an order of channels in which the lowest one that is full can always be emptied.
//!
//! A channel has a rank when every packet that can be in it waits for a channel of a lower rank (or for its node), and has left
//! nothing of itself behind a higher one. Then no set of packets waits for each other: of their channels take the one of
//! the lowest rank; its packet waits for a lower one, which is empty. Channels without a rank are exactly those of the
//! largest set in which packets could wait for each other for ever.
//!
//! Under virtual cut-through and store-and-forward a packet waits in one buffer, whole: one requested hop to a lower rank is
//! enough. A wormhole's body lies in the channels that its head has passed: each of its hops that did not wait for room for the
//! whole packet has to lead to a lower rank.

use crate::channel::Number;
use crate::offers::{Relation, Way};

/// Which hops have to lead to a lower rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Every hop: the channel dependency graph has no cycle (Dally and Seitz, 1987).
    Every,
    /// One that is requested as long as the packet waits, and every one that the packet may lie across: there is an escape
    /// (Duato, 1995).
    Escape,
    /// Every one that is requested or that the packet may lie across: the requested hops are an escape, whose extended
    /// dependency graph has no cycle (Duato, 1995).
    Given,
}

impl Rule {
    /// Whether one such hop to a lower rank lets the packet go.
    pub(crate) fn frees(self, way: Way) -> bool {
        self == Self::Every || way.is_requested()
    }

    /// Whether the hop has to lead to a lower rank.
    pub(crate) fn binds(self, way: Way) -> bool {
        self == Self::Every || !way.is_whole() || self == Self::Given && way.is_requested()
    }
}

/// Ranks from 1 on, by channel; 0: none.
#[derive(Debug, Clone)]
pub(crate) struct Ranking {
    of: Vec<u32>,
    /// The highest.
    pub(crate) highest: u32,
    /// Channels that packets are in and that have no rank, in ascending order.
    pub(crate) stuck: Vec<Number>,
}

impl Ranking {
    /// The rank of a channel; 0: none.
    pub(crate) fn rank(&self, channel: Number) -> u32 {
        self.of[channel as usize]
    }
}

/// What an offer still lacks.
#[derive(Debug, Clone, Copy)]
struct Lacks {
    /// A hop that frees the packet.
    freed: bool,
    /// Hops that have to lead lower and do not yet.
    bound: u32,
}

struct Search<'r> {
    relation: &'r Relation,
    rule: Rule,
    /// By offer.
    lacks: Vec<Lacks>,
    /// By channel: offers that lack something.
    open: Vec<u32>,
    /// By channel: the offers with a hop to it, and where the list of each channel starts.
    into: Vec<(u32, Way)>,
    starts: Vec<usize>,
}

/// Ranks as many channels as possible, each as low as possible.
pub(crate) fn rank(relation: &Relation, rule: Rule) -> Ranking {
    let mut search = Search::new(relation, rule);
    let mut of = vec![0; relation.channels];
    let mut highest = 0;
    let mut free: Vec<Number> = relation
        .by_channel()
        .map(|(channel, _)| channel)
        .filter(|&channel| search.open[channel as usize] == 0)
        .collect();
    while !free.is_empty() {
        highest += 1;
        free.iter().for_each(|&channel| of[channel as usize] = highest);
        free = free.iter().flat_map(|&channel| search.release(channel)).collect();
    }
    let used = relation.by_channel().map(|(channel, _)| channel);
    let stuck = used.filter(|&channel| of[channel as usize] == 0).collect();
    Ranking { of, highest, stuck }
}

impl<'r> Search<'r> {
    fn new(relation: &'r Relation, rule: Rule) -> Self {
        let mut open = vec![0; relation.channels];
        let mut lacks = Vec::with_capacity(relation.offers.len());
        let mut starts = vec![0; relation.channels + 1];
        for offer in &relation.offers {
            let ways = relation.ways(offer);
            let freed = ways.iter().any(|way| way.to().is_none() && rule.frees(*way));
            let bound = ways.iter().filter(|way| way.to().is_some() && rule.binds(**way)).count() as u32;
            open[offer.from as usize] += u32::from(!freed || bound > 0);
            lacks.push(Lacks { freed, bound });
            ways.iter().filter_map(|way| way.to()).for_each(|to| starts[to as usize + 1] += 1);
        }
        for channel in 0..relation.channels {
            starts[channel + 1] += starts[channel];
        }
        let into = incoming(relation, &starts);
        Self { relation, rule, lacks, open, into, starts }
    }

    /// The channels that have a rank now that this one has.
    fn release(&mut self, channel: Number) -> Vec<Number> {
        let mut free = Vec::new();
        for at in self.starts[channel as usize]..self.starts[channel as usize + 1] {
            let (offer, way) = self.into[at];
            let lacks = &mut self.lacks[offer as usize];
            let lacked = !lacks.freed || lacks.bound > 0;
            lacks.freed |= self.rule.frees(way);
            lacks.bound -= u32::from(self.rule.binds(way));
            if lacked && lacks.freed && lacks.bound == 0 {
                let from = self.relation.offers[offer as usize].from;
                self.open[from as usize] -= 1;
                if self.open[from as usize] == 0 {
                    free.push(from);
                }
            }
        }
        free
    }
}

/// For each channel the offers with a hop to it, one channel after the other.
fn incoming(relation: &Relation, starts: &[usize]) -> Vec<(u32, Way)> {
    let mut next = starts.to_vec();
    let total = starts.last().copied().unwrap_or(0);
    let mut into = vec![None; total];
    for (number, offer) in (0u32..).zip(&relation.offers) {
        for &way in relation.ways(offer) {
            if let Some(to) = way.to() {
                into[next[to as usize]] = Some((number, way));
                next[to as usize] += 1;
            }
        }
    }
    into.into_iter().flatten().collect()
}
