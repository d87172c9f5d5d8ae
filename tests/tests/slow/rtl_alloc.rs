//! Arbiters and allocators of the RTL (`hdl/`) beside those of `router-core`: grants and registers, in every cycle.
#![allow(clippy::unwrap_used)]

mod arbiters;
mod bits;
mod pair;
mod states;

use bits::index_bits;
use desvio_tests::matching::below;
use desvio_tests::rtl::{hdl, source};
use pair::{AllocatorPair, Asks};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use router_core::alloc::AllocatorKind::{
    SeparableInputFirst, SeparableOneArbiter, SeparableOutputFirst, Wavefront,
};
use router_core::alloc::{Allocation, ArbiterKind};
use states::{Menu, every_request_in_every_state, nth};
use std::collections::HashSet;
use verilated::{BuildError, Design, Library, Run};

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
