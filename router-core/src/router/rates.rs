//! Stage 6 where links are slower than a flit in each cycle.

use super::Router;
#[cfg(not(feature = "small"))]
use crate::rate::{Rate, paces};
use crate::units::{Bits, PortId};
use crate::vc::Descriptor;

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// The router as after reset, with links of these rates behind its outputs.
    #[cfg(not(feature = "small"))]
    #[must_use]
    pub fn with_rates(mut self, rate: impl Fn(PortId) -> Rate) -> Self {
        let (paces, is_slow) = paces(rate);
        self.paces = paces;
        if is_slow {
            self.looked_at = 0;
        }
        self
    }

    /// Flits in the FIFO of an output that will still be there at link cycle `next`.
    pub fn queued(&self, port: PortId, next: u64) -> u64 {
        let taken = self.outputs.get(port).map_or(0, |out| out.waiting(next));
        #[cfg(not(feature = "small"))]
        return self.paces.at(port).rate().flits_in(taken);
        #[cfg(feature = "small")]
        taken
    }

    /// Whether the FIFO of an output takes no more in link cycle `next`.
    #[inline]
    pub(super) fn is_fifo_full(&self, port: PortId, next: u64) -> bool {
        #[cfg(not(feature = "small"))]
        if self.looked_at == 0 {
            return self.queued(port, next) >= u64::from(self.full_at);
        }
        self.outputs.get(port).is_some_and(|out| out.is_full(next, self.full_at))
    }

    /// A flit has entered the FIFO of an output: its link is taken for as long as the rate says. Gives the flits that wait there.
    #[inline]
    pub(super) fn take_time(&mut self, port: PortId, next: u64) -> u32 {
        #[cfg(not(feature = "small"))]
        if let (Some(pace), Some(out)) = (self.paces.get_mut(port), self.outputs.get_mut(port)) {
            let gap = pace.step().wrapping_sub(1);
            if gap > 0 {
                out.occupy(next, gap);
            }
        }
        self.queued(port, next) as u32
    }
}
