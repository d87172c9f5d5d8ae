//! The random numbers themselves.

use super::*;
use crate::random::{below, chance, first_state, stream};
use std::collections::BTreeSet;

#[test]
fn each_word_of_a_stream_depends_on_seed_and_number() {
    let mut words = BTreeSet::new();
    for (seed, number) in (0..64).flat_map(|seed| (0..512).map(move |number| (seed, number))) {
        words.extend(first_state(seed, number));
    }
    assert_eq!(words.len(), 2 * 64 * 512);
}

#[test]
fn bounded_numbers_are_unbiased() {
    // Of 2³² words, four to three numbers: without rejection every third number comes twice as often.
    let mut rng = stream(1, 2);
    let mut counts = [0; 3];
    (0..30_000).for_each(|_| counts[(below(&mut rng, 3 << 30) % 3) as usize] += 1);
    assert_frequencies(&counts, &[10_000.0; 3]);
    for bound in [1, 2, 7, 64] {
        let mut counts = vec![0; bound as usize];
        (0..bound * 1000).for_each(|_| counts[below(&mut rng, bound) as usize] += 1);
        assert_frequencies(&counts, &vec![1000.0; bound as usize]);
    }
}

#[test]
fn certainties_are_certain() {
    let mut rng = stream(1, 3);
    assert!((0..100_000).all(|_| chance(&mut rng, 1.0) && !chance(&mut rng, 0.0)));
}
