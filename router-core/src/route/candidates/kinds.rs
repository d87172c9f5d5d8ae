//! The kinds of all sets, and whether a detour is due, in one word.

use super::{HopKind, SETS};

/// The kinds of all sets, two bits each from bit 0 up. Bit 6: a set that is not minimal has a port. Bit 7: a detour is due, or the last set
/// is an escape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    /// The two bits of a place where no set has been offered; with a port, those of an escape.
    const VACANT: u8 = 0b11;
    /// All places are vacant.
    pub(super) const NONE: Self = Self(0b11_1111);
    const DETOURS: u8 = 1 << 6;
    const SPECIAL: u8 = 1 << 7;

    const ROOM: () = assert!(SETS * 2 <= 6, "kinds of more sets need a wider word");

    #[inline(always)]
    pub(super) const fn bits(self, at: usize) -> u8 {
        self.0.wrapping_shr((at as u32).wrapping_mul(2)) & Self::VACANT
    }
    #[inline(always)]
    pub(super) const fn is(self, at: usize, kind: HopKind) -> bool {
        self.bits(at) == kind as u8
    }
    #[inline(always)]
    pub(super) const fn at(self, at: usize) -> HopKind {
        match self.bits(at) {
            0 => HopKind::Minimal,
            1 => HopKind::GlobalMisroute,
            2 => HopKind::LocalMisroute,
            _ => HopKind::Escape,
        }
    }
    #[inline(always)]
    pub(super) const fn put(&mut self, at: usize, kind: HopKind, is_empty: bool) {
        let shift = (at as u32).wrapping_mul(2);
        self.0 = self.0 & !Self::VACANT.wrapping_shl(shift) | (kind as u8).wrapping_shl(shift);
        if !matches!(kind, HopKind::Minimal) & !is_empty {
            self.0 |= Self::DETOURS;
        }
    }
    /// Whether a set that is not minimal has a port.
    #[inline(always)]
    pub(super) const fn has_detours(self) -> bool {
        self.0 & Self::DETOURS != 0
    }
    /// Whether a detour is due, or the last set is an escape.
    #[inline(always)]
    pub(super) const fn is_special(self) -> bool {
        self.0 & Self::SPECIAL != 0
    }
    /// Whether a set of minimal hops is the only one that has been offered.
    #[inline(always)]
    pub(super) const fn is_sole_minimal(self) -> bool {
        self.0 == Self::NONE.0 & !Self::VACANT
    }
    pub(super) const fn specialise(&mut self) {
        self.0 |= Self::SPECIAL;
    }
    /// No detour is due, and there is no escape.
    pub(super) const fn generalise(&mut self) {
        self.0 &= !Self::SPECIAL;
    }
    /// The lowest place where no set has been offered.
    #[inline]
    pub(super) const fn first_vacant(self) -> Option<usize> {
        let () = Self::ROOM;
        let vacant = self.0 & self.0.wrapping_shr(1) & Self::NONE.0 & 0b01_0101;
        if vacant == 0 { None } else { Some((vacant.trailing_zeros() as usize).wrapping_shr(1)) }
    }
}
