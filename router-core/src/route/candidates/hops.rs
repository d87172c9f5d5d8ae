//! The hops of all sets in one word.

use super::SETS;

/// The hops of all sets, five bits each from bit 0 up. Bit 15: the escape is one on to a ring. The feature `small` leaves them out: where a microcontroller's packets have hops, they
/// have no detours that hops are compared for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Hops([u16; WORDS]);

const WORDS: usize = if cfg!(feature = "small") { 0 } else { 1 };

impl Hops {
    pub(super) const NONE: Self = Self([0; WORDS]);
    const BITS: u32 = 5;
    const MOST: u8 = (1 << Self::BITS) - 1;

    const ENTERS: u16 = 1 << 15;

    const ROOM: () = assert!(SETS * Self::BITS as usize <= 15, "hops of more sets need a wider word");

    #[inline(always)]
    pub(super) const fn at(self, at: usize) -> u8 {
        match self.0.first() {
            Some(all) => all.wrapping_shr(Self::BITS.wrapping_mul(at as u32)) as u8 & Self::MOST,
            None => 0,
        }
    }
    #[inline(always)]
    pub(super) const fn put(&mut self, at: usize, hops: u8) {
        let () = Self::ROOM;
        let shift = Self::BITS.wrapping_mul(at as u32);
        let hops = if hops > Self::MOST { Self::MOST } else { hops };
        if let Some(all) = self.0.first_mut() {
            *all = *all & !(Self::MOST as u16).wrapping_shl(shift) | (hops as u16).wrapping_shl(shift);
        }
    }
    #[inline(always)]
    pub(super) const fn enters(self) -> bool {
        match self.0.first() {
            Some(all) => *all & Self::ENTERS != 0,
            None => false,
        }
    }
    pub(super) const fn set_enters(&mut self, enters: bool) {
        if let Some(all) = self.0.first_mut() {
            *all = *all & !Self::ENTERS | if enters { Self::ENTERS } else { 0 };
        }
    }
}
