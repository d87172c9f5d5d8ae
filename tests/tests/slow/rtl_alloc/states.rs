//! Every request in every state that an allocator reaches.

use super::MANY;
use super::bits::Bits;
use super::pair::{AllocatorPair, Asks, registers};
use router_core::alloc::AllocatorKind::Wavefront;
use router_core::alloc::{Allocation, Allocator};
use std::collections::{HashMap, HashSet, VecDeque};

/// What one VC may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Menu {
    /// Nothing, or one output.
    One,
    /// Any set of outputs.
    Any,
}

impl Menu {
    /// Every choice of outputs and out_vc that one VC has.
    pub(super) fn choices<const P: usize, const V: usize>(self, with_out_vcs: bool) -> Vec<(usize, usize)> {
        let sets = (1..1usize << P).filter(|set| self == Self::Any || set.is_power_of_two());
        let out_vcs = if with_out_vcs { V } else { 1 };
        let asking = sets.flat_map(|set| (0..out_vcs).map(move |out_vc| (set, out_vc)));
        std::iter::once((0, 0)).chain(asking).collect()
    }
}

/// Request number `n` of those that can be made of `choices`.
pub(super) fn nth<const P: usize, const V: usize>(choices: &[(usize, usize)], mut n: usize) -> Asks<P, V> {
    let mut asks = Asks::NONE;
    for place in 0..P * V {
        (asks.outputs[place / V][place % V], asks.out_vcs[place / V][place % V]) = choices[n % choices.len()];
        n /= choices.len();
    }
    asks
}

/// The states that an allocator reaches from reset, and how.
pub(super) struct Map<const P: usize, const V: usize> {
    /// Number of a state, by its registers.
    pub(super) known: HashMap<[Bits; 5], usize>,
    /// For each state, a request that leads to each of the states that come right after it.
    pub(super) ways: Vec<Vec<(Asks<P, V>, usize)>>,
    /// For each state, a request that leads to it from each of the states that come right before it.
    pub(super) before: Vec<Vec<(Asks<P, V>, usize)>>,
}

impl<const P: usize, const V: usize> Map<P, V> {
    pub(super) fn new(allocation: Allocation, choices: &[(usize, usize)]) -> Self {
        let reset = Allocator::<P, V>::new(allocation, P as u8);
        let known = HashMap::from([(registers(&reset, allocation), 0)]);
        let mut map = Self { known, ways: Vec::new(), before: Vec::new() };
        let mut states = vec![reset];
        while let Some(state) = states.get(map.ways.len()).cloned() {
            let mut ways: Vec<(Asks<P, V>, usize)> = Vec::new();
            for asks in (0..choices.len().pow((P * V) as u32)).map(|n| nth(choices, n)) {
                let mut after = state.clone();
                let grants = after.evaluate(&asks.requests());
                after.commit(&grants);
                let fresh = map.known.len();
                let to = *map.known.entry(registers(&after, allocation)).or_insert(fresh);
                if to == fresh {
                    states.push(after);
                }
                if ways.iter().all(|way| way.1 != to) {
                    ways.push((asks, to));
                }
            }
            map.ways.push(ways);
        }
        map.before = vec![Vec::new(); map.ways.len()];
        for (from, ways) in map.ways.iter().enumerate() {
            for &(asks, to) in ways {
                map.before[to].push((asks, from));
            }
        }
        map
    }

    /// For each state that is not `open`, the first request on a shortest way to one that is.
    pub(super) fn toward(&self, open: impl Fn(usize) -> bool) -> Vec<Option<Asks<P, V>>> {
        let mut first = vec![None; self.ways.len()];
        let mut queue: VecDeque<usize> = (0..self.ways.len()).filter(|&state| open(state)).collect();
        while let Some(to) = queue.pop_front() {
            for &(asks, from) in &self.before[to] {
                if first[from].is_none() && !open(from) {
                    first[from] = Some(asks);
                    queue.push_back(from);
                }
            }
        }
        first
    }
}

/// Walks until every request has been made in every state. Returns the cycles it took.
pub(super) fn every_request_in_every_state<const P: usize, const V: usize>(
    allocation: Allocation,
    menu: Menu,
) -> u64 {
    let Some(mut pair) = AllocatorPair::<P, V>::new(allocation, MANY) else { return 0 };
    // A wavefront does not look at them.
    let with_out_vcs = allocation.kind != Wavefront;
    let choices = menu.choices::<P, V>(with_out_vcs);
    let count = choices.len().pow((P * V) as u32);
    let map = Map::<P, V>::new(allocation, &choices);
    let mut made = vec![0usize; map.ways.len()];
    let mut seen = HashSet::new();
    let state = |pair: &AllocatorPair<P, V>| map.known[&pair.registers()];
    let mut at = state(&pair);
    let mut toward = vec![None; map.ways.len()];
    loop {
        while made[at] < count {
            // From each state in an order of its own, so that the walk does not go round in circles.
            let n = (made[at] + at * 7919) % count;
            made[at] += 1;
            seen.insert(at);
            pair.step(&nth(&choices, n));
            at = state(&pair);
        }
        // Ways that were found when other states were open end in one that is not: only then are they looked for again.
        if toward[at].is_none() {
            toward = map.toward(|state| made[state] < count);
        }
        let Some(asks) = toward[at] else { break };
        pair.step(&asks);
        at = state(&pair);
    }
    assert_eq!(seen.len(), map.known.len(), "states that the RTL was seen in");
    assert!(made.iter().all(|&made| made == count));
    let (states, cycles) = (seen.len(), pair.cycles);
    println!(
        "{P} x {V}, {allocation:?}, {menu:?}: {states} states x {count} requests, {cycles} cycles compared"
    );
    cycles
}
