//! The mean of all counters where requests are registered: a cycle is too short to form it in.

use crate::fixed::U8F8;

/// A factor times the mean of all counters, as it was three cycles before: they are added in one cycle, the sum is multiplied in the next, and
/// divided in the third.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LateMean {
    factor: U8F8,
    total: u32,
    product: u32,
    mean: u32,
}

impl LateMean {
    /// Whole packets of it: an output is contended by more.
    #[inline(always)]
    pub const fn packets(self) -> u32 {
        self.mean
    }

    /// Whether it stays as it is while nothing is counted.
    pub const fn is_at_rest(self) -> bool {
        self.total == 0 && self.product == 0 && self.mean == 0
    }

    /// Behind a cycle in which `total` packets are counted at `ports` connected ports. Without a factor that of the cycle before stays.
    #[must_use]
    pub const fn next(self, factor: Option<U8F8>, total: u32, ports: u32) -> Self {
        let factor = match factor {
            Some(factor) => factor,
            None => self.factor,
        };
        let product = (self.total as u64).wrapping_mul(factor.to_bits() as u64).wrapping_shr(8) as u32;
        let mean = match self.product.checked_div(ports) {
            Some(mean) => mean,
            None => 0,
        };
        Self { factor, total, product, mean }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the comparison without a division, of what was counted three cycles before.
    #[test]
    fn a_mean_is_that_of_three_cycles_before() {
        for (factor, ports) in
            [0, 1, 255, 256, 384, 4096].into_iter().flat_map(|bits| [(bits, 1), (bits, 7), (bits, 64)])
        {
            let mut late = LateMean::default();
            let mut totals = [0; 2];
            for total in (0..200).chain([0; 4]) {
                late = late.next(Some(U8F8::from_bits(factor)), total, ports);
                // Compared in the cycle behind that of `total`, with what was counted three cycles before that one.
                for count in 0..80 {
                    let is_contended = count * ports * 256 > totals[0] * u32::from(factor);
                    assert_eq!(
                        count > late.packets(),
                        is_contended,
                        "{count} of {totals:?}, {factor}, {ports}"
                    );
                }
                totals = [totals[1], total];
            }
            assert!(late.is_at_rest());
        }
    }
}
