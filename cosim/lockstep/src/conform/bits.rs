//! Bits of any number: what is on a bundle of wires.

use std::fmt;

/// A row of bits, bit 0 first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    words: Vec<u32>,
    len: u32,
}

impl Bits {
    /// `len` zeros.
    pub(super) fn zeros(len: u32) -> Self {
        Self { words: vec![0; len.div_ceil(32) as usize], len }
    }

    /// `len` ones.
    pub(super) fn ones(len: u32) -> Self {
        let mut bits = Self::zeros(len);
        for at in 0..len {
            bits.put(at, 1, 1);
        }
        bits
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Whether all of them are 0.
    pub(super) fn is_zero(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// As 32-bit words, the least significant first.
    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    /// The words, to be filled; bits above the length stay 0.
    pub(super) fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }

    /// The number in `count` bits, at most 64, from bit `low` on. Bits beyond the end read as 0.
    pub(super) fn get(&self, low: u32, count: u32) -> u64 {
        let word = |at: u32| u128::from(self.words.get(at as usize).copied().unwrap_or(0));
        let first = low / 32;
        let all = word(first) | word(first + 1) << 32 | word(first + 2) << 64;
        (all >> (low % 32)) as u64 & mask(count)
    }

    /// Writes the lowest `count` bits, at most 64, of `value` from bit `low` on; what lies beyond the end is dropped.
    pub(super) fn put(&mut self, low: u32, count: u32, value: u64) {
        let count = count.min(self.len.saturating_sub(low));
        let shift = low % 32;
        let (ones, value) = (u128::from(mask(count)) << shift, u128::from(value & mask(count)) << shift);
        for (step, word) in self.words.iter_mut().skip((low / 32) as usize).take(3).enumerate() {
            let at = 32 * step;
            *word = *word & !((ones >> at) as u32) | (value >> at) as u32;
        }
    }

    /// Writes all of `other` from bit `low` on.
    pub(super) fn put_all(&mut self, low: u32, other: &Self) {
        for at in (0..other.len).step_by(32) {
            let count = (other.len - at).min(32);
            self.put(low + at, count, other.get(at, count));
        }
    }

    /// `count` bits from bit `low` on.
    pub(super) fn part(&self, low: u32, count: u32) -> Self {
        let mut part = Self::zeros(count);
        for at in (0..count).step_by(32) {
            let step = (count - at).min(32);
            part.put(at, step, self.get(low + at, step));
        }
        part
    }

    /// Takes the bits of `other` wherever `mask` has ones.
    pub(super) fn overlay(&mut self, other: &Self, mask: &Self) {
        for ((word, other), mask) in self.words.iter_mut().zip(&other.words).zip(&mask.words) {
            *word = *word & !mask | other & mask;
        }
    }

    /// Whether both have the same bits wherever `mask` has ones.
    pub(super) fn agrees(&self, other: &Self, mask: &Self) -> bool {
        let pairs = self.words.iter().zip(&other.words);
        pairs.zip(&mask.words).all(|((a, b), mask)| (a ^ b) & mask == 0)
    }
}

impl fmt::LowerHex for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.len.div_ceil(4) as usize;
        let text: String = self.words.iter().rev().map(|word| format!("{word:08x}")).collect();
        f.write_str(text.get(text.len().saturating_sub(digits)..).unwrap_or(&text))
    }
}

/// The lowest `count` bits.
fn mask(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Bits that hold any number below `count`.
pub(super) fn bits_for(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got_wherever_it_lies() {
        for low in 0..100 {
            for count in [1, 7, 31, 32, 33, 63, 64] {
                let mut bits = Bits::ones(170);
                bits.put(low, count, 0x9234_5678_9abc_def1);
                assert_eq!(bits.get(low, count), 0x9234_5678_9abc_def1 & mask(count), "{low} {count}");
                let around = (0..170).filter(|at| !(low..low + count).contains(at));
                assert!(around.map(|at| bits.get(at, 1)).all(|bit| bit == 1), "{low} {count}");
                let mut copy = Bits::ones(170);
                copy.put_all(low, &bits.part(low, count));
                assert_eq!(copy, bits);
            }
        }
    }

    #[test]
    fn nothing_is_written_beyond_the_end() {
        let mut bits = Bits::zeros(40);
        bits.put(36, 8, 0xff);
        assert_eq!(bits.words(), [0, 0xf0]);
        assert_eq!(format!("{bits:x}"), "f000000000");
    }

    #[test]
    fn agreement_is_asked_where_the_mask_has_ones() {
        let (mut a, b, mut mask) = (Bits::zeros(70), Bits::zeros(70), Bits::ones(70));
        a.put(65, 2, 3);
        assert!(!a.agrees(&b, &mask));
        mask.put(65, 2, 0);
        assert!(a.agrees(&b, &mask));
    }
}
