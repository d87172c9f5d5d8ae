//! Packets that wait for each other for ever: few of them, out of the largest set that could.

use crate::channel::Number;
use crate::offers::{Relation, Way};
use crate::proof::Tie;
use crate::rank::{Ranking, Rule};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A channel of a knot, and what keeps the packet that fills it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tied {
    pub(crate) channel: Number,
    /// The offer of the packet, by its number.
    pub(crate) offer: usize,
    /// Channels that would all have to be full.
    pub(crate) behind: Vec<Number>,
    pub(crate) tie: Tie,
}

/// Most channels of a knot that is made smaller one by one.
const MOST_TRIED: usize = 1000;

/// A small set of packets that wait for each other: one that requests no hop, or a shortest cycle where each waits for one channel,
/// otherwise a set that is none without any of its channels.
pub(crate) fn smallest(relation: &Relation, ranking: &Ranking, rule: Rule) -> Vec<Tied> {
    let ties = ties(relation, ranking, rule);
    // A packet that requests no hop keeps all those behind it.
    let stranded =
        ranking.stuck.iter().filter_map(|channel| ties[channel].first()).find(|tied| tied.behind.is_empty());
    if let Some(stranded) = stranded {
        return vec![stranded.clone()];
    }
    if let Some(cycle) = shortest_cycle(&ranking.stuck, &ties) {
        return cycle;
    }
    let starts = ranking.stuck.iter().take(MOST_TRIED);
    let all = starts.map(|&start| closure(start, &ties)).min_by_key(FxHashSet::len).unwrap_or_default();
    let knot = if all.len() > MOST_TRIED { all } else { reduced(all, &ties) };
    let mut channels: Vec<_> = knot.iter().copied().collect();
    channels.sort_unstable();
    let held =
        |channel| ties[channel].iter().find(|tie| tie.behind.iter().all(|to| knot.contains(to))).cloned();
    channels.iter().filter_map(held).collect()
}

/// Why channels without a rank may stay full: for each every tie, those to the fewest channels first.
fn ties(relation: &Relation, ranking: &Ranking, rule: Rule) -> FxHashMap<Number, Vec<Tied>> {
    let mut all: FxHashMap<Number, Vec<Tied>> = FxHashMap::default();
    for (number, offer) in
        relation.offers.iter().enumerate().filter(|(_, offer)| ranking.rank(offer.from) == 0)
    {
        let is_low = |way: &Way| way.to().is_none_or(|to| ranking.rank(to) > 0);
        let ways = relation.ways(offer);
        let tied = |behind, tie| Tied { channel: offer.from, offer: number, behind, tie };
        let ties = all.entry(offer.from).or_default();
        for way in ways.iter().filter(|way| rule.binds(**way) && !is_low(way)) {
            let tie = if way.is_whole() { Tie::Escape } else { Tie::HeadIsGone };
            ties.push(tied(way.to().into_iter().collect(), tie));
        }
        if !ways.iter().any(|way| rule.frees(*way) && is_low(way)) {
            let mut behind: Vec<_> =
                ways.iter().filter(|way| rule.frees(**way)).filter_map(|way| way.to()).collect();
            behind.dedup();
            ties.push(tied(behind, Tie::Waits));
        }
    }
    all.values_mut().for_each(|ties| ties.sort_by_key(|tie| tie.behind.len()));
    all
}

/// The shortest cycle of packets that each wait for one channel.
fn shortest_cycle(stuck: &[Number], ties: &FxHashMap<Number, Vec<Tied>>) -> Option<Vec<Tied>> {
    let mut best: Option<Vec<Tied>> = None;
    for &start in stuck {
        let below = best.as_ref().map_or(usize::MAX, Vec::len);
        if let Some(cycle) = cycle_through(start, ties, below) {
            best = Some(cycle);
        }
    }
    best
}

/// The shortest such cycle through a channel, if it has fewer than `below` channels.
fn cycle_through(start: Number, ties: &FxHashMap<Number, Vec<Tied>>, below: usize) -> Option<Vec<Tied>> {
    let mut came: FxHashMap<Number, (&Tied, usize)> = FxHashMap::default();
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((at, length)) = queue.pop_front() {
        if length + 1 >= below {
            return None;
        }
        for tie in ties.get(&at).into_iter().flatten() {
            let [to] = tie.behind[..] else { break };
            came.entry(to).or_insert_with(|| {
                queue.push_back((to, length + 1));
                (tie, length + 1)
            });
            if to == start {
                return Some(back(start, &came));
            }
        }
    }
    None
}

fn back(start: Number, came: &FxHashMap<Number, (&Tied, usize)>) -> Vec<Tied> {
    let mut cycle = Vec::new();
    let mut at = start;
    while let Some((tie, _)) = came.get(&at) {
        cycle.push((*tie).clone());
        at = tie.channel;
        if at == start {
            break;
        }
    }
    cycle.reverse();
    cycle
}

/// Everything that has to be full for a channel to stay full, by the tie of each to the fewest channels.
fn closure(start: Number, ties: &FxHashMap<Number, Vec<Tied>>) -> FxHashSet<Number> {
    let mut all = FxHashSet::from_iter([start]);
    let mut next = vec![start];
    while let Some(tie) = next.pop().and_then(|channel| ties.get(&channel)?.first()) {
        next.extend(tie.behind.iter().copied().filter(|&to| all.insert(to)));
    }
    all
}

/// A part of a knot that is a knot, and none without any of its channels.
fn reduced(mut knot: FxHashSet<Number>, ties: &FxHashMap<Number, Vec<Tied>>) -> FxHashSet<Number> {
    let mut candidates: Vec<_> = knot.iter().copied().collect();
    candidates.sort_unstable();
    for channel in candidates {
        if knot.contains(&channel) {
            let mut less = knot.clone();
            less.remove(&channel);
            let less = kernel(less, ties);
            if !less.is_empty() {
                knot = less;
            }
        }
    }
    knot
}

/// The largest knot among these channels; empty if there is none.
fn kernel(mut channels: FxHashSet<Number>, ties: &FxHashMap<Number, Vec<Tied>>) -> FxHashSet<Number> {
    loop {
        let holds = |channel: &Number| {
            ties[channel].iter().any(|tie| tie.behind.iter().all(|to| channels.contains(to)))
        };
        let left: FxHashSet<_> = channels.iter().copied().filter(holds).collect();
        if left.len() == channels.len() {
            return channels;
        }
        channels = left;
    }
}
