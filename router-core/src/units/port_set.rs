//! Sets of ports.

use super::PortId;
use super::bits::{self, Bits, WideBits};

/// A set of ports, in one machine word: routers of 64-bit hosts have up to 64 ports, of 32-bit microcontrollers up to 32; up to 16 with
/// the feature `small`. Wider routers have [`WidePorts`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PortSet<B: Bits = usize>(B);

/// A set of up to 256 ports.
pub type WidePorts = PortSet<WideBits>;

impl<B: Bits> PortSet<B> {
    /// None.
    pub const EMPTY: Self = Self(B::EMPTY);
    /// As many as fit.
    pub const CAPACITY: usize = B::CAPACITY;

    /// The set with these bits: bit `n` stands for number `n`.
    #[inline(always)]
    pub const fn from_bits(bits: B) -> Self {
        Self(bits)
    }
    /// Bit `n` is set when number `n` is in the set.
    #[inline(always)]
    pub const fn bits(self) -> B {
        self.0
    }
    /// Just this one.
    #[inline(always)]
    pub fn only(one: PortId) -> Self {
        Self(B::only(one.number()))
    }
    /// The numbers 0 to `n − 1`.
    pub fn first_n(n: usize) -> Self {
        Self(B::first_n(n))
    }
    /// The numbers `from` to `to − 1`.
    pub fn range(from: usize, to: usize) -> Self {
        Self::first_n(to).minus(Self::first_n(from))
    }
    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
    /// How many there are.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.len()
    }
    /// Whether there is just one.
    #[inline(always)]
    pub fn is_single(self) -> bool {
        self.0.is_single()
    }
    /// Whether `one` is among them.
    #[inline(always)]
    pub fn contains(self, one: PortId) -> bool {
        self.0.contains(one.number())
    }
    /// Adds one.
    #[inline(always)]
    pub fn insert(&mut self, one: PortId) {
        self.0.insert(one.number());
    }
    /// Takes one out.
    #[inline(always)]
    pub fn remove(&mut self, one: PortId) {
        self.0.remove(one.number());
    }
    /// Those in either.
    #[inline(always)]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }
    /// Those in both.
    #[inline(always)]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0.and(other.0))
    }
    /// Those of `self` that are not in `other`.
    #[inline(always)]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.minus(other.0))
    }
    /// The lowest.
    #[inline(always)]
    pub fn first(self) -> Option<PortId> {
        if self.is_empty() { None } else { Some(PortId::new(self.0.lowest())) }
    }
    /// The lowest at or above `start`; from the bottom again when there is none. The pick of a round-robin arbiter.
    #[inline(always)]
    pub fn first_from(self, start: PortId) -> Option<PortId> {
        let above = Self(self.0.at_or_above(start.number()));
        if above.is_empty() { self.first() } else { above.first() }
    }
    /// All but the lowest.
    #[inline(always)]
    #[must_use]
    pub fn rest(self) -> Self {
        Self(self.0.rest())
    }
    /// The `n`-th from below, counted from 0.
    #[inline]
    pub fn nth(self, n: usize) -> Option<PortId> {
        let (mut rest, mut left) = (self, n);
        while left > 0 {
            rest = rest.rest();
            left = left.wrapping_sub(1);
        }
        rest.first()
    }
    /// All of them, lowest first.
    #[inline(always)]
    pub const fn iter(self) -> PortIter<B> {
        PortIter(self)
    }
}

impl PortSet {
    /// [`first_n`](Self::first_n) in constants, of one word.
    pub const fn const_first_n(n: usize) -> Self {
        Self(bits::first_n(n))
    }
    /// [`range`](Self::range) in constants, of one word.
    pub const fn const_range(from: usize, to: usize) -> Self {
        Self(bits::first_n(to) & !bits::first_n(from))
    }
}

impl<B: Bits> core::fmt::Debug for PortSet<B> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_set().entries(self.iter().map(PortId::number)).finish()
    }
}

impl<B: Bits> FromIterator<PortId> for PortSet<B> {
    #[inline(always)]
    fn from_iter<I: IntoIterator<Item = PortId>>(all: I) -> Self {
        let mut set = Self::EMPTY;
        all.into_iter().for_each(|one| set.insert(one));
        set
    }
}

impl<B: Bits> IntoIterator for PortSet<B> {
    type Item = PortId;
    type IntoIter = PortIter<B>;
    #[inline(always)]
    fn into_iter(self) -> PortIter<B> {
        PortIter(self)
    }
}

/// Walks a set, lowest number first.
#[derive(Clone, Debug)]
pub struct PortIter<B: Bits = usize>(PortSet<B>);

impl<B: Bits> Iterator for PortIter<B> {
    type Item = PortId;
    #[inline(always)]
    fn next(&mut self) -> Option<PortId> {
        let first = self.0.first()?;
        self.0 = self.0.rest();
        Some(first)
    }
}

/// A [`PortSet`] at rest: no wider than the widest router, which with the feature `small` is less than a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PackedPorts<B: Bits = usize>(B::Packed);

impl<B: Bits> PackedPorts<B> {
    /// None.
    pub const EMPTY: Self = Self(B::PACKED_EMPTY);

    /// The set, packed.
    #[inline(always)]
    pub fn new(set: PortSet<B>) -> Self {
        Self(set.0.pack())
    }
    /// The set.
    #[inline(always)]
    pub fn get(self) -> PortSet<B> {
        PortSet(B::unpack(self.0))
    }
    /// Adds one.
    #[inline(always)]
    pub fn insert(&mut self, one: PortId) {
        B::insert_packed(&mut self.0, one.number());
    }
    /// Takes one out.
    #[inline(always)]
    pub fn remove(&mut self, one: PortId) {
        B::remove_packed(&mut self.0, one.number());
    }
}
