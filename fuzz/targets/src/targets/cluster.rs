//! What an InfiniBand cluster is read from, and forwarding tables in CSV.

use super::{Outcome, Target, holds, network, seeds};
use crate::scratch;
use desvio_sim::scenario::Scenario;

/// The example with the smallest files: nine switches.
const FABRIC: &str = include_str!("../../../../examples/infiniband/pairs.ibnetdiscover");
const TABLES: &str = include_str!("../../../../examples/infiniband/pairs.lfts");
/// A fabric whose packets change lanes.
const TORUS: &str = include_str!("../../../../examples/infiniband/torus.ibnetdiscover");
const LANES_TABLES: &str = include_str!("../../../../examples/infiniband/torus-2QoS.lfts");
const LANES_LEVELS: &str = include_str!("../../../../examples/infiniband/torus-2QoS.paths");

pub(super) const CLUSTER: Target = Target {
    name: "fabric",
    reads: "what ibnetdiscover writes",
    run: |bytes| run("fabric.ibnetdiscover", bytes, &["routing.algorithm=up*/down*"]),
    seeds: || seeds::files("examples/infiniband", "pairs.ibnetdiscover"),
    is_rare,
};

pub(super) const FORWARDING: Target = Target {
    name: "tables",
    reads: "forwarding tables, as CSV and as OpenSM's",
    run: |bytes| {
        scratch::file("fabric.ibnetdiscover", FABRIC.as_bytes());
        scratch::file("triangle.txt", b"0 1\n1 2\n2 0\n");
        let network = if holds(bytes, "Unicast") { "fabric.ibnetdiscover" } else { "triangle.txt" };
        run("tables", bytes, &["routing.tables=tables", &format!("topology.file={network}")])
    },
    seeds: || {
        let mut seeds = seeds::files("examples/infiniband", "pairs.lfts");
        seeds.push(b"router,to_router,next\n0,1,1\n0,2,2\n1,0,0\n1,2,2\n2,0,0\n2,1,1\n".to_vec());
        seeds
            .push(b"router,to_node,port,vc\n0,1,1,0\n0,2,2,0\n1,0,1,0\n1,2,2,0\n2,0,2,1\n2,1,1,1\n".to_vec());
        seeds
    },
    is_rare,
};

pub(super) const LEVELS: Target = Target {
    name: "levels",
    reads: "service levels, as CSV and as path records of an InfiniBand fabric",
    run: |bytes| {
        scratch::file("fabric.ibnetdiscover", FABRIC.as_bytes());
        scratch::file("tables", TABLES.as_bytes());
        run("paths", bytes, &["routing.tables=tables", "routing.service_levels=paths"])
    },
    seeds: || {
        let mut seeds = seeds::files("examples/infiniband", "pairs.paths");
        let pairs =
            (0..18).flat_map(|from| (0..18).map(move |to| format!("{from},{to},{}\n", (from + to) % 16)));
        seeds.push(format!("from,to,level\n{}", pairs.collect::<String>()).into_bytes());
        seeds
    },
    is_rare,
};

pub(super) const LANES: Target = Target {
    name: "lanes",
    reads: "tables from service levels to virtual lanes, as CSV and as smpquery's",
    run: |bytes| {
        scratch::file("fabric.ibnetdiscover", TORUS.as_bytes());
        scratch::file("tables", LANES_TABLES.as_bytes());
        scratch::file("paths", LANES_LEVELS.as_bytes());
        let files = ["tables=tables", "service_levels=paths", "sl_to_vl=lanes"];
        let sets = files.map(|file| format!("routing.{file}"));
        run("lanes", bytes, &sets.each_ref().map(String::as_str))
    },
    seeds: || {
        let mut seeds = seeds::files("examples/infiniband", ".sl2vl");
        // Short ones, of the first switch, are changed more often.
        let short: Vec<_> = seeds.iter().map(|seed| seed[..seed.len().min(1000)].to_vec()).collect();
        seeds.extend(short);
        let all = "0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7";
        seeds.push(
            format!("router,input,output,lanes\n*,*,*,{all}\n0,1,2,{all}\n15,*,4,{all}\n").into_bytes(),
        );
        seeds
    },
    is_rare,
};

fn is_rare(bytes: &[u8]) -> bool {
    holds(bytes, "256") || holds(bytes, "65535")
}

/// The network with one of its files as it is given.
fn run(name: &str, bytes: &[u8], sets: &[&str]) -> Outcome {
    let file = scratch::file(name, bytes);
    let text = "[topology]\nkind = \"graph\"\nfile = \"fabric.ibnetdiscover\"\n[router]\nvcs = 8\n[routing]\nalgorithm = \"forwarding\"\n\
                [traffic]\nloads = [0.1]\n";
    let sets: Vec<_> = sets.iter().map(|&set| set.to_owned()).collect();
    match Scenario::parse(text, "cluster.toml", file.parent().unwrap_or(&file), &sets) {
        Ok(scenario) => network::outcome(scenario),
        Err(error) => Outcome::refused(&error.to_string()),
    }
}
