//! What the routers are that mutants are looked for in: their networks, and their configurations.

use desvio_lockstep::campaign::Configuration;
use desvio_sim::blueprint::Blueprint;
use std::path::Path;

/// Four routers in a ring: opposite ones are joined by two shortest routes.
pub(crate) const RING: &str = "0 1\n1 2\n2 3\n3 0\n";

/// Three routers in a row: the ones at the ends have a port that leads nowhere.
pub(crate) const ROW: &str = "0 1\n1 2\n";

/// Tables of the row. Ports 0 and 1 are those of nodes, the others lead to the other routers, and the last one of a router at an end to
/// nothing.
pub(crate) const TABLES: &str =
    "router,to_node,port\n0,2,2\n0,3,3\n0,4,0\n1,0,2\n1,1,99\n1,4,3\n1,5,1\n2,0,2\n2,1,2\n2,2,1\n2,3,0\n";

/// Lanes of the row by service level. That of level 0 is always there; of the others, one is not.
pub(crate) fn lanes() -> String {
    let lane = |number: u32, level: u32| match (number * 7 + level * 5 + level * level * number) % 16 {
        none if none == 9 && level > 0 => none,
        lane => lane % 3,
    };
    let all = |number| (0..16).map(|level| lane(number, level).to_string()).collect::<Vec<_>>().join(" ");
    let place = |number: u32| (number / 16, number / 4 % 4, number % 4);
    (0..48)
        .map(|number| (place(number), all(number)))
        .fold(String::from("router,input,output,lanes\n"), |text, ((router, input, output), lanes)| {
            text + &format!("{router},{input},{output},{lanes}\n")
        })
}

/// What all of them have in common. Small buffers are full soon.
const SMALL: [&str; 8] = [
    "topology.p=1",
    "topology.a=2",
    "topology.h=1",
    "traffic.packet_flits=2",
    "router.buffer_flits={ node = 7, local = 6, global = 9 }",
    "router.output_flits=3",
    "links.latency=1",
    "selection.contention_threshold=2",
];

/// Those whose routers are built for the lengths of their scenario's packets alone: one length, and three.
pub(crate) const OWN_LENGTHS: [&str; 3] = [
    "hybrid, input-first, matrix",
    "hybrid without restriction, input-first, matrix",
    "two nodes, several links, input-first, round-robin",
];

pub(crate) const PLANS: [Configuration; 17] = [
    Configuration {
        name: "hybrid, input-first, matrix",
        sets: &[
            "selection.trigger=hybrid",
            "selection.global_restriction={ factor = 0.5, packets = 0 }",
            "router.allocator=separable-input-first",
            "router.iterations=2",
            // Packets of fewer flits than may go ahead of them, where places are shared.
            "router.pipeline=6",
            "router.output_flits=4",
            "router.reserved_flits={ global = 3 }",
            "router.synchronous_buffers=true",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "hybrid without restriction, input-first, matrix",
        sets: &[
            "selection.trigger=hybrid",
            "selection.global_restriction=false",
            "selection.minimal_occupancy=0.62",
            "router.allocator=separable-input-first",
            "router.iterations=2",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "occupancy, output-first, round-robin, descending",
        sets: &[
            "topology.h=2",
            "topology.groups=4", // some global ports lead nowhere
            "topology.arrangement=consecutive",
            "routing.nonminimal=free",
            "routing.policy=RRG+L",
            "routing.vc_order=descending",
            "selection.trigger=occupancy",
            "selection.minimal_occupancy=0.3",
            "selection.global_restriction={ factor = 1.2, packets = 1 }",
            "router.allocator=separable-output-first",
            "router.arbiter=round-robin",
            "router.flow_control=wormhole",
            "router.output_flits=4",
            "router.pipeline=6",
            // Two flits never fit behind an output to a node. A packet of three global buffers is longer than an occupancy can say, and what an
            // occupancy has of its length is 1.
            "router.buffer_flits={ node = 1, local = 6, global = 11 }",
            "router.reserved_flits={ global = 8 }",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "minimal, wavefront, arrival, store-and-forward",
        sets: &[
            "topology.arrangement=absolute",
            "routing.algorithm=minimal",
            "selection.vcs=first",
            "selection.count_at=arrival",
            "router.allocator=wavefront",
            "router.speedup=1",
            "router.flow_control=store-and-forward",
            "router.pipeline=5",
            "router.vcs={ node = 2, local = 3, global = 2 }",
            "router.head_lifetime={ node = 6, local = 12, global = 12 }",
            "router.packet_lifetime=40",
            "router.vl_stall_count=2",
            "traffic.packet_flits=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "table, input-first, round-robin",
        sets: &[
            "topology={ kind = \"graph\", file = \"ring.txt\", nodes_per_router = 2 }",
            "routing={ algorithm = \"table\" }",
            // A node's port has fewer VCs than the routing offers.
            "router.vcs={ node = 1, local = 2, global = 1 }",
            "selection.ports=lowest-dimension",
            "selection.count_at=arrival", // rows change between a packet's arrival and its turn
            "router.arbiter=round-robin",
            "router.iterations=1",
            "router.allocation_unit=packet",
            "router.priority=transit",
            "congestion={ threshold = 15, packet_size = 4 }",
        ],
        flit_width: 161,
    },
    Configuration {
        name: "duato, input-first, round-robin",
        sets: &[
            "topology={ kind = \"mesh\", dims = [2, 3], nodes_per_router = 2 }",
            "routing={ algorithm = \"duato\" }",
            "router.vcs={ node = 3, local = 2, global = 1 }",
            "router.pipeline=5",
            "router.synchronous_buffers=true",
            "router.arbiter=round-robin",
            "router.iterations=2",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "every output at once, output-first, matrix",
        sets: &[
            "topology.a=3",
            "selection.vcs=first",
            "selection.trigger=always",
            "routing.policy=CRG+L",
            "routing.misroute_scope=route",
            "router.allocator=separable-output-first",
            "router.iterations=2",
            "router.speedup=3",
            "router.synchronous_buffers=true",
            "congestion.threshold=15", // packets of several hops meet at an output
        ],
        flit_width: 128,
    },
    Configuration {
        name: "lanes, output-first, matrix",
        sets: &[
            "topology={ kind = \"graph\", file = \"ring.txt\", nodes_per_router = 2 }",
            "routing={ algorithm = \"multipath\" }",
            "router.vcs=4",
            "router.allocator=separable-output-first",
            "router.iterations=1",
            "router.allocation_unit=packet",
            "congestion.threshold=15",
            "router.vl_arbitration={ high = [[3, 1]], low = [[0, 1], [1, 2]], limit = 1, management = 2, flit_bytes = 1500 }",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "discards, output-first, round-robin",
        sets: &[
            "topology={ kind = \"graph\", file = \"row.txt\", nodes_per_router = 2 }",
            "routing={ algorithm = \"forwarding\", tables = \"row.csv\", sl_to_vl = \"lanes.csv\" }",
            "router.discards=true",
            "router.synchronous_buffers=true",
            "router.head_lifetime={ node = 9, local = 15 }",
            "router.vl_stall_count=2",
            "router.vcs={ node = 3, local = 4, global = 1 }",
            "router.allocator=separable-output-first",
            "router.arbiter=round-robin",
            "router.iterations=1",
            "router.allocation_unit=packet",
            "router.speedup=1",
            "router.vl_arbitration={ high = [[3, 1]], low = [[0, 1], [1, 2]], limit = 1, management = 2, flit_bytes = 64 }",
        ],
        flit_width: 112,
    },
    Configuration {
        name: "average, wavefront, round-robin",
        sets: &[
            "topology.a=3",
            "topology.groups=3", // some routers have no link to another group
            "routing.nonminimal=free",
            "routing.policy=NRG+L",
            "routing.local_misroutes=2",
            "selection.trigger=contention-average",
            "selection.contention_factor=1.1",
            "router.allocator=wavefront",
            "router.arbiter=round-robin",
            "router.allocation_unit=packet",
            "router.priority=transit",
            "router.head_lifetime={ node = 5, local = 20, global = 30 }",
            "router.vl_stall_count={ local = 1, global = 4 }",
            "router.packet_lifetime=60",
        ],
        flit_width: 97,
    },
    Configuration {
        name: "two nodes, several links, input-first, round-robin",
        sets: &[
            "topology.p=2",
            "topology.h=2",
            "topology.groups=3",
            "selection.trigger=ectn",
            "selection.combined_threshold=3",
            "selection.ectn_period=15",
            "selection.ectn_counters_per_flit=0",
            "traffic.reply_flits=4",
            "router.arbiter=round-robin",
            "router.vcs={ node = 2, local = 3, global = 2 }",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "ugal, one arbiter, round-robin",
        sets: &[
            "topology.p=2",
            "routing={ algorithm = \"ugal-dragonfly\" }",
            "selection.trigger=ugal",
            "selection.ugal_bias=2",
            "router.select_ahead=false",
            "router.synchronous_buffers=true",
            "router.allocator=separable-one-arbiter",
            "router.arbiter=round-robin",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "piggybacking, input-first, round-robin",
        sets: &[
            "topology.p=2", // each decides by its own head
            "topology.h=2",
            "routing={ algorithm = \"ugal-dragonfly\", knowledge = \"group\", piggyback_factor = 1.125, piggyback_packets = 1 }",
            "selection={ trigger = \"ugal\", ugal_bias = 1, ugal_queue = \"packets\" }",
            "traffic.packet_flits=3",
            "router.arbiter=round-robin",
            "router.iterations=1",
        ],
        flit_width: 100,
    },
    Configuration {
        name: "piggybacking in each cycle, wavefront, matrix",
        sets: &[
            "topology.p=1",
            "topology.h=2",
            "routing={ algorithm = \"ugal-dragonfly\", knowledge = \"group-each-cycle\", piggyback_factor = 1.125, piggyback_packets = 1 }",
            "selection={ trigger = \"ugal\", ugal_bias = 20 }",
            "traffic.packet_flits=3",
            "router.allocator=wavefront",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "ugal by VC beside local misroutes, one arbiter, matrix",
        sets: &[
            "topology.a=3",
            "selection={ trigger = \"ugal\", ugal_bias = 1, ugal_queue = \"vc\" }",
            "router.allocator=separable-one-arbiter",
            "router.pipeline=6",
            "router.output_flits=4",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "ugal behind registered grants, one arbiter, round-robin",
        sets: &[
            "topology.p=2",
            "routing={ algorithm = \"ugal-dragonfly\" }",
            "selection={ trigger = \"ugal\", ugal_bias = 2 }",
            "router.allocator=separable-one-arbiter",
            "router.arbiter=round-robin",
            "router.pipeline=6",
            "router.output_flits=4",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "any output, input-first, matrix",
        sets: &[
            "topology.a=3",
            "routing={ algorithm = \"ugal-dragonfly\" }",
            "selection.trigger=always",
            "router.pipeline=6",
            "router.output_flits=4",
        ],
        flit_width: 96,
    },
];

/// The network of a configuration with small buffers.
pub(crate) fn blueprint(plan: &Configuration, folder: &Path) -> Blueprint {
    plan.blueprint_after(&SMALL, folder).unwrap_or_else(|error| panic!("{}: {error}", plan.name))
}
