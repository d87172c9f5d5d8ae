//! A lockstep of many configurations: routers that together have every choice of the RTL but the turn model's turns.

mod configurations;
mod tables;

use crate::shape::{NotInRtl, Shape};
pub use configurations::CONFIGURATIONS;
use configurations::OWN_LENGTHS;
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use desvio_sim::scenario::{Scenario, ScenarioError};
use std::path::Path;
use thiserror::Error;

/// What the scenarios of all configurations have in common; a configuration's `sets` replace some of it.
const COMMON: &str = r#"
[topology]
kind = "dragonfly"
p = 2
a = 4
h = 2

[routing]
algorithm = "olm"

[traffic]
loads = [0.5]
packet_flits = 8

[run]
seed = 1
"#;

/// A router of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Configuration {
    /// What it is known by.
    pub name: &'static str,
    /// Where it differs from a Dragonfly of p = 2, a = 4, h = 2 with OLM and packets of 8 flits: `key=value`, as `--set` takes
    /// them.
    pub sets: &'static [&'static str],
    /// Bits of a flit.
    pub flit_width: u32,
}

/// Why a configuration is no router.
#[derive(Debug, Error)]
pub enum CampaignError {
    /// Its scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// Its network.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    /// Its tables, which are a file for a moment.
    #[error("a file of tables: {0}")]
    Tables(#[from] std::io::Error),
    /// Its router.
    #[error(transparent)]
    Shape(#[from] NotInRtl),
    /// Flits that have no room for a header.
    #[error("a flit has {min} to {max} bits, not {0}", min = router_core::layout::HEADER_BITS, max = Shape::WIDEST_FLIT)]
    FlitWidth(u32),
}

impl Configuration {
    /// The network.
    ///
    /// # Errors
    /// When there is no such network.
    pub fn blueprint(&self) -> Result<Blueprint, CampaignError> {
        self.with(&[])
    }

    /// The network, when `after` is set after its own `sets`.
    ///
    /// # Errors
    /// When there is no such network.
    pub fn with(&self, after: &[&str]) -> Result<Blueprint, CampaignError> {
        self.between(&[], after, Path::new(""))
    }

    /// The network, when `before` is set before its own `sets`; files that it mentions are looked for from `folder`.
    ///
    /// # Errors
    /// When there is no such network.
    pub fn blueprint_after(&self, before: &[&str], folder: &Path) -> Result<Blueprint, CampaignError> {
        self.between(before, &[], folder)
    }

    fn between(&self, before: &[&str], after: &[&str], folder: &Path) -> Result<Blueprint, CampaignError> {
        let sets: Vec<_> = before.iter().chain(self.sets).chain(after).map(|&set| set.to_owned()).collect();
        // Tables that nothing else brings.
        let brings = folder == Path::new("") && sets.iter().any(|set| set.contains(tables::FILE));
        let tables = brings.then(tables::Folder::make).transpose()?;
        let folder = tables.as_ref().map_or(folder, tables::Folder::path);
        Ok(Blueprint::new(Scenario::parse(COMMON, self.name, folder, &sets)?)?)
    }

    /// The routers of that network.
    ///
    /// # Errors
    /// When the RTL cannot be like that.
    pub fn shape(&self, blueprint: &Blueprint) -> Result<Shape, CampaignError> {
        let shape = Shape::of_router(blueprint, 0)?.with_flit_width(self.flit_width);
        let shape = shape.ok_or(CampaignError::FlitWidth(self.flit_width))?;
        Ok(if OWN_LENGTHS.contains(&self.name) { shape.for_own_packets() } else { shape })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use router_core::layout;
    use std::collections::BTreeSet;

    /// Every value that a parameter has in some configuration.
    fn values(parameter: &str) -> BTreeSet<u32> {
        let shapes = CONFIGURATIONS.iter().map(|configuration| {
            let blueprint = configuration.blueprint().unwrap();
            configuration.shape(&blueprint).unwrap()
        });
        let of = |shape: Shape| shape.parameter(parameter);
        shapes.filter_map(of).collect()
    }

    /// But for TURNS, which nothing reads but one module: a bench of routings compares all of its choices.
    #[test]
    fn together_they_have_every_choice_of_the_rtl() {
        for (parameter, choices) in [
            ("ROUTING", layout::ROUTING_COUNT),
            ("ARRANGEMENT", layout::ARRANGEMENT_COUNT),
            ("RULES", layout::RULES_COUNT),
            ("POLICY", layout::POLICY_COUNT),
            ("SCOPE", layout::SCOPE_COUNT),
            ("FLOW", layout::FLOW_COUNT),
            ("VC_ORDER", layout::VC_ORDER_COUNT),
            ("COUNT_AT", layout::COUNT_AT_COUNT),
            ("TRIGGER", layout::TRIGGER_COUNT),
            ("PORT_RULE", layout::PORT_RULE_COUNT),
            ("VC_RULE", layout::VC_RULE_COUNT),
            ("ALLOCATOR", layout::ALLOCATOR_COUNT),
            ("ARBITER", layout::ARBITER_COUNT),
            ("ALLOCATION_UNIT", layout::ALLOCATION_UNIT_COUNT),
            ("PRIORITY", layout::PRIORITY_COUNT),
            ("DISCARDS", 2),
        ] {
            assert_eq!(values(parameter), (0..choices).collect(), "{parameter}");
        }
        assert!(values("HOP_VCS").contains(&layout::HOP_VCS_LEVEL));
    }

    #[test]
    fn sizes_differ() {
        for (parameter, least) in [
            ("FLIT_WIDTH", 6),
            ("GLOBAL_FLITS", 4),
            ("OUTPUT_FLITS", 4),
            ("SPEEDUP", 3),
            ("ITERATIONS", 3),
            ("PIPELINE", 3),
            ("LIFETIME", 4),
            ("PACKET_LIFETIME", 3),
            ("VCS", 2),
            ("NODES", 3),
            ("GROUPS", 4),
        ] {
            let values = values(parameter);
            assert!(values.len() >= least, "{parameter}: {values:?}");
        }
    }
}
