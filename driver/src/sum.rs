//! A sum of words in memory, to find bits of them that flip by themselves.
//!
//! It is the exclusive or of the words after each has been mixed with its place. So a word that is written changes the sum without a look at the
//! others. Any change of one word changes it, and of several words all but one change in 4 billion.

/// A word at a place. Words at a place are mixed to as many different ones.
#[must_use]
#[inline]
pub const fn mixed(place: u32, word: u32) -> u32 {
    // The last steps of MurmurHash3, which undo each other in no bit.
    let mut mix = word ^ place.wrapping_mul(0x9e37_79b9);
    mix = (mix ^ mix.wrapping_shr(16)).wrapping_mul(0x85eb_ca6b);
    mix = (mix ^ mix.wrapping_shr(13)).wrapping_mul(0xc2b2_ae35);
    mix ^ mix.wrapping_shr(16)
}

/// The sum of words, from place 0 on.
#[must_use]
pub fn of(words: impl Iterator<Item = u32>) -> u32 {
    (0u32..).zip(words).fold(0, |sum, (place, word)| sum ^ mixed(place, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_flip_of_one_or_two_bits_of_a_few_words_is_found() {
        let words = [0u32, 0, 0xffff_ffff, 0x8000_0000, 7, 7];
        let bits = words.len() * 32;
        let flipped = |flips: &[usize]| {
            let mut words = words;
            flips.iter().for_each(|flip| words[flip / 32] ^= 1 << (flip % 32));
            of(words.into_iter())
        };
        let sound = flipped(&[]);
        let ones: HashSet<u32> = (0..bits).map(|bit| flipped(&[bit])).collect();
        assert_eq!(ones.len(), bits, "each flip has a sum of its own");
        for first in 0..bits {
            for second in 0..first {
                assert_ne!(flipped(&[first, second]), sound, "bits {first} and {second}");
            }
        }
    }

    /// Proves that no two words at a place are mixed to one: each step can be undone.
    #[test]
    fn a_mixed_word_can_be_unmixed() {
        let inverse =
            |odd: u32| (0..5).fold(odd, |x, _| x.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(x))));
        let unmixed = |place: u32, mix: u32| {
            let mix = (mix ^ (mix >> 16)).wrapping_mul(inverse(0xc2b2_ae35));
            let mix = (mix ^ (mix >> 13) ^ (mix >> 26)).wrapping_mul(inverse(0x85eb_ca6b));
            mix ^ (mix >> 16) ^ place.wrapping_mul(0x9e37_79b9)
        };
        for place in 0..100 {
            for word in (0..1000u32).map(|n| n.wrapping_mul(0x0123_4567)) {
                assert_eq!(unmixed(place, mixed(place, word)), word);
            }
        }
    }
}
