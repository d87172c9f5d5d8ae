//! From a scenario back to text.

use std::path::{Path, PathBuf};

use router_core::settings::Choice;

use super::model::*;
use super::word::AUTO;
use super::{choice, defaults, rate};
use crate::document::Lines;
use crate::document::write::{path, quoted, word};

impl Scenario {
    /// The complete file, every default filled in. Reading it gives the same scenario again.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        for (section, lines) in self.lines() {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}[{section}]\n"));
            for (key, value) in lines {
                text.push_str(&format!("{key} = {value}\n"));
            }
        }
        text
    }

    /// The keys that are not at their defaults, such as `("router.speedup", "1")`, in the order of the file.
    ///
    /// Settings are those of the schemes that are chosen. All of the topology's keys belong to them; the loads do not, as
    /// each result names its own. A file goes by its name alone.
    pub fn differences(&self) -> Vec<(String, String)> {
        let shown = self.named();
        let mut default = defaults::scenario(self);
        default.topology = shown.topology.clone();
        let chosen = [
            ("algorithm", defaults::routing(&self.topology).word()),
            ("trigger", defaults::selection(&self.routing).trigger.word()),
        ];
        let mut found = Vec::new();
        for ((section, lines), (_, defaults)) in shown.lines().into_iter().zip(default.lines()) {
            let mut defaults = defaults.into_iter();
            for (key, value) in lines {
                let default = defaults.next().map_or(String::new(), |(_, default)| default);
                let default = match chosen.iter().find(|(choice, _)| *choice == key) {
                    Some((_, word)) => quoted(word),
                    None => default,
                };
                if section == "topology" || value != default {
                    found.push((format!("{section}.{key}"), value));
                }
            }
        }
        found
    }

    /// The scenario, every file going by its name alone: it does not depend on the machine.
    #[must_use]
    pub fn named(&self) -> Self {
        let mut named = self.clone();
        named.topology = self.topology.named();
        let RoutingSettings { tables, service_levels, sl_to_vl, updates, .. } = &mut named.routing;
        let updates =
            updates.iter_mut().flat_map(|TableUpdate { tables, service_levels, sl_to_vl, .. }| {
                [Some(tables), service_levels.as_mut(), sl_to_vl.as_mut()].into_iter().flatten()
            });
        for file in [tables, service_levels, sl_to_vl].into_iter().flatten().chain(updates) {
            *file = file.file_name().map(Into::into).unwrap_or_default();
        }
        named
    }

    /// The files that it names, which are read when it is wired: of the topology, of tables, service levels and lanes.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let RoutingSettings { tables, service_levels, sl_to_vl, updates, .. } = &self.routing;
        let given = [tables, service_levels, sl_to_vl].into_iter().filter_map(|file| file.as_deref());
        self.topology.file().into_iter().chain(given).chain(updates.iter().flat_map(TableUpdate::files))
    }

    /// Every key and value, with its table: `("router.speedup", "2")`, in the order of the file.
    #[must_use]
    pub fn settings(&self) -> Vec<(String, String)> {
        let of = |(section, lines): (&str, Lines)| {
            lines.into_iter().map(move |(key, value)| (format!("{section}.{key}"), value)).collect::<Vec<_>>()
        };
        self.lines().into_iter().flat_map(of).collect()
    }

    /// Every key and value, table by table.
    fn lines(&self) -> [(&'static str, Lines); 9] {
        let classes = self.topology.classes();
        [
            ("topology", topology_lines(&self.topology)),
            ("router", self.router.lines(classes)),
            ("links", link_lines(&self.links, classes)),
            ("routing", routing_lines(&self.routing)),
            ("selection", selection_lines(&self.selection)),
            ("traffic", self.traffic.write()),
            ("injection", injection_lines(&self.injection)),
            ("congestion", self.congestion.write(classes)),
            ("run", run_lines(&self.run)),
        ]
    }
}

fn topology_lines(topology: &Topology) -> Lines {
    let mut lines = vec![("kind", quoted(topology.word()))];
    lines.extend(topology.write());
    lines
}

fn link_lines(links: &LinkSettings, classes: &[&str]) -> Lines {
    let down = |&LinkDown { router, port, at, discards }: &LinkDown| {
        let discards = if discards { ", discards = true" } else { "" };
        format!("{{ router = {router}, port = {port}, at = {at}{discards} }}")
    };
    let down: Vec<_> = links.down.iter().map(down).collect();
    let mut lines =
        vec![("latency", links.latency.write(classes)), ("down", format!("[{}]", down.join(", ")))];
    // Written where it is set: other files stay as they were before there was such a key.
    if links.credit_latency != links.latency {
        lines.push(("credit_latency", links.credit_latency.write(classes)));
    }
    if let Some(rate) = &links.rate {
        lines.push(("rate", rate::write(rate, classes)));
    }
    if links.credits != CreditForm::default() {
        lines.push(("credits", word(links.credits)));
        lines.push(("credit_period", links.credit_period.to_string()));
    }
    if links.credit_flits > 1 {
        lines.push(("credit_flits", links.credit_flits.to_string()));
    }
    for (key, share) in [("packet_loss", links.loss.packets), ("credit_loss", links.loss.credits)] {
        if share > 0.0 {
            lines.push((key, share.to_string()));
        }
    }
    lines
}

fn routing_lines(routing: &RoutingSettings) -> Lines {
    let mut lines = vec![("algorithm", quoted(routing.word()))];
    lines.extend(routing.lines());
    lines.extend(routing.tables.as_deref().map(|file| ("tables", path(file))));
    lines.extend(routing.service_levels.as_deref().map(|file| ("service_levels", path(file))));
    lines.extend(routing.sl_to_vl.as_deref().map(|file| ("sl_to_vl", path(file))));
    let update = |TableUpdate { at, tables, service_levels, sl_to_vl }: &TableUpdate| {
        let named = |key: &str, file: &Option<PathBuf>| {
            file.as_deref().map_or_else(String::new, |file| format!(", {key} = {}", path(file)))
        };
        let more = named("service_levels", service_levels) + &named("sl_to_vl", sl_to_vl);
        format!("{{ at = {at}, tables = {}{more} }}", path(tables))
    };
    let updates: Vec<_> = routing.updates.iter().map(update).collect();
    if !updates.is_empty() {
        lines.push(("updates", format!("[{}]", updates.join(", "))));
    }
    lines.push(("vc_order", word(routing.vc_order)));
    lines
}

fn selection_lines(selection: &SelectionSettings) -> Lines {
    let mut lines = vec![("trigger", quoted(selection.trigger.word()))];
    lines.extend(choice::lines(selection.trigger));
    lines.push(("count_at", word(selection.count_at)));
    // Written where they are set: other files stay as they were before there were such keys.
    let own = choice::lines_of_group(selection.preference);
    let default = choice::lines_of_group(Preference::RANDOM);
    lines.extend(own.into_iter().filter(|line| !default.contains(line)));
    lines
}

fn injection_lines(injection: &InjectionSettings) -> Lines {
    let mut lines = vec![("control", word(injection.control)), ("window", injection.window.to_string())];
    if injection.static_rate {
        lines.push(("static_rate", true.to_string()));
    }
    lines
}

fn run_lines(run: &RunSettings) -> Lines {
    let automatic = |cycles: Option<u64>| cycles.map_or_else(|| quoted(AUTO), |cycles| cycles.to_string());
    let length = |cycles_key, cycles, packets_key, packets: Option<u64>| match packets {
        Some(packets) => (packets_key, packets.to_string()),
        None => (cycles_key, automatic(cycles)),
    };
    vec![
        length("warmup_cycles", run.warmup_cycles, "warmup_packets", run.warmup_packets),
        length("measure_cycles", run.measure_cycles, "measure_packets", run.measure_packets),
        ("limit_cycles", automatic(run.limit_cycles)),
        ("window_cycles", run.window_cycles.to_string()),
        ("seed", run.seed.to_string()),
        ("details", run.details.to_string()),
    ]
}
