//! Credits as counts since the session began, not as events: each frame carries all counts, so that a lost
//! frame loses no credit.

use crate::counters::count;

/// What the sender knows of the neighbour's buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owed<const V: usize> {
    /// Flits under way or in the neighbour's buffer.
    outstanding: [u16; V],
    /// The neighbour's count that was taken last.
    seen: [u16; V],
    /// Credits for the owner of the port to fetch.
    returned: [u16; V],
    /// The VC that is asked next.
    turn: usize,
}

impl<const V: usize> Owed<V> {
    pub(crate) const fn new() -> Self {
        Self { outstanding: [0; V], seen: [0; V], returned: [0; V], turn: 0 }
    }

    pub(crate) fn outstanding(&self, vc: usize) -> u16 {
        self.outstanding.get(vc).copied().unwrap_or_default()
    }

    pub(crate) fn spend(&mut self, vc: usize) {
        if let Some(outstanding) = self.outstanding.get_mut(vc) {
            *outstanding = outstanding.saturating_add(1);
        }
    }

    /// A count that is older than one before would return more credits than there are: it is left out.
    pub(crate) fn take(&mut self, counts: &[u16; V]) {
        let all = self.outstanding.iter_mut().zip(&mut self.seen).zip(&mut self.returned);
        for (((outstanding, seen), returned), &now) in all.zip(counts) {
            let freed = now.wrapping_sub(*seen);
            if freed <= *outstanding {
                *outstanding = outstanding.saturating_sub(freed);
                *returned = returned.saturating_add(freed);
                *seen = now;
            }
        }
    }

    /// A new session: the neighbour's buffers are empty, and of what is owed only `kept` flits remain.
    pub(crate) fn restart(&mut self, kept: &[u16; V]) {
        for ((outstanding, returned), &kept) in self.outstanding.iter_mut().zip(&mut self.returned).zip(kept)
        {
            *returned = returned.saturating_add(outstanding.saturating_sub(kept));
            *outstanding = kept;
        }
        self.seen = [0; V];
    }

    /// A VC with a credit to return, each in its turn.
    pub(crate) fn poll(&mut self) -> Option<usize> {
        for _ in 0..V {
            let vc = self.turn;
            self.turn = if vc.saturating_add(1) < V { vc.saturating_add(1) } else { 0 };
            if let Some(returned) = self.returned.get_mut(vc).filter(|returned| **returned > 0) {
                *returned = returned.saturating_sub(1);
                return Some(vc);
            }
        }
        None
    }
}

/// What the receiver knows of its own buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held<const V: usize> {
    /// Flits of this session that have come and whose place is not free.
    now: [u16; V],
    /// Flits of sessions before that have come and whose place is not free.
    before: [u16; V],
    /// Places that became free in this session.
    freed: [u16; V],
}

impl<const V: usize> Held<V> {
    pub(crate) const fn new() -> Self {
        Self { now: [0; V], before: [0; V], freed: [0; V] }
    }

    pub(crate) fn freed(&self) -> &[u16; V] {
        &self.freed
    }

    pub(crate) fn now(&self, vc: usize) -> u16 {
        self.now.get(vc).copied().unwrap_or_default()
    }

    pub(crate) fn before(&self, vc: usize) -> u16 {
        self.before.get(vc).copied().unwrap_or_default()
    }

    pub(crate) fn arrived(&mut self, vc: usize) {
        if let Some(held) = self.now.get_mut(vc) {
            *held = held.saturating_add(1);
        }
    }

    /// A flit of a session before, which came late or is made up.
    pub(crate) fn arrived_before(&mut self, vc: usize) {
        if let Some(held) = self.before.get_mut(vc) {
            *held = held.saturating_add(1);
        }
    }

    /// A place is free. Says whether the neighbour is to know.
    pub(crate) fn free(&mut self, vc: usize, errors: &mut u32) -> bool {
        let (Some(now), Some(before), Some(freed)) =
            (self.now.get_mut(vc), self.before.get_mut(vc), self.freed.get_mut(vc))
        else {
            count(errors);
            return false;
        };
        if *before > 0 {
            *before = before.saturating_sub(1);
            false
        } else if *now > 0 {
            *now = now.saturating_sub(1);
            *freed = freed.wrapping_add(1);
            true
        } else {
            count(errors);
            false
        }
    }

    /// A new session.
    pub(crate) fn restart(&mut self) {
        for (now, before) in self.now.iter_mut().zip(&mut self.before) {
            *before = before.saturating_add(*now);
            *now = 0;
        }
        self.freed = [0; V];
    }

    /// Whether no flit of a session before is left.
    pub(crate) fn is_drained(&self) -> bool {
        self.before.iter().all(|&held| held == 0)
    }
}
