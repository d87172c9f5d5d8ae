//! What lifetime limits come to: packets that are discarded or just not, lanes that are stalled.

use crate::case::Case;
use crate::rtl::{Field, Shape};
use crate::settings::Settings;
use router_core::layout;
use router_core::units::PortId;

/// A VC of an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) state: Field,
    pub(super) minimal: Field,
    pub(super) age: Field,
}

/// Where the registers are, and the limits.
#[derive(Clone, Debug, Default)]
pub(super) struct Lifetimes {
    pub(super) packets: Vec<Waiting>,
    /// Of each VC behind an output: how many were discarded in succession, and for how long it is stalled.
    pub(super) late: Vec<Field>,
    pub(super) stalled: Vec<Field>,
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
        for Waiting { state, minimal, age } in &self.packets {
            let output = minimal.of(before).trailing_zeros() as usize;
            let Some(&Some(limit)) = self.limits.get(output) else { continue };
            if state.of(before) != u128::from(WAITING) {
                continue;
            }
            let (was, is_discarded) = (age.of(before), state.of(now) == u128::from(DISCARDING));
            discarded += u32::from(is_discarded);
            if is_discarded && was < limit {
                see(Case::LifetimeStalledLane);
            }
            if was + 1 == limit && !is_discarded && age.of(now) == 0 {
                see(Case::LifetimeJustInTime);
            }
        }
        if discarded > 1 {
            see(Case::LifetimeSeveral);
        }
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
}
