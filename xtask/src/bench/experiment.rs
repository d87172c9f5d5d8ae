//! A scenario as other simulators need to know it.

use crate::step::{Failure, root};
use serde::Deserialize;
use std::fs;
use std::path::PathBuf;

/// One of `scenarios/peers` or `scenarios/large`: everything that matters is written in it.
#[derive(Debug, Deserialize)]
pub(crate) struct Experiment {
    #[serde(skip)]
    pub(crate) file: PathBuf,
    /// Keys that are set beside what the file says, as `desvio --set` takes them.
    #[serde(skip)]
    pub(crate) sets: Vec<String>,
    pub(crate) topology: Topology,
    pub(crate) router: Router,
    pub(crate) links: Links,
    pub(crate) routing: Routing,
    #[serde(default)]
    pub(crate) selection: Selection,
    pub(crate) traffic: Traffic,
    pub(crate) run: Cycles,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Topology {
    Dragonfly { p: u32, a: u32, h: u32 },
    Torus { dims: Vec<u32>, nodes_per_router: u32 },
}

#[derive(Debug, Deserialize)]
pub(crate) struct Router {
    pub(crate) flow_control: String,
    pub(crate) vcs: PerKind,
    pub(crate) buffer_flits: PerKind,
    pub(crate) output_flits: u32,
    pub(crate) speedup: u32,
    pub(crate) iterations: u32,
    #[serde(default)]
    pub(crate) priority: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Links {
    pub(crate) latency: PerKind,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) struct Routing {
    pub(crate) algorithm: String,
    #[serde(default)]
    pub(crate) intermediate: Option<String>,
    #[serde(default)]
    pub(crate) policy: Option<String>,
    #[serde(default)]
    pub(crate) nonminimal: Option<String>,
    #[serde(default)]
    pub(crate) knowledge: Option<String>,
    #[serde(default)]
    pub(crate) piggyback_factor: Option<f64>,
    #[serde(default)]
    pub(crate) piggyback_packets: Option<u32>,
}

/// What decides about detours, as far as it is written.
#[derive(Debug, Deserialize, Default)]
pub(crate) struct Selection {
    pub(crate) trigger: Option<String>,
    pub(crate) relative_threshold: Option<f64>,
    pub(crate) contention_threshold: Option<u32>,
    pub(crate) combined_threshold: Option<u32>,
    pub(crate) ectn_period: Option<u32>,
    pub(crate) ugal_queue: Option<String>,
}

/// Who sends to whom.
#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Pattern {
    Uniform,
    Adversarial(u32),
    AdversarialLocal(u32),
}

#[derive(Debug, Deserialize)]
pub(crate) struct Traffic {
    pub(crate) pattern: Pattern,
    #[serde(default)]
    pub(crate) injection_vc: Option<String>,
    pub(crate) packet_flits: u32,
    pub(crate) loads: [f64; 1],
}

#[derive(Debug, Deserialize, Clone, Copy)]
pub(crate) struct Cycles {
    #[serde(rename = "warmup_cycles")]
    pub(crate) warmup: u64,
    #[serde(rename = "measure_cycles")]
    pub(crate) measured: u64,
}

/// One number, or one for each kind of port.
#[derive(Debug, Deserialize, Clone, Copy)]
#[serde(untagged)]
pub(crate) enum PerKind {
    Same(u32),
    Each { node: u32, local: u32, global: u32 },
}

impl PerKind {
    pub(crate) const fn node(self) -> u32 {
        match self {
            Self::Same(number) | Self::Each { node: number, .. } => number,
        }
    }

    pub(crate) const fn local(self) -> u32 {
        match self {
            Self::Same(number) | Self::Each { local: number, .. } => number,
        }
    }

    pub(crate) const fn global(self) -> u32 {
        match self {
            Self::Same(number) | Self::Each { global: number, .. } => number,
        }
    }

    /// The one number that a simulator with less choice needs.
    pub(crate) fn same(self, what: &str) -> Result<u32, Failure> {
        match self {
            Self::Same(number) => Ok(number),
            Self::Each { .. } => Err(Failure::new(format!("{what} must be one number for this simulator"))),
        }
    }
}

/// Sets one key of a table: `section.key=value`, the value in TOML, or a bare word. `None`: there is no such place.
fn apply(table: &mut toml::Table, set: &str) -> Option<()> {
    let (path, value) = set.split_once('=')?;
    let read: Result<toml::Table, _> = toml::from_str(&format!("value = {value}"));
    let value = read.ok().and_then(|mut read| read.remove("value"));
    let value = value.unwrap_or_else(|| toml::Value::String(set[path.len() + 1..].to_owned()));
    let mut keys: Vec<_> = path.split('.').collect();
    let last = keys.pop()?;
    let mut at = table;
    for key in keys {
        at = at.entry(key).or_insert_with(|| toml::Table::new().into()).as_table_mut()?;
    }
    at.insert(last.to_owned(), value);
    Some(())
}

impl Experiment {
    /// The scenario of that name in `scenarios`.
    pub(crate) fn read(name: &str) -> Result<Self, Failure> {
        Self::with(name, &[])
    }

    /// The scenario of that name in `scenarios`, with some keys set, each as `section.key=value`.
    pub(crate) fn with(name: &str, sets: &[String]) -> Result<Self, Failure> {
        let file = root().join("scenarios").join(name).with_extension("toml");
        let failed = |error: String| Failure::new(format!("{}: {error}", file.display()));
        let text = fs::read_to_string(&file).map_err(|error| failed(error.to_string()))?;
        let mut table: toml::Table = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
        for set in sets {
            apply(&mut table, set).ok_or_else(|| failed(format!("cannot set {set}")))?;
        }
        let read: Self = table.try_into().map_err(|error: toml::de::Error| failed(error.to_string()))?;
        Ok(Self { file, sets: sets.to_vec(), ..read })
    }

    /// Nodes of the network.
    pub(crate) fn nodes(&self) -> u32 {
        match &self.topology {
            Topology::Dragonfly { p, a, h } => p * a * (a * h + 1),
            Topology::Torus { dims, nodes_per_router } => dims.iter().product::<u32>() * nodes_per_router,
        }
    }

    /// The mean of the link latencies on a route of `hops` router-to-router links on average, under uniform traffic with
    /// minimal routes.
    pub(crate) fn route_latency(&self, hops: f64) -> f64 {
        let latency = self.links.latency;
        let Topology::Dragonfly { p, a, .. } = self.topology else {
            return hops * f64::from(latency.local());
        };
        let nodes = f64::from(self.nodes());
        let global = (nodes - f64::from(p * a)) / (nodes - 1.0);
        global * f64::from(latency.global()) + (hops - global) * f64::from(latency.local())
    }

    /// What each router adds to a measured latency, beside links and the packet's length.
    pub(crate) fn router_share(&self, latency: f64, hops: f64) -> f64 {
        let (node, length) = (f64::from(self.links.latency.node()), f64::from(self.traffic.packet_flits));
        (latency - 2.0 * node - self.route_latency(hops) - (length - 1.0)) / (hops + 1.0)
    }
}
