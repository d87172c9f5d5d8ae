//! The matrix arbiter: the least recently served.

use super::Arbitrate;
use crate::layout;
use crate::per_port::wrapped;
use crate::units::{PortId, PortSet};
use core::num::NonZeroU8;

/// The order in which requesters were last served, as a clock that ticks with each service and a stamp for each
/// requester. It is the order that the triangular bit matrix of the hardware encodes: bit *i, j* says whether the
/// stamp of *i* is below that of *j*.
#[derive(Clone, Copy)]
pub struct Matrix<const N: usize> {
    stamps: [u8; N],
    /// Never 0: the type of an arbiter needs no byte more to tell its kind.
    clock: NonZeroU8,
}

impl<const N: usize> Matrix<N> {
    /// The clock behind `N` stamps.
    const START: NonZeroU8 = NonZeroU8::MIN.saturating_add(N as u8);

    #[inline(always)]
    fn of(&self, n: u8) -> u8 {
        self.stamps.get(wrapped::<N>(usize::from(n))).copied().unwrap_or(u8::MAX)
    }

    /// The requester that was served longest ago.
    #[inline(always)]
    fn oldest(&self, requests: PortSet) -> Option<u8> {
        let mut best = requests.first()?.number();
        let mut others = requests.minus(PortSet::only(PortId::new(best)));
        if others.is_empty() {
            return Some(best);
        }
        let mut least = self.of(best);
        while let Some(other) = others.first() {
            let stamp = self.of(other.number());
            if stamp < least {
                (best, least) = (other.number(), stamp);
            }
            others.remove(other);
        }
        Some(best)
    }

    /// How many were served before each: what the stamps mean.
    pub fn ranks(&self) -> [u8; N] {
        self.stamps.map(|stamp| self.stamps.iter().filter(|&&other| other < stamp).count() as u8)
    }

    #[cold]
    #[inline(never)]
    fn restart_clock(&mut self) {
        self.stamps = self.ranks();
        self.clock = Self::START;
    }
}

impl<const N: usize> core::fmt::Debug for Matrix<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.ranks()).finish()
    }
}

impl<const N: usize> PartialEq for Matrix<N> {
    fn eq(&self, other: &Self) -> bool {
        self.ranks() == other.ranks()
    }
}

impl<const N: usize> Eq for Matrix<N> {}

impl<const N: usize> Arbitrate for Matrix<N> {
    const WORD: &'static str = "matrix";
    const RTL: Option<u32> = Some(layout::ARBITER_MATRIX);

    fn new() -> Self {
        Self { stamps: core::array::from_fn(|n| n as u8), clock: Self::START }
    }

    #[inline(always)]
    fn pick(&self, requests: PortSet) -> Option<u8> {
        self.oldest(requests)
    }

    #[inline]
    fn served(&mut self, n: u8) {
        if let Some(stamp) = self.stamps.get_mut(wrapped::<N>(usize::from(n))) {
            *stamp = self.clock.get();
            match self.clock.checked_add(1) {
                Some(next) => self.clock = next,
                None => self.restart_clock(),
            }
        }
    }

    fn is_copy_of(&self, other: &Self) -> bool {
        self.stamps == other.stamps
    }

    fn width(requesters: u32) -> u32 {
        requesters.saturating_mul(requesters.saturating_sub(1)).wrapping_shr(1).max(1)
    }

    /// For each pair *i* < *j*, row after row, whether *i* was served longer ago than *j*.
    fn registers_of(&self, requesters: usize) -> u128 {
        let stamps = self.stamps.get(..requesters).unwrap_or_default();
        // From the last pair to the first: to shift by one bit takes little code, even in words of 128 bits.
        let mut all = 0;
        for (i, stamp) in stamps.iter().enumerate().rev() {
            for other in stamps.iter().skip(i.wrapping_add(1)).rev() {
                all = all << 1 | u128::from(stamp < other);
            }
        }
        all
    }
}
