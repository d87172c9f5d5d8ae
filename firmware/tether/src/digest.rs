//! A number that stands for many: FNV-1a, 32 bits.

use core::num::Wrapping;

/// What has been seen so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(Wrapping<u32>);

impl Digest {
    /// Nothing.
    pub const EMPTY: Self = Self(Wrapping(0x811c_9dc5));

    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut digest = Self::EMPTY;
        digest.add(bytes);
        digest
    }

    /// These bytes, too.
    #[inline]
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ Wrapping(u32::from(byte))) * Wrapping(0x0100_0193);
        }
    }

    /// A number, too: of its bytes only those up to the highest that is not 0.
    #[inline(never)] // called for dozens of registers, from as many places
    pub fn add_number(&mut self, mut value: u128) {
        loop {
            self.add(&[value as u8]);
            value = value.wrapping_shr(8);
            if value == 0 {
                break;
            }
        }
    }

    /// As a number.
    pub const fn value(self) -> u32 {
        self.0.0
    }

    /// Folded to 16 bits, for places where a digest is kept for each cycle.
    pub const fn folded(self) -> u16 {
        (self.0.0 ^ self.0.0.wrapping_shr(16)) as u16
    }
}
