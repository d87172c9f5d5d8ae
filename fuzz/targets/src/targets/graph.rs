//! Edge lists, and the tables that are filled for them.

use super::{Outcome, Target, holds, network, seeds};
use crate::scratch;
use desvio_sim::scenario::Scenario;

pub(super) const TARGET: Target = Target {
    name: "graph",
    reads: "edge lists of graphs",
    run,
    seeds: || {
        let mut seeds = seeds::files("scenarios", ".txt");
        seeds.push(b"0 1\n1 2 # a triangle\n2 0\n".to_vec());
        seeds
    },
    is_rare: |bytes| holds(bytes, " 256\n") || holds(bytes, " 65535"),
};

fn run(bytes: &[u8]) -> Outcome {
    let file = scratch::file("graph.txt", bytes);
    let text = "[topology]\nkind = \"graph\"\nfile = \"graph.txt\"\n[traffic]\nloads = [0.1]\n";
    let folder = file.parent().unwrap_or(&file);
    // The edges are read where the network is wired.
    match Scenario::parse(text, "graph.toml", folder, &[]) {
        Ok(scenario) => network::outcome(scenario),
        Err(error) => Outcome::refused(&error.to_string()),
    }
}
