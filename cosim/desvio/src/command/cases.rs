//! From a file to what can be run, or to one clear message.

use super::failure::Failure;
use super::source;
use desvio_report::Curve;
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use desvio_sim::bounded;
use desvio_sim::forwarding::TablesError;
use desvio_sim::scenario::{LARGEST_FILE, Loads};
use desvio_sim::traffic::{Traffic, TrafficError};
use std::path::Path;

/// A scenario that is known to run: one curve.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) blueprint: Blueprint,
}

impl Case {
    /// Reads, checks and wires a scenario, and looks at the traffic of each of its loads.
    pub(crate) fn load(file: &Path, sets: &[String], name: &str) -> Result<Self, Failure> {
        let refuse = |message: String, keys: &[&str]| {
            Failure::Input(format!("{}: {message}", blame(file, sets, keys)))
        };
        let blueprint = Blueprint::new(source::read(file, sets)?)
            .map_err(|error| refuse(error.to_string(), suspects(&error)))?;
        let case = Self { name: name.to_owned(), blueprint };
        case.check_traffic()
            .map_err(|error| refuse(format!("traffic: {error}"), &["traffic.pattern", "traffic"]))?;
        Ok(case)
    }

    fn check_traffic(&self) -> Result<(), TrafficError> {
        let scenario = self.blueprint.scenario();
        let loads = match &scenario.traffic.loads {
            Loads::List(loads) => loads.as_slice(),
            Loads::Saturation => &[1.0],
        };
        let layout = self.blueprint.node_map();
        loads
            .iter()
            .try_for_each(|&load| Traffic::new(&scenario.traffic, &layout, load, scenario.run.seed).map(drop))
    }

    /// The curve before its first point.
    pub(crate) fn curve(&self) -> Curve {
        let scenario = self.blueprint.scenario();
        let mut keys = scenario.named().settings();
        keys.retain(|(key, _)| key != "traffic.loads");
        let (settings, scenario) = (scenario.differences(), scenario.to_toml());
        Curve { name: self.name.clone(), settings, keys, scenario, points: Vec::new() }
    }
}

/// The keys that may be to blame, the likeliest first.
fn suspects(error: &BlueprintError) -> &'static [&'static str] {
    match error {
        BlueprintError::Topology(_) => &["topology.file", "topology.a", "topology.dims", "topology"],
        BlueprintError::Table(_)
        | BlueprintError::TooLargeForTables { .. }
        | BlueprintError::Unfit(_)
        | BlueprintError::OwnRouting(_)
        | BlueprintError::OneWay { .. }
        | BlueprintError::Misfit { .. } => &["routing.algorithm", "topology.kind"],
        BlueprintError::NoSuchRoot { .. } => &["routing.root", "topology.kind"],
        BlueprintError::NoManagementPort { .. } => &["router.discards", "topology.kind"],
        BlueprintError::NoSuchLink { .. } => &["links.down", "topology.kind"],
        BlueprintError::Tables(TablesError { key: "routing.service_levels", .. }) => {
            &["routing.service_levels"]
        }
        BlueprintError::Tables(TablesError { key: "router.vcs", .. }) => &["router.vcs", "routing.sl_to_vl"],
        BlueprintError::Tables(TablesError { key: "routing.sl_to_vl", .. }) => {
            &["routing.sl_to_vl", "routing.service_levels", "router.vcs"]
        }
        BlueprintError::Tables(_) | BlueprintError::NoTables => &["routing.tables", "routing.algorithm"],
        BlueprintError::Forwarding(_) => &["routing.algorithm", "topology.kind"],
        BlueprintError::TooFewVcs { .. }
        | BlueprintError::TooFewVcsForHops { .. }
        | BlueprintError::TableVcs { .. } => &["router.vcs", "routing.algorithm", "topology.kind"],
        BlueprintError::TooLarge(_) => &["router.buffer_flits", "traffic.packet_flits", "topology.kind"],
        BlueprintError::Shadow(_) | BlueprintError::NoRouting => &[],
        BlueprintError::Plan(_) => &["router", "topology.kind"],
    }
}

/// Where the first of `keys` that was written stands: `file:line:column`, or the `--set` that wrote it.
fn blame(file: &Path, sets: &[String], keys: &[&str]) -> String {
    let path = source::name(file);
    let text = match source::text(file) {
        Ok(Some(text)) => text.to_owned(),
        _ => bounded::read_text(file, LARGEST_FILE).unwrap_or_default(),
    };
    let written = |key: &&str| {
        let sets = sets.iter().rev();
        let mut by_key = sets.filter(|set| set.split('=').next().is_some_and(|left| left.trim() == *key));
        by_key.next().map(|set| format!("--set {set}")).or_else(|| {
            let (line, column) = place(&text, key)?;
            Some(format!("{path}:{line}:{column}"))
        })
    };
    keys.iter().find_map(written).unwrap_or(path)
}

/// Line and column of the value of a dotted key, from 1.
fn place(text: &str, key: &str) -> Option<(usize, usize)> {
    let document = toml::de::DeTable::parse(text).ok()?;
    let (mut table, mut span) = (Some(document.get_ref()), None);
    for part in key.split('.') {
        let value = table?.get(part)?;
        (table, span) = (value.get_ref().as_table(), Some(value.span()));
    }
    let before = text.get(..span?.start)?;
    let line = before.rsplit('\n').next().unwrap_or_default();
    Some((before.matches('\n').count() + 1, line.chars().count() + 1))
}
