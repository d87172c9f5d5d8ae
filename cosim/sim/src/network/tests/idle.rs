//! A network in which nothing happens costs nothing, whatever its size.

use super::super::{Network, Partition};
use crate::blueprint::Blueprint;
use crate::scenario::Scenario;
use crate::traffic::Traffic;
use std::path::Path;

/// Cycles that the shards of a torus of `k × k` routers go through, and how often they meet, in a million cycles.
fn work(k: u32, load: f64, shards: usize) -> (u64, u64, u64) {
    let text = format!("[topology]\nkind = \"torus\"\ndims = [{k}, {k}]\n[traffic]\nloads = [1]\n");
    let scenario = Scenario::parse(&text, "torus.toml", Path::new("."), &[]).unwrap();
    let blueprint = Blueprint::new(scenario).unwrap();
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), load, 1).unwrap();
    let partition = Partition::with(&blueprint, shards);
    let mut network = Network::<8, 4>::new(&blueprint, &traffic, &partition, &|| false).unwrap();
    network.run_to(1_000_000);
    (network.shards.iter().map(|shard| shard.visited).sum(), network.barriers, network.tally().packets)
}

#[test]
fn an_idle_network_costs_the_same_at_any_size() {
    // No node sends anything in the first million cycles.
    let small = work(2, 1e-12, 1);
    assert_eq!(small, work(100, 1e-12, 1));
    assert!(small.0 < 10_000, "{small:?}");
}

#[test]
fn work_follows_the_packets_not_the_cycles() {
    let (visited, _, packets) = work(8, 1e-5, 1);
    assert!(packets > 50 && visited < 100 * packets, "{visited} cycles for {packets} packets");
    let (_, barriers, same) = work(8, 1e-5, 4);
    assert!(same == packets && barriers < 100 * packets, "{barriers} barriers for {packets} packets");
}
