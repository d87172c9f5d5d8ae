//! The pointers of an allocator, where grants repeat.
#![allow(clippy::unwrap_used)]

use desvio_core::alloc::{Allocation, Allocator, AllocatorKind, ArbiterKind, Requests};
use desvio_core::settings::Word as _;
use desvio_core::units::{PortId, PortSet, VcId};

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
