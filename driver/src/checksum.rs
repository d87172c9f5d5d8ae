//! The checksum of frames and of routing tables: a CRC of 16 bits.

use crate::registers::{INITIAL, POLYNOMIAL};

/// A checksum so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(u16);

impl Checksum {
    /// Of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self(INITIAL)
    }

    /// Followed by the lowest `bits` bits of a word, the highest of them first.
    #[must_use]
    pub fn with(self, word: u32, bits: u32) -> Self {
        (0..bits.min(u32::BITS)).rev().fold(self, |sum, bit| sum.with_bit(word.wrapping_shr(bit) & 1 == 1))
    }

    /// Followed by these bytes.
    #[must_use]
    pub fn with_bytes(self, bytes: &[u8]) -> Self {
        bytes.iter().fold(self, |sum, &byte| sum.with(u32::from(byte), u8::BITS))
    }

    fn with_bit(self, bit: bool) -> Self {
        let shifted = self.0.wrapping_shl(1);
        Self(if (self.0 >> 15 == 1) == bit { shifted } else { shifted ^ POLYNOMIAL })
    }

    /// Its 16 bits.
    #[must_use]
    pub const fn value(self) -> u16 {
        self.0
    }
}

impl Default for Checksum {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// What one flipped bit, so many bits before the end of a frame, does to the checksum that takes itself in.
    fn syndrome(from_end: u32) -> u16 {
        (0..from_end).fold(Checksum(1), |sum, _| sum.with_bit(false)).0
    }

    #[test]
    fn every_change_of_up_to_five_bits_of_a_request_is_found() {
        let ones: Vec<u16> = (0..72).map(syndrome).collect();
        let (mut pairs, mut triples) = (Vec::new(), HashSet::new());
        for a in 0..ones.len() {
            for b in 0..a {
                pairs.push(ones[a] ^ ones[b]);
                triples.extend((0..b).map(|c| ones[a] ^ ones[b] ^ ones[c]));
            }
        }
        // One or two flips cancel neither themselves nor three others: so nothing of weight 1 to 5 is 0.
        let few: Vec<u16> = ones.iter().chain(&pairs).copied().collect();
        assert_eq!(few.iter().collect::<HashSet<_>>().len(), few.len(), "weight 4 or less");
        assert!(few.iter().all(|few| *few != 0 && !triples.contains(few)), "weight 3 to 5");
        assert!(!triples.contains(&0), "weight 3");
    }

    #[test]
    fn wires_that_are_stuck_make_no_frame() {
        for byte in [0x00, 0xff] {
            for bytes in [5, 7] {
                let sum = Checksum::new().with_bytes(&[byte; 7][..bytes]).value();
                assert_ne!(sum, u16::from_be_bytes([byte; 2]), "{bytes} bytes of {byte:#x}");
            }
        }
    }

    #[test]
    fn of_the_words_of_the_reference() {
        // The remainder of x^16 for one bit, by hand; and that order matters.
        assert_eq!(Checksum(0).with(1, 1).value(), POLYNOMIAL);
        assert_ne!(Checksum::new().with_bytes(&[1, 2]), Checksum::new().with_bytes(&[2, 1]));
    }
}
