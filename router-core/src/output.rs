//! Stage 6. Outputs: who holds which VC of the next router, and when the link is free.
//!
//! The FIFO of an output needs no storage here. Its flits leave in the order they entered, one in each link cycle, so that the cycle in
//! which a flit leaves is known when it enters. The number of waiting flits is the distance between the first free cycle and the next one.

use crate::credit::Credits;
use crate::units::{VcId, VcSet};

/// One output port: what changes with each flit.
#[derive(Clone, Copy, Debug)]
pub struct OutputPort<const V: usize> {
    /// Credits for the VCs of the next router.
    pub credits: Credits<V>,
    /// The first link cycle in which nothing is due to leave.
    free_at: u64,
}

impl<const V: usize> OutputPort<V> {
    /// An idle output to buffers of `depth` flits.
    pub const fn new(depth: u16) -> Self {
        Self { credits: Credits::full(depth), free_at: 0 }
    }

    /// An idle output to buffers of different depths.
    pub fn with_depths(depth: impl Fn(VcId) -> u16) -> Self {
        Self { credits: Credits::of_depths(depth), free_at: 0 }
    }

    /// Flits in the FIFO that will still be there at the next link cycle, `next`.
    #[inline(always)]
    pub const fn waiting(&self, next: u64) -> u64 {
        self.free_at.saturating_sub(next)
    }

    /// Whether a FIFO of `flits` flits takes no more in link cycle `next`.
    #[inline(always)]
    pub const fn is_full(&self, next: u64, flits: u32) -> bool {
        self.waiting(next) >= flits as u64
    }

    /// Those of `vcs` that have at least `room` free places.
    #[inline]
    pub fn roomy(&self, vcs: VcSet, room: u16) -> VcSet {
        let mut found = vcs;
        for vc in vcs {
            if self.credits.left(vc) < room {
                found.remove(vc);
            }
        }
        found
    }

    /// Whether one of `vcs` has at least `room` free places.
    #[inline]
    pub fn has_room(&self, vcs: VcSet, room: u16) -> bool {
        for vc in vcs {
            if self.credits.left(vc) >= room {
                return true;
            }
        }
        false
    }

    /// A flit enters the FIFO; returns the link cycle in which it leaves, `next` at the earliest, and how many flits wait
    /// there now.
    #[inline(always)]
    pub fn push(&mut self, vc: VcId, next: u64) -> (u64, u32) {
        self.credits.take(vc);
        let ahead = self.waiting(next) as u32;
        let at = next.wrapping_add(ahead.into());
        self.free_at = at.wrapping_add(1);
        (at, ahead.wrapping_add(1))
    }

    /// `flits` flits of no packet enter the FIFO, behind those that wait there; returns the link cycle in which the last of them
    /// leaves, or `next` where there is none.
    pub fn occupy(&mut self, next: u64, flits: u32) -> u64 {
        if flits == 0 {
            return next;
        }
        self.free_at = next.wrapping_add(self.waiting(next)).wrapping_add(flits.into());
        self.free_at.wrapping_sub(1)
    }
}
