//! A bad line: some frames are damaged, by a seed.

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What ends a frame.
pub(super) const END: u8 = 0;

/// One direction of a cable.
#[derive(Debug)]
pub(super) struct Damage {
    random: Xoshiro256PlusPlus,
    /// Frames of a hundred that are damaged.
    percent: f64,
    frame: Vec<u8>,
    pub(super) frames: u32,
    pub(super) damaged: u32,
}

impl Damage {
    /// A line of its own for each number.
    pub(super) fn new(percent: f64, seed: u64, line: u64) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(1_000_003).wrapping_add(line));
        Self { random, percent, frame: Vec::new(), frames: 0, damaged: 0 }
    }

    /// Takes bytes, and hands on the frames that end in them.
    pub(super) fn pass(&mut self, bytes: &[u8], to: &mut Vec<u8>) {
        for &byte in bytes {
            self.frame.push(byte);
            if byte == END {
                self.frames += 1;
                let mut frame = std::mem::take(&mut self.frame);
                if self.chance() < self.percent {
                    self.damaged += 1;
                    self.damage(&mut frame);
                }
                to.append(&mut frame);
                self.frame = frame;
            }
        }
    }

    /// A frame that has begun will not end: its sender is gone.
    pub(super) fn forget(&mut self) {
        self.frame.clear();
    }

    /// Of a hundred.
    fn chance(&mut self) -> f64 {
        f64::from(self.random.next_u32()) / f64::from(u32::MAX) * 100.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() % n.max(1) as u64) as usize
    }

    /// What happens to frames: a bit changes, a byte is lost or added, all of it is lost, or comes twice.
    fn damage(&mut self, frame: &mut Vec<u8>) {
        let at = self.below(frame.len());
        match self.below(5) {
            0 => frame[at] ^= 1 << self.below(8),
            1 => drop(frame.remove(at)),
            2 => frame.insert(at, self.random.next_u32() as u8),
            3 => frame.clear(),
            _ => frame.extend_from_within(..),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn damaged(percent: f64, seed: u64) -> (Damage, Vec<u8>) {
        let mut damage = Damage::new(percent, seed, 3);
        let mut out = Vec::new();
        // In pieces that end anywhere.
        [7, 8, 9, END].repeat(10_000).chunks(11).for_each(|bytes| damage.pass(bytes, &mut out));
        (damage, out)
    }

    #[test]
    fn a_seed_damages_the_same_frames() {
        assert_eq!(damaged(1.0, 1).1, damaged(1.0, 1).1);
        assert_ne!(damaged(1.0, 1).1, damaged(1.0, 2).1);
    }

    #[test]
    fn as_many_are_damaged_as_asked_for() {
        let (damage, _) = damaged(1.0, 1);
        assert_eq!(damage.frames, 10_000);
        assert!((60..140).contains(&damage.damaged), "{}", damage.damaged);
        assert_eq!(damaged(0.0, 1).1, [7, 8, 9, END].repeat(10_000));
    }
}
