//! What the header of a new packet is drawn from.

use rand_core::Rng;

/// What [`Route::launch`](super::Route::launch) draws from: random numbers in a run, every number in turn in a proof.
pub trait Draw {
    /// A number below `n`, each as likely as the others; 0 if `n` is 0.
    fn below(&mut self, n: u32) -> u32;
}

impl<R: Rng> Draw for R {
    /// `n` is at most 4,096, so the rounding error of 2⁻²⁰ of it does not matter.
    fn below(&mut self, n: u32) -> u32 {
        u64::from(self.next_u32()).wrapping_mul(u64::from(n)).wrapping_shr(32) as u32
    }
}
