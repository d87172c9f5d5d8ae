//! Ranks: an order of channels in which the lowest one that is full can always be emptied.
//!
//! A channel has a rank when every packet that can be in it waits for a channel of a lower rank (or for its node), and has left
//! nothing of itself behind a higher one. Then no set of packets waits for each other: of their channels take the one of
//! the lowest rank; its packet waits for a lower one, which is empty. Channels without a rank are exactly those of the
//! largest set in which packets could wait for each other for ever.
//!
//! Under virtual cut-through and store-and-forward a packet waits in one buffer, whole: one requested hop to a lower rank is
//! enough. A wormhole's body lies in the channels that its head has passed: each of its hops that did not wait for room for the
//! whole packet has to lead to a lower rank. Where VCs are allocated atomically each channel holds flits of one packet alone, and a packet
//! has left something behind wherever its head may have come from. Then a channel has a rank on one condition: such a packet waits for a
//! channel of a lower rank in every state that it can come to, at once or later. These are the direct, indirect and cross dependencies of
//! Duato, 1995, with an escape that the search chooses. Of the channels that waiting packets lie in, take again the one of the lowest rank:
//! its packet waits for a lower one, which is empty.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Hop, Target};
    use crate::offers::{Example, Offers};
    use router_core::header::Header;

    const CHANNELS: u32 = 5;

    /// Numbers that look random, from a linear congruential generator.
    fn below(state: &mut u64, n: u32) -> u32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*state >> 33) % u64::from(n)) as u32
    }

    /// One or two offers in each channel, of up to three hops to channels or to a node. (Packets that come to a channel are offered something there.)
    fn relation(state: &mut u64) -> Relation {
        let mut offers = Offers::new(CHANNELS as usize);
        for from in 0..CHANNELS {
            for node in 0..=below(state, 2) {
                let mut ways = Vec::new();
                for _ in 0..=below(state, 3) {
                    let to = match below(state, CHANNELS + 2) {
                        to @ 0..CHANNELS => Target::Channel(to, Header::default()),
                        _ => Target::Node(0),
                    };
                    let (is_requested, is_whole) = (below(state, 2) == 0, below(state, 4) > 0);
                    let hop = Hop { to, is_requested, is_whole, is_along_ring: false };
                    ways.push(Way::of(&hop));
                }
                ways.sort_unstable();
                ways.dedup();
                offers.add(from, &ways, Example { node, header: Header::default() });
            }
        }
        offers.into_relation()
    }

    /// Whether each channel of a set has an offer that keeps its packet as long as the set is full.
    fn is_knot(relation: &Relation, rule: Rule, set: u32) -> bool {
        let is_in = |way: &Way| way.to().is_some_and(|to| set & 1 << to != 0);
        let keeps = |ways: &[Way]| {
            ways.iter().any(|way| rule.binds(*way) && is_in(way))
                || !ways.iter().any(|way| rule.frees(*way) && !is_in(way))
        };
        (0..CHANNELS).filter(|channel| set & 1 << channel != 0).all(|channel| {
            relation.offers.iter().any(|offer| offer.from == channel && keeps(relation.ways(offer)))
        })
    }

    /// The channels without a rank are those of all sets that could stay full, found by trying every set; and each rank obeys its rule.
    #[test]
    fn channels_without_a_rank_are_those_of_every_knot() {
        let mut state = 7;
        let (mut ranked, mut stuck) = (0, 0);
        for _ in 0..2000 {
            let relation = relation(&mut state);
            for rule in [Rule::Every, Rule::Escape, Rule::Given] {
                let knots = (1..1 << CHANNELS)
                    .filter(|&set| is_knot(&relation, rule, set))
                    .fold(0, |all, set| all | set);
                let ranking = rank(&relation, rule);
                assert_eq!(
                    ranking.stuck.iter().fold(0, |all, channel| all | 1 << channel),
                    knots,
                    "{rule:?}, {relation:?}"
                );
                for offer in relation.offers.iter().filter(|offer| ranking.rank(offer.from) > 0) {
                    let is_lower = |way: &Way| {
                        way.to().is_none_or(|to| (1..ranking.rank(offer.from)).contains(&ranking.rank(to)))
                    };
                    let ways = relation.ways(offer);
                    assert!(
                        ways.iter().any(|way| rule.frees(*way) && is_lower(way)),
                        "{rule:?}, {relation:?}"
                    );
                    assert!(
                        ways.iter().all(|way| !rule.binds(*way) || is_lower(way)),
                        "{rule:?}, {relation:?}"
                    );
                    ranked += 1;
                }
                stuck += ranking.stuck.len();
                if !ranking.stuck.is_empty() {
                    let knot = crate::knot::smallest(&relation, &ranking, rule);
                    let set = knot.iter().fold(0, |all, tied| all | 1 << tied.channel);
                    assert!(
                        knot.len() == 1 && knot[0].behind.is_empty() || is_knot(&relation, rule, set),
                        "{rule:?}: {knot:?}"
                    );
                }
            }
        }
        assert!(ranked > 4000 && stuck > 20_000, "{ranked}, {stuck}");
    }
}
