//! Small routers, each for what goes together in none of the others.

use super::Configuration;

/// A mesh of 3 × 3, where a table leads the way.
const MESH: &str = "topology={ kind = \"mesh\", dims = [3, 3], nodes_per_router = 1 }";
/// A Dragonfly of four groups of three routers.
const DRAGONFLY: &str = "topology={ kind = \"dragonfly\", p = 1, a = 3, h = 1, groups = 4 }";

/// Kinds of routers that are seldom: tables other than forwarding, shared places of own lengths, priorities of one arbiter, queues of
/// packets beside routers as intermediate points, marks in a wormhole, Dragonflies of fewer groups, the shortest lifetimes, outputs and VCs that are not drawn.
pub(super) const SMALL: [Configuration; 12] = [
    Configuration {
        name: "interval-on-a-mesh",
        sets: &[
            MESH,
            "routing={ algorithm = \"interval\" }",
            "traffic.packet_flits=1",
            "router.vcs=2",
            "router.buffer_flits=4",
            "router.output_flits=2",
            "router.packet_lifetime=24",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "up-then-down-on-a-mesh",
        sets: &[
            MESH,
            "routing={ algorithm = \"up*/down*\" }",
            "traffic.packet_flits=1",
            "router.vcs=2",
            "router.buffer_flits=4",
            "router.output_flits=2",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "layered-on-a-mesh",
        sets: &[
            MESH,
            "routing={ algorithm = \"layered\" }",
            "traffic.packet_flits=1",
            "router.vcs=4",
            "router.buffer_flits=3",
            "router.output_flits=2",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "drawn-ascent-in-a-fat-tree",
        sets: &[
            "topology={ kind = \"fat-tree\", radix = 4, levels = 3 }",
            "routing={ algorithm = \"up-down\", ascent = \"random\" }",
            "traffic.packet_flits=1",
            "router.vcs=2",
            "router.buffer_flits=4",
            "router.output_flits=2",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "shared-places-of-two-lengths",
        sets: &[
            DRAGONFLY,
            "routing.algorithm=minimal",
            "traffic.packet_flits=[{ flits = 1, share = 0.5 }, { flits = 5, share = 0.5 }]",
            "router.buffer_flits={ node = 9, local = 12, global = 14 }",
            "router.reserved_flits={ local = 5, global = 6 }",
            "router.output_flits=3",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "one-arbiter-transit-first",
        sets: &[
            DRAGONFLY,
            "routing.algorithm=minimal",
            "traffic.packet_flits=1",
            "router.buffer_flits={ node = 4, local = 5, global = 6 }",
            "router.allocator=separable-one-arbiter",
            "router.priority=transit",
            "router.output_flits=2",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "packets-queued-by-router",
        sets: &[
            DRAGONFLY,
            "routing={ algorithm = \"ugal-dragonfly\", intermediate = \"node\" }",
            "selection={ trigger = \"ugal\", ugal_bias = 1, ugal_queue = \"packets\" }",
            "traffic.packet_flits=2",
            "router.buffer_flits={ node = 4, local = 5, global = 6 }",
            "router.output_flits=2",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "flags-each-cycle-absolute",
        sets: &[
            "topology={ kind = \"dragonfly\", p = 1, a = 4, h = 2, groups = 9, arrangement = \"absolute\" }",
            "routing={ algorithm = \"ugal-dragonfly\", knowledge = \"group-each-cycle\", intermediate = \"node\", piggyback_factor = 1.125, piggyback_packets = 1 }",
            "selection={ trigger = \"ugal\", ugal_bias = 1, ugal_queue = \"packets\" }",
            "traffic.packet_flits=2",
            "router.buffer_flits={ node = 4, local = 7, global = 9 }",
            "router.output_flits=2",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "marks-in-a-wormhole",
        sets: &[
            MESH,
            "routing={ algorithm = \"dimension-order\" }",
            "traffic.packet_flits=1",
            "congestion={ threshold = { node = 15, local = 9 }, marking_rate = 1, packet_size = 1, victim_mask = true }",
            "router.vcs=2",
            "router.flow_control=wormhole",
            "router.buffer_flits=7",
            "router.output_flits=2",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "par-of-three-groups-short-lived",
        sets: &[
            "topology={ kind = \"dragonfly\", p = 1, a = 4, h = 1, groups = 3 }",
            "routing={ algorithm = \"par\" }",
            "selection.trigger=contention",
            "traffic.packet_flits=2",
            "router.buffer_flits={ node = 5, local = 6, global = 7 }",
            "router.output_flits=2",
            "router.packet_lifetime=4",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "lowest-dimension-on-a-mesh",
        sets: &[
            "topology={ kind = \"mesh\", dims = [3, 3, 2], nodes_per_router = 1 }",
            "routing={ algorithm = \"duato\" }",
            "selection={ ports = \"lowest-dimension\", vcs = \"first\" }",
            "traffic.packet_flits=2",
            "router.vcs={ node = 2, local = 3 }",
            "router.buffer_flits=5",
            "router.output_flits=2",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "first-vc-of-any-output",
        sets: &[
            MESH,
            "routing={ algorithm = \"duato\" }",
            "selection={ trigger = \"always\", vcs = \"first\" }",
            "traffic.packet_flits=2",
            "router.vcs=3",
            "router.buffer_flits=5",
            "router.output_flits=2",
            "router.speedup=1",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
];
