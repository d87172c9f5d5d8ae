//! The matrix arbiter: the least recently served.

use super::Arbitrate;
use crate::layout;
use crate::per_port::wrapped;
use crate::units::{Bits, PortId, PortSet, Stamp};

/// The order in which requesters were last served, as a clock that ticks with each service and a stamp for each
/// requester. It is the order that the triangular bit matrix of the hardware encodes: bit *i, j* says whether the
/// stamp of *i* is below that of *j*.
#[derive(Clone, Copy)]
pub struct Matrix<const N: usize, B: Bits = usize> {
    stamps: [B::Stamp; N],
    /// Never 0: the type of an arbiter needs no byte more to tell its kind.
    clock: <B::Stamp as Stamp>::Clock,
}

impl<const N: usize, B: Bits> Matrix<N, B> {
    #[inline(always)]
    fn of(&self, n: u8) -> B::Stamp {
        self.stamps.get(wrapped::<N>(usize::from(n))).copied().unwrap_or(B::Stamp::LAST)
    }

    /// The requester that was served longest ago.
    #[inline(always)]
    fn oldest(&self, requests: PortSet<B>) -> Option<u8> {
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
    pub fn ranks(&self) -> [B::Stamp; N] {
        let rank = |stamp| self.stamps.iter().filter(|&&other| other < stamp).count();
        self.stamps.map(|stamp| B::Stamp::of(rank(stamp)))
    }

    #[cold]
    #[inline(never)]
    fn restart_clock(&mut self) {
        self.stamps = self.ranks();
        self.clock = B::Stamp::clock(N);
    }
}

impl<const N: usize, B: Bits> core::fmt::Debug for Matrix<N, B> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.ranks()).finish()
    }
}

impl<const N: usize, B: Bits> PartialEq for Matrix<N, B> {
    fn eq(&self, other: &Self) -> bool {
        self.ranks() == other.ranks()
    }
}

impl<const N: usize, B: Bits> Eq for Matrix<N, B> {}

impl<const N: usize, B: Bits> Arbitrate<B> for Matrix<N, B> {
    const WORD: &'static str = "matrix";
    const RTL: Option<u32> = Some(layout::ARBITER_MATRIX);

    fn new() -> Self {
        Self { stamps: core::array::from_fn(B::Stamp::of), clock: B::Stamp::clock(N) }
    }

    #[inline(always)]
    fn pick(&self, requests: PortSet<B>) -> Option<u8> {
        self.oldest(requests)
    }

    #[inline]
    fn served(&mut self, n: u8) {
        if let Some(stamp) = self.stamps.get_mut(wrapped::<N>(usize::from(n))) {
            *stamp = B::Stamp::now(self.clock);
            match B::Stamp::tick(self.clock) {
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
