//! Bits for wires on which nothing is.

/// The same sequence each time: a stimulus that fails does so again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Junk(u64);

impl Default for Junk {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Junk {
    /// 64 bits (Marsaglia, *Xorshift RNGs*, 2003, triple 13, 7, 17).
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
