//! The router's one source of chance.

use core::convert::Infallible;
use rand_core::TryRng;

/// A linear feedback shift register of 32 bits and full period, 2³² − 1, in its word form: three shifts and
/// three exclusive-ors make one step (Marsaglia, *Xorshift RNGs*, 2003, §3, triple 13, 17, 5).
///
/// A router steps it once in each cycle in which it holds a flit, and never otherwise: skipping an idle router
/// changes nothing. Within one cycle every requester reads the same word through a rotation of its port and VC
/// ([`Lfsr::tap`]): wires in hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Lfsr(u32);

impl Lfsr {
    /// The register of router number `router` in a run with seed `seed`.
    pub const fn new(seed: u64, router: u32) -> Self {
        let mixed = mix(seed ^ mix(router as u64));
        let word = (mixed ^ mixed.wrapping_shr(32)) as u32;
        Self::of_word(word)
    }

    /// The register with this word in it; 1 where it is 0.
    pub const fn of_word(word: u32) -> Self {
        Self(if word == 0 { 1 } else { word })
    }

    /// The word, as it stands in the register. Never 0.
    pub const fn word(self) -> u32 {
        self.0
    }

    /// One step.
    #[inline]
    pub const fn step(&mut self) {
        self.0 ^= self.0.wrapping_shl(13);
        self.0 ^= self.0.wrapping_shr(17);
        self.0 ^= self.0.wrapping_shl(5);
    }

    /// The word as the requester at input `port`, virtual channel `vc`, sees it in this cycle.
    #[inline(always)]
    pub const fn tap(self, port: u8, vc: u8) -> Tap {
        let turn = (port as u32).wrapping_mul(7).wrapping_add((vc as u32).wrapping_mul(11));
        Tap(self.0.rotate_left(turn & 31))
    }
}

/// 32 random bits, for one decision.
#[derive(Clone, Copy, Debug)]
pub struct Tap(u32);

impl Tap {
    /// A number below `n`, from the upper 16 bits; 0 when `n` is 0. `n` up to 65,535.
    #[inline(always)]
    pub const fn below(self, n: usize) -> usize {
        (self.0.wrapping_shr(16) as usize).wrapping_mul(n).wrapping_shr(16)
    }

    /// A number below `n`, from the lower 16 bits, for a second decision.
    #[inline(always)]
    pub const fn second_below(self, n: usize) -> usize {
        ((self.0 & 0xffff) as usize).wrapping_mul(n).wrapping_shr(16)
    }
}

/// SplitMix64's finaliser: any two inputs give unrelated words.
const fn mix(n: u64) -> u64 {
    let z = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z.wrapping_shr(30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z.wrapping_shr(27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z.wrapping_shr(31)
}

impl TryRng for Lfsr {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.step();
        Ok(self.0)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let high = u64::from(self.try_next_u32()?).wrapping_shl(32);
        Ok(high | u64::from(self.try_next_u32()?))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(4) {
            let word = self.try_next_u32()?.to_le_bytes();
            for (to, from) in chunk.iter_mut().zip(word) {
                *to = from;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The step is linear over GF(2), so its period is the order of a 32×32 bit matrix: 2³² − 1 exactly when
    /// the matrix to that power is the identity and to none of its maximal divisors is.
    #[test]
    fn the_period_is_full() {
        let columns: [u32; 32] = core::array::from_fn(|bit| {
            let mut one = Lfsr(1 << bit);
            one.step();
            one.0
        });
        let apply =
            |m: &[u32; 32], v: u32| (0..32).fold(0, |sum, b| if v >> b & 1 == 1 { sum ^ m[b] } else { sum });
        let times = |a: &[u32; 32], b: &[u32; 32]| core::array::from_fn(|i| apply(a, b[i]));
        let identity: [u32; 32] = core::array::from_fn(|i| 1 << i);
        let power = |mut n: u32| {
            let (mut result, mut square) = (identity, columns);
            while n > 0 {
                if n & 1 == 1 {
                    result = times(&result, &square);
                }
                square = times(&square, &square);
                n >>= 1;
            }
            result
        };
        assert_eq!(power(u32::MAX), identity);
        for prime in [3, 5, 17, 257, 65537] {
            assert_ne!(power(u32::MAX / prime), identity, "the period divides (2^32-1)/{prime}");
        }
    }

    #[test]
    fn routers_and_seeds_differ() {
        assert_ne!(Lfsr::new(1, 0), Lfsr::new(1, 1));
        assert_ne!(Lfsr::new(1, 0), Lfsr::new(2, 0));
    }

    #[test]
    fn draws_are_even() {
        let mut lfsr = Lfsr::new(1, 7);
        let mut seen = [0u32; 5];
        for _ in 0..50_000 {
            lfsr.step();
            seen[lfsr.tap(3, 1).below(5)] += 1;
        }
        assert!(seen.iter().all(|&n| n.abs_diff(10_000) < 500), "{seen:?}");
    }
}
