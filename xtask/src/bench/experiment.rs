//! A scenario as other simulators need to know it.

use crate::step::{Failure, root};
use serde::Deserialize;
use std::fs;
use std::path::PathBuf;

/// One of `scenarios/peers` or `scenarios/large`: everything that matters is written in it.
#[derive(Debug, Deserialize)]
pub(super) struct Experiment {
    #[serde(skip)]
    pub(super) file: PathBuf,
    pub(super) topology: Topology,
    pub(super) router: Router,
    pub(super) links: Links,
    pub(super) routing: Routing,
    pub(super) traffic: Traffic,
    pub(super) run: Cycles,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Topology {
    Dragonfly { p: u32, a: u32, h: u32 },
    Torus { dims: Vec<u32>, nodes_per_router: u32 },
}

#[derive(Debug, Deserialize)]
pub(super) struct Router {
    pub(super) flow_control: String,
    pub(super) vcs: PerKind,
    pub(super) buffer_flits: PerKind,
    pub(super) output_flits: u32,
    pub(super) speedup: u32,
    pub(super) iterations: u32,
}

#[derive(Debug, Deserialize)]
pub(super) struct Links {
    pub(super) latency: PerKind,
}

#[derive(Debug, Deserialize)]
pub(super) struct Routing {
    pub(super) algorithm: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Traffic {
    pub(super) packet_flits: u32,
    pub(super) loads: [f64; 1],
}

#[derive(Debug, Deserialize, Clone, Copy)]
pub(super) struct Cycles {
    #[serde(rename = "warmup_cycles")]
    pub(super) warmup: u64,
    #[serde(rename = "measure_cycles")]
    pub(super) measured: u64,
}

/// One number, or one for each kind of port.
#[derive(Debug, Deserialize, Clone, Copy)]
#[serde(untagged)]
pub(super) enum PerKind {
    Same(u32),
    Each { node: u32, local: u32, global: u32 },
}

impl PerKind {
    pub(super) const fn node(self) -> u32 {
        match self {
            Self::Same(number) | Self::Each { node: number, .. } => number,
        }
    }

    pub(super) const fn local(self) -> u32 {
        match self {
            Self::Same(number) | Self::Each { local: number, .. } => number,
        }
    }

    pub(super) const fn global(self) -> u32 {
        match self {
            Self::Same(number) | Self::Each { global: number, .. } => number,
        }
    }

    /// The one number that a simulator with less choice needs.
    pub(super) fn same(self, what: &str) -> Result<u32, Failure> {
        match self {
            Self::Same(number) => Ok(number),
            Self::Each { .. } => Err(Failure::new(format!("{what} must be one number for this simulator"))),
        }
    }
}

impl Experiment {
    /// The scenario of that name in `scenarios`.
    pub(super) fn read(name: &str) -> Result<Self, Failure> {
        let file = root().join("scenarios").join(name).with_extension("toml");
        let failed = |error: String| Failure::new(format!("{}: {error}", file.display()));
        let text = fs::read_to_string(&file).map_err(|error| failed(error.to_string()))?;
        let read: Self = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
        Ok(Self { file, ..read })
    }

    /// Nodes of the network.
    pub(super) fn nodes(&self) -> u32 {
        match &self.topology {
            Topology::Dragonfly { p, a, h } => p * a * (a * h + 1),
            Topology::Torus { dims, nodes_per_router } => dims.iter().product::<u32>() * nodes_per_router,
        }
    }

    /// The mean of the link latencies on a route of `hops` router-to-router links on average, under uniform traffic with
    /// minimal routes.
    pub(super) fn route_latency(&self, hops: f64) -> f64 {
        let latency = self.links.latency;
        let Topology::Dragonfly { p, a, .. } = self.topology else {
            return hops * f64::from(latency.local());
        };
        let nodes = f64::from(self.nodes());
        let global = (nodes - f64::from(p * a)) / (nodes - 1.0);
        global * f64::from(latency.global()) + (hops - global) * f64::from(latency.local())
    }

    /// What each router adds to a measured latency, beside links and the packet's length.
    pub(super) fn router_share(&self, latency: f64, hops: f64) -> f64 {
        let (node, length) = (f64::from(self.links.latency.node()), f64::from(self.traffic.packet_flits));
        (latency - 2.0 * node - self.route_latency(hops) - (length - 1.0)) / (hops + 1.0)
    }
}
