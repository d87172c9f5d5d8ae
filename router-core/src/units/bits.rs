//! The words of a set of ports.

use super::Stamp;
use core::cmp::Ordering;
use core::fmt::Debug;
use core::hash::Hash;

/// The words of a [`PortSet`](super::PortSet): one machine word, or [several](WideBits). No other types can be.
///
/// Bit `n` stands for port `n`. Each operation is written for both, so that sets of one word stay what a word is.
pub trait Bits: Format + Copy + Debug + Default + Eq + Hash + Send + Sync + 'static {
    /// None.
    const EMPTY: Self;
    /// As many as fit.
    const CAPACITY: usize;
    /// Whether these are more than the bits of a port in a header tell apart.
    const IS_WIDE: bool = Self::CAPACITY > 1 << crate::layout::PORT_BITS;

    /// The words of a set at rest, which may be fewer or narrower.
    type Packed: Format + Copy + Debug + Default + Eq + Send + Sync + 'static;
    /// None, at rest.
    const PACKED_EMPTY: Self::Packed;

    /// When one of as many arbitrated requesters was last served.
    type Stamp: Stamp;

    /// At rest.
    fn pack(self) -> Self::Packed;
    /// From rest.
    fn unpack(packed: Self::Packed) -> Self;
    /// Adds one at rest.
    fn insert_packed(packed: &mut Self::Packed, n: u8);
    /// Takes one out at rest.
    fn remove_packed(packed: &mut Self::Packed, n: u8);

    /// Just this one.
    #[must_use]
    fn only(n: u8) -> Self;
    /// The numbers 0 to `n − 1`.
    #[must_use]
    fn first_n(n: usize) -> Self;
    /// Whether there is none.
    fn is_empty(self) -> bool;
    /// How many there are.
    fn len(self) -> usize;
    /// Whether there is just one.
    fn is_single(self) -> bool;
    /// Whether `n` is among them.
    fn contains(self, n: u8) -> bool;
    /// Adds one.
    fn insert(&mut self, n: u8);
    /// Takes one out.
    fn remove(&mut self, n: u8);
    /// Those in either.
    #[must_use]
    fn or(self, other: Self) -> Self;
    /// Those in both.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// Those that are not in `other`.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// The lowest; of none, any number.
    fn lowest(self) -> u8;
    /// Those at or above `start`.
    #[must_use]
    fn at_or_above(self, start: u8) -> Self;
    /// All but the lowest.
    #[must_use]
    fn rest(self) -> Self;
}

/// What can be sent to a log, where there is one of `defmt`.
#[cfg(feature = "defmt")]
pub trait Format: defmt::Format {}
#[cfg(feature = "defmt")]
impl<T: defmt::Format> Format for T {}
/// What can be sent to a log, where there is one of `defmt`.
#[cfg(not(feature = "defmt"))]
pub trait Format {}
#[cfg(not(feature = "defmt"))]
impl<T> Format for T {}

/// The numbers 0 to `n − 1` in one word.
pub(super) const fn first_n(n: usize) -> usize {
    if n >= <usize as Bits>::CAPACITY {
        usize::MAX.wrapping_shr(usize::BITS.wrapping_sub(Word::BITS))
    } else {
        1usize.wrapping_shl(n as u32).wrapping_sub(1)
    }
}

/// One word, at rest.
#[cfg(not(feature = "small"))]
type Word = usize;
#[cfg(feature = "small")]
type Word = u16;

// Casts that one of the two widths does not need.
#[allow(clippy::unnecessary_cast)]
impl Bits for usize {
    const EMPTY: Self = 0;
    const CAPACITY: usize = Word::BITS as usize;

    type Packed = Word;
    const PACKED_EMPTY: Word = 0;
    type Stamp = u8;

    #[inline(always)]
    fn pack(self) -> Word {
        self as Word
    }
    #[inline(always)]
    fn unpack(packed: Word) -> Self {
        packed as usize
    }
    #[inline(always)]
    fn insert_packed(packed: &mut Word, n: u8) {
        *packed |= Self::only(n) as Word;
    }
    #[inline(always)]
    fn remove_packed(packed: &mut Word, n: u8) {
        *packed &= !(Self::only(n) as Word);
    }

    #[inline(always)]
    fn only(n: u8) -> Self {
        1usize.wrapping_shl(n as u32)
    }
    #[inline]
    fn first_n(n: usize) -> Self {
        first_n(n)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == 0
    }
    #[inline(always)]
    fn len(self) -> usize {
        self.count_ones() as usize
    }
    #[inline(always)]
    fn is_single(self) -> bool {
        self.is_power_of_two()
    }
    #[inline(always)]
    fn contains(self, n: u8) -> bool {
        self & Self::only(n) != 0
    }
    #[inline(always)]
    fn insert(&mut self, n: u8) {
        *self |= Self::only(n);
    }
    #[inline(always)]
    fn remove(&mut self, n: u8) {
        *self &= !Self::only(n);
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self & !other
    }
    #[inline(always)]
    fn lowest(self) -> u8 {
        self.trailing_zeros() as u8
    }
    #[inline(always)]
    fn at_or_above(self, start: u8) -> Self {
        self & !Self::only(start).wrapping_sub(1)
    }
    #[inline(always)]
    fn rest(self) -> Self {
        self & self.wrapping_sub(1)
    }
}

/// Words of 64 bits in a [`WideBits`].
const WORDS: usize = 4;

/// The words of a set for routers of up to 256 ports, on any machine; the lowest ports are in the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WideBits([u64; WORDS]);

impl WideBits {
    /// The words, the lowest ports in the first one.
    #[inline]
    pub const fn words(self) -> [u64; WORDS] {
        self.0
    }

    /// The word that a port is in, and its bit there.
    #[inline(always)]
    const fn place(n: u8) -> (usize, u64) {
        (n as usize / 64, 1u64.wrapping_shl(n as u32 % 64))
    }

    /// Word by word.
    #[inline(always)]
    fn with(mut self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word = of(*word, other));
        self
    }
}

impl Bits for WideBits {
    const EMPTY: Self = Self([0; WORDS]);
    const CAPACITY: usize = WORDS.wrapping_mul(64);

    type Packed = Self;
    const PACKED_EMPTY: Self = Self::EMPTY;
    type Stamp = u16;

    #[inline(always)]
    fn pack(self) -> Self {
        self
    }
    #[inline(always)]
    fn unpack(packed: Self) -> Self {
        packed
    }
    #[inline(always)]
    fn insert_packed(packed: &mut Self, n: u8) {
        packed.insert(n);
    }
    #[inline(always)]
    fn remove_packed(packed: &mut Self, n: u8) {
        packed.remove(n);
    }

    #[inline(always)]
    fn only(n: u8) -> Self {
        let mut set = Self::EMPTY;
        set.insert(n);
        set
    }
    #[inline]
    fn first_n(n: usize) -> Self {
        match u8::try_from(n) {
            Ok(n) => Self([u64::MAX; WORDS]).minus(Self([u64::MAX; WORDS]).at_or_above(n)),
            Err(_) => Self([u64::MAX; WORDS]),
        }
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }
    #[inline(always)]
    fn len(self) -> usize {
        self.0.iter().fold(0u32, |all, word| all.wrapping_add(word.count_ones())) as usize
    }
    #[inline(always)]
    fn is_single(self) -> bool {
        self.len() == 1
    }
    #[inline(always)]
    fn contains(self, n: u8) -> bool {
        let (at, bit) = Self::place(n);
        self.0.get(at).is_some_and(|word| word & bit != 0)
    }
    #[inline(always)]
    fn insert(&mut self, n: u8) {
        let (at, bit) = Self::place(n);
        if let Some(word) = self.0.get_mut(at) {
            *word |= bit;
        }
    }
    #[inline(always)]
    fn remove(&mut self, n: u8) {
        let (at, bit) = Self::place(n);
        if let Some(word) = self.0.get_mut(at) {
            *word &= !bit;
        }
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.with(other, |one, other| one | other)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.with(other, |one, other| one & other)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.with(other, |one, other| one & !other)
    }
    #[inline(always)]
    fn lowest(self) -> u8 {
        let first = |(nth, word): (u8, u64)| nth.wrapping_mul(64).wrapping_add(word.trailing_zeros() as u8);
        (0u8..).zip(self.0).find(|(_, word)| *word != 0).map_or(0, first)
    }
    #[inline(always)]
    fn at_or_above(mut self, start: u8) -> Self {
        let (at, bit) = Self::place(start);
        for (nth, word) in self.0.iter_mut().enumerate() {
            *word &= match nth.cmp(&at) {
                Ordering::Greater => u64::MAX,
                Ordering::Equal => !bit.wrapping_sub(1),
                Ordering::Less => 0,
            };
        }
        self
    }
    #[inline(always)]
    fn rest(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= word.wrapping_sub(1);
        }
        self
    }
}
