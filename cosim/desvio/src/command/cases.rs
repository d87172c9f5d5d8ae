//! From a file to what can be run, or to one clear message.

use super::failure::Failure;
use super::{output, source};
use desvio_report::Curve;
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use desvio_sim::bounded;
use desvio_sim::forwarding::TablesError;
use desvio_sim::scenario::{LARGEST_FILE, Loads, Scenario};
use desvio_sim::topology::Wiring;
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
        let case = Self::of(source::read(file, sets)?, file, sets, name)?;
        case.check_traffic().map_err(|error| {
            let message = case.blueprint.wiring().named(&format!("traffic: {error}"));
            refusal(file, sets, &message, &["traffic.pattern", "traffic"])
        })?;
        Ok(case)
    }

    /// A network whose traffic does not matter: where the scenario is refused, it is read again with uniform traffic. One with groups of nodes
    /// is not: their trees are part of it.
    pub(crate) fn network(file: &Path, sets: &[String], name: &str) -> Result<Self, Failure> {
        let scenario = source::read(file, sets).or_else(|refused| {
            if has_groups(file, sets) {
                return Err(refused);
            }
            let other = ["traffic.pattern=uniform", "traffic.loads=[0.1]"].map(str::to_owned);
            source::read(file, &[sets, &other].concat()).map_err(|_| refused)
        })?;
        Self::of(scenario, file, sets, name)
    }

    fn of(scenario: Scenario, file: &Path, sets: &[String], name: &str) -> Result<Self, Failure> {
        let topology = scenario.topology.clone();
        let blueprint = Blueprint::new(scenario).map_err(|error| {
            // What has a message about a router may have a network with names.
            let names = Wiring::build(&topology).ok();
            let message = names.map_or_else(|| error.to_string(), |wiring| wiring.named(&error.to_string()));
            refusal(file, sets, &message, suspects(&error))
        })?;
        blueprint.wiring().notes().iter().for_each(|note| output::note(note));
        Ok(Self { name: name.to_owned(), blueprint })
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

fn refusal(file: &Path, sets: &[String], message: &str, keys: &[&str]) -> Failure {
    Failure::Input(format!("{}: {message}", blame(file, sets, keys)))
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
        | BlueprintError::WideRouting { .. }
        | BlueprintError::Wide { .. }
        | BlueprintError::Misfit { .. } => &["routing.algorithm", "topology.kind"],
        BlueprintError::NoSuchRoot { .. } => &["routing.root", "topology.kind"],
        BlueprintError::NoManagementPort { .. } => &["router.discards", "topology.kind"],
        BlueprintError::Rates(_) => &["topology.file", "topology.kind"],
        BlueprintError::NoSuchLink { .. } => &["links.down", "topology.kind"],
        BlueprintError::Traffic(_)
        | BlueprintError::GroupAddresses { .. }
        | BlueprintError::GroupApart { .. }
        | BlueprintError::Multicast { .. } => &["traffic.pattern", "topology.kind"],
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

/// Whether a scenario that may be refused speaks of messages for groups of nodes.
fn has_groups(file: &Path, sets: &[String]) -> bool {
    let is_named = |text: &str| text.contains("multicast");
    is_named(&text_of(file)) || sets.iter().any(|set| is_named(set))
}

fn text_of(file: &Path) -> String {
    match source::text(file) {
        Ok(Some(text)) => text.to_owned(),
        _ => bounded::read_text(file, LARGEST_FILE).unwrap_or_default(),
    }
}

/// Where the first of `keys` that was written stands: `file:line:column`, or the `--set` that wrote it.
fn blame(file: &Path, sets: &[String], keys: &[&str]) -> String {
    let path = source::name(file);
    let text = text_of(file);
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
