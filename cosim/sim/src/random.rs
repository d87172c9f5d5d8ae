//! Random numbers: one stream per node, and what is drawn from them.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoroshiro128PlusPlus};

/// One of the many independent sources of random numbers that belong to one seed.
pub type Stream = Xoroshiro128PlusPlus;

/// The stream `number` of `seed`.
pub(crate) fn stream(seed: u64, number: u64) -> Stream {
    let mut bytes = [0; 16];
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(first_state(seed, number)) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Stream::from_seed(bytes)
}

/// Where the stream `number` of `seed` starts.
///
/// Two words of SplitMix64 are the seed's key. Each word of the state mixes one of them with the stream's number. The mixing is a
/// bijection, so that no two streams of a seed start alike. Two seeds share a state only if 128 bits coincide.
pub(crate) fn first_state(seed: u64, number: u64) -> [u64; 2] {
    let mut keys = SplitMix64::seed_from_u64(seed);
    [number, number.rotate_left(32)]
        .map(|number| SplitMix64::seed_from_u64(keys.next_u64() ^ number).next_u64())
}

/// One of `0…bound − 1`, each with exactly the same probability; `bound` is at least 1.
///
/// Lemire, "Fast random integer generation in an interval", 2019: a division only where bias is possible.
#[inline]
pub(crate) fn below(rng: &mut Stream, bound: u32) -> u32 {
    let mut product = high_word(rng) * u64::from(bound);
    if (product as u32) < bound {
        let biased = bound.wrapping_neg() % bound;
        while (product as u32) < biased {
            product = high_word(rng) * u64::from(bound);
        }
    }
    (product >> 32) as u32
}

/// A multiple of 2⁻⁵³ in (0, 1].
#[inline]
pub(crate) fn unit(rng: &mut Stream) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 * (1.0 / (1_u64 << 53) as f64)
}

/// True with this probability: always for 1, never for 0.
#[inline]
pub(crate) fn chance(rng: &mut Stream, probability: f64) -> bool {
    unit(rng) <= probability
}

/// Failures before the first success of independent trials.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Geometric {
    /// 1 / ln(probability of a failure), at most −0.
    scale: f64,
}

impl Geometric {
    /// Trials that succeed with this probability, in (0, 1].
    pub(crate) fn new(success: f64) -> Self {
        Self { scale: (-success).ln_1p().recip() }
    }

    /// By inversion: with `U` uniform in (0, 1], ⌊ln `U` / ln `r`⌋ is at least `k` exactly when `U` ≤ `rᵏ`.
    #[inline]
    pub(crate) fn failures(self, rng: &mut Stream) -> u64 {
        (unit(rng).ln() * self.scale) as u64
    }
}

/// 32 random bits; the upper ones of a word are the better ones.
#[inline]
fn high_word(rng: &mut Stream) -> u64 {
    rng.next_u64() >> 32
}
