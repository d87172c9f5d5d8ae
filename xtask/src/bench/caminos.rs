//! CAMINOS 0.6: a simulator of routers with input and output buffers, driven by events.

use super::experiment::{Experiment, Topology};
use super::simulator::{Reading, Run, Simulator, number, require, told_by};
use super::timed::Job;
use crate::step::{Failure, cargo};
use crate::tools::Tool;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// With one of its two routers.
#[derive(Debug)]
pub(super) struct Caminos {
    pub(super) program: PathBuf,
    pub(super) kind: Kind,
}

/// Its routers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// With a crossbar allocator before the output buffers.
    InputOutput,
    /// Without.
    Basic,
}

/// The installed program.
pub(super) fn provide() -> Result<PathBuf, Failure> {
    let program = PathBuf::from("caminos");
    if !Tool::program("caminos", "").is_here() {
        cargo(&["install", "caminos", "--locked"], &[])?;
    }
    Ok(program)
}

impl Caminos {
    fn router(&self, experiment: &Experiment) -> Result<String, Failure> {
        let Experiment { router, traffic, topology, .. } = experiment;
        // In each cycle its crossbar moves a phit of each VC of an input, and into each VC of an output.
        require(router.flow_control == "vct" && router.speedup > 1, "this flow control or speedup")?;
        let is_torus = matches!(topology, Topology::Torus { .. });
        // On a Dragonfly a VC per hop excludes deadlock, on a torus bubbles do.
        let policies =
            if is_torus { "EnforceFlowControl, Random" } else { "Hops, EnforceFlowControl, Random" };
        let mut text = String::new();
        let _ = match self.kind {
            // The faster one of its allocators.
            Kind::InputOutput => write!(text, "InputOutput {{ allocator: Random, crossbar_delay: 0"),
            Kind::Basic => write!(text, "Basic {{ delay: 0, output_prioritize_lowest_label: false"),
        };
        let _ = write!(text, ", virtual_channels: {}", router.vcs.same("router.vcs")?);
        let _ = write!(text, ", virtual_channel_policies: [ {policies} ], bubble: {is_torus}");
        let _ = write!(text, ", buffer_size: {}", router.buffer_flits.same("router.buffer_flits")?);
        let _ = write!(
            text,
            ", output_buffer_size: {}, flit_size: {}",
            router.output_flits, traffic.packet_flits
        );
        let _ = write!(text, ", intransit_priority: false, allow_request_busy_port: true }}");
        Ok(text)
    }

    fn configuration(&self, experiment: &Experiment, run: Run) -> Result<String, Failure> {
        let latency = experiment.links.latency;
        let (topology, routing, classes) = match &experiment.topology {
            Topology::Dragonfly { p, a, h } => {
                require(*a == 2 * h && experiment.routing.algorithm == "minimal", "this Dragonfly")?;
                let topology =
                    format!("CanonicDragonfly {{ global_ports_per_router: {h}, servers_per_router: {p} }}");
                (topology, "Shortest".to_owned(), vec![latency.local(), latency.global(), latency.node()])
            }
            Topology::Torus { dims, nodes_per_router } => {
                require(experiment.routing.algorithm == "dimension-order", "this routing")?;
                let topology = format!("Torus {{ sides: {dims:?}, servers_per_router: {nodes_per_router} }}");
                let order: Vec<_> = (0..dims.len()).collect();
                let links = vec![latency.local(); dims.len()].into_iter().chain([latency.node()]);
                (topology, format!("DOR {{ order: {order:?} }}"), links.collect())
            }
        };
        let classes: Vec<_> = classes.iter().map(|delay| format!("LinkClass {{ delay: {delay} }}")).collect();
        let (nodes, size) = (experiment.nodes(), experiment.traffic.packet_flits);
        Ok([
            "Configuration {\n".to_owned(),
            format!("random_seed: 1, warmup: {}, measured: {},\n", run.warmup, run.measured),
            format!("topology: {topology},\nrouting: {routing},\n"),
            format!(
                "traffic: HomogeneousTraffic {{ pattern: Uniform, servers: {nodes}, load: {:?}, ",
                run.load
            ),
            format!("message_size: {size} }},\nmaximum_packet_size: {size},\n"),
            format!("router: {},\nlink_classes: [ {} ],\n}}\n", self.router(experiment)?, classes.join(", ")),
        ]
        .concat())
    }
}

impl Simulator for Caminos {
    fn name(&self) -> String {
        format!("CAMINOS, {:?}", self.kind)
    }

    fn prepare(&self, experiment: &Experiment, run: Run, folder: &Path) -> Result<Job, Failure> {
        told_by(&self.configuration(experiment, run)?, &self.program, &["--results", "result"], folder)
    }

    fn read(&self, output: &str, folder: &Path) -> Result<Reading, Failure> {
        // After an error it says so and ends well.
        let text = fs::read_to_string(folder.join("result"));
        let text = text.map_err(|error| Failure::new(format!("no result ({error}); it says:\n{output}")))?;
        Ok(Reading {
            cycles: number(&text, "\tcycle:")? as u64,
            accepted: number(&text, "\taccepted_load:")?,
            latency: number(&text, "\taverage_message_delay:")?,
            hops: number(&text, "\taverage_packet_hops:")?,
        })
    }

    /// A phit can cross a router in the cycle in which it came.
    fn router_cycles(&self, _experiment: &Experiment) -> Option<f64> {
        Some(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulator::asked::told;
    use super::*;

    #[test]
    fn both_routers_can_be_told_of_every_scenario() {
        for kind in [Kind::InputOutput, Kind::Basic] {
            let caminos = Caminos { program: PathBuf::new(), kind };
            for name in ["peers/caminos-dragonfly", "peers/caminos-torus", "peers/caminos-h8"] {
                let text = told(name, |experiment, run| caminos.configuration(experiment, run));
                let text = text.unwrap_or_else(|failure| panic!("{failure}"));
                for part in ["warmup: 100, measured: 200", "load: 0.5", "buffer_size: 64", "message_size: 16"]
                {
                    assert!(text.contains(part), "{name}: no `{part}` in {text}");
                }
            }
        }
    }

    #[test]
    fn a_scenario_it_has_no_words_for_is_refused() {
        let caminos = Caminos { program: PathBuf::new(), kind: Kind::Basic };
        for name in ["peers/booksim-dragonfly", "peers/fogsim-olm"] {
            let text = told(name, |experiment, run| caminos.configuration(experiment, run));
            assert!(text.is_err(), "{name}");
        }
    }
}
