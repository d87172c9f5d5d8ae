//! Allocators by their texts, written a second time: arbiters as lists of who is served next, requests as a plain matrix. Each is compared grant by
//! grant over thousands of cycles of random requests.

use desvio_core::alloc::arbiter::Arbiter;
use desvio_core::alloc::{Allocation, Allocator, AllocatorKind, ArbiterKind, Grant, Requests};
use desvio_core::units::{PortId, PortSet, VcId};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;
use std::collections::BTreeMap;

const PORTS: usize = 5;
const VCS: usize = 3;

/// An arbiter: requesters in the order in which they are served. A round robin turns the circle behind the winner, a matrix puts the winner last.
#[derive(Clone, Debug)]
struct Turns {
    order: Vec<usize>,
    is_round: bool,
}

impl Turns {
    fn new(kind: ArbiterKind, requesters: usize) -> Self {
        Self { order: (0..requesters).collect(), is_round: kind == ArbiterKind::RoundRobin }
    }

    fn pick(&self, wants: impl Fn(usize) -> bool) -> Option<usize> {
        self.order.iter().copied().find(|&one| wants(one))
    }

    fn served(&mut self, one: usize) {
        let at = self.order.iter().position(|&other| other == one).unwrap();
        if self.is_round {
            self.order.rotate_left(at + 1);
        } else {
            self.order.remove(at);
            self.order.push(one);
        }
    }
}

/// Among all inputs: those that yield have turns of their own where a pointer would not do.
#[derive(Clone, Debug)]
struct Inputs {
    all: Turns,
    yielding: Turns,
}

impl Inputs {
    fn new(kind: ArbiterKind) -> Self {
        Self { all: Turns::new(kind, PORTS), yielding: Turns::new(kind, PORTS) }
    }

    fn turns(&self, yields: bool) -> &Turns {
        if yields && self.all.is_round { &self.yielding } else { &self.all }
    }

    fn served(&mut self, input: usize, yields: bool) {
        if yields && self.all.is_round { self.yielding.served(input) } else { self.all.served(input) }
    }
}

/// Entry `input`, `vc`: the output and the VC behind it.
type Matrix = [[Option<(usize, usize)>; VCS]; PORTS];

struct Reference {
    kind: AllocatorKind,
    iterations: u8,
    yielding: PortSet,
    vc_of_input: Vec<Turns>,
    out_vc_of_output: Vec<Turns>,
    input_of_out_vc: Vec<Vec<Inputs>>,
    diagonal: usize,
}

impl Reference {
    fn new(allocation: Allocation, yielding: PortSet) -> Self {
        let Allocation { kind, arbiter, iterations } = allocation;
        let turns = |requesters| vec![Turns::new(arbiter, requesters); PORTS];
        // One arbiter for all VCs, or one for each.
        let each = if kind == AllocatorKind::SeparableOneArbiter { 1 } else { VCS };
        Self {
            kind,
            iterations,
            yielding,
            vc_of_input: turns(VCS),
            out_vc_of_output: turns(VCS),
            input_of_out_vc: vec![vec![Inputs::new(arbiter); each]; PORTS],
            diagonal: 0,
        }
    }

    fn yields(&self, input: usize) -> bool {
        self.yielding.contains(PortId::new(input as u8))
    }

    /// The VC and the input that an output picks among some requests for it, those that do not yield first.
    fn pick(&self, output: usize, all: &[(usize, usize)]) -> Option<(usize, usize)> {
        let transit: Vec<_> = all.iter().copied().filter(|&(input, _)| !self.yields(input)).collect();
        let (those, yields) = if transit.is_empty() { (all.to_vec(), true) } else { (transit, false) };
        if self.kind == AllocatorKind::SeparableOneArbiter {
            let input = self.input_of_out_vc[output][0]
                .turns(yields)
                .pick(|input| those.iter().any(|one| one.0 == input))?;
            return those.iter().copied().find(|one| one.0 == input);
        }
        let out_vc = self.out_vc_of_output[output].pick(|vc| those.iter().any(|one| one.1 == vc))?;
        let arbiter = self.input_of_out_vc[output][out_vc].turns(yields);
        let input = arbiter.pick(|input| those.contains(&(input, out_vc)))?;
        Some((input, out_vc))
    }

    #[allow(clippy::needless_range_loop)]
    /// The grants of a cycle, input by input: VC, output, VC behind it. Pointers move.
    fn cycle(&mut self, matrix: &Matrix) -> BTreeMap<usize, (usize, usize, usize)> {
        let mut granted = BTreeMap::new();
        let mut later = Vec::new();
        let iterations = if self.kind == AllocatorKind::Wavefront { 1 } else { self.iterations };
        for iteration in 0..iterations {
            let free = |granted: &BTreeMap<usize, (usize, usize, usize)>, output| {
                granted.values().all(|&(_, taken, _)| taken != output)
            };
            let wants = |granted: &BTreeMap<_, _>, input: usize, vc: usize| {
                let asked: Option<(usize, usize)> = matrix[input][vc];
                asked.filter(|&(output, _)| !granted.contains_key(&input) && free(granted, output))
            };
            let before = granted.clone();
            match self.kind {
                AllocatorKind::SeparableOutputFirst => {
                    let offers: Vec<_> = (0..PORTS)
                        .filter_map(|output| {
                            let asking = (0..PORTS).flat_map(|input| (0..VCS).map(move |vc| (input, vc)));
                            let asking = asking.filter_map(|(input, vc)| {
                                wants(&before, input, vc)
                                    .filter(|one| one.0 == output)
                                    .map(|one| (input, one.1))
                            });
                            let (input, out_vc) = self.pick(output, &asking.collect::<Vec<_>>())?;
                            Some((input, output, out_vc))
                        })
                        .collect();
                    for input in 0..PORTS {
                        let is_offered = |vc: usize| {
                            wants(&before, input, vc)
                                .is_some_and(|(output, out_vc)| offers.contains(&(input, output, out_vc)))
                        };
                        if let Some(vc) = self.vc_of_input[input].pick(is_offered) {
                            let (output, out_vc) = matrix[input][vc].unwrap();
                            granted.insert(input, (vc, output, out_vc));
                        }
                    }
                }
                AllocatorKind::Wavefront => {
                    for sweep in [false, true] {
                        for diagonal in 0..PORTS {
                            for input in (0..PORTS).filter(|&input| self.yields(input) == sweep) {
                                // Outputs fall as inputs rise, and the favoured diagonal comes first.
                                let output = (self.diagonal + diagonal + PORTS - input) % PORTS;
                                let now = granted.clone();
                                let asks =
                                    |vc: usize| wants(&now, input, vc).is_some_and(|one| one.0 == output);
                                if let Some(vc) = self.vc_of_input[input].pick(asks) {
                                    granted.insert(input, (vc, output, matrix[input][vc].unwrap().1));
                                }
                            }
                        }
                    }
                }
                _ => {
                    let nominated: Vec<_> = (0..PORTS)
                        .filter_map(|input| {
                            let vc =
                                self.vc_of_input[input].pick(|vc| wants(&before, input, vc).is_some())?;
                            Some((input, vc, matrix[input][vc].unwrap()))
                        })
                        .collect();
                    for output in 0..PORTS {
                        let mine: Vec<_> = nominated
                            .iter()
                            .filter(|one| one.2.0 == output)
                            .map(|one| (one.0, one.2.1))
                            .collect();
                        if let Some((input, out_vc)) = self.pick(output, &mine) {
                            let (_, vc, _) = nominated.iter().find(|one| one.0 == input).unwrap();
                            granted.insert(input, (*vc, output, out_vc));
                        }
                    }
                }
            }
            if iteration > 0 {
                later.extend(granted.keys().copied().filter(|input| !before.contains_key(input)));
            }
        }
        for (&input, &(vc, output, out_vc)) in &granted {
            if later.contains(&input) {
                continue;
            }
            // Not past a VC that was first in line, and was skipped.
            if self.vc_of_input[input].pick(|vc| matrix[input][vc].is_some()) == Some(vc) {
                self.vc_of_input[input].served(vc);
            }
            let yields = self.yields(input);
            let arbiters = &mut self.input_of_out_vc[output];
            let number = if arbiters.len() == 1 { 0 } else { out_vc };
            arbiters[number].served(input, yields);
            self.out_vc_of_output[output].served(out_vc);
        }
        // Pointers move with grants alone.
        self.diagonal = (self.diagonal + usize::from(!granted.is_empty())) % PORTS;
        granted
    }
}

fn allocations() -> Vec<Allocation> {
    use AllocatorKind::{SeparableInputFirst, SeparableOneArbiter, SeparableOutputFirst, Wavefront};
    let mut all = Vec::new();
    for kind in [SeparableInputFirst, SeparableOutputFirst, Wavefront, SeparableOneArbiter] {
        for arbiter in [ArbiterKind::RoundRobin, ArbiterKind::Matrix] {
            for iterations in 1..=if kind == Wavefront { 1 } else { 3 } {
                all.push(Allocation { kind, arbiter, iterations });
            }
        }
    }
    all
}

/// Proves: every allocator grants what its text says, cycle after cycle, also where some inputs yield to the others.
#[test]
fn allocators_grant_what_their_texts_say() {
    for yielding in [PortSet::EMPTY, PortSet::first_n(2)] {
        for allocation in allocations() {
            for density in [2, 5, 9] {
                let mut random = Xoshiro128PlusPlus::seed_from_u64(density.into());
                let mut allocator =
                    Allocator::<PORTS, VCS>::new(allocation, PORTS as u8).with_yielding(yielding);
                let mut reference = Reference::new(allocation, yielding);
                // Requests stay until they are granted, as those of packets do.
                let mut matrix: Matrix = Default::default();
                for cycle in 0..400 {
                    for asked in matrix.iter_mut().flatten() {
                        if asked.is_none() && random.next_u32() % 10 < density {
                            let n = random.next_u32() as usize;
                            *asked = Some((n % PORTS, n / PORTS % VCS));
                        }
                    }
                    let mut requests = Requests::new();
                    for (input, row) in matrix.iter().enumerate() {
                        for (vc, (output, out_vc)) in
                            row.iter().enumerate().filter_map(|(vc, asked)| Some((vc, (*asked)?)))
                        {
                            let at = (PortId::new(input as u8), VcId::new(vc as u8));
                            requests.add(
                                at.0,
                                at.1,
                                PortSet::only(PortId::new(output as u8)),
                                VcId::new(out_vc as u8),
                            );
                        }
                    }
                    for (input, row) in matrix.iter().enumerate() {
                        for (vc, output) in (0..VCS).flat_map(|vc| (0..PORTS).map(move |output| (vc, output)))
                        {
                            let [at, to] = [input, output].map(|port| PortId::new(port as u8));
                            let asks = row[vc].is_some_and(|(asked, _)| asked == output);
                            assert_eq!(requests.has(at, VcId::new(vc as u8), to), asks);
                        }
                    }
                    let granted = allocator.evaluate(&requests);
                    let seen: BTreeMap<_, _> = granted
                        .iter()
                        .map(|Grant { input, vc, out_vc, output }| {
                            (input.index(), (vc.index(), output.index(), out_vc.index()))
                        })
                        .collect();
                    let expected = reference.cycle(&matrix);
                    assert_eq!(seen, expected, "{allocation:?} {yielding:?}, cycle {cycle}: {matrix:?}");
                    assert_eq!(
                        (granted.len(), granted.is_empty(), requests.is_empty()),
                        (expected.len(), expected.is_empty(), matrix.iter().flatten().all(Option::is_none))
                    );
                    allocator.commit(&granted);
                    for (input, (vc, ..)) in seen {
                        matrix[input][vc] = None;
                    }
                }
            }
        }
    }
}

/// Proves: a wavefront's match is maximal, and so is that of as many iterations as there are ports.
#[test]
fn a_maximal_match_leaves_no_request_that_could_be_served() {
    for arbiter in [ArbiterKind::RoundRobin, ArbiterKind::Matrix] {
        for (kind, iterations) in [
            (AllocatorKind::Wavefront, 1),
            (AllocatorKind::SeparableInputFirst, 5),
            (AllocatorKind::SeparableOutputFirst, 5),
        ] {
            let mut allocator =
                Allocator::<PORTS, VCS>::new(Allocation { kind, arbiter, iterations }, PORTS as u8);
            let mut random = Xoshiro128PlusPlus::seed_from_u64(7);
            for _ in 0..2000 {
                let mut requests = Requests::new();
                let mut asked = Vec::new();
                for (input, vc) in
                    (0..PORTS as u8).flat_map(|input| (0..VCS as u8).map(move |vc| (input, vc)))
                {
                    // Any set of outputs.
                    let outputs = PortSet::from_bits((random.next_u32() & random.next_u32()) as usize & 31);
                    if !outputs.is_empty() {
                        requests.add(PortId::new(input), VcId::new(vc), outputs, VcId::new(vc));
                        asked.push((input, vc, outputs));
                    }
                }
                let grants = allocator.evaluate(&requests);
                let (mut inputs, mut outputs) = (<PortSet>::EMPTY, <PortSet>::EMPTY);
                for Grant { input, vc, out_vc, output } in grants.iter() {
                    assert!(!inputs.contains(input) && !outputs.contains(output));
                    assert!(
                        asked
                            .iter()
                            .any(|one| (one.0, one.1) == (input.number(), vc.number())
                                && one.2.contains(output))
                    );
                    assert_eq!((out_vc, grants.vc_of(input)), (vc, Some(vc)));
                    inputs.insert(input);
                    outputs.insert(output);
                }
                assert!(
                    asked
                        .iter()
                        .all(|one| inputs.contains(PortId::new(one.0)) || one.2.minus(outputs).is_empty())
                );
                allocator.commit(&grants);
            }
        }
    }
}

/// Proves: of several outputs an input begins behind the one that it was granted last, so that all have their turns.
#[test]
fn an_input_with_several_outputs_goes_round_them() {
    for kind in [AllocatorKind::SeparableInputFirst, AllocatorKind::SeparableOneArbiter] {
        let mut allocator =
            Allocator::<PORTS, VCS>::new(Allocation { kind, ..Allocation::default() }, PORTS as u8);
        let mut seen = Vec::new();
        for _ in 0..6 {
            let mut requests = Requests::new();
            requests.add(PortId::new(1), VcId::new(0), PortSet::from_bits(0b1_0110), VcId::new(0));
            let grants = allocator.evaluate(&requests);
            seen.extend(grants.iter().map(|grant| grant.output.number()));
            allocator.commit(&grants);
        }
        assert_eq!(seen, [1, 2, 4, 1, 2, 4], "{kind:?}");
    }
}

/// Proves: an arbiter serves as its text says, in the order of a list.
#[test]
fn arbiters_serve_in_the_order_of_a_list() {
    for kind in [ArbiterKind::RoundRobin, ArbiterKind::Matrix] {
        let (mut arbiter, mut turns) = (Arbiter::<6>::new(kind), Turns::new(kind, 6));
        let mut random = Xoshiro128PlusPlus::seed_from_u64(3);
        for _ in 0..3000 {
            let requests = random.next_u32() as usize % 64;
            let expected = turns.pick(|one| requests >> one & 1 == 1);
            let picked = arbiter.pick(requests);
            assert_eq!(picked.map(usize::from), expected);
            let before = arbiter;
            assert!(before.is_copy_of(&arbiter));
            if let Some(one) = picked {
                arbiter.served(one);
                turns.served(one.into());
                assert!(kind == ArbiterKind::RoundRobin || !before.is_copy_of(&arbiter));
            }
            // The registers of the RTL: those behind the last one served, or of each pair whether the first was served longer ago.
            let registers = match kind {
                ArbiterKind::RoundRobin => {
                    let first = turns.order[0];
                    if first == 0 { 0 } else { (first..6).fold(0, |bits, one| bits | 1u128 << one) }
                }
                ArbiterKind::Matrix => {
                    let place = |one| turns.order.iter().position(|&other| other == one).unwrap();
                    let pairs = (0..6).flat_map(|one| (one + 1..6).map(move |other| (one, other)));
                    pairs.enumerate().fold(0, |bits, (at, (one, other))| {
                        bits | u128::from(place(one) < place(other)) << at
                    })
                }
            };
            assert_eq!(arbiter.registers(), registers, "{turns:?}");
        }
        let least = [kind.width(1), kind.width(2)];
        assert_eq!(least, if kind == ArbiterKind::RoundRobin { [1, 2] } else { [1, 1] });
        assert_eq!(kind.width(6), if kind == ArbiterKind::RoundRobin { 6 } else { 15 });
    }
}
