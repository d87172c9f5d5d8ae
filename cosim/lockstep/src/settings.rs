//! What a router is configured with while it is reset, as a stimulus says it.

use crate::shape::Shape;
use crate::thresholds::ThresholdBits;
use crate::{lifetimes, marks, vl_tables};
use router_core::alloc::vl_arbiter::VlArbitration;
use router_core::lifetime::Lifetimes;
use router_core::mark::Marking;
use router_core::plan::Plan;
use router_core::select::Selection;
use serde::{Deserialize, Serialize};

/// What differs from the scenario; what is left out is as the scenario has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Seed of the router's random sequence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// Which router of the network it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub router: Option<usize>,
    /// What its triggers compare with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<ThresholdBits>,
    /// Seed of the tables by which its outputs arbitrate between VLs; each output has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vl_tables: Option<u32>,
    /// Seed of what its outputs mark by, where they mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<u32>,
    /// Seed of the lifetime limits of its outputs, where they have some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetimes: Option<u32>,
}

impl Settings {
    /// Whether everything is as the scenario has it.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The trigger that these thresholds make of the scenario's.
    pub fn selection(&self, scenario: Selection) -> Selection {
        self.thresholds.map_or(scenario, |thresholds| thresholds.selection(scenario))
    }

    /// The seed of a run, unless there is one here.
    pub fn seed(&self, scenario: u64) -> u64 {
        self.seed.map_or(scenario, u64::from)
    }

    /// What is marked at the outputs of a plan.
    pub(crate) fn marking<const P: usize>(&self, plan: &Plan<P>) -> Marking<P> {
        let seed = self.marks.filter(|_| plan.marking.is_on());
        seed.map_or_else(|| plan.marking.clone(), |seed| marks::drawn(seed, plan))
    }

    /// The tables of VL arbitration at the outputs of a plan.
    pub(crate) fn vl_arbitration<const P: usize>(&self, plan: &Plan<P>) -> Option<VlArbitration<P>> {
        let drawn = self.vl_tables.and_then(|seed| vl_tables::drawn(seed, plan));
        drawn.or_else(|| plan.vl_arbitration.clone())
    }

    /// The lifetime limits of the outputs of a plan, with `speedup` internal cycles to a link cycle.
    pub(crate) fn lifetimes<const P: usize>(&self, plan: &Plan<P>, speedup: u8) -> Lifetimes<P> {
        let seed = self.lifetimes.filter(|_| plan.lifetimes.limits_heads());
        seed.map_or_else(|| plan.lifetimes.clone(), |seed| lifetimes::drawn(seed, plan, speedup))
    }

    /// What is wrong with them for a router of this shape, if anything.
    pub(crate) fn violation(&self, shape: &Shape) -> Option<String> {
        let thresholds = self.thresholds?;
        (!shape.takes(&thresholds))
            .then(|| "settings: the router has no registers for such thresholds".to_owned())
    }
}
