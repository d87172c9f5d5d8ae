//! Arbiters and allocators of the RTL (`hdl/`) beside those of `router-core`: grants and registers, in every cycle.
#![allow(clippy::unwrap_used)]

use desvio_tests::matching::below;
use desvio_tests::rtl::{hdl, source};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use router_core::alloc::AllocatorKind::{
    SeparableInputFirst, SeparableOneArbiter, SeparableOutputFirst, Wavefront,
};
use router_core::alloc::arbiter::Arbiter;
use router_core::alloc::{Allocation, Allocator, ArbiterKind, Requests};
use router_core::units::{PortId, PortSet, VcId};
use std::collections::{HashMap, HashSet, VecDeque};
use verilated::{BuildError, Design, Input, Library, Model, Output, Run};

const ARBITERS: [ArbiterKind; 2] = [ArbiterKind::RoundRobin, ArbiterKind::Matrix];

const ARBITER: [&str; 4] = ["pkg", "arbiter_pick", "arbiter_state", "arbiter"];

const ALLOCATOR: [&str; 13] = [
    "pkg",
    "arbiter_pick",
    "arbiter_state",
    "vl_turn",
    "vl_pick",
    "vl_state",
    "one_arbiter",
    "output_arbiter",
    "separable_input_first",
    "separable_output_first",
    "seized",
    "wavefront",
    "allocator",
];

/// Cycles of a run for which a design is hardly worth to be optimised, and of one for which it is.
const FEW: u64 = 10_000;
const MANY: u64 = 2_000_000;

/// Whether the long runs are asked for.
fn is_long() -> bool {
    std::env::var_os("DESVIO_LONG").is_some_and(|value| value == "1")
}

fn design(top: &str, sources: &[&str]) -> Design {
    let top = format!("{}{top}", desvio_hdl::PREFIX);
    sources.iter().fold(Design::new(top), |design, noun| design.source(source(&hdl(), noun)))
}

/// The design, compiled for about so many cycles; without Verilator `None` and a message, unless `DESVIO_REQUIRE_TOOLS=1`.
fn build(design: &Design, cycles: u64) -> Option<Library> {
    let cycles = if is_long() { u64::MAX } else { cycles };
    match design.clone().run(Run::of_cycles(cycles)).build() {
        Ok(library) => Some(library),
        Err(BuildError::VerilatorMissing { command, reason })
            if std::env::var_os("DESVIO_REQUIRE_TOOLS").is_none_or(|value| value != "1") =>
        {
            println!("skipped: no Verilator ({command}: {reason}); nothing was compared");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Bits, from the lowest up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Bits {
    words: Vec<u32>,
    len: usize,
}

impl Bits {
    fn push(&mut self, value: u128, bits: usize) {
        let (mut value, mut left) = (value, bits);
        while left > 0 {
            let (at, room) = (self.len % 32, 32 - self.len % 32);
            if at == 0 {
                self.words.push(0);
            }
            let taken = left.min(room);
            let part = (value & ((1 << taken) - 1)) as u32;
            self.words[self.len / 32] |= part << at;
            value >>= taken;
            left -= taken;
            self.len += taken;
        }
    }

    fn read(model: &Model, from: Output) -> Self {
        let len = from.bits() as usize;
        let mut words = vec![0; len.div_ceil(32)];
        model.get_words(from, &mut words);
        Self { words, len }
    }
}

/// Bits to number `n` things.
fn index_bits(n: usize) -> usize {
    (n.max(2) - 1).ilog2() as usize + 1
}

/// Bits of an `arbiter_state`.
fn state_bits(arbiter: ArbiterKind, requesters: usize) -> usize {
    match arbiter {
        ArbiterKind::RoundRobin => requesters,
        ArbiterKind::Matrix => (requesters * (requesters - 1) / 2).max(1),
    }
}

/// An arbiter in Rust and one in RTL.
struct ArbiterPair<const N: usize> {
    golden: Arbiter<N>,
    model: Model,
    clk: Input,
    rst: Input,
    request: Input,
    advance: Input,
    grant: Output,
    state: Output,
    compared: u64,
}

impl<const N: usize> ArbiterPair<N> {
    fn new(kind: ArbiterKind) -> Option<Self> {
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

    fn registers(&self) -> Bits {
        Bits::read(&self.model, self.state)
    }

    fn compare_state(&mut self) {
        let mut expected = Bits::default();
        expected.push(self.golden.registers(), self.state.bits() as usize);
        assert_eq!(self.registers(), expected, "the RTL's state, and that of {:?}", self.golden);
        self.compared += 1;
    }

    /// One cycle.
    fn step(&mut self, request: usize, advance: bool) {
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
    fn go_to(&mut self, target: &Arbiter<N>) {
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
fn arbiter_states<const N: usize>(kind: ArbiterKind) -> Vec<Arbiter<N>> {
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
fn every_arbiter_state<const N: usize>(kind: ArbiterKind, states: usize) {
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
fn arbiters_agree_in_every_state() {
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
fn wide_arbiters_agree_at_random() {
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

/// What every VC of every input asks for: outputs, and a VC behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asks<const P: usize, const V: usize> {
    outputs: [[usize; V]; P],
    out_vcs: [[usize; V]; P],
}

impl<const P: usize, const V: usize> Asks<P, V> {
    const NONE: Self = Self { outputs: [[0; V]; P], out_vcs: [[0; V]; P] };

    fn requests(&self) -> Requests<P, V> {
        let mut requests = Requests::new();
        for (n, input, vc) in (0..P * V).map(|n| (n, PortId::new((n / V) as u8), VcId::new((n % V) as u8))) {
            let out_vc = VcId::new(self.out_vcs[n / V][n % V] as u8);
            requests.add(input, vc, PortSet::from_bits(self.outputs[n / V][n % V]), out_vc);
        }
        requests
    }

    fn pack(&self) -> [Bits; 2] {
        let [mut want, mut out_vcs] = [Bits::default(), Bits::default()];
        for n in 0..P * V {
            want.push(self.outputs[n / V][n % V] as u128, P);
            out_vcs.push(self.out_vcs[n / V][n % V] as u128, index_bits(V));
        }
        [want, out_vcs]
    }
}

/// The registers of an allocator, as the RTL names them.
const REGISTERS: [&str; 5] = ["input_states", "out_vc_states", "input_of_out_vc_states", "choices", "turn"];

/// An allocator in Rust and one in RTL.
struct AllocatorPair<const P: usize, const V: usize> {
    allocation: Allocation,
    golden: Allocator<P, V>,
    model: Model,
    clk: Input,
    want: Input,
    want_out_vc: Input,
    grant_vc: Output,
    grant_output: Output,
    probes: [Output; 5],
    cycles: u64,
    grants: u64,
}

impl<const P: usize, const V: usize> AllocatorPair<P, V> {
    fn new(allocation: Allocation, cycles: u64) -> Option<Self> {
        let probe = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/slow/rtl_alloc/probe.vlt");
        let design = design("allocator", &ALLOCATOR)
            .source(probe)
            .parameter("PORTS", P as u32)
            .parameter("VCS", V as u32)
            .parameter("ALLOCATOR", allocation.kind.rtl().unwrap())
            .parameter("ARBITER", allocation.arbiter.rtl().unwrap())
            .parameter("ITERATIONS", u32::from(allocation.iterations));
        let design =
            REGISTERS.iter().fold(design, |design, name| design.probe(format!("dsv_allocator.{name}")));
        let model = build(&design, cycles)?.model(1).unwrap();
        let [vc_state, port_state] = [V, P].map(|n| state_bits(allocation.arbiter, n));
        let turns = if allocation.kind.has_one_arbiter() { 1 } else { V };
        let widths = [P * vc_state, P * vc_state, P * turns * port_state, P * index_bits(P), index_bits(P)];
        let probed =
            |n: usize| model.probed(&format!("dsv_allocator.{}", REGISTERS[n]), widths[n] as u32).unwrap();
        let mut pair = Self {
            allocation,
            golden: Allocator::new(allocation, P as u8),
            clk: model.input("clk", 1).unwrap(),
            want: model.input("want", (P * V * P) as u32).unwrap(),
            want_out_vc: model.input("want_out_vc", (P * V * index_bits(V)) as u32).unwrap(),
            grant_vc: model.output("grant_vc", (P * V) as u32).unwrap(),
            grant_output: model.output("grant_output", (P * P) as u32).unwrap(),
            probes: std::array::from_fn(probed),
            model,
            cycles: 0,
            grants: 0,
        };
        let rst = pair.model.input("rst", 1).unwrap();
        pair.model.set(rst, 1);
        pair.model.cycle(pair.clk).unwrap();
        pair.model.set(rst, 0);
        assert_eq!(pair.registers(), pair.expected_registers(), "{allocation:?} after reset");
        Some(pair)
    }

    fn registers(&self) -> [Bits; 5] {
        self.probes.map(|probe| Bits::read(&self.model, probe))
    }

    /// What the RTL's registers should hold; those that a kind does without are 0 there.
    fn expected_registers(&self) -> [Bits; 5] {
        registers(&self.golden, self.allocation)
    }

    /// One cycle: the same grants, and the same registers after it.
    fn step(&mut self, asks: &Asks<P, V>) {
        let [want, out_vcs] = asks.pack();
        self.model.set_words(self.want, &want.words);
        self.model.set_words(self.want_out_vc, &out_vcs.words);
        self.model.set(self.clk, 0);
        self.model.eval().unwrap();
        let grants = self.golden.evaluate(&asks.requests());
        let [mut vcs, mut outputs] = [[0u128; P]; 2];
        for grant in grants.iter() {
            vcs[grant.input.index()] |= 1 << grant.vc.number();
            outputs[grant.input.index()] |= 1 << grant.output.number();
        }
        let [mut grant_vc, mut grant_output] = [Bits::default(), Bits::default()];
        for input in 0..P {
            grant_vc.push(vcs[input], V);
            grant_output.push(outputs[input], P);
        }
        let rtl = [self.grant_vc, self.grant_output].map(|from| Bits::read(&self.model, from));
        let (allocation, cycle) = (self.allocation, self.cycles);
        assert_eq!(
            rtl,
            [grant_vc, grant_output],
            "RTL (left) and Rust differ in grant_vc, grant_output: {allocation:?}, cycle {cycle}, {asks:?}"
        );
        self.model.set(self.clk, 1);
        self.model.eval().unwrap();
        self.golden.commit(&grants);
        assert_eq!(
            self.registers(),
            self.expected_registers(),
            "RTL (left) and Rust differ in {REGISTERS:?}: {allocation:?}, after cycle {cycle}, {asks:?}"
        );
        self.cycles += 1;
        self.grants += grants.len() as u64;
    }
}

/// The registers of an allocator, as the RTL has them.
fn registers<const P: usize, const V: usize>(
    allocator: &Allocator<P, V>,
    allocation: Allocation,
) -> [Bits; 5] {
    let is_wavefront = allocation.kind == Wavefront;
    let [vc_state, port_state] = [V, P].map(|n| state_bits(allocation.arbiter, n));
    let separable = |value: u128| if is_wavefront { 0 } else { value };
    let mut all: [Bits; 5] = Default::default();
    for port in (0..P as u8).map(PortId::new) {
        all[0].push(allocator.input_arbiter(port).unwrap().registers(), vc_state);
        let of_out_vcs = allocator.out_vc_arbiter(port);
        all[1].push(separable(of_out_vcs.map_or(0, |arbiter| arbiter.registers())), vc_state);
        let out_vcs = (0..V as u8).map(VcId::new);
        for arbiter in out_vcs.filter_map(|out_vc| allocator.input_of_out_vc_arbiter(port, out_vc)) {
            all[2].push(separable(arbiter.registers()), port_state);
        }
        all[3].push(separable(u128::from(allocator.choice(port).number())), index_bits(P));
    }
    all[4].push(if is_wavefront { u128::from(allocator.turn()) } else { 0 }, index_bits(P));
    all
}

/// Every kind, every arbiter, up to three iterations.
fn every_allocation() -> Vec<Allocation> {
    let kinds = [
        (SeparableInputFirst, 1..=3),
        (SeparableOutputFirst, 1..=3),
        (Wavefront, 1..=1),
        (SeparableOneArbiter, 1..=2),
    ];
    kinds
        .into_iter()
        .flat_map(|(kind, iterations)| iterations.map(move |iterations| (kind, iterations)))
        .flat_map(|(kind, iterations)| ARBITERS.map(|arbiter| Allocation { kind, arbiter, iterations }))
        .collect()
}

/// What one VC may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Menu {
    /// Nothing, or one output.
    One,
    /// Any set of outputs.
    Any,
}

impl Menu {
    /// Every choice of outputs and out_vc that one VC has.
    fn choices<const P: usize, const V: usize>(self, with_out_vcs: bool) -> Vec<(usize, usize)> {
        let sets = (1..1usize << P).filter(|set| self == Self::Any || set.is_power_of_two());
        let out_vcs = if with_out_vcs { V } else { 1 };
        let asking = sets.flat_map(|set| (0..out_vcs).map(move |out_vc| (set, out_vc)));
        std::iter::once((0, 0)).chain(asking).collect()
    }
}

/// Request number `n` of those that can be made of `choices`.
fn nth<const P: usize, const V: usize>(choices: &[(usize, usize)], mut n: usize) -> Asks<P, V> {
    let mut asks = Asks::NONE;
    for place in 0..P * V {
        (asks.outputs[place / V][place % V], asks.out_vcs[place / V][place % V]) = choices[n % choices.len()];
        n /= choices.len();
    }
    asks
}

/// The states that an allocator reaches from reset, and how.
struct Map<const P: usize, const V: usize> {
    /// Number of a state, by its registers.
    known: HashMap<[Bits; 5], usize>,
    /// For each state, a request that leads to each of the states that come right after it.
    ways: Vec<Vec<(Asks<P, V>, usize)>>,
    /// The same for the states that come right before it.
    before: Vec<Vec<(Asks<P, V>, usize)>>,
}

impl<const P: usize, const V: usize> Map<P, V> {
    fn new(allocation: Allocation, choices: &[(usize, usize)]) -> Self {
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
    fn toward(&self, open: impl Fn(usize) -> bool) -> Vec<Option<Asks<P, V>>> {
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
fn every_request_in_every_state<const P: usize, const V: usize>(allocation: Allocation, menu: Menu) -> u64 {
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

/// The sum of what each allocation compares, on all cores.
fn compared(allocations: &[Allocation], check: impl Fn(Allocation) -> u64 + Sync) -> u64 {
    allocations.par_iter().map(|&allocation| check(allocation)).sum()
}

#[test]
fn allocators_agree_in_every_state_of_two_ports() {
    // With two ports, a third iteration finds nothing left. Otherwise as beyond two ports.
    let allocations: Vec<_> =
        every_allocation().into_iter().filter(|a| a.iterations <= 2 && is_run(a)).collect();
    let menu = if is_long() { Menu::Any } else { Menu::One };
    let cycles = compared(&allocations, |a| every_request_in_every_state::<2, 2>(a, menu));
    report("2 x 2, every state and request", cycles);
}

#[test]
fn wavefronts_agree_in_every_state_of_three_ports() {
    let allocations: Vec<_> = every_allocation().into_iter().filter(|a| a.kind == Wavefront).collect();
    let menu = if is_long() { Menu::Any } else { Menu::One };
    let cycles = compared(&allocations, |a| every_request_in_every_state::<3, 2>(a, menu));
    report("3 x 2, every state and request", cycles);
}

/// Every request once (or a share of them), in whatever state the ones before have led to.
fn every_request<const P: usize, const V: usize>(allocation: Allocation, rounds: usize, share: usize) -> u64 {
    let Some(mut pair) = AllocatorPair::<P, V>::new(allocation, FEW) else { return 0 };
    let choices = Menu::One.choices::<P, V>(true);
    let count = choices.len().pow((P * V) as u32);
    let mut states = HashSet::new();
    for round in 0..rounds {
        // A step that has no factor in common with the count visits each number once.
        let step = [7919, 104_729, 1_299_709, 15_485_863][round % 4];
        for n in 0..count / share {
            pair.step(&nth(&choices, (n * step + round) % count));
            states.insert(pair.registers());
        }
    }
    println!("{P} x {V}, {allocation:?}: {} cycles compared, {} states seen", pair.cycles, states.len());
    pair.cycles
}

#[test]
fn allocators_agree_for_every_request_of_three_ports() {
    // More than a million states of three ports and two VCs times 117,649 requests: a sample of the states.
    let (rounds, share) = if is_long() { (4, 1) } else { (1, 16) };
    let cycles = compared(&every_allocation(), |a| every_request::<3, 2>(a, rounds, share));
    report("3 x 2, every request", cycles);
}

/// Random requests of a random profile: few or many, one output or several, spread or all for the same.
fn random_asks<const P: usize, const V: usize>(profile: u32, random: &mut impl Rng) -> Asks<P, V> {
    let mut asks = Asks::NONE;
    let often = [1, 4, 7, 8][profile as usize % 4];
    let hot = if profile & 4 == 0 { (1 << P) - 1 } else { 1 << below(P, random) | 1 << below(P, random) };
    for place in 0..P * V {
        let outputs = if profile & 8 == 0 { 1 << below(P, random) } else { random.next_u32() as usize };
        if below(8, random) < often {
            asks.outputs[place / V][place % V] = outputs & hot;
        }
        // Now and then a VC that does not exist.
        let vcs = if profile & 48 == 0 { 1 << index_bits(V) } else { V };
        asks.out_vcs[place / V][place % V] = below(vcs, random);
    }
    asks
}

fn at_random<const P: usize, const V: usize>(allocation: Allocation, cycles: u64) -> u64 {
    let Some(mut pair) = AllocatorPair::<P, V>::new(allocation, cycles) else { return 0 };
    let mut random =
        Xoshiro256PlusPlus::seed_from_u64((P * 64 + V * 8) as u64 + u64::from(allocation.iterations));
    let mut profile = 0;
    while pair.cycles < cycles {
        if pair.cycles % 50 == 0 {
            profile = random.next_u32();
        }
        pair.step(&random_asks(profile, &mut random));
    }
    println!("{P} x {V}, {allocation:?}: {} cycles compared, {} grants", pair.cycles, pair.grants);
    pair.cycles
}

fn cycles_of_a_random_run(short: u64) -> u64 {
    if is_long() { short * 25 } else { short }
}

/// Each kind with each arbiter and with each number of iterations; in the long runs all combinations. An arbiter behaves alike in each
/// iteration, and for every request of three ports there is every combination.
fn is_run(a: &Allocation) -> bool {
    let is_paired = (u32::from(a.iterations) + a.arbiter as u32 + a.kind as u32).is_multiple_of(2);
    is_long() || a.kind == Wavefront || is_paired
}

#[test]
fn allocators_of_one_to_seven_ports_agree_at_random() {
    let cycles = cycles_of_a_random_run(2_000);
    let all: Vec<_> = every_allocation().into_iter().filter(is_run).collect();
    let twice: Vec<_> = all.iter().copied().filter(|a| a.iterations == 2).collect();
    let narrow = compared(&twice, |a| at_random::<1, 1>(a, cycles) + at_random::<4, 1>(a, cycles));
    report("1 x 1 and 4 x 1, random", narrow);
    report("5 x 4, random", compared(&twice, |a| at_random::<5, 4>(a, cycles)));
    report("7 x 3, random", compared(&all, |a| at_random::<7, 3>(a, cycles)));
}

#[test]
fn allocators_of_fifteen_ports_agree_at_random() {
    // Their C++ takes long to compile: one of each kind, and all of them in the long runs.
    let few = [
        Allocation { kind: SeparableInputFirst, arbiter: ArbiterKind::Matrix, iterations: 2 },
        Allocation { kind: SeparableOutputFirst, arbiter: ArbiterKind::RoundRobin, iterations: 1 },
        Allocation { kind: Wavefront, arbiter: ArbiterKind::Matrix, iterations: 1 },
        Allocation { kind: SeparableOneArbiter, arbiter: ArbiterKind::RoundRobin, iterations: 1 },
    ];
    let allocations = if is_long() { every_allocation() } else { few.to_vec() };
    report(
        "15 x 3, random",
        compared(&allocations, |a| at_random::<15, 3>(a, cycles_of_a_random_run(1_500))),
    );
}

/// Prints what was compared. Zero is a failure, unless tools are missing and not required.
fn report(what: &str, cycles: u64) {
    println!("{what}: {cycles} cycles compared, grants and all registers in each");
    assert!(cycles > 0 || build(&design("arbiter", &ARBITER), FEW).is_none(), "{what}: nothing was compared");
}
