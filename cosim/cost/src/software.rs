//! What the same decisions cost as software: the measurements of the firmware, where there are any.

use super::error::{CostError, at};
use desvio_sim::bounded;
use desvio_sim::scenario::{AllocatorKind, RoutingScheme, Scenario, Selection};
use router_core::units::PortClass;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What the firmware's router costs on microcontrollers, as `cargo xtask firmware --update` measured it.
#[derive(Debug, Clone, Default)]
pub struct Software(BTreeMap<(String, usize, String), f64>);

/// What a router costs on one microcontroller.
#[derive(Debug, Clone, PartialEq)]
pub struct SoftwareCost {
    /// The microcontroller, as Rust calls it.
    pub target: String,
    /// Instructions of a step, mean over 512 steps with all VCs full.
    pub instructions: f64,
    /// Bytes of the router's state; buffers of 32 flits.
    pub ram: f64,
    /// Bytes of the whole program, where that was measured.
    pub flash: Option<f64>,
}

/// A line of the table of measurements.
#[derive(Deserialize)]
struct Measurement {
    target: String,
    ports: usize,
    what: String,
    number: f64,
}

impl Software {
    /// Reads the table; a table that does not exist is an empty one.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(path: &Path) -> Result<Self, CostError> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = bounded::read_text(path, LARGEST).map_err(at(path))?;
        let lines = csv::Reader::from_reader(text.as_bytes()).into_deserialize::<Measurement>();
        let lines = lines.collect::<Result<Vec<_>, _>>().map_err(|error| CostError::Unreadable {
            program: "the firmware",
            job: path.display().to_string(),
            reason: error.to_string(),
        })?;
        Ok(Self(lines.into_iter().map(|line| ((line.target, line.ports, line.what), line.number)).collect()))
    }

    /// What it says about the router of a scenario. It was measured with OLM, the contention trigger, three VCs and two iterations of
    /// a separable allocator: of other routers it says nothing.
    #[must_use]
    pub fn of(&self, scenario: &Scenario, ports: usize) -> Vec<SoftwareCost> {
        let Scenario { routing, selection, router, .. } = scenario;
        let is_measured = matches!(routing.scheme, RoutingScheme::Olm(_))
            && matches!(selection.trigger, Selection::Contention(_))
            && router.options.allocator == AllocatorKind::SeparableInputFirst
            && router.options.iterations == 2
            && router.vcs[PortClass::LOCAL] == 3;
        let cost = |target: &str| {
            Some(SoftwareCost {
                target: target.to_owned(),
                instructions: self.get(target, ports, "step all VCs full, mean")?,
                ram: self.get(target, ports, "bytes router")?,
                flash: self.get(target, ports, "bytes flash of the switch"),
            })
        };
        if is_measured { self.targets().into_iter().filter_map(cost).collect() } else { Vec::new() }
    }

    /// A measurement.
    #[must_use]
    pub fn get(&self, target: &str, ports: usize, what: &str) -> Option<f64> {
        self.0.get(&(target.to_owned(), ports, what.to_owned())).copied()
    }

    /// The microcontrollers.
    #[must_use]
    pub fn targets(&self) -> Vec<&str> {
        let mut targets: Vec<&str> = self.0.keys().map(|(target, ..)| target.as_str()).collect();
        targets.dedup();
        targets
    }
}

/// A table has a hundred lines.
const LARGEST: u64 = 1 << 20;
