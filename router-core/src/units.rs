//! Numbers that wear their meaning: ports, virtual channels, sets of them, and time.

mod bits;
mod port_set;
mod stamp;

pub use bits::{Bits, WideBits};
pub use port_set::{PackedPorts, PortIter, PortSet, WidePorts};
pub use stamp::Stamp;

/// The class of a port: which of the network's links lie there.
///
/// Class 0 is the links to end nodes, in every network. A topology numbers and names its other classes, from 1 on; the
/// two ends of a link are of one class. VCs, buffers and latencies are given per class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PortClass(u8);

impl PortClass {
    /// Classes that a network may have.
    pub const COUNT: usize = 8;
    /// Links to end nodes, which inject and consume packets.
    pub const NODE: Self = Self(0);

    /// Class number `n`, below [`PortClass::COUNT`]; higher numbers wrap.
    #[inline(always)]
    pub const fn new(n: u8) -> Self {
        Self(n & (Self::COUNT as u8).wrapping_sub(1))
    }
    /// As an index, below [`PortClass::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
    /// As a number.
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// The clock edge at which something happens, in internal cycles since reset: `speedup` of them make one link
/// cycle. This crate has no clock: the caller passes the cycle in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Cycle(pub u64);

/// Defines the number of a thing.
macro_rules! number {
    ($(#[$id_doc:meta])* $id:ident) => {
        $(#[$id_doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct $id(u8);

        impl $id {
            /// The number `n`. Sets hold numbers below the bits of their words; higher ones wrap.
            #[inline(always)]
            pub const fn new(n: u8) -> Self { Self(n) }
            /// As an index.
            #[inline(always)]
            pub const fn index(self) -> usize { self.0 as usize }
            /// As a number.
            #[inline(always)]
            pub const fn number(self) -> u8 { self.0 }
        }
    };
}

/// Defines the number of a thing and the set of such numbers, held in one machine word.
macro_rules! numbered {
    ($(#[$id_doc:meta])* $id:ident, $(#[$set_doc:meta])* $set:ident($word:ty, $capacity:expr), $iter:ident) => {
        number! { $(#[$id_doc])* $id }

        $(#[$set_doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct $set($word);

        impl $set {
            /// None.
            pub const EMPTY: Self = Self(0);
            /// As many as fit.
            pub const CAPACITY: usize = $capacity as usize;

            /// The set with these bits: bit `n` stands for number `n`.
            #[inline(always)]
            pub const fn from_bits(bits: $word) -> Self { Self(bits) }
            /// Bit `n` is set when number `n` is in the set.
            #[inline(always)]
            pub const fn bits(self) -> $word { self.0 }
            /// Just this one.
            #[inline(always)]
            pub const fn only(one: $id) -> Self { Self((1 as $word).wrapping_shl(one.0 as u32)) }
            /// The numbers 0 to `n − 1`.
            pub const fn first_n(n: usize) -> Self {
                if n >= Self::CAPACITY {
                    Self(<$word>::MAX.wrapping_shr(<$word>::BITS.wrapping_sub($capacity)))
                } else {
                    Self((1 as $word).wrapping_shl(n as u32).wrapping_sub(1))
                }
            }
            /// The numbers `from` to `to − 1`.
            pub const fn range(from: usize, to: usize) -> Self {
                Self(Self::first_n(to).0 & !Self::first_n(from).0)
            }
            /// Whether there is none.
            #[inline(always)]
            pub const fn is_empty(self) -> bool { self.0 == 0 }
            /// How many there are.
            #[inline(always)]
            pub const fn len(self) -> usize { self.0.count_ones() as usize }
            /// Whether there is just one.
            #[inline(always)]
            pub const fn is_single(self) -> bool { self.0.is_power_of_two() }
            /// Whether `one` is among them.
            #[inline(always)]
            pub const fn contains(self, one: $id) -> bool { self.0 & Self::only(one).0 != 0 }
            /// Adds one.
            #[inline(always)]
            pub const fn insert(&mut self, one: $id) { self.0 |= Self::only(one).0; }
            /// Takes one out.
            #[inline(always)]
            pub const fn remove(&mut self, one: $id) { self.0 &= !Self::only(one).0; }
            /// Those in either.
            #[inline(always)]
            #[must_use]
            pub const fn union(self, other: Self) -> Self { Self(self.0 | other.0) }
            /// Those in both.
            #[inline(always)]
            #[must_use]
            pub const fn and(self, other: Self) -> Self { Self(self.0 & other.0) }
            /// Those of `self` that are not in `other`.
            #[inline(always)]
            #[must_use]
            pub const fn minus(self, other: Self) -> Self { Self(self.0 & !other.0) }
            /// The lowest.
            #[inline(always)]
            pub const fn first(self) -> Option<$id> {
                if self.0 == 0 { None } else { Some($id(self.0.trailing_zeros() as u8)) }
            }
            /// The lowest at or above `start`; from the bottom again when there is none. The pick of a
            /// round-robin arbiter.
            #[inline(always)]
            pub const fn first_from(self, start: $id) -> Option<$id> {
                let above = Self(self.0 & !Self::only(start).0.wrapping_sub(1));
                if above.0 == 0 { self.first() } else { above.first() }
            }
            /// All but the lowest.
            #[inline(always)]
            #[must_use]
            pub const fn rest(self) -> Self { Self(self.0 & self.0.wrapping_sub(1)) }
            /// The `n`-th from below, counted from 0.
            #[inline]
            pub const fn nth(self, n: usize) -> Option<$id> {
                let (mut rest, mut left) = (self, n);
                while left > 0 {
                    rest = rest.rest();
                    left = left.wrapping_sub(1);
                }
                rest.first()
            }
            /// All of them, lowest first.
            #[inline(always)]
            pub const fn iter(self) -> $iter { $iter(self) }
        }

        impl core::fmt::Debug for $set {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_set().entries(self.iter().map(|one| one.0)).finish()
            }
        }

        impl FromIterator<$id> for $set {
            #[inline(always)]
            fn from_iter<I: IntoIterator<Item = $id>>(all: I) -> Self {
                let mut set = Self::EMPTY;
                all.into_iter().for_each(|one| set.insert(one));
                set
            }
        }

        impl IntoIterator for $set {
            type Item = $id;
            type IntoIter = $iter;
            #[inline(always)]
            fn into_iter(self) -> $iter { $iter(self) }
        }

        /// Walks a set, lowest number first.
        #[derive(Clone, Debug)]
        pub struct $iter($set);

        impl Iterator for $iter {
            type Item = $id;
            #[inline(always)]
            fn next(&mut self) -> Option<$id> {
                let first = self.0.first()?;
                self.0.0 &= self.0.0.wrapping_sub(1);
                Some(first)
            }
        }
    };
}

/// A number of ports of one router.
#[cfg(not(feature = "small"))]
pub(crate) type PortCount = u16;
/// A number of ports of one router.
#[cfg(feature = "small")]
pub(crate) type PortCount = u8;

number! {
    /// One side of a router, counted from 0.
    PortId
}

numbered! {
    /// A virtual channel of one port, counted from 0.
    VcId,
    /// A set of virtual channels of one port.
    VcSet(u8, u8::BITS),
    VcIter
}

/// A virtual channel of a port: where flits arrive, wait or are sent to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Channel {
    /// The port.
    pub port: PortId,
    /// Its VC.
    pub vc: VcId,
}

impl Channel {
    /// VC `vc` of `port`.
    #[inline(always)]
    pub const fn new(port: PortId, vc: VcId) -> Self {
        Self { port, vc }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn a_set_agrees_with_a_list(bits: u8, start in 0u8..8, n in 0usize..9) {
            let set = VcSet::from_bits(bits);
            let list: Vec<u8> = (0..8).filter(|i| bits >> i & 1 == 1).collect();
            prop_assert_eq!(set.iter().map(VcId::number).collect::<Vec<_>>(), list.clone());
            prop_assert_eq!(set.len(), list.len());
            prop_assert_eq!(set.nth(n).map(VcId::number), list.get(n).copied());
            let after = list.iter().find(|&&i| i >= start).or(list.first()).copied();
            prop_assert_eq!(set.first_from(VcId::new(start)).map(VcId::number), after);
        }
    }

    /// Proves: a set of ports does what a list of them does, by every operation.
    fn agrees<B: Bits>(one: &BTreeSet<u8>, other: &BTreeSet<u8>, start: u8, n: usize, ends: (usize, usize)) {
        let set_of = |list: &BTreeSet<u8>| list.iter().copied().map(PortId::new).collect::<PortSet<B>>();
        let list_of = |set: PortSet<B>| set.iter().map(PortId::number).collect::<Vec<_>>();
        let whole = |list: &BTreeSet<u8>| list.iter().copied().collect::<Vec<_>>();
        let (set, others) = (set_of(one), set_of(other));
        assert_eq!(list_of(set), whole(one));
        assert_eq!(set == others, one == other);
        assert_eq!((set.len(), set.is_empty(), set.is_single()), (one.len(), one.is_empty(), one.len() == 1));
        assert_eq!(list_of(set.union(others)), whole(&(one | other)));
        assert_eq!(list_of(set.and(others)), whole(&(one & other)));
        assert_eq!(list_of(set.minus(others)), whole(&(one - other)));
        assert_eq!(set.first().map(PortId::number), one.first().copied());
        assert_eq!(list_of(set.rest()), one.iter().skip(1).copied().collect::<Vec<_>>());
        assert_eq!(set.nth(n).map(PortId::number), one.iter().nth(n).copied());
        let after = one.range(start..).next().or(one.first()).copied();
        assert_eq!(set.first_from(PortId::new(start)).map(PortId::number), after);
        let (mut with, mut without) = (set, set);
        let (mut packed_with, mut packed_without) = (PackedPorts::new(set), PackedPorts::new(set));
        assert_eq!(packed_with.get(), set);
        let start = PortId::new(start);
        with.insert(start);
        without.remove(start);
        packed_with.insert(start);
        packed_without.remove(start);
        let only = BTreeSet::from([start.number()]);
        assert_eq!(set.contains(start), one.contains(&start.number()));
        assert_eq!(list_of(with), whole(&(one | &only)));
        assert_eq!(list_of(without), whole(&(one - &only)));
        assert_eq!((packed_with.get(), packed_without.get()), (with, without));
        assert_eq!(PortSet::<B>::only(start), set_of(&only));
        let below = |end: usize| (0..end.min(B::CAPACITY)).map(|n| n as u8).collect::<BTreeSet<_>>();
        assert_eq!(list_of(PortSet::first_n(ends.0)), whole(&below(ends.0)));
        assert_eq!(list_of(PortSet::range(ends.0, ends.1)), whole(&(&below(ends.1) - &below(ends.0))));
        assert_eq!(format!("{set:?}"), format!("{one:?}"));
    }

    /// Numbers of ports, many of them beside the ends of words.
    fn port() -> impl Strategy<Value = u8> {
        let ends = proptest::sample::select(vec![0, 1, 62, 63, 64, 65, 127, 128, 191, 192, 254, 255]);
        prop_oneof![any::<u8>(), ends]
    }

    /// Proves: constants of one word are the sets that are made at run time.
    #[test]
    fn constants_are_the_same_sets() {
        for (from, to) in (0..70).flat_map(|from| (0..70).map(move |to| (from, to))) {
            assert_eq!(PortSet::const_range(from, to), PortSet::range(from, to), "{from} to {to}");
            assert_eq!(PortSet::const_first_n(to), PortSet::first_n(to), "{to}");
        }
    }

    proptest! {
        #[test]
        fn wide_sets_of_ports_agree_with_lists(
            one in proptest::collection::btree_set(port(), 0..40),
            other in proptest::collection::btree_set(port(), 0..40),
            (start, n) in (port(), 0usize..45),
            ends in (0usize..300, 0usize..300),
        ) {
            agrees::<WideBits>(&one, &other, start, n, ends);
            agrees::<WideBits>(&one, &one, start, n, ends);
        }

        #[test]
        fn sets_of_one_word_agree_with_lists(
            one in proptest::collection::btree_set(0u8..<PortSet>::CAPACITY as u8, 0..20),
            other in proptest::collection::btree_set(0u8..<PortSet>::CAPACITY as u8, 0..20),
            (start, n) in (0u8..<PortSet>::CAPACITY as u8, 0usize..45),
            ends in (0usize..300, 0usize..300),
        ) {
            agrees::<usize>(&one, &other, start, n, ends);
        }
    }

    #[test]
    fn wide_sets_reach_over_the_ends_of_their_words() {
        for end in [0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257] {
            let all = (0..256).filter(|&n| n < end).map(|n| n as u8).collect::<Vec<_>>();
            assert_eq!(WidePorts::first_n(end).iter().map(PortId::number).collect::<Vec<_>>(), all);
        }
        for start in [63, 64, 65, 127, 128, 191, 192, 255] {
            let ports: WidePorts = [62, 66, 200].map(PortId::new).into_iter().collect();
            let after = [62, 66, 200].into_iter().find(|&n| n >= start).unwrap_or(62);
            assert_eq!(ports.first_from(PortId::new(start)), Some(PortId::new(after)));
        }
    }

    #[test]
    fn ranges_reach_the_top_of_the_word() {
        assert_eq!(VcSet::first_n(8).bits(), 0xff);
        assert_eq!(VcSet::range(2, 5).bits(), 0b11100);
        assert_eq!(<PortSet>::first_n(<PortSet>::CAPACITY).len(), <PortSet>::CAPACITY);
    }
}
