//! The round-robin arbiter: the first at or after a pointer, which moves past each winner.

use super::Arbitrate;
use crate::layout;
use crate::units::{Bits, PortId, PortSet};
use core::marker::PhantomData;

/// The requester to look at first; and among those that yield to the others.
///
/// With one pointer for both, grants of the others would move it to one place before each turn of those that yield. The first of them
/// behind that place would win each time, and the others starve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRobin<const N: usize, B: Bits = usize> {
    first: u8,
    first_yielding: u8,
    requesters: PhantomData<B>,
}

impl<const N: usize, B: Bits> RoundRobin<N, B> {
    /// The one behind `n`.
    #[inline(always)]
    const fn behind(n: u8) -> u8 {
        let next = n.wrapping_add(1);
        if next as usize >= N { 0 } else { next }
    }

    /// Those that come after the one served last, none where requester 0 is first.
    fn after(first: u8, requesters: usize) -> PortSet {
        if first == 0 { PortSet::EMPTY } else { PortSet::range(first.into(), requesters) }
    }
}

impl<const N: usize, B: Bits> Arbitrate<B> for RoundRobin<N, B> {
    const WORD: &'static str = "round-robin";
    const RTL: Option<u32> = Some(layout::ARBITER_ROUND_ROBIN);

    fn new() -> Self {
        Self { first: 0, first_yielding: 0, requesters: PhantomData }
    }

    #[inline(always)]
    fn pick(&self, requests: PortSet<B>) -> Option<u8> {
        requests.first_from(PortId::new(self.first)).map(PortId::number)
    }

    #[inline(always)]
    fn served(&mut self, n: u8) {
        self.first = Self::behind(n);
    }

    #[inline(always)]
    fn pick_yielding(&self, requests: PortSet<B>) -> Option<u8> {
        requests.first_from(PortId::new(self.first_yielding)).map(PortId::number)
    }

    #[inline(always)]
    fn served_yielding(&mut self, n: u8) {
        self.first_yielding = Self::behind(n);
    }

    fn is_copy_of(&self, other: &Self) -> bool {
        self == other
    }

    fn width(requesters: u32) -> u32 {
        requesters
    }

    fn registers_of(&self, requesters: usize) -> u128 {
        self.registers_among(requesters, PortSet::EMPTY)
    }

    /// Of each of the two, those that come after the one of them that was served last.
    fn registers_among(&self, requesters: usize, yielding: PortSet) -> u128 {
        let others = Self::after(self.first, requesters).minus(yielding);
        let yielding = Self::after(self.first_yielding, requesters).and(yielding);
        others.union(yielding).bits() as u128
    }
}
