//! Costs as tables and files: for a terminal, as CSV, JSON and Markdown, with the scripts and logs that they come from.

mod column;
mod files;
mod pictures;
mod table;

use super::{Cost, SoftwareCost, Target, Unit};
pub use column::{COLUMNS, Column};
use desvio_lockstep::rtl::Shape;
use desvio_sim::scenario::Scenario;
pub(crate) use files::records;
pub use files::replace;
pub use files::write;
pub use pictures::draw;
pub(crate) use pictures::picture;
use router_core::units::PortClass;
use std::collections::BTreeMap;
pub use table::{markdown, markdown_of, routers, text, units};

/// What several routers cost, and what found it out.
#[derive(Debug, Clone)]
pub struct Report {
    /// The routers.
    pub rows: Vec<Row>,
    /// The programs and their versions.
    pub tools: BTreeMap<&'static str, String>,
}

/// One router.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its name in tables.
    pub name: String,
    /// The keys of the scenario that differ from the defaults, and their values.
    pub settings: Vec<(String, String)>,
    /// Its ports.
    pub ports: usize,
    /// The largest number of VCs of a port.
    pub vcs: usize,
    /// Flits of a local VC's buffer.
    pub buffer_flits: u32,
    /// What it costs as software, by microcontroller.
    pub software: Vec<SoftwareCost>,
    /// What it costs, by target.
    pub costs: Vec<(Target, Cost)>,
}

impl Row {
    /// A router of which nothing is known yet.
    #[must_use]
    pub fn new(name: &str, scenario: &Scenario, shape: &Shape) -> Self {
        let settings = scenario.differences();
        Self {
            name: name.to_owned(),
            settings,
            ports: shape.ports,
            vcs: shape.vcs,
            buffer_flits: scenario.router.buffer_flits[PortClass::LOCAL],
            software: Vec::new(),
            costs: Vec::new(),
        }
    }

    /// What it costs for the first target of a kind.
    pub(crate) fn cost(&self, is: fn(&Target) -> bool) -> Option<&Cost> {
        self.costs.iter().find(|(target, _)| is(target)).map(|(_, cost)| cost)
    }

    /// What it costs in gates, else for any target.
    pub(crate) fn any_cost(&self) -> Option<&Cost> {
        self.cost(|target| *target == Target::Cells).or_else(|| self.costs.first().map(|(_, cost)| cost))
    }

    /// The units that it has.
    pub(crate) fn units(&self) -> impl Iterator<Item = Unit> + '_ {
        let has =
            |unit: &Unit| self.any_cost().is_some_and(|cost| cost.lines.iter().any(|l| l.part.unit == *unit));
        Unit::ALL.into_iter().filter(has)
    }
}
