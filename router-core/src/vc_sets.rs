//! A set of the VCs of all ports of a router, gone through a machine word at a time.

use crate::per_port::wrapped;
use crate::units::{PortId, VcId};

/// A set of VCs, `V` of each of `P` ports.
///
/// One flat loop over all ports instead of a short loop for each port: most short loops end in a mispredicted branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VcSets<const P: usize, const V: usize>([u8; P]);

impl<const P: usize, const V: usize> VcSets<P, V> {
    /// None.
    pub(crate) const EMPTY: Self = Self([0; P]);
    /// Bits of a port: its VCs are bits `PITCH · port` and up.
    const PITCH: usize = 1 << Self::PITCH_LOG;
    const PITCH_LOG: u32 = if V <= 4 { 2 } else { 3 };
    const PORTS_OF_A_WORD: usize = usize::BITS as usize >> Self::PITCH_LOG;
    const WORDS: usize = P.div_ceil(Self::PORTS_OF_A_WORD);

    /// The byte that a VC is in, and its bit there.
    #[inline(always)]
    fn place(port: PortId, vc: VcId) -> (usize, u8) {
        let bit = port.index().wrapping_mul(Self::PITCH).wrapping_add(wrapped::<V>(vc.index()));
        (wrapped::<P>(bit / 8), 1u8.wrapping_shl(bit as u32 % 8))
    }

    /// Adds one.
    #[inline(always)]
    pub(crate) fn insert(&mut self, port: PortId, vc: VcId) {
        let (byte, bit) = Self::place(port, vc);
        if let Some(byte) = self.0.get_mut(byte) {
            *byte |= bit;
        }
    }

    /// Adds one if `it`: without a jump, for what cannot be foreseen.
    #[inline(always)]
    pub(crate) fn insert_if(&mut self, it: bool, port: PortId, vc: VcId) {
        let (byte, bit) = Self::place(port, vc);
        if let Some(byte) = self.0.get_mut(byte) {
            *byte |= bit.wrapping_mul(it.into());
        }
    }

    /// Takes one out.
    #[inline(always)]
    pub(crate) fn remove(&mut self, port: PortId, vc: VcId) {
        let (byte, bit) = Self::place(port, vc);
        if let Some(byte) = self.0.get_mut(byte) {
            *byte &= !bit;
        }
    }

    /// Whether it is one of them.
    #[inline(always)]
    pub(crate) fn contains(&self, port: PortId, vc: VcId) -> bool {
        let (byte, bit) = Self::place(port, vc);
        self.0.get(byte).is_some_and(|byte| byte & bit != 0)
    }

    /// The VCs of the `nth` ports that share a word.
    #[inline(always)]
    fn word(&self, nth: usize) -> usize {
        let (words, rest) = self.0.as_chunks::<{ size_of::<usize>() }>();
        match words.get(nth) {
            Some(&bytes) => usize::from_le_bytes(bytes),
            None => {
                let mut bytes = [0; size_of::<usize>()];
                bytes.iter_mut().zip(rest).for_each(|(to, &from)| *to = from);
                usize::from_le_bytes(bytes)
            }
        }
    }

    /// Whether there is none.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        (0..Self::WORDS).fold(0, |all, nth| all | self.word(nth)) == 0
    }

    /// Whether there is none in either set.
    #[inline(always)]
    pub(crate) fn are_empty(&self, other: &Self) -> bool {
        (0..Self::WORDS).fold(0, |all, nth| all | self.word(nth) | other.word(nth)) == 0
    }

    /// Calls `visit` for each of them, in ascending order.
    #[inline(always)]
    pub(crate) fn each(&self, visit: impl FnMut(PortId, VcId)) {
        self.each_but(&Self::EMPTY, visit);
    }

    /// Calls `visit` for each of them that is not one of `others`, in ascending order.
    #[inline(always)]
    pub(crate) fn each_but(&self, others: &Self, mut visit: impl FnMut(PortId, VcId)) {
        for nth in 0..Self::WORDS {
            let mut rest = self.word(nth) & !others.word(nth);
            let first = nth.wrapping_mul(Self::PORTS_OF_A_WORD);
            while rest != 0 {
                let at = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                let port = first.wrapping_add(at >> Self::PITCH_LOG);
                visit(PortId::new(port as u8), VcId::new((at & Self::PITCH.wrapping_sub(1)) as u8));
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn agrees<const P: usize, const V: usize>(ops: &[(u8, u8, bool)]) {
        let (mut sets, mut tree) = (VcSets::<P, V>::EMPTY, BTreeSet::new());
        for &(port, vc, insert) in ops {
            let (port, vc) = (port % P as u8, vc % V as u8);
            sets.insert_if(false, PortId::new(port), VcId::new((vc + 1) % V as u8));
            if insert {
                // Both ways to add one.
                match port % 2 {
                    0 => sets.insert(PortId::new(port), VcId::new(vc)),
                    _ => sets.insert_if(true, PortId::new(port), VcId::new(vc)),
                }
                tree.insert((port, vc));
            } else {
                sets.remove(PortId::new(port), VcId::new(vc));
                tree.remove(&(port, vc));
            }
        }
        let mut seen = Vec::new();
        sets.each(|port, vc| seen.push((port.number(), vc.number())));
        assert_eq!(seen, tree.iter().copied().collect::<Vec<_>>());
        for (port, vc) in (0..P as u8).flat_map(|port| (0..V as u8).map(move |vc| (port, vc))) {
            assert_eq!(sets.contains(PortId::new(port), VcId::new(vc)), tree.contains(&(port, vc)));
        }
        assert_eq!(sets.is_empty(), tree.is_empty());
        assert_eq!(sets.are_empty(&VcSets::EMPTY), tree.is_empty());
        assert_eq!(VcSets::EMPTY.are_empty(&sets), tree.is_empty());
    }

    proptest! {
        #[test]
        fn agrees_with_a_tree(ops in proptest::collection::vec((0u8..64, 0u8..8, any::<bool>()), 0..200)) {
            agrees::<1, 1>(&ops);
            agrees::<5, 3>(&ops);
            agrees::<7, 4>(&ops);
            agrees::<16, 4>(&ops);
            agrees::<31, 5>(&ops);
            agrees::<64, 4>(&ops);
            agrees::<64, 8>(&ops);
        }
    }
}
