//! Random choices, all from one seed.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoroshiro128PlusPlus;

/// One source of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Dice(Xoroshiro128PlusPlus);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Xoroshiro128PlusPlus::seed_from_u64(seed))
    }

    /// One of `0…bound − 1`; 0 if there is none.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// One of them.
    pub(super) fn pick<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        among.get(self.below(among.len()))
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        ((self.0.next_u64() >> 11) as f64) < probability * (1_u64 << 53) as f64
    }

    /// 64 random bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// For routings, which bring their own idea of randomness.
    pub(super) fn generator(&mut self) -> &mut impl Rng {
        &mut self.0
    }
}
