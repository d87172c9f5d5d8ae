//! From a scenario back to text.

use std::path::Path;

use router_core::settings::Choice;

use super::model::*;
use super::word::{AUTO, SATURATION, Word};
use super::{PerClass, choice, defaults};

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
        let mut shown = self.clone();
        shown.topology = self.topology.named();
        let mut default = defaults::scenario(self);
        default.topology = shown.topology.clone();
        let chosen = [
            ("algorithm", defaults::routing(&self.topology).scheme.word()),
            ("trigger", defaults::selection(&self.routing).trigger.word()),
        ];
        let mut found = Vec::new();
        for ((section, lines), (_, defaults)) in shown.lines().into_iter().zip(default.lines()) {
            for ((key, value), (_, default)) in lines.into_iter().zip(defaults) {
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

    /// Every key and value, table by table.
    fn lines(&self) -> [(&'static str, Lines); 8] {
        let classes = self.topology.classes();
        [
            ("topology", topology_lines(&self.topology)),
            ("router", router_lines(&self.router, classes)),
            ("links", link_lines(&self.links, classes)),
            ("routing", routing_lines(&self.routing)),
            ("selection", selection_lines(&self.selection)),
            ("traffic", traffic_lines(&self.traffic)),
            ("injection", injection_lines(&self.injection)),
            ("run", run_lines(&self.run)),
        ]
    }
}

/// Keys and values of one table.
pub(crate) type Lines = Vec<(&'static str, String)>;

fn topology_lines(topology: &Topology) -> Lines {
    let mut lines = vec![("kind", quoted(topology.word()))];
    lines.extend(topology.write());
    lines
}

fn router_lines(router: &RouterSettings, classes: &[&str]) -> Lines {
    vec![
        ("flow_control", word(router.flow_control)),
        ("vcs", per_class(&router.vcs, classes)),
        ("buffer_flits", per_class(&router.buffer_flits, classes)),
        ("speedup", router.speedup.to_string()),
        ("output_flits", router.output_flits.to_string()),
        ("allocator", word(router.allocator)),
        ("iterations", router.iterations.to_string()),
        ("arbiter", word(router.arbiter)),
    ]
}

fn link_lines(links: &LinkSettings, classes: &[&str]) -> Lines {
    let down =
        |one: &LinkDown| format!("{{ router = {}, port = {}, at = {} }}", one.router, one.port, one.at);
    let down: Vec<_> = links.down.iter().map(down).collect();
    vec![("latency", per_class(&links.latency, classes)), ("down", format!("[{}]", down.join(", ")))]
}

fn routing_lines(routing: &RoutingSettings) -> Lines {
    let mut lines = vec![("algorithm", quoted(routing.scheme.word()))];
    lines.extend(choice::lines(routing.scheme));
    lines.push(("vc_order", word(routing.vc_order)));
    lines
}

fn selection_lines(selection: &SelectionSettings) -> Lines {
    let mut lines = vec![("trigger", quoted(selection.trigger.word()))];
    lines.extend(choice::lines(selection.trigger));
    lines.push(("count_at", word(selection.count_at)));
    lines
}

fn traffic_lines(traffic: &TrafficSettings) -> Lines {
    let loads = match &traffic.loads {
        Loads::List(loads) => format!("[{}]", loads.iter().map(number).collect::<Vec<_>>().join(", ")),
        Loads::Saturation => quoted(SATURATION),
    };
    vec![
        ("pattern", traffic.pattern.write()),
        ("packet_flits", traffic.packet_flits.write()),
        ("reply_flits", traffic.reply_flits.to_string()),
        ("process", word(traffic.process)),
        ("burst_packets", number(&traffic.burst_packets)),
        ("loads", loads),
    ]
}

fn injection_lines(injection: &InjectionSettings) -> Lines {
    vec![("control", word(injection.control)), ("window", injection.window.to_string())]
}

fn run_lines(run: &RunSettings) -> Lines {
    let automatic = |cycles: Option<u64>| cycles.map_or_else(|| quoted(AUTO), |cycles| cycles.to_string());
    vec![
        ("warmup_cycles", automatic(run.warmup_cycles)),
        ("measure_cycles", automatic(run.measure_cycles)),
        ("limit_cycles", run.limit_cycles.to_string()),
        ("window_cycles", run.window_cycles.to_string()),
        ("seed", run.seed.to_string()),
    ]
}

/// `{ node = 4, local = 4, global = 4 }`, with the names of the topology's classes.
fn per_class(of: &PerClass<u32>, classes: &[&str]) -> String {
    let each = classes.iter().zip(of.as_slice()).map(|(name, of)| format!("{name} = {of}"));
    format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
}

/// `[1, 2]`
pub(crate) fn list<T: ToString>(numbers: &[T]) -> String {
    format!("[{}]", numbers.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}

/// The shortest text that reads as the same number, and as no whole one.
pub(crate) fn number(number: &f64) -> String {
    format!("{number:?}")
}

/// A choice, by its word.
pub(crate) fn word(choice: impl Word) -> String {
    quoted(choice.word())
}

/// The path of a file.
pub(crate) fn path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// A text between quotes.
pub(crate) fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
