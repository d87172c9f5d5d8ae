//! Wakes each node in the cycle in which it generates its next packet.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles ahead that have a place of their own.
const TURN: u64 = 256;

/// One timer per node at most, two where a node also waits to send a head again, kept by cycle: the near ones in places, the far ones in a heap until they are near.
#[derive(Debug, Clone)]
pub(crate) struct Timers {
    /// The nodes of cycle `at` are in place `at % TURN`.
    places: Vec<Vec<u32>>,
    /// Which places are not empty.
    taken: [u64; TURN as usize / 64],
    far: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Timers {
    pub(crate) fn new() -> Self {
        Self {
            places: vec![Vec::new(); TURN as usize],
            taken: [0; TURN as usize / 64],
            far: BinaryHeap::new(),
        }
    }

    /// Wakes `node` in cycle `at`; the next cycle to ring is `next`, not later than `at`.
    #[inline]
    pub(crate) fn set(&mut self, next: u64, at: u64, node: u32) {
        if at - next < TURN { self.place(at, node) } else { self.far.push(Reverse((at, node))) }
    }

    #[inline]
    fn place(&mut self, at: u64, node: u32) {
        let place = (at % TURN) as usize;
        self.taken[place / 64] |= 1 << (place % 64);
        self.places[place].push(node);
    }

    /// Calls `wake` for each node whose cycle is `now`. No cycle with a timer may be skipped.
    #[inline]
    pub(crate) fn ring(&mut self, now: u64, wake: impl FnMut(u32)) {
        while let Some(&Reverse((at, node))) = self.far.peek()
            && at - now < TURN
        {
            self.far.pop();
            self.place(at, node);
        }
        let place = (now % TURN) as usize;
        self.taken[place / 64] &= !(1 << (place % 64));
        self.places[place].drain(..).for_each(wake);
    }

    /// The next cycle with a timer, `next` at the earliest.
    pub(crate) fn next(&self, next: u64) -> Option<u64> {
        let far = self.far.peek().map(|&Reverse((at, _))| at);
        let is_taken = |&at: &u64| self.taken[(at % TURN) as usize / 64] >> (at % 64) & 1 == 1;
        (next..next.saturating_add(TURN)).find(is_taken).or(far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Near and far, rung in every cycle or only where there is something: each timer once, in its cycle.
        #[test]
        fn each_alarm_rings_once_in_its_cycle(
            gaps in proptest::collection::vec(0u64..3 * TURN, 1..40),
            jumps: bool,
        ) {
            let (mut timers, mut expected) = (Timers::new(), Vec::new());
            for (node, &at) in (0u32..).zip(&gaps) {
                timers.set(0, at, node);
                expected.extend([(at, node), (2 * at + 1, node)]);
            }
            let (mut rung, mut now) = (Vec::new(), 0);
            while let Some(next) = timers.next(now) {
                now = if jumps { next } else { now };
                let mut woken = Vec::new();
                timers.ring(now, |node| woken.push(node));
                for node in woken {
                    if now == gaps[node as usize] && !rung.contains(&(now, node)) {
                        timers.set(now + 1, 2 * now + 1, node);
                    }
                    rung.push((now, node));
                }
                now += 1;
            }
            rung.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(rung, expected);
        }
    }
}
