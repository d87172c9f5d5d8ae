//! Other inputs, made of those that there are.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The longest input.
pub(crate) const LONGEST: usize = 1 << 16;

/// Numbers at ends of ranges.
const NUMBERS: [&str; 20] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "9",
    "64",
    "65",
    "255",
    "256",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "1e308",
    "nan",
    "0.5",
];

/// Changes inputs at random, the same way for the same seed.
pub(crate) struct Mutator {
    random: Xoshiro256PlusPlus,
    /// Words of the seeds.
    words: Vec<Vec<u8>>,
}

impl Mutator {
    pub(crate) fn new(seed: u64, seeds: &[Vec<u8>]) -> Self {
        let mut words: Vec<Vec<u8>> =
            seeds.iter().flat_map(|seed| seed.split(|&byte| !is_of_word(byte))).map(<[u8]>::to_vec).collect();
        words.retain(|word| word.len() > 1 && word.len() < 40);
        words.sort();
        words.dedup();
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed), words }
    }

    /// A number below `end`, 0 where there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.random.next_u64() % end as u64) as usize }
    }

    /// Something like `input`, with a piece of `other` perhaps.
    pub(crate) fn change(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = input.to_vec();
        for _ in 0..=self.below(4) {
            match self.below(10) {
                0 => self.flip(&mut bytes),
                1 => self.overwrite(&mut bytes),
                2 => self.remove(&mut bytes),
                3 => self.repeat(&mut bytes),
                4 => self.splice(&mut bytes, other),
                5 | 6 => self.number(&mut bytes),
                7 => self.word(&mut bytes),
                _ => self.line(&mut bytes, other),
            }
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn flip(&mut self, bytes: &mut [u8]) {
        let (at, bit) = (self.below(bytes.len()), self.below(8));
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << bit;
        }
    }

    fn overwrite(&mut self, bytes: &mut Vec<u8>) {
        let (at, byte) = (self.below(bytes.len() + 1), self.below(256) as u8);
        match bytes.get_mut(at) {
            Some(old) if self.below(2) == 0 => *old = byte,
            _ => bytes.insert(at, byte),
        }
    }

    /// Two places, in order, near each other more often than not.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let from = self.below(length + 1);
        let most = if self.below(4) == 0 { length - from } else { (length - from).min(16) };
        (from, from + self.below(most + 1))
    }

    fn remove(&mut self, bytes: &mut Vec<u8>) {
        let (from, to) = self.range(bytes.len());
        bytes.drain(from..to);
    }

    fn repeat(&mut self, bytes: &mut Vec<u8>) {
        let (from, to) = self.range(bytes.len());
        let piece = bytes[from..to].repeat(1 + self.below(3));
        bytes.splice(to..to, piece);
    }

    fn splice(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let (from, to) = self.range(other.len());
        let (begin, end) = self.range(bytes.len());
        bytes.splice(begin..end, other[from..to].iter().copied());
    }

    /// Replaces a number by one at the end of a range.
    fn number(&mut self, bytes: &mut Vec<u8>) {
        let number = NUMBERS[self.below(NUMBERS.len())];
        self.replace(bytes, u8::is_ascii_digit, number.as_bytes());
    }

    /// Replaces a word by one of the seeds.
    fn word(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(self.words.len());
        let Some(word) = self.words.get(at).cloned() else { return };
        self.replace(bytes, |&byte| is_of_word(byte), &word);
    }

    /// Replaces the run of such bytes that is at or behind a random place.
    fn replace(&mut self, bytes: &mut Vec<u8>, is_of: impl Fn(&u8) -> bool, by: &[u8]) {
        let at = self.below(bytes.len());
        let Some(inside) = bytes[at..].iter().position(&is_of).map(|skip| at + skip) else { return };
        let from = bytes[..inside].iter().rposition(|byte| !is_of(byte)).map_or(0, |before| before + 1);
        let to =
            bytes[inside..].iter().position(|byte| !is_of(byte)).map_or(bytes.len(), |more| inside + more);
        bytes.splice(from..to, by.iter().copied());
    }

    /// Takes a line away, or puts one of `other` in.
    fn line(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let (from, to) = self.line_of(bytes);
        let (begin, end) = self.line_of(other);
        match self.below(3) {
            0 => drop(bytes.drain(from..to)),
            1 => drop(bytes.splice(from..to, other[begin..end].iter().copied())),
            _ => drop(bytes.splice(from..from, other[begin..end].iter().copied())),
        }
    }

    fn line_of(&mut self, bytes: &[u8]) -> (usize, usize) {
        let at = self.below(bytes.len());
        let from = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |before| before + 1);
        let to = bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |more| at + more + 1);
        (from, to)
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_inputs_and_none_is_too_long() {
        let seeds = [b"loads = [0.3]\nkind = \"mesh\"\n".to_vec(), Vec::new()];
        let run = |seed| {
            let mut mutator = Mutator::new(seed, &seeds);
            (0..3000).fold(seeds[0].clone(), |last, _| mutator.change(&last, &seeds[0]))
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!(run(3).len() <= LONGEST);
    }

    #[test]
    fn numbers_are_replaced_as_a_whole() {
        let mut mutator = Mutator::new(1, &[]);
        for _ in 0..200 {
            let mut bytes = b"a = 12345 b".to_vec();
            mutator.number(&mut bytes);
            let text = String::from_utf8(bytes).unwrap();
            assert!(text == "a = 12345 b" || text.starts_with("a = ") && text.ends_with(" b"), "{text}");
        }
    }
}
