//! The hops of all sets in one word.

use super::SETS;

/// The hops of all sets, five bits each from bit 0 up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Hops(u16);

impl Hops {
    pub(super) const NONE: Self = Self(0);
    const BITS: u32 = 5;
    const MOST: u8 = (1 << Self::BITS) - 1;

    const ROOM: () = assert!(SETS * Self::BITS as usize <= 16, "hops of more sets need a wider word");

    #[inline(always)]
    pub(super) const fn at(self, at: usize) -> u8 {
        self.0.wrapping_shr(Self::BITS.wrapping_mul(at as u32)) as u8 & Self::MOST
    }
    #[inline(always)]
    pub(super) const fn put(&mut self, at: usize, hops: u8) {
        let () = Self::ROOM;
        let shift = Self::BITS.wrapping_mul(at as u32);
        let hops = if hops > Self::MOST { Self::MOST } else { hops };
        self.0 = self.0 & !(Self::MOST as u16).wrapping_shl(shift) | (hops as u16).wrapping_shl(shift);
    }
}
