//! Files of networks in every format, and the tables that are filled for them.

use super::{Outcome, Target, holds, network, seeds};
use crate::scratch;
use desvio_sim::scenario::Scenario;

pub(super) const TARGET: Target = Target {
    name: "graph",
    reads: "edge lists of graphs",
    run: |bytes| run("graph.txt", bytes),
    seeds: || {
        let mut seeds = seeds::files("scenarios", ".txt");
        seeds.push(b"0 1\n1 2 # a triangle\n2 0\n".to_vec());
        seeds
    },
    is_rare: |bytes| holds(bytes, " 256\n") || holds(bytes, " 65535"),
};

pub(super) const DOT: Target = Target {
    name: "dot",
    reads: "Graphviz DOT",
    run: |bytes| run("graph.dot", bytes),
    seeds: || {
        texts(&[
            "strict digraph \"a net\" {\n  edge [latency = 7, dir=both]\n  a -> b -> c; { c -> a [width=2] } /* x */ d [label=\"D\"] d -> a\n}\n",
            "graph {\n  \"tor\" [function=\"leaf\"]\n  \"gpu\" [function=\"host\"]\n  \"tor\":\"swp1\" -- \"gpu\":\"eth1\"\n  tor:e -- spine:swp2\n}\n",
            "graph { { { a -- b } } subgraph x { b -- c } }",
        ])
    },
    is_rare,
};

pub(super) const GRAPHML: Target = Target {
    name: "graphml",
    reads: "GraphML",
    run: |bytes| run("graph.graphml", bytes),
    seeds: || {
        texts(&[
            "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<key id=\"l\" for=\"edge\" attr.name=\"latency\"><default>4</default></key>\n\
             <key id=\"n\" for=\"node\" attr.name=\"label\"/>\n<graph edgedefault=\"directed\">\n<node id=\"a\"><data key=\"n\">Oslo</data></node><node id=\"b\"/>\n\
             <edge source=\"a\" target=\"b\" directed=\"false\" sourceport=\"p1\"><data key=\"l\">12</data></edge>\n</graph>\n</graphml>\n",
            "<graphml><!-- <a> --><graph><node id='0'/><![CDATA[<b>]]><?c d?></graph></graphml>",
        ])
    },
    is_rare,
};

pub(super) const GML: Target = Target {
    name: "gml",
    reads: "GML",
    run: |bytes| run("graph.gml", bytes),
    seeds: || {
        texts(&[
            "Creator \"x\"\n# y\ngraph [\n  directed 1\n  node [ id 0 label \"a &quot;b&quot;\" graphics [ x 1.5 ] ]\n  node [ id 1 ]\n  edge [ source 0 target 1 latency 3 width 2 ]\n\
             edge [ source 1 target 0 ]\n]\n",
            "graph [ node [ id 7 ] ]",
        ])
    },
    is_rare,
};

pub(super) const NET: Target = Target {
    name: "net",
    reads: "what ibsim reads",
    run: |bytes| run("graph.net", bytes),
    seeds: || {
        texts(&[
            "# lab\nwidth=4\nSwitch\t8 \"sw1\"\n[1]\t\"h1\"\n[2]\t\"h2\"[2]\n[8]\t\"sw2\"[7] w=4\n\nSwitch 8 \"sw2\"\n[1]\t\"h3\"[1]\n\n\
             Hca\t1 \"h1\"\n[1] \"sw1\"[1]\n\nCa 2 \"h2\"\n[2] \"sw1\"[2]\n\nRt 1 \"r\"\n[1] \"sw2\"[3]\n\nHca 1 \"h3\"\n",
        ])
    },
    is_rare,
};

pub(super) const SLURM: Target = Target {
    name: "slurm",
    reads: "Slurm's topology.conf",
    run: |bytes| run("topology.conf", bytes),
    seeds: || {
        texts(&[
            "# racks\nSwitchName=rack1 Nodes=n[01-03,7],login LinkSpeed=100\nSwitchName=rack2 Nodes=n[1-2]x[0-1]\nSwitchName=top \\\nSwitches=rack[1-2]\n",
        ])
    },
    is_rare,
};

pub(super) const ANYNET: Target = Target {
    name: "anynet",
    reads: "BookSim's anynet",
    run: |bytes| run("anynet", bytes),
    seeds: || {
        texts(&[
            "router 0 node 0 node 1 5 router 1\nrouter 1 node 2 router 2 15\nnode 3 router 2\nrouter 2 router 0\n",
        ])
    },
    is_rare,
};

fn is_rare(bytes: &[u8]) -> bool {
    holds(bytes, "256") || holds(bytes, "65535")
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// The network of a file of that name.
fn run(name: &str, bytes: &[u8]) -> Outcome {
    let file = scratch::file(name, bytes);
    let text = format!("[topology]\nkind = \"graph\"\nfile = \"{name}\"\n[traffic]\nloads = [0.1]\n");
    let folder = file.parent().unwrap_or(&file);
    // The file is read where the network is wired.
    match Scenario::parse(&text, "graph.toml", folder, &[]) {
        Ok(scenario) => network::outcome(scenario),
        Err(error) => Outcome::refused(&error.to_string()),
    }
}
