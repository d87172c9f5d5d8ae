//! The configurations of a campaign, which together have every choice of the RTL but the turn model's turns.
//!
//! Each mechanism is in some router of the list. Examples are a register whose upper bits no threshold of one scenario sets, a pointer that
//! turns round in a deep buffer only, and a field that only the second router of a group reads. Sizes are small or odd, so that buffers are
//! full and pointers turn round soon.

mod small;

use super::Configuration;
use small::SMALL;

/// Those whose routers are built for the lengths of their scenario's packets alone: one length, and five.
pub(super) const OWN_LENGTHS: [&str; 3] =
    ["occupancy", "contention-wormhole-output-first", "shared-places-of-two-lengths"];

/// All of them.
pub const CONFIGURATIONS: [Configuration; LARGE.len() + SMALL.len()] = {
    let mut all = [LARGE[0]; LARGE.len() + SMALL.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < LARGE.len() { LARGE[at] } else { SMALL[at - LARGE.len()] };
        at += 1;
    }
    all
};

/// Those that have one choice of most kinds.
const LARGE: [Configuration; 22] = [
    Configuration { name: "occupancy", sets: &["selection.trigger=occupancy"], flit_width: 128 },
    Configuration {
        name: "par-hybrid-descending-wavefront",
        sets: &[
            "routing={ algorithm = \"par\", local_misrouting = \"all\", vc_order = \"descending\" }",
            "selection.trigger=hybrid",
            "router.allocator=wavefront",
            "router.priority=transit",
            "router.pipeline=5",
            "router.buffer_flits={ node = 31, local = 17, global = 65 }",
            "router.head_lifetime={ node = 40, global = 300 }",
            "router.vl_stall_count=2",
            "router.packet_lifetime=300",
        ],
        flit_width: 96, // no payload beside the header
    },
    Configuration {
        name: "contention-wormhole-output-first",
        sets: &[
            "selection.trigger=contention",
            "traffic.reply_flits=12",
            "router.flow_control=wormhole",
            "router.allocator=separable-output-first",
            "router.arbiter=round-robin",
            "router.priority=transit",
            "router.iterations=3",
            "router.pipeline=5",
            "router.synchronous_buffers=true",
            "routing.policy=CRG+L",
            "topology.arrangement=absolute",
            "router.packet_lifetime=64",
        ],
        flit_width: 97,
    },
    Configuration {
        name: "average-on-arrival-at-speed-1",
        sets: &[
            "selection.trigger=contention-average",
            "selection.count_at=arrival",
            "traffic.packet_flits=4",
            "router.allocation_unit=packet",
            "router.speedup=1",
            "router.output_flits=1",
            "routing.misroute_scope=route",
            "router.iterations=1",
            "router.head_lifetime=255",
            "router.vl_stall_count=7",
        ],
        flit_width: 160,
    },
    Configuration {
        name: "average-of-cycles-before",
        sets: &[
            "selection={ trigger = \"contention-average\", contention_factor = 0.8 }",
            "topology.groups=5",
            "traffic.packet_flits=2",
            "router.pipeline=6",
            "router.output_flits=4",
            "router.reserved_flits={ global = 16 }",
            "router.allocator=separable-one-arbiter",
        ],
        flit_width: 100,
    },
    Configuration {
        name: "always-free-store-and-forward",
        sets: &[
            "selection.trigger=always",
            "routing.policy=RRG+L",
            "routing.nonminimal=free",
            "router.flow_control=store-and-forward",
            "topology.groups=5",
            "topology.arrangement=consecutive",
            "router.speedup=3",
        ],
        flit_width: 129,
    },
    Configuration {
        name: "always-one-output",
        sets: &[
            "selection.trigger=always",
            "routing.policy=RRG+L",
            "topology.groups=5",
            "router.pipeline=6",
            "router.speedup=1",
            "router.select_ahead=false",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "table-round-robin",
        sets: &[
            "topology={ kind = \"torus\", dims = [3, 3], nodes_per_router = 2 }",
            "routing={ algorithm = \"table\" }",
            "router.vcs=2",
            "router.arbiter=round-robin",
            "router.allocation_unit=packet",
            "router.priority=transit",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "forwarding-tables",
        sets: &[
            "topology={ kind = \"torus\", dims = [3, 3], nodes_per_router = 2 }",
            "routing={ algorithm = \"forwarding\", tables = \"forwarding.csv\", sl_to_vl = \"lanes.csv\" }",
            "router.vcs=4",
            "router.discards=true",
            "router.head_lifetime={ node = 90, local = 120 }",
            "router.vl_stall_count={ node = 3, local = 1 }",
            "router.allocator=separable-output-first",
            "router.iterations=1",
            "router.allocation_unit=packet",
            "congestion.threshold={ node = 13, local = 15 }",
            "congestion.victim_mask=true",
            "router.vl_arbitration={ high = [[3, 2]], low = [[0, 1], [1, 4]], limit = 1, management = 2, flit_bytes = 501 }",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "duato-on-a-mesh",
        sets: &[
            "topology={ kind = \"mesh\", dims = [3, 4], nodes_per_router = 1 }",
            "routing={ algorithm = \"duato\" }",
            "traffic.packet_flits=4",
            "router.vcs={ node = 4, local = 3, global = 1 }",
            "router.arbiter=round-robin",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "dimension-order-on-a-torus",
        sets: &[
            "topology={ kind = \"torus\", dims = [3, 4], nodes_per_router = 1 }",
            "routing={ algorithm = \"dimension-order\" }",
            "traffic.packet_flits=3",
            "router.vcs=2",
            "router.flow_control=wormhole",
            "router.buffer_flits=5",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "turn-model-on-a-mesh",
        sets: &[
            "topology={ kind = \"mesh\", dims = [3, 3], nodes_per_router = 1 }",
            "routing={ algorithm = \"turn-model\", turns = \"west-first\" }",
            "traffic.packet_flits=4",
            "router.vcs={ node = 2, local = 1, global = 1 }",
            "router.buffer_flits=9",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 112,
    },
    Configuration {
        name: "odd-even-on-a-mesh",
        sets: &[
            "topology={ kind = \"mesh\", dims = [4, 3], nodes_per_router = 1 }",
            "routing={ algorithm = \"odd-even\" }",
            "traffic.packet_flits=4",
            "congestion={ threshold = 15, marking_rate = 1, packet_size = 2 }",
            "router.vcs={ node = 2, local = 1, global = 1 }",
            "router.arbiter=round-robin",
            "router.buffer_flits=7",
            "router.synchronous_buffers=true",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 104,
    },
    Configuration {
        name: "source-on-a-torus",
        sets: &[
            "topology={ kind = \"torus\", dims = [3, 3], nodes_per_router = 1 }",
            "routing={ algorithm = \"source\" }",
            "traffic.packet_flits=2",
            "router.vcs={ node = 2, local = 2, global = 1 }",
            "router.buffer_flits=6",
            "router.output_flits=2",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 120,
    },
    Configuration {
        name: "rlm-ectn-wormhole",
        sets: &[
            "topology={ kind = \"dragonfly\", p = 1, a = 4, h = 1, groups = 5 }",
            "routing={ algorithm = \"rlm\" }",
            "selection={ trigger = \"ectn\", contention_threshold = 2, combined_threshold = 3, ectn_period = 20, ectn_counters_per_flit = 0 }",
            "traffic.packet_flits=4",
            "router.flow_control=wormhole",
            "router.buffer_flits={ node = 9, local = 7, global = 11 }",
            "router.reserved_flits={ local = 4, global = 4 }",
            "router.output_flits=2",
            "router.speedup=1",
            "router.pipeline=6",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "valiant-by-router",
        sets: &[
            "topology={ kind = \"dragonfly\", p = 1, a = 3, h = 1, groups = 4 }",
            "routing={ algorithm = \"valiant\", intermediate = \"node\" }",
            "traffic.packet_flits=2",
            "router.pipeline=6",
            "router.buffer_flits={ node = 4, local = 3, global = 5 }",
            "router.reserved_flits={ local = 2, global = 2 }",
            "router.output_flits=2",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "ugal-by-group",
        sets: &[
            "topology={ kind = \"dragonfly\", p = 1, a = 3, h = 1, groups = 4, arrangement = \"absolute\" }",
            "routing={ algorithm = \"ugal-dragonfly\" }",
            "selection={ trigger = \"ugal\", ugal_bias = 3, ugal_queue = \"vc\" }",
            "traffic.packet_flits=2",
            "router.pipeline=6",
            "router.select_ahead=false",
            "router.synchronous_buffers=true",
            "router.buffer_flits={ node = 4, local = 7, global = 9 }",
            "router.output_flits=2",
            "router.speedup=1",
            "router.allocator=separable-one-arbiter",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "piggybacking",
        sets: &[
            "topology={ kind = \"dragonfly\", p = 1, a = 3, h = 2, groups = 7 }",
            "routing={ algorithm = \"ugal-dragonfly\", knowledge = \"group\", piggyback_factor = 1.125, piggyback_packets = 1 }",
            "selection={ trigger = \"ugal\", ugal_bias = 1, ugal_queue = \"packets\" }",
            "traffic.packet_flits=3",
            "router.buffer_flits={ node = 4, local = 7, global = 9 }",
            "router.output_flits=2",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "piggybacking-each-cycle",
        sets: &[
            "topology={ kind = \"dragonfly\", p = 1, a = 4, h = 2, groups = 9, arrangement = \"consecutive\" }",
            "routing={ algorithm = \"ugal-dragonfly\", knowledge = \"group-each-cycle\", intermediate = \"node\", piggyback_factor = 1.125, piggyback_packets = 1 }",
            "selection={ trigger = \"ugal\", ugal_bias = 20 }",
            "traffic.packet_flits=3",
            "router.buffer_flits={ node = 4, local = 7, global = 9 }",
            "router.output_flits=2",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "radix-15",
        sets: &[
            "topology.p=4",
            "topology.a=8",
            "topology.h=4",
            "selection.trigger=hybrid",
            "routing.policy=NRG+L",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "minimal-tiny-buffers",
        sets: &[
            "topology.p=1",
            "topology.a=2",
            "topology.h=1",
            "routing.algorithm=minimal",
            "selection.count_at=arrival",
            "router.allocator=wavefront",
            "router.arbiter=round-robin",
            "router.buffer_flits={ node = 3, local = 2, global = 5 }",
            "router.reserved_flits={ local = 1, global = 2 }",
            "router.pipeline=5",
            "router.output_flits=3",
            "traffic.packet_flits=1",
        ],
        flit_width: 256,
    },
    Configuration {
        name: "hybrid-any-router-deep-buffers",
        sets: &[
            "topology.a=3",
            "topology.groups=3", // some global links lead to one group
            "selection.trigger=hybrid",
            "routing.policy=RRG+L",
            "routing.local_misroutes=2",
            "router.arbiter=round-robin",
            "router.buffer_flits={ node = 300, local = 40, global = 300 }",
            "router.reserved_flits={ global = 24 }",
            "router.synchronous_buffers=true",
            "router.pipeline=5",
            "router.output_flits=5",
        ],
        flit_width: 128,
    },
];
