//! What one router of a network has on its configuration inputs.

use crate::settings::Settings;
use crate::shape::{NotInRtl, PORTS, Rows, Shape};
use crate::{lifetimes, marks, vl_tables};
use desvio_sim::blueprint::Blueprint;
use router_core::layout;
use router_core::lfsr::Lfsr;
use router_core::plan::Plan;
use router_core::route::Here;
use router_core::select::occupancy::OccupancyTrigger;
use router_core::select::{Selection, Thresholds};

/// Inputs of the module by name, with their widths and values.
pub type Inputs = Vec<(&'static str, u32, u64)>;

/// The configuration of one router.
#[derive(Clone, Debug)]
pub struct Configuration {
    number: u32,
    here: Here,
    /// Of the run.
    seed: u64,
    selection: Selection,
    ports: u32,
    counter_width: u32,
    speedup: u8,
    /// The rows of the routing table.
    rows: Vec<u64>,
    plan: Plan<PORTS>,
}

impl Configuration {
    /// That of router number `router`.
    ///
    /// # Errors
    /// When the network cannot be built.
    pub fn of(blueprint: &Blueprint, shape: &Shape, router: usize) -> Result<Self, NotInRtl> {
        let here = blueprint.here(router);
        let mut rows = Rows::of(blueprint, router)?.rows;
        // A port that no router has is all of them.
        rows.iter_mut().for_each(|row| *row &= u64::MAX >> (u64::BITS - shape.ports as u32));
        if rows.is_empty() {
            rows.push(0);
        }
        Ok(Self {
            number: router as u32,
            here,
            seed: blueprint.scenario().run.seed,
            selection: shape.plan().selection,
            ports: shape.ports as u32,
            counter_width: shape.counter_width,
            speedup: shape.speedup as u8,
            rows,
            plan: shape.plan().clone(),
        })
    }

    /// The rows of the routing table, and behind them those of marks, of the tables of VL arbitration, and of lifetime limits.
    pub fn rows(&self, settings: &Settings) -> Vec<u64> {
        let mut rows = self.rows.clone();
        if self.plan.marking.is_on() {
            rows.extend(marks::rows(&self.plan, &settings.marking(&self.plan)));
        }
        if let Some(lanes) = settings.vl_arbitration(&self.plan) {
            rows.extend(vl_tables::rows(&self.plan, &lanes));
        }
        if self.plan.lifetimes.limits_heads() {
            rows.extend(lifetimes::rows(&self.plan, &settings.lifetimes(&self.plan, self.speedup)));
        }
        rows
    }

    /// That of the stimulus, or else of the run.
    pub fn seed(&self, settings: &Settings) -> u64 {
        settings.seed(self.seed)
    }

    /// Sampled in reset only.
    pub fn inputs(&self, settings: &Settings) -> Inputs {
        let word = Lfsr::new(self.seed(settings), self.number).word();
        vec![
            ("config_router", layout::ROUTER_BITS, u64::from(self.here.router)),
            ("config_wired", self.ports, self.here.wired.bits() as u64),
            ("config_exits", self.ports, self.here.group_exits.bits() as u64),
            ("config_seed", 32, u64::from(word)),
        ]
    }

    /// Sampled in reset, and with `config_load` while the router runs. Comparators that are not in use have the bits of
    /// `unused`.
    pub fn thresholds(&self, settings: &Settings, unused: u64) -> Inputs {
        let thresholds = settings.selection(self.selection).thresholds();
        let Thresholds { occupancy, contention, average, combined, bias } = thresholds;
        // A threshold that no counter reaches is one beyond the highest count.
        let highest = (1u64 << self.counter_width) - 1;
        let threshold = contention.map_or(unused & highest, |threshold| u64::from(threshold).min(highest));
        let mut inputs = vec![
            ("config_occupancy_enable", 1, u64::from(occupancy.is_some())),
            ("config_contention_enable", 1, u64::from(thresholds.counts())),
            ("config_contention_threshold", self.counter_width, threshold),
            (
                "config_contention_factor",
                16,
                average.map_or(unused & 0xffff, |factor| factor.to_bits().into()),
            ),
            ("config_combined_threshold", 16, combined.map_or(unused >> 8 & 0xffff, u64::from)),
            ("config_ugal_bias", 16, bias.map_or(unused >> 12 & 0xffff, u64::from)),
        ];
        inputs.extend(occupancy_thresholds(occupancy, unused));
        inputs
    }
}

fn occupancy_thresholds(trigger: Option<OccupancyTrigger>, unused: u64) -> [(&'static str, u32, u64); 5] {
    let unused = |at: u32| unused >> at & 0xffff;
    let bits = |of: fn(&OccupancyTrigger) -> u16, at| trigger.as_ref().map_or(unused(at), |t| of(t).into());
    let restriction = trigger.and_then(|t| t.global_restriction);
    let enabled = trigger.map_or(unused(0) & 1, |_| restriction.is_some().into());
    [
        ("config_minimal_occupancy", 16, bits(|t| t.minimal_occupancy.to_bits(), 16)),
        ("config_relative_threshold", 16, bits(|t| t.relative_threshold.to_bits(), 32)),
        ("config_restriction", 1, enabled),
        ("config_restriction_factor", 16, restriction.map_or(unused(48), |r| r.factor.to_bits().into())),
        ("config_restriction_packets", 16, restriction.map_or(unused(24), |r| r.packets.into())),
    ]
}
