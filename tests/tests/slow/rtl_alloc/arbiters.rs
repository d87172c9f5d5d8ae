//! Arbiters in Rust beside those of the RTL, in every state.

use super::bits::{Bits, state_bits};
use super::{ARBITER, ARBITERS, FEW, build, design};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::alloc::ArbiterKind;
use router_core::alloc::arbiter::Arbiter;
use std::collections::HashSet;
use verilated::{Input, Model, Output};

/// An arbiter in Rust and one in RTL.
pub(super) struct ArbiterPair<const N: usize> {
    pub(super) golden: Arbiter<N>,
    pub(super) model: Model,
    pub(super) clk: Input,
    pub(super) rst: Input,
    pub(super) request: Input,
    pub(super) advance: Input,
    pub(super) grant: Output,
    pub(super) state: Output,
    pub(super) compared: u64,
}

impl<const N: usize> ArbiterPair<N> {
    pub(super) fn new(kind: ArbiterKind) -> Option<Self> {
        let design = design("arbiter", &ARBITER)
            .parameter("ARBITER", kind.rtl().unwrap())
            .parameter("REQUESTERS", N as u32);
        let model = build(&design, FEW)?.model(1).unwrap();
        let width = N as u32;
        let mut pair = Self {
            golden: Arbiter::new(kind),
            clk: model.input("clk", 1).unwrap(),
            rst: model.input("rst", 1).unwrap(),
            request: model.input("request", width).unwrap(),
            advance: model.input("advance", 1).unwrap(),
            grant: model.output("grant", width).unwrap(),
            state: model.output("state", state_bits(kind, N) as u32).unwrap(),
            model,
            compared: 0,
        };
        pair.model.set(pair.rst, 1);
        pair.model.cycle(pair.clk).unwrap();
        pair.model.set(pair.rst, 0);
        pair.compare_state();
        Some(pair)
    }

    pub(super) fn registers(&self) -> Bits {
        Bits::read(&self.model, self.state)
    }

    pub(super) fn compare_state(&mut self) {
        let mut expected = Bits::default();
        expected.push(self.golden.registers(), self.state.bits() as usize);
        assert_eq!(self.registers(), expected, "the RTL's state, and that of {:?}", self.golden);
        self.compared += 1;
    }

    /// One cycle.
    pub(super) fn step(&mut self, request: usize, advance: bool) {
        self.model.set(self.request, request as u64);
        self.model.set(self.advance, u64::from(advance));
        self.model.set(self.clk, 0);
        self.model.eval().unwrap();
        let winner = self.golden.pick(request);
        let expected = winner.map_or(0, |n| 1 << n);
        let grant = self.model.get(self.grant);
        assert_eq!(grant, expected, "the RTL's grant, and that of {:?} for {request:b}", self.golden);
        self.compared += 1;
        self.model.set(self.clk, 1);
        self.model.eval().unwrap();
        if let (true, Some(n)) = (advance, winner) {
            self.golden.served(n);
        }
        self.compare_state();
    }

    /// Goes to the state of `target`: serving all, the one served longest ago first, leads there from anywhere.
    pub(super) fn go_to(&mut self, target: &Arbiter<N>) {
        let mut order = *target;
        for _ in 0..N {
            let oldest = order.pick((1 << N) - 1).unwrap();
            order.served(oldest);
            self.step(1 << oldest, true);
        }
        assert_eq!(self.golden, *target);
    }
}

/// Every state that an arbiter reaches.
pub(super) fn arbiter_states<const N: usize>(kind: ArbiterKind) -> Vec<Arbiter<N>> {
    let mut states = vec![Arbiter::<N>::new(kind)];
    let mut seen = HashSet::from([states[0].registers()]);
    let mut next = 0;
    while next < states.len() {
        for n in 0..N as u8 {
            let mut state = states[next];
            state.served(n);
            if seen.insert(state.registers()) {
                states.push(state);
            }
        }
        next += 1;
    }
    states
}

/// Every state and every request, taken up or not; the RTL must have shown as many states.
pub(super) fn every_arbiter_state<const N: usize>(kind: ArbiterKind, states: usize) {
    let Some(mut pair) = ArbiterPair::<N>::new(kind) else { return };
    let targets = arbiter_states::<N>(kind);
    assert_eq!(targets.len(), states);
    let mut seen = HashSet::new();
    for target in &targets {
        for request in 0..1 << N {
            pair.go_to(target);
            seen.insert(pair.registers());
            pair.step(request, false);
            pair.step(request, true);
        }
    }
    assert_eq!(seen.len(), states, "{kind:?} among {N}: states that the RTL was seen in");
    println!("arbiter {kind:?} among {N}: {states} states, {} comparisons", pair.compared);
    assert!(pair.compared > 0, "nothing was compared");
}

#[test]
pub(super) fn arbiters_agree_in_every_state() {
    every_arbiter_state::<1>(ArbiterKind::RoundRobin, 1);
    every_arbiter_state::<2>(ArbiterKind::RoundRobin, 2);
    every_arbiter_state::<3>(ArbiterKind::RoundRobin, 3);
    every_arbiter_state::<4>(ArbiterKind::RoundRobin, 4);
    every_arbiter_state::<5>(ArbiterKind::RoundRobin, 5);
    every_arbiter_state::<7>(ArbiterKind::RoundRobin, 7);
    every_arbiter_state::<1>(ArbiterKind::Matrix, 1);
    every_arbiter_state::<2>(ArbiterKind::Matrix, 2);
    every_arbiter_state::<3>(ArbiterKind::Matrix, 6);
    every_arbiter_state::<4>(ArbiterKind::Matrix, 24);
    every_arbiter_state::<5>(ArbiterKind::Matrix, 120);
}

#[test]
pub(super) fn wide_arbiters_agree_at_random() {
    for kind in ARBITERS {
        let Some(mut pair) = ArbiterPair::<15>::new(kind) else { return };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(15);
        for _ in 0..20_000 {
            let [request, mask] = [random.next_u32() as usize, random.next_u32() as usize | 0x1111];
            pair.step(request & mask & 0x7fff, random.next_u32() % 4 != 0);
        }
        println!("arbiter {kind:?} among 15: {} comparisons", pair.compared);
    }
}
