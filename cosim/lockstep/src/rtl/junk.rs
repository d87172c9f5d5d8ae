//! Bits for wires on which nothing is.

/// The sequence depends on the stimulus alone: one that fails does so again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Junk(u64);

impl Junk {
    /// That of a stimulus with this seed.
    pub(super) fn of(seed: u64) -> Self {
        // Never 0, of which nothing would follow.
        let mut junk = Self((seed << 1 | 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        junk.next();
        junk
    }

    /// 64 bits (Marsaglia, *Xorshift RNGs*, 2003, triple 13, 7, 17).
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
