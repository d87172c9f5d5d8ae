//! What lifetime limits come to: packets that are discarded or just not, lanes that are stalled.

use crate::case::Case;
use crate::rtl::Field;
use crate::settings::Settings;
use crate::shape::Shape;
use router_core::layout;
use router_core::units::{PortId, VcId};

/// A VC of an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) at: (PortId, VcId),
    pub(super) state: Field,
    pub(super) minimal: Field,
    pub(super) age: Field,
}

/// The packets of a VC of an input, where they grow old.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    at: (PortId, VcId),
    state: Field,
    /// Those that are too old.
    old: Field,
}

impl Queue {
    /// Of its counts in `aged` the highest is of those that are too old.
    pub(super) fn new(at: (PortId, VcId), state: Field, aged: Field) -> Self {
        let bits = aged.bits / layout::LIFETIME_TICKS;
        let lowest = aged.lowest + (aged.bits - bits) as usize;
        Self { at, state, old: Field { lowest, bits } }
    }
}

/// Where the registers are, and the limits.
#[derive(Clone, Debug, Default)]
pub(super) struct Lifetimes {
    pub(super) packets: Vec<Waiting>,
    /// Of each VC behind an output: how many were discarded in succession, and for how long it is stalled.
    pub(super) late: Vec<Field>,
    pub(super) stalled: Vec<Field>,
    pub(super) queues: Vec<Queue>,
    /// Internal cycles, by output; `None` where there is no limit.
    limits: Vec<Option<u128>>,
}

impl Lifetimes {
    /// The limits have been written.
    pub(super) fn reset(&mut self, settings: &Settings, shape: &Shape) {
        let all = settings.lifetimes(shape.plan(), shape.speedup as u8);
        let limit = |port: usize| all.internal_cycles(PortId::new(port as u8)).map(u128::from);
        self.limits = (0..shape.ports).map(limit).collect();
    }

    /// What one cycle adds.
    pub(super) fn observe(&self, before: &[u64], now: &[u64], see: &mut dyn FnMut(Case)) {
        use layout::{VC_STATE_DISCARDING as DISCARDING, VC_STATE_WAITING as WAITING};
        let mut discarded = 0;
        let is_old = |at| self.queues.iter().any(|queue| queue.at == at && queue.old.of(before) > 0);
        for &Waiting { at, state, minimal, age } in &self.packets {
            let output = minimal.of(before).trailing_zeros() as usize;
            let Some(&Some(limit)) = self.limits.get(output) else { continue };
            if state.of(before) != u128::from(WAITING) {
                continue;
            }
            let (was, is_discarded) = (age.of(before), state.of(now) == u128::from(DISCARDING));
            discarded += u32::from(is_discarded);
            if is_discarded && was < limit && !is_old(at) {
                see(Case::LifetimeStalledLane);
            }
            if was + 1 == limit && !is_discarded && age.of(now) == 0 {
                see(Case::LifetimeJustInTime);
            }
        }
        if discarded > 1 {
            see(Case::LifetimeSeveral);
        }
        self.see_old(before, now, see);
        for (late, stalled) in self.late.iter().zip(&self.stalled) {
            let (count, left) = (|words| late.of(words), |words| stalled.of(words));
            if left(before) == 0 && left(now) > 0 {
                see(Case::LifetimeStalls);
            }
            if left(before) > 0 && left(now) == 0 {
                see(Case::LifetimeStallEnds);
            }
            if count(before) > 0 && count(now) == 0 && left(now) == 0 {
                see(Case::LifetimeSetBack);
            }
        }
    }

    /// What becomes of packets that are too old.
    fn see_old(&self, before: &[u64], now: &[u64], see: &mut dyn FnMut(Case)) {
        use layout::{VC_STATE_ACTIVE as ACTIVE, VC_STATE_WAITING as WAITING};
        let is = |field: &Field, words: &[u64], state: u32| field.of(words) == u128::from(state);
        for Queue { state, old, .. } in self.queues.iter().filter(|queue| queue.old.of(now) > 0) {
            if is(state, now, ACTIVE) {
                see(Case::LifetimeOldLeaves);
            }
            if is(state, now, WAITING) {
                see(Case::LifetimeInRouter);
                if !is(state, before, WAITING) && old.of(before) > 1 {
                    see(Case::LifetimeOldAtFront);
                }
            }
        }
    }
}
