//! The round-robin arbiter: the first at or after a pointer, which moves past each winner.

use super::Arbitrate;
use crate::layout;
use crate::units::{PortId, PortSet};

/// The requester to look at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRobin<const N: usize>(u8);

impl<const N: usize> Arbitrate for RoundRobin<N> {
    const WORD: &'static str = "round-robin";
    const RTL: Option<u32> = Some(layout::ARBITER_ROUND_ROBIN);

    fn new() -> Self {
        Self(0)
    }

    #[inline(always)]
    fn pick(&self, requests: PortSet) -> Option<u8> {
        requests.first_from(PortId::new(self.0)).map(PortId::number)
    }

    #[inline(always)]
    fn served(&mut self, n: u8) {
        let next = n.wrapping_add(1);
        self.0 = if usize::from(next) >= N { 0 } else { next };
    }

    fn is_copy_of(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn width(requesters: u32) -> u32 {
        requesters
    }

    /// Those that come after the one served last, none where requester 0 is first.
    fn registers_of(&self, requesters: usize) -> u128 {
        if self.0 == 0 { 0 } else { PortSet::range(self.0.into(), requesters).bits() as u128 }
    }
}
