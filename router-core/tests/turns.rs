//! The pointers of an allocator, where grants repeat.
#![allow(clippy::unwrap_used)]

use desvio_core::alloc::{Allocation, Allocator, AllocatorKind, ArbiterKind, Requests};
use desvio_core::lfsr::Lfsr;
use desvio_core::settings::Word as _;
use desvio_core::units::{PortId, PortSet, VcId, VcSet};

/// Who is granted an output of three ports that these inputs request, and the pointers move.
fn serve(allocator: &mut Allocator<3, 2>, inputs: &[u8]) -> u8 {
    let mut requests = Requests::new();
    for &input in inputs {
        requests.add(PortId::new(input), VcId::new(0), PortSet::only(PortId::new(2)), VcId::new(1));
    }
    let grants = allocator.evaluate(&requests);
    allocator.commit(&grants);
    let mut served = grants.iter().map(|grant| grant.input.number());
    let first = served.next().unwrap();
    assert_eq!(served.next(), None, "an output is granted once");
    first
}

/// A stream of the same grants moves pointers once; where another input was served in between they move again, and it is served next.
#[test]
fn an_input_that_was_served_again_is_behind_the_one_that_was_served_between() {
    for &(word, kind) in AllocatorKind::WORDS.iter().filter(|(_, kind)| !kind.has_diagonals()) {
        for &(_, arbiter) in ArbiterKind::WORDS {
            let mut allocator = Allocator::new(Allocation { kind, arbiter, iterations: 1 }, 3);
            for input in [0, 0, 1, 1, 0] {
                assert_eq!(serve(&mut allocator, &[input]), input);
            }
            assert_eq!(serve(&mut allocator, &[0, 1]), 1, "{word}, {arbiter:?}");
            assert_eq!(serve(&mut allocator, &[0, 1]), 0, "{word}, {arbiter:?}");
        }
    }
}

/// VC 0 goes first: an input that has a request of it is granted no other, unless the output of that request has another request of VC 0; so
/// it is at each output. Every match of random requests of four ports and three VCs, by all allocators.
#[test]
fn what_goes_first_is_granted_before_all_others() {
    let mut random = Lfsr::new(7, 1);
    let mut draw = |n: u32| {
        random.step();
        random.word() % n
    };
    for &(word, kind) in AllocatorKind::WORDS {
        for iterations in 1..=2 {
            let allocation = Allocation { kind, arbiter: ArbiterKind::RoundRobin, iterations };
            let mut allocator = Allocator::<4, 3>::new(allocation, 4).with_first(VcSet::first_n(1));
            let mut first_against_others = 0;
            for _ in 0..3000 {
                let mut requests = Requests::new();
                let mut all = Vec::new();
                for (input, vc) in (0..4).flat_map(|input| (0..3).map(move |vc| (input, vc))) {
                    if draw(2) == 0 {
                        let (output, out_vc) = (draw(4) as u8, if vc == 0 { 0 } else { 1 + draw(2) as u8 });
                        requests.add(
                            PortId::new(input),
                            VcId::new(vc),
                            PortSet::only(PortId::new(output)),
                            VcId::new(out_vc),
                        );
                        all.push((input, vc, output));
                    }
                }
                let grants = allocator.evaluate(&requests);
                allocator.commit(&grants);
                let granted: Vec<_> = grants
                    .iter()
                    .map(|one| (one.input.number(), one.vc.number(), one.output.number()))
                    .collect();
                for &(input, _, output) in all.iter().filter(|(_, vc, _)| *vc == 0) {
                    let others = all.iter().filter(|one| one.1 > 0 && (one.0 == input || one.2 == output));
                    first_against_others += others.count();
                    let is_first = |&&(i, vc, o): &&(u8, u8, u8)| vc == 0 && (i == input || o == output);
                    assert!(granted.iter().any(|one| is_first(&one)), "{word}: {all:?} {granted:?}");
                }
            }
            assert!(first_against_others > 1000);
        }
    }
}
