//! The contract of arbiters and allocators, in every state that small ones reach.

use desvio_tests::matching::{Matrix, below, requests, wanted};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use router_core::alloc::AllocatorKind::{SeparableOutputFirst, Wavefront};
use router_core::alloc::arbiter::Arbiter;
use router_core::alloc::{Allocation, Allocator, AllocatorKind, ArbiterKind, Grant, Grants, Requests};
use router_core::settings::Word;
use router_core::units::{PortId, PortSet, VcId};
use std::collections::HashMap;

/// Every allocator that a scenario can ask for, up to three iterations where it knows any.
fn every_allocation() -> Vec<Allocation> {
    let mut all = Vec::new();
    for &(_, kind) in AllocatorKind::WORDS {
        for iterations in 1..=if kind.has_diagonals() { 1 } else { 3 } {
            all.extend(ArbiterKind::WORDS.iter().map(|&(_, arbiter)| Allocation {
                kind,
                arbiter,
                iterations,
            }));
        }
    }
    assert!(all.len() >= 14);
    all
}

/// What one VC may ask for: nothing, and one output, or any set of outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    One,
    Any,
}

impl Asks {
    fn choices<const P: usize>(self) -> Vec<usize> {
        match self {
            Self::One => std::iter::once(0).chain((0..P).map(|output| 1 << output)).collect(),
            Self::Any => (0..1 << P).collect(),
        }
    }

    /// Every request matrix.
    fn matrices<const P: usize, const V: usize>(self) -> Vec<Matrix<P, V>> {
        let choices = self.choices::<P>();
        (0..choices.len().pow((P * V) as u32))
            .map(|mut n| {
                let mut matrix = [[0; V]; P];
                for place in matrix.iter_mut().flatten() {
                    *place = choices[n % choices.len()];
                    n /= choices.len();
                }
                matrix
            })
            .collect()
    }
}

/// Everything that an allocator remembers.
fn state<const P: usize, const V: usize>(allocator: &Allocator<P, V>) -> Vec<u128> {
    let registers = |arbiter: Option<&Arbiter<P>>| arbiter.map_or(0, Arbiter::registers);
    let mut state = vec![allocator.turn().into()];
    for port in (0..P as u8).map(PortId::new) {
        state.push(allocator.choice(port).number().into());
        state.push(allocator.input_arbiter(port).map_or(0, Arbiter::registers));
        state.push(allocator.out_vc_arbiter(port).map_or(0, Arbiter::registers));
        let vcs = (0..V as u8).map(VcId::new);
        state.extend(vcs.map(|vc| registers(allocator.input_of_out_vc_arbiter(port, vc))));
    }
    state
}

/// Every state that an allocator reaches from reset by granting single requests. (Grants move pointers one by one:
/// several in one cycle lead nowhere else.)
fn every_state<const P: usize, const V: usize>(allocation: Allocation) -> Vec<Allocator<P, V>> {
    let reset = Allocator::new(allocation, P as u8);
    let mut known = HashMap::from([(state(&reset), 0)]);
    let mut states = vec![reset];
    let mut next = 0;
    while next < states.len() {
        for (input, vc, output) in (0..P * V * P).map(|n| (n / P / V, n / P % V, n % P)) {
            let mut matrix = [[0; V]; P];
            matrix[input][vc] = 1 << output;
            let mut allocator = states[next].clone();
            let grants = allocator.evaluate(&requests(&matrix));
            allocator.commit(&grants);
            let fresh = known.len();
            if *known.entry(state(&allocator)).or_insert(fresh) == fresh {
                states.push(allocator);
            }
        }
        next += 1;
    }
    // Every arbiter in every state of its own.
    let (inputs, outputs) = match allocation.arbiter {
        ArbiterKind::RoundRobin => (V, P),
        ArbiterKind::Matrix => ((1..=V).product(), (1..=P).product()),
    };
    assert!(states.len() >= (inputs * outputs).pow(P as u32), "{allocation:?}: {} states", states.len());
    states
}

/// Checks what holds for any allocator in any state; says whether the match is maximal.
fn check_grants<const P: usize, const V: usize>(matrix: &Matrix<P, V>, grants: &Grants<P>) -> bool {
    let (mut inputs, mut outputs, mut count) = (0, 0, 0);
    for Grant { input, vc, output, .. } in grants.iter() {
        let asked = matrix[input.index()][vc.index()];
        assert!(asked >> output.index() & 1 == 1, "a grant without a request: {grants:?} of {matrix:?}");
        assert!(inputs >> input.index() & 1 == 0, "an input sends twice: {grants:?} of {matrix:?}");
        assert!(outputs >> output.index() & 1 == 0, "an output receives twice: {grants:?} of {matrix:?}");
        assert_eq!(grants.vc_of(input), Some(vc));
        inputs |= 1 << input.index();
        outputs |= 1 << output.index();
        count += 1;
    }
    assert_eq!((grants.len(), grants.is_empty()), (count, count == 0));
    let rows = wanted(matrix);
    assert!(count > 0 || rows.iter().all(|&row| row == 0), "no request is served of {matrix:?}");
    (0..P).all(|input| inputs >> input & 1 == 1 || rows[input] & !outputs == 0)
}

/// The contract, in every state and for every request matrix; says how many it has checked.
fn check_contract<const P: usize, const V: usize>(allocation: Allocation, asks: Asks) -> u64 {
    // Each iteration but a useless one adds a match, so that `P` iterations leave none out.
    let is_maximal = allocation.kind == Wavefront || usize::from(allocation.iterations) >= P;
    let matrices: Vec<_> = asks.matrices().into_iter().map(|matrix| (requests(&matrix), matrix)).collect();
    let states = every_state::<P, V>(allocation);
    // At most a few hundred states of those that have more, evenly spread.
    let step = states.len().div_ceil(800);
    let checked = states
        .par_iter()
        .step_by(step)
        .map(|allocator| {
            for (requests, matrix) in &matrices {
                let grants = allocator.evaluate(requests);
                let maximal = check_grants(matrix, &grants);
                assert!(maximal || !is_maximal, "{allocation:?} could do more: {grants:?} of {matrix:?}");
            }
            matrices.len() as u64
        })
        .sum();
    assert!(checked >= (matrices.len() * states.len().min(400)) as u64);
    checked
}

#[test]
fn every_grant_answers_a_request_and_none_is_left_without_reason() {
    for allocation in every_allocation() {
        let mut checked = check_contract::<2, 2>(allocation, Asks::Any)
            + check_contract::<3, 1>(allocation, Asks::Any)
            + check_contract::<2, 3>(allocation, Asks::One);
        // Matrix arbiters have too many states together.
        if allocation.arbiter == ArbiterKind::RoundRobin {
            checked += check_contract::<3, 2>(allocation, Asks::One);
        }
        println!("{allocation:?}: {checked} decisions");
        assert!(checked > 100_000);
    }
}

#[test]
fn evaluating_changes_nothing_and_committing_nothing_turns_nothing() {
    for allocation in every_allocation() {
        let mut compared = 0;
        for mut allocator in every_state::<3, 1>(allocation).into_iter().step_by(3) {
            let before = format!("{allocator:?}");
            let asked = requests(&[[3], [5], [2]]);
            let (once, again) = (allocator.evaluate(&asked), allocator.evaluate(&asked));
            assert!(once.iter().eq(again.iter()));
            assert_eq!(format!("{allocator:?}"), before);
            let none = allocator.evaluate(&Requests::new());
            assert!(none.is_empty());
            allocator.commit(&none);
            assert_eq!(format!("{allocator:?}"), before, "no grant, no turn: {allocation:?}");
            compared += 1;
        }
        assert!(compared >= 27);
    }
}

#[test]
fn a_new_request_replaces_the_one_before() {
    let (input, vc) = (PortId::new(1), VcId::new(0));
    let mut asked = requests::<2, 2>(&[[0, 0], [2, 0]]);
    assert!(asked.has(input, vc, PortId::new(1)));
    asked.add(input, vc, PortSet::from_bits(1), VcId::new(0));
    assert!(asked.has(input, vc, PortId::new(0)));
    assert!(!asked.has(input, vc, PortId::new(1)));
    for allocation in every_allocation() {
        let grants = Allocator::new(allocation, 2).evaluate(&asked);
        assert_eq!(
            grants.iter().collect::<Vec<_>>(),
            [Grant { input, vc, out_vc: VcId::new(0), output: PortId::new(0) }]
        );
    }
}

/// What the other VCs may do while one of them waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Others {
    /// Each holds its request until it is served, then makes the one that delays the waiting VC most; none is ever idle.
    AlwaysWait,
    /// Each holds its request until it is served, then makes the one that delays the waiting VC most, or none, now or later.
    Wait,
    /// Each changes or drops its request at any time.
    ChangeTheirMinds,
}

/// A game: one VC holds its request, the others make the requests that keep it waiting longest.
struct Game<const P: usize, const V: usize> {
    others: Others,
    /// Requests the others choose from; the first is none.
    choices: Vec<usize>,
    /// Place of the waiting VC, `input * V + vc`.
    waiting: usize,
    states: Vec<Allocator<P, V>>,
    numbers: HashMap<Vec<u128>, usize>,
    /// Longest wait from a position, by state and matrix; `Err` while its future is looked at.
    waits: HashMap<(usize, Matrix<P, V>), Result<u32, ()>>,
}

/// The others can keep a VC waiting for ever, by going round a circle of positions.
#[derive(Debug)]
struct Starved;

impl<const P: usize, const V: usize> Game<P, V> {
    fn new(allocation: Allocation, others: Others, asks: Asks, waiting: usize) -> Self {
        let states = every_state(allocation);
        let numbers = states.iter().enumerate().map(|(n, allocator)| (state(allocator), n)).collect();
        Self { others, choices: asks.choices::<P>(), waiting, states, numbers, waits: HashMap::new() }
    }

    /// The most cycles, that of the grant included, from any state; also how many positions there are.
    fn longest_wait(mut self) -> Result<(u32, usize), Starved> {
        let mut longest = 0;
        let choices = self.choices.clone();
        for state in 0..self.states.len() {
            for &own in &choices[1..] {
                let mut matrix = [[0; V]; P];
                matrix[self.waiting / V][self.waiting % V] = own;
                for start in self.futures(&matrix, 0) {
                    longest = longest.max(self.wait(state, &start)?);
                }
            }
        }
        Ok((longest, self.waits.len()))
    }

    /// Cycles until the grant, from this state with these requests.
    fn wait(&mut self, state: usize, matrix: &Matrix<P, V>) -> Result<u32, Starved> {
        match self.waits.get(&(state, *matrix)) {
            Some(Ok(wait)) => return Ok(*wait),
            Some(Err(())) => return Err(Starved),
            None => {}
        }
        self.waits.insert((state, *matrix), Err(()));
        let mut allocator = self.states[state].clone();
        let grants = allocator.evaluate(&requests(matrix));
        allocator.commit(&grants);
        let served =
            grants.iter().fold(0, |all, grant| all | 1 << (grant.input.index() * V + grant.vc.index()));
        let mut longest = 0;
        if served >> self.waiting & 1 == 0 {
            let next = self.number(allocator);
            for future in self.futures(matrix, served) {
                longest = longest.max(self.wait(next, &future)?);
            }
        }
        self.waits.insert((state, *matrix), Ok(longest + 1));
        Ok(longest + 1)
    }

    fn number(&mut self, allocator: Allocator<P, V>) -> usize {
        let fresh = self.states.len();
        let number = *self.numbers.entry(state(&allocator)).or_insert(fresh);
        if number == fresh {
            self.states.push(allocator);
        }
        number
    }

    /// What may be asked in the next cycle.
    fn futures(&self, matrix: &Matrix<P, V>, served: usize) -> Vec<Matrix<P, V>> {
        let mut futures = vec![*matrix];
        for place in (0..P * V).filter(|&place| place != self.waiting) {
            let idle = matrix[place / V][place % V] == 0;
            if !idle && served >> place & 1 == 0 && self.others != Others::ChangeTheirMinds {
                continue;
            }
            let choices = &self.choices[usize::from(self.others == Others::AlwaysWait)..];
            futures = futures
                .iter()
                .flat_map(|future| {
                    choices.iter().map(|&choice| {
                        let mut future = *future;
                        future[place / V][place % V] = choice;
                        future
                    })
                })
                .collect();
        }
        futures
    }
}

/// The longest wait of each VC of the first input, in each of `worlds`, is at most `bound`, and `tight` if that is said.
fn check_waits<const P: usize, const V: usize>(
    allocation: Allocation,
    asks: Asks,
    worlds: &[Others],
    bound: u32,
    tight: bool,
) {
    for &others in worlds {
        // The lowest and the highest VC of the first input.
        for waiting in if V == 2 { vec![0, 1] } else { vec![V - 1] } {
            let game = Game::<P, V>::new(allocation, others, asks, waiting);
            let (longest, positions) = game
                .longest_wait()
                .unwrap_or_else(|Starved| panic!("{P}×{V}, {asks:?}, {others:?}: {allocation:?} starves"));
            assert!(positions > 100, "{positions} positions");
            assert!(longest <= bound, "{P}×{V}, {asks:?}, {others:?}: {allocation:?} takes {longest}");
            assert!(!tight || longest == bound, "{P}×{V}, {asks:?}, {others:?}: {allocation:?}: {longest}");
        }
    }
}

/// The bound is `P·V` for a VC that requests one output, where each of up to `V` VCs that come before it waits for at most `P` inputs.
/// Output-first it is `P·V²`, because an input that is offered an output may give it to another VC.
///
/// VCs that ask for several outputs are promised nothing by the output-first allocator.
#[test]
fn a_request_that_stays_is_served_in_bounded_time() {
    use Others::{AlwaysWait, ChangeTheirMinds, Wait};
    every_allocation().into_par_iter().for_each(|allocation| {
        if allocation.kind == Wavefront {
            check_waits::<2, 2>(allocation, Asks::One, &[ChangeTheirMinds], 4, true);
        }
        if allocation.kind == SeparableOutputFirst {
            check_waits::<2, 2>(allocation, Asks::One, &[AlwaysWait, Wait], 8, false);
            check_waits::<2, 3>(allocation, Asks::One, &[AlwaysWait], 18, false);
        } else {
            let tight = allocation.kind == Wavefront || allocation.iterations == 1;
            check_waits::<2, 2>(allocation, Asks::One, &[AlwaysWait, Wait], 4, tight);
            check_waits::<2, 3>(allocation, Asks::One, &[AlwaysWait], 6, tight);
            // A nominee of the second iteration may be served out of turn: one cycle more.
            check_waits::<2, 2>(allocation, Asks::Any, &[AlwaysWait, Wait], 5, false);
            if allocation.arbiter == ArbiterKind::RoundRobin && allocation.iterations == 1 {
                check_waits::<3, 1>(allocation, Asks::Any, &[AlwaysWait], 6, false);
            }
        }
    });
}

/// VC 2 waits for the output that VC 1 gets again and again; VC 0 takes the other output in between, and with a
/// pointer that follows every grant it is always VC 1's turn.
#[test]
fn a_grant_out_of_turn_costs_no_turn() {
    for allocation in every_allocation() {
        let mut allocator = Allocator::<2, 3>::new(allocation, 2);
        let mut served = [[0; 3]; 2];
        for _ in 0..600 {
            let grants = allocator.evaluate(&requests(&[[2, 1, 1], [2, 1, 1]]));
            allocator.commit(&grants);
            for grant in grants.iter() {
                served[grant.input.index()][grant.vc.index()] += 1;
            }
        }
        let least = served.iter().flatten().min();
        assert!(least.is_some_and(|&grants| grants >= 100), "{allocation:?}: {served:?}");
    }
}

/// Each arbiter against its definition, after random histories: a pointer that moves past the winner, and a list of
/// when each requester was served last.
#[test]
fn arbiters_pick_as_their_definitions_say() {
    const N: usize = 5;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut ring = Arbiter::<N>::new(ArbiterKind::RoundRobin);
    let mut oldest = Arbiter::<N>::new(ArbiterKind::Matrix);
    let (mut pointer, mut served_at) = (0, [0; N]);
    let mut compared = 0;
    for now in 1..=20_000 {
        let requests = below(1 << N, &mut random);
        let asks = |n: &usize| requests >> n & 1 == 1;
        let next = (0..N).map(|n| (pointer + n) % N).find(asks);
        let longest_ago = (0..N).filter(asks).min_by_key(|&n| served_at[n]);
        assert_eq!(ring.pick(requests).map(usize::from), next, "{requests:05b}, {ring:?}");
        assert_eq!(oldest.pick(requests).map(usize::from), longest_ago, "{requests:05b}, {oldest:?}");
        if let (Some(next), Some(longest_ago)) = (next, longest_ago) {
            ring.served(next as u8);
            oldest.served(longest_ago as u8);
            pointer = (next + 1) % N;
            served_at[longest_ago] = now;
            compared += 1;
        }
    }
    assert!(compared > 19_000);
}
