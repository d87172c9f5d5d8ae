//! What the triggers compare with, bit by bit as the RTL's registers hold it.
//!
//! A register holds any bits, a scenario only sensible ones.

use router_core::fixed::{U1F15, U8F8};
use router_core::select::contention::ContentionTrigger;
use router_core::select::contention_average::AverageTrigger;
use router_core::select::ectn::EctnTrigger;
use router_core::select::hybrid::HybridTrigger;
use router_core::select::occupancy::{GlobalRestriction, OccupancyTrigger};
use router_core::select::ugal::UgalTrigger;
use router_core::select::{Selection, Thresholds};
use serde::{Deserialize, Serialize};

/// The thresholds of the comparators that are in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThresholdBits {
    /// Packets from which on an output is contended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contention: Option<u16>,
    /// The multiple of the mean counter above which an output is contended, in 256ths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average: Option<u16>,
    /// Packets of a group for another one from which on the way there is contended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combined: Option<u16>,
    /// What a minimal output's queue times hops may be more than a detour's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bias: Option<u16>,
    /// What occupancies are compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occupancy: Option<OccupancyBits>,
}

/// The thresholds of the occupancy trigger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OccupancyBits {
    /// Share of the minimal output's buffer, in 32,768ths.
    pub minimal: u16,
    /// Share of the minimal output's occupancy, in 256ths.
    pub relative: u16,
    /// The further condition for global minimal outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restriction: Option<RestrictionBits>,
}

/// The thresholds of the global restriction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestrictionBits {
    /// The multiple of the mean, in 256ths.
    pub factor: u16,
    /// Packets above it.
    pub packets: u16,
}

impl ThresholdBits {
    /// The trigger that compares with them, in a router whose scenario has this one.
    pub fn selection(self, scenario: Selection) -> Selection {
        if scenario.asks_any() {
            return scenario;
        }
        let Thresholds { occupancy, contention, average, combined, bias } = self.into();
        let contention = contention.map(|threshold| ContentionTrigger { threshold });
        if let Selection::Ugal(trigger) = scenario {
            return Selection::Ugal(UgalTrigger { bias: bias.unwrap_or(trigger.bias), ..trigger });
        }
        if let Selection::Ectn(trigger) = scenario {
            return Selection::Ectn(EctnTrigger {
                contention: contention.unwrap_or(trigger.contention),
                combined_threshold: combined.unwrap_or(trigger.combined_threshold),
                ..trigger
            });
        }
        match (occupancy, contention, average) {
            (Some(occupancy), Some(contention), _) => {
                Selection::Hybrid(HybridTrigger { occupancy, contention })
            }
            (Some(occupancy), None, _) => Selection::Occupancy(occupancy),
            (None, Some(contention), _) => Selection::Contention(contention),
            (None, None, Some(factor)) => Selection::ContentionAverage(AverageTrigger { factor }),
            (None, None, None) => Selection::NEVER,
        }
    }
}

impl From<ThresholdBits> for Thresholds {
    fn from(bits: ThresholdBits) -> Self {
        Self {
            occupancy: bits.occupancy.map(OccupancyTrigger::from),
            contention: bits.contention,
            average: bits.average.map(U8F8::from_bits),
            combined: bits.combined,
            bias: bits.bias,
        }
    }
}

impl From<OccupancyBits> for OccupancyTrigger {
    fn from(bits: OccupancyBits) -> Self {
        let restriction = |bits: RestrictionBits| GlobalRestriction {
            factor: U8F8::from_bits(bits.factor),
            packets: bits.packets,
        };
        Self {
            minimal_occupancy: U1F15::from_bits(bits.minimal),
            relative_threshold: U8F8::from_bits(bits.relative),
            global_restriction: bits.restriction.map(restriction),
        }
    }
}
