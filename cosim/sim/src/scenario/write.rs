//! From a scenario back to text.

use std::path::Path;

use router_core::settings::Choice;

use super::model::*;
use super::word::{AUTO, PLAIN_PATTERNS, SATURATION, Word};
use super::{choice, defaults, topology};

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
    /// Settings are those of the schemes that are chosen. All of the topology's keys belong to them; the loads do not, as each result names its own. The file of a
    /// graph goes by its name alone.
    pub fn differences(&self) -> Vec<(String, String)> {
        let mut shown = self.clone();
        if let Topology::Graph { file, .. } = &mut shown.topology {
            *file = file.file_name().map(Into::into).unwrap_or_default();
        }
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
    fn lines(&self) -> [(&'static str, Lines); 7] {
        [
            ("topology", topology_lines(&self.topology)),
            ("router", router_lines(&self.router)),
            ("links", vec![("latency", per_kind(&self.links.latency))]),
            ("routing", routing_lines(&self.routing)),
            ("selection", selection_lines(&self.selection)),
            ("traffic", traffic_lines(&self.traffic)),
            ("run", run_lines(&self.run)),
        ]
    }
}

/// Keys and values of one table.
pub(super) type Lines = Vec<(&'static str, String)>;

fn topology_lines(topology: &Topology) -> Lines {
    let mut lines = vec![("kind", word(topology::kind(topology)))];
    match topology {
        Topology::Dragonfly { p, group_sizes, h, arrangement } => {
            let a = match group_sizes.as_slice() {
                [first, rest @ ..] if rest.iter().all(|size| size == first) => first.to_string(),
                sizes => list(sizes),
            };
            let groups = group_sizes.len().to_string();
            lines.extend([("p", p.to_string()), ("a", a), ("h", h.to_string()), ("groups", groups)]);
            lines.push(("arrangement", word(*arrangement)));
        }
        Topology::Mesh { dims, nodes_per_router } | Topology::Torus { dims, nodes_per_router } => {
            lines.extend([("dims", list(dims)), ("nodes_per_router", nodes_per_router.to_string())]);
        }
        Topology::Graph { file, nodes_per_router } => {
            lines.extend([("file", path(file)), ("nodes_per_router", nodes_per_router.to_string())]);
        }
    }
    lines
}

fn router_lines(router: &RouterSettings) -> Lines {
    vec![
        ("flow_control", word(router.flow_control)),
        ("vcs", per_kind(&router.vcs)),
        ("buffer_flits", per_kind(&router.buffer_flits)),
        ("speedup", router.speedup.to_string()),
        ("output_flits", router.output_flits.to_string()),
        ("allocator", word(router.allocator)),
        ("iterations", router.iterations.to_string()),
        ("arbiter", word(router.arbiter)),
    ]
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
        ("pattern", pattern(&traffic.pattern)),
        ("packet_flits", traffic.packet_flits.to_string()),
        ("process", word(traffic.process)),
        ("burst_packets", number(&traffic.burst_packets)),
        ("loads", loads),
    ]
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

fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Adversarial(n) => format!("{{ adversarial = {n} }}"),
        Pattern::AdversarialIndex(n) => format!("{{ adversarial-index = {n} }}"),
        Pattern::AdversarialLocal(n) => format!("{{ adversarial-local = {n} }}"),
        Pattern::HotSpot { nodes, share } => {
            format!("{{ hot-spot = {{ nodes = {}, share = {} }} }}", list(nodes), number(share))
        }
        Pattern::SwitchAt { cycle, from, to } => {
            let (from, to) = (self::pattern(from), self::pattern(to));
            format!("{{ switch-at = {cycle}, from = {from}, to = {to} }}")
        }
        plain => {
            let found = PLAIN_PATTERNS.iter().find(|(_, other)| other == plain);
            found.map_or_else(String::new, |(name, _)| quoted(name))
        }
    }
}

fn per_kind(of: &PerKind<u32>) -> String {
    format!("{{ node = {}, local = {}, global = {} }}", of.node, of.local, of.global)
}

fn list(numbers: &[u32]) -> String {
    format!("[{}]", numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
}

/// The shortest text that reads as the same number, and as no whole one.
fn number(number: &f64) -> String {
    format!("{number:?}")
}

fn word(choice: impl Word) -> String {
    quoted(choice.word())
}

fn path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

pub(super) fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
