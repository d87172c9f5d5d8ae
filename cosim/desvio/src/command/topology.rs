//! `desvio topology`: facts about a network.

use super::cases::Case;
use super::failure::Failure;
use super::{output, start_threads};
use clap::Args;
use desvio_sim::exported_tables;
use desvio_sim::topology::{Distances, Export, Facts, Hops};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Tells the size of a network, its distances, its bisection and the bounds that follow
///
/// Routers, nodes, links, degrees, cables and ports per node, diameter, mean distances, shortest routes and bisection; and, for uniform traffic, the
/// load of the busiest channel and the throughput that no routing can exceed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario file, or -; only its table [topology] matters, and with --tables [routing] and [router]
    file: PathBuf,
    /// Replace a key of the scenario, such as topology.h=4
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Print the facts as JSON, every digit; what is not known is null
    #[arg(long)]
    json: bool,
    /// Write the network for Graphviz, too: a file that kind = "graph" reads
    #[arg(long, value_name = "OUT")]
    dot: Option<PathBuf>,
    /// Write the network as GraphML, too: a file that kind = "graph" reads
    #[arg(long, value_name = "OUT")]
    graphml: Option<PathBuf>,
    /// Write the network as a list of edges, too: a file that kind = "graph" reads
    #[arg(long, value_name = "OUT")]
    edges: Option<PathBuf>,
    /// Write the forwarding tables of the scenario's routing, too, where it is deterministic: a file that algorithm = "forwarding" reads
    #[arg(long, value_name = "OUT")]
    tables: Option<PathBuf>,
}

const EXAMPLES: &str = r"Examples:
  desvio topology scenarios/dragonfly.toml
  desvio topology scenarios/dragonfly.toml \
      --set topology.p=4 --set topology.a=8 --set topology.h=4
  desvio topology scenarios/torus.toml --set 'topology.dims=[4,4,4]'
  desvio topology scenarios/torus.toml \
      --dot torus.dot --edges torus.txt --graphml torus.graphml
  desvio topology scenarios/mesh.toml --tables mesh.csv
  desvio topology scenarios/mesh.toml --json";

pub(crate) fn topology(arguments: &Arguments) -> Result<(), Failure> {
    start_threads(None)?;
    let case = Case::network(&arguments.file, &arguments.sets, "")?;
    let (wiring, scenario) = (case.blueprint.wiring(), case.blueprint.scenario());
    let export = Export::new(wiring, |class| scenario.links.latency[class]);
    if let Some(file) = &arguments.dot {
        write(file, &export.dot())?;
    }
    if let Some(file) = &arguments.graphml {
        write(file, &export.graphml())?;
    }
    if let Some(file) = &arguments.edges {
        write(file, &export.edge_list())?;
    }
    if let Some(file) = &arguments.tables {
        let tables = exported_tables::to_csv(&case.blueprint);
        write(file, &tables.map_err(|error| Failure::Input(format!("error: {error}")))?)?;
    }
    let facts = Facts::of(wiring);
    if arguments.json { output::print_json(&json(&facts)) } else { output::print(&facts.to_string()) }
}

/// The facts with the names of their fields.
fn json(facts: &Facts) -> String {
    let hops =
        |hops: Option<Hops>| hops.map(|Hops { local, global }| json!({ "local": local, "global": global }));
    let Distances { diameter, router_mean, node_mean, sampled } = facts.distances;
    let value = json!({
        "routers": facts.routers,
        "nodes": facts.nodes,
        "radix": facts.radix,
        "links": facts.links.iter().copied().collect::<BTreeMap<_, _>>(),
        "degree_min": facts.degree_min,
        "degree_max": facts.degree_max,
        "cables_per_node": facts.cables_per_node(),
        "ports_per_node": facts.ports_per_node(),
        "diameter": diameter,
        "router_distance_mean": router_mean,
        "node_distance_mean": node_mean,
        "distances_measured_from": sampled,
        "shortest_routes_mean": facts.shortest_routes,
        "distance_profiles": facts.distance_profiles,
        "bisection_links": facts.bisection.links,
        "bisection_is_least": facts.bisection.is_least,
        "channel_load_min": facts.channel_load(),
        "throughput_max": facts.throughput(),
        "minimal_hops": hops(facts.minimal_hops),
        "minimal_channel_load": hops(facts.minimal_channel_load()),
    });
    format!("{value:#}")
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    desvio_report::replace(file, text.as_bytes())
        .map_err(|error| Failure::Input(format!("error: cannot write {error}")))
}
