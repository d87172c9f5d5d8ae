//! Injection control by destination: a node holds back the pair of itself and the node that it congests, or whose link is slower, and no other.
//!
//! Each destination of a node has a queue, a throttle and a time-out, as the queue pairs of a channel adapter have. Queues take turns: the next request is
//! the first one of the next queue, by the number of its destination, that need not wait.

use super::super::constants::Constants;
use super::super::shard::Shard;
use super::congestion::Adapters;
use super::{Endpoint, InjectionControl};
use crate::traffic::Generated;
use router_core::congestion::{Throttle, TimeOut};
use router_core::units::Bits;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Bound;

/// What a node sends to one destination.
#[derive(Debug, Clone, Default)]
struct Pair {
    /// Requests that wait, in the order of their generation.
    requests: VecDeque<Generated>,
    throttle: Throttle,
    time_out: TimeOut,
}

impl Pair {
    fn new(time_out: TimeOut) -> Self {
        Self { time_out, ..Self::default() }
    }

    /// The first cycle in which its next request may start.
    fn ready_at(&self, adapters: &Adapters, now: u64) -> u64 {
        let ready = self.time_out.ready_at(now);
        if adapters.are_on { ready.max(adapters.ready_at(&self.throttle, now)) } else { ready }
    }
}

/// The pairs of a node, with those that have something to send.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pairs {
    /// By destination: those that the node has generated something for.
    pairs: BTreeMap<u32, Pair>,
    /// Destinations that requests wait for.
    waiting: BTreeSet<u32>,
    /// The destination of the last request sent.
    last: u32,
    /// The cycle in which the node is woken, so that it is not woken twice.
    alarm: u64,
}

impl Pairs {
    /// One more request of node `from` waits.
    fn push(&mut self, adapters: &Adapters, from: usize, request: Generated) {
        let rates = adapters.static_rates.as_ref();
        let time_out =
            || rates.map_or_else(TimeOut::default, |rates| rates.time_out(from, request.to as usize));
        let pair = self.pairs.entry(request.to).or_insert_with(|| Pair::new(time_out()));
        pair.requests.push_back(request);
        self.waiting.insert(request.to);
    }

    /// Those with requests that wait, the one behind the last served first.
    fn in_turn(&self) -> impl Iterator<Item = &Pair> {
        let behind = self.waiting.range((Bound::Excluded(self.last), Bound::Unbounded));
        let turn = behind.chain(self.waiting.range(..=self.last));
        turn.filter_map(|to| self.pairs.get(to))
    }

    /// The request whose turn it is in cycle `now`.
    pub(super) fn due(&self, adapters: &Adapters, now: u64) -> Option<Generated> {
        let mut ready = self.in_turn().filter(|pair| pair.ready_at(adapters, now) <= now);
        ready.next()?.requests.front().copied()
    }

    /// The head of the first request to this destination is on the node's wire.
    pub(super) fn on_sent(&mut self, request: &Generated, now: u64) {
        let Some(pair) = self.pairs.get_mut(&request.to) else { return };
        pair.requests.pop_front();
        pair.throttle.on_sent(request.flits, now);
        pair.time_out.on_sent(request.flits, now);
        if pair.requests.is_empty() {
            self.waiting.remove(&request.to);
        }
        self.last = request.to;
    }

    /// A notification has come from node `from`: what goes there has met congestion.
    pub(super) fn on_notification(&mut self, adapters: &Adapters, from: u32, now: u64) {
        if let Some(pair) = self.pairs.get_mut(&from) {
            adapters.notify(&mut pair.throttle, now);
        }
    }

    /// The cycle in which to wake the node for a request that is held back, if that is not settled yet.
    pub(super) fn next_alarm(&mut self, adapters: &Adapters, now: u64) -> Option<u64> {
        let at = self.in_turn().map(|pair| pair.ready_at(adapters, now)).min()?;
        let is_new = at > now && at != self.alarm;
        is_new.then(|| {
            self.alarm = at;
            at
        })
    }

    /// The request that has waited longest.
    pub(super) fn oldest(&self) -> Option<&Generated> {
        self.in_turn().filter_map(|pair| pair.requests.front()).min_by_key(|request| request.at)
    }

    /// The index (CCTI) of each pair in cycle `now`.
    pub(super) fn indexes(&self, adapters: &Adapters, now: u64) -> impl Iterator<Item = u16> {
        self.pairs.values().map(move |pair| adapters.index(&pair.throttle, now))
    }
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// The requests of a node that are due join the queues of their destinations.
    #[inline(never)]
    pub(super) fn queue_by_destination<R>(&mut self, constants: &Constants<'_, P, R>, at: usize) {
        let Self { nodes, timers, cycle, first_node, .. } = self;
        let Endpoint { source, control: InjectionControl::Pairs(pairs), .. } = &mut nodes[at] else { return };
        let mut has_queued = false;
        while let Some(request) = source.take_due(constants.traffic, *cycle) {
            pairs.push(&constants.adapters, *first_node + at, request);
            has_queued = true;
        }
        if let Some(next) = source.request.filter(|_| has_queued) {
            timers.set(*cycle + 1, next.at, at as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::tests::blueprint;

    const CONTROL: &str = "[topology]\nkind = \"mesh\"\ndims = [4]\n[traffic]\nloads = [1]\n\
        [injection]\ncontrol = \"congestion-control\"\n[congestion]\nthreshold = 15\nscope = \"destination\"\n";

    fn adapters() -> Adapters {
        Adapters::new(&blueprint(CONTROL, &[]))
    }

    fn request(to: u32, at: u64) -> Generated {
        Generated { at, to, flits: 8 }
    }

    /// Sends what is due in cycle `now`; says where.
    fn send(pairs: &mut Pairs, adapters: &Adapters, now: u64) -> Option<u32> {
        let due = pairs.due(adapters, now)?;
        pairs.on_sent(&due, now);
        Some(due.to)
    }

    #[test]
    fn queues_take_turns_and_each_keeps_its_order() {
        let (adapters, mut pairs) = (adapters(), Pairs::default());
        for at in 0..3 {
            [3, 0, 2].into_iter().for_each(|to| pairs.push(&adapters, 1, request(to, at)));
        }
        assert_eq!(pairs.oldest(), Some(&request(2, 0)));
        let sent: Vec<_> = (0..10).map(|n| send(&mut pairs, &adapters, 8 * n)).collect();
        let turn = [Some(2), Some(3), Some(0)];
        assert_eq!(sent, [&turn[..], &turn, &turn, &[None]].concat());
        assert!(pairs.waiting.is_empty() && pairs.oldest().is_none());
    }

    /// A pair with an index waits, and the others go on; the node is woken once for the first that is ready.
    #[test]
    fn a_notification_holds_back_its_pair_alone() {
        let (adapters, mut pairs) = (adapters(), Pairs::default());
        [1, 2, 1, 2, 1].into_iter().for_each(|to| pairs.push(&adapters, 0, request(to, 0)));
        assert_eq!((send(&mut pairs, &adapters, 0), send(&mut pairs, &adapters, 8)), (Some(1), Some(2)));
        (0..10).for_each(|_| pairs.on_notification(&adapters, 1, 9));
        // Nothing has ever been sent there.
        pairs.on_notification(&adapters, 3, 9);
        assert_eq!([16, 24].map(|now| send(&mut pairs, &adapters, now)), [Some(2), None]);
        // Ten steps of a quarter of eight flits, behind the packet of cycle 0.
        assert_eq!([24, 25].map(|now| pairs.next_alarm(&adapters, now)), [Some(28), None]);
        assert_eq!([27, 28].map(|now| send(&mut pairs, &adapters, now)), [None, Some(1)]);
        assert_eq!(pairs.indexes(&adapters, 28).collect::<Vec<_>>(), [10, 0]);
    }
}
