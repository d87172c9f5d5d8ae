//! Everything that is proven.

use super::proof::{Proof, Reach};
use super::registers::{
    allocator_registers, first_flits_registers, nothing, output_registers, router_registers,
    shared_flits_registers, vc_and_ring_registers, vc_registers,
};

const ARBITER: &[&str] = &["arbiter_pick", "arbiter_state", "arbiter", "formal/arbiter_order"];

const ALLOCATOR: &[&str] = &[
    "arbiter_pick",
    "arbiter_state",
    "one_arbiter",
    "output_arbiter",
    "separable_input_first",
    "separable_output_first",
    "seized",
    "wavefront",
    "allocator",
    "formal/arbiter_order",
];

pub(crate) const fn arbiter(top: &'static str, parameters: &'static [(&'static str, u32)]) -> Proof {
    Proof {
        top,
        sources: ARBITER,
        parameters,
        proven_apart: &[],
        assumed: &[],
        seen: nothing,
        reach: Reach::Induction(1),
        cover: 6,
    }
}

/// The longest wait takes as many steps as there are requesters.
const fn arbiter_of_many(top: &'static str, parameters: &'static [(&'static str, u32)]) -> Proof {
    let mut proof = arbiter(top, parameters);
    proof.cover = 8;
    proof
}

pub(crate) const fn allocator(parameters: &'static [(&'static str, u32)]) -> Proof {
    Proof {
        top: "allocator_contract",
        sources: ALLOCATOR,
        parameters,
        proven_apart: &["arbiter_pick"],
        assumed: &[],
        seen: allocator_registers,
        reach: Reach::Induction(1),
        cover: 3,
    }
}

pub(crate) const fn credit(parameters: &'static [(&'static str, u32)], cover: u32) -> Proof {
    Proof {
        top: "credit_contract",
        sources: &["room", "credit"],
        parameters,
        proven_apart: &[],
        assumed: &["CREDIT-NO-DEBT"],
        seen: nothing,
        reach: Reach::Induction(1),
        cover,
    }
}

pub(crate) const VC: Proof = Proof {
    top: "vc_contract",
    sources: &["vc", "formal/buffer_chain", "formal/packet_order"],
    parameters: &[("DEPTH", 2), ("PLACES", 2), ("COUNT_AT", 0)],
    proven_apart: &[],
    assumed: &["BUFFER-EMPTY", "ESCAPE-REQUESTED", "REQUESTED"],
    seen: || vc_registers(2),
    reach: Reach::Induction(1),
    cover: 7,
};

pub(crate) const VC_ON_ARRIVAL: Proof =
    Proof { parameters: &[("DEPTH", 2), ("PLACES", 2), ("COUNT_AT", 1)], seen: vc_and_ring_registers, ..VC };

/// Ones that discard packets.
pub(crate) const VC_DISCARDING: Proof =
    Proof { parameters: &[("DEPTH", 2), ("PLACES", 2), ("COUNT_AT", 0), ("DISCARDS", 1)], ..VC };
pub(crate) const VC_DISCARDING_ON_ARRIVAL: Proof =
    Proof { parameters: &[("DEPTH", 2), ("PLACES", 2), ("COUNT_AT", 1), ("DISCARDS", 1)], ..VC_ON_ARRIVAL };

/// The first flits of two VCs, and the memory behind them; three places are no power of two.
pub(crate) const FIRST_FLITS: Proof = Proof {
    top: "first_flits_contract",
    sources: &["flit_memory", "first_flits"],
    parameters: &[("DEPTH", 3), ("MARKING", 1)],
    proven_apart: &[],
    assumed: &[],
    seen: || first_flits_registers(3, true),
    reach: Reach::Induction(1),
    cover: 9,
};

pub(crate) const FIRST_FLITS_UNMARKED: Proof = Proof {
    parameters: &[("DEPTH", 4), ("MARKING", 0)],
    seen: || first_flits_registers(4, false),
    cover: 8,
    ..FIRST_FLITS
};

/// The lists of two VCs that share three places.
pub(crate) const SHARED_FLITS: Proof = Proof {
    top: "shared_flits_contract",
    sources: &["shared_flits"],
    parameters: &[("PLACES", 3)],
    proven_apart: &[],
    assumed: &["SHARED-BOUND"],
    seen: || shared_flits_registers(3),
    reach: Reach::Induction(1),
    cover: 12,
};

pub(crate) const OUTPUT: Proof = Proof {
    top: "output_port_contract",
    sources: &["output_port", "formal/packet_order", "formal/queue_order"],
    parameters: &[("VCS", 2), ("FLITS", 2)],
    proven_apart: &[],
    assumed: &["VC-OWNED"],
    seen: || output_registers(2),
    reach: Reach::Induction(1),
    cover: 6,
};

/// One that keeps a place for what was admitted in the cycle before.
pub(crate) const OUTPUT_THAT_KEEPS: Proof =
    Proof { parameters: &[("VCS", 2), ("FLITS", 2), ("KEEPS", 1)], ..OUTPUT };

/// One that keeps two, for what was admitted in the two cycles before.
const OUTPUT_THAT_KEEPS_TWO: Proof = Proof {
    parameters: &[("VCS", 2), ("FLITS", 3), ("KEEPS", 2)],
    seen: || output_registers(3),
    cover: 7,
    ..OUTPUT
};

pub(crate) const fn admit(parameters: &'static [(&'static str, u32)]) -> Proof {
    let sources = &["multiples", "nth_member", "drawn_member", "draw", "feasible", "admit"];
    Proof {
        top: "admit_contract",
        sources,
        parameters,
        proven_apart: &[],
        assumed: &[],
        seen: nothing,
        reach: Reach::Induction(1),
        cover: 3,
    }
}

pub(crate) const CONTENTION: Proof = Proof {
    top: "contention_contract",
    sources: &["contention"],
    parameters: &[("PORTS", 2), ("VCS", 2)],
    proven_apart: &[],
    assumed: &[],
    seen: nothing,
    reach: Reach::Induction(1),
    cover: 5,
};

/// The whole router; all modules, because Yosys elaborates what is read.
const ROUTER_SOURCES: &[&str] = &[
    "admit",
    "admitted",
    "allocator",
    "arbiter_pick",
    "arbiter_state",
    "contention",
    "credit",
    "credit_return",
    "crossbar",
    "discard",
    "discards",
    "dragonfly",
    "draw",
    "drawn_hop",
    "drawn_member",
    "draws",
    "errors",
    "event_count",
    "feasible",
    "fits",
    "granted",
    "grid",
    "hop_vcs",
    "input_port",
    "input_vc",
    "interval_lookup",
    "ladder",
    "lfsr",
    "mark",
    "multiples",
    "nth_member",
    "occupancy",
    "onward",
    "output_arbiter",
    "output_port",
    "parity_sign",
    "route",
    "route_dimension_order",
    "route_duato",
    "route_in_transit",
    "route_minimal",
    "route_odd_even",
    "route_olm",
    "route_source",
    "route_table",
    "route_turn_model",
    "route_valiant",
    "room",
    "routed_head",
    "router",
    "routing_table",
    "seized",
    "select",
    "separable_input_first",
    "separable_output_first",
    "set_at",
    "shares",
    "table_lookup",
    "table_settings",
    "thresholds",
    "trigger_occupancy",
    "vc",
    "via_ahead",
    "wavefront",
    "formal/buffer_chain",
    "formal/link_contract",
    "formal/packet_order",
    "formal/queue_order",
];

pub(crate) const ROUTER: Proof = Proof {
    top: "router_contract",
    sources: ROUTER_SOURCES,
    parameters: &[("VCS", 1), ("DEPTH", 2), ("OUTPUT_FLITS", 1), ("SPEEDUP", 1)],
    proven_apart: &["arbiter_pick", "draw"],
    assumed: &[],
    seen: || router_registers(1, 2, 1),
    reach: Reach::Induction(1),
    cover: 5,
};

/// The same with registered requests.
pub(crate) const ROUTER_OF_FIVE: Proof = Proof {
    parameters: &[("VCS", 1), ("DEPTH", 2), ("OUTPUT_FLITS", 1), ("SPEEDUP", 1), ("PIPELINE", 5)],
    ..ROUTER
};

/// Everything that is proven. The numbers of arbiters and allocators are those of `dsv_pkg`.
pub(crate) const PROOFS: &[Proof] = &[
    arbiter("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 4)]),
    arbiter("arbiter_contract", &[("ARBITER", 1), ("REQUESTERS", 4)]),
    arbiter_of_many("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 6)]),
    arbiter("arbiter_harmless", &[("ARBITER", 0), ("REQUESTERS", 4)]),
    arbiter("arbiter_harmless", &[("ARBITER", 1), ("REQUESTERS", 4)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 0), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 1), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 0), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 1), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 0), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 1), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 0), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 1), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 2), ("ARBITER", 0)]),
    allocator(&[("ALLOCATOR", 2), ("ARBITER", 1)]),
    allocator(&[("ALLOCATOR", 3), ("ARBITER", 0), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 3), ("ARBITER", 1), ("ITERATIONS", 2)]),
    // Every VC in debt needs a flit per place: a small buffer.
    credit(&[("VCS", 3), ("DEPTH", 2)], 9),
    credit(&[("VCS", 3), ("DEPTH", 5)], 18),
    credit(&[("VCS", 2), ("DEPTH", 3), ("RESERVED", 1)], 10),
    credit(&[("VCS", 3), ("DEPTH", 5), ("RESERVED", 2)], 14),
    credit(&[("VCS", 2), ("DEPTH", 4), ("RESERVED", 2), ("AHEAD", 1)], 14),
    credit(&[("VCS", 3), ("DEPTH", 5), ("RESERVED", 1), ("AHEAD", 2)], 18),
    // Packets of fewer flits than may go ahead of them.
    credit(&[("VCS", 2), ("DEPTH", 4), ("RESERVED", 1), ("AHEAD", 1), ("SHORTEST", 1)], 14),
    credit(&[("VCS", 3), ("DEPTH", 5), ("RESERVED", 1), ("AHEAD", 2), ("SHORTEST", 1)], 18),
    // Fewer shared places than flits ahead, and none.
    credit(&[("VCS", 2), ("DEPTH", 4), ("RESERVED", 3), ("AHEAD", 2)], 14),
    credit(&[("VCS", 2), ("DEPTH", 5), ("RESERVED", 5), ("AHEAD", 2)], 18),
    SHARED_FLITS,
    VC,
    VC_ON_ARRIVAL,
    VC_DISCARDING,
    VC_DISCARDING_ON_ARRIVAL,
    FIRST_FLITS,
    FIRST_FLITS_UNMARKED,
    OUTPUT,
    OUTPUT_THAT_KEEPS,
    // Virtual cut-through by sets that are apart, wormhole by sets that share ports, store-and-forward.
    admit(&[("FLOW", 0)]),
    admit(&[("FLOW", 0), ("SEVERAL", 1)]),
    admit(&[("FLOW", 1), ("SETS", 2), ("KINDS", 0), ("OVERLAP", 1)]),
    admit(&[("FLOW", 2), ("PORTS", 2), ("VCS", 3)]),
    CONTENTION,
];

/// With `DESVIO_LONG=1`: larger ones. Three places are no power of two.
pub(crate) const LONG: &[Proof] = &[
    Proof {
        parameters: &[("DEPTH", 3), ("PLACES", 2), ("COUNT_AT", 0)],
        seen: || vc_registers(3),
        cover: 9,
        ..VC
    },
    Proof { parameters: &[("VCS", 2), ("FLITS", 3)], seen: || output_registers(3), cover: 7, ..OUTPUT },
    OUTPUT_THAT_KEEPS_TWO,
    ROUTER,
    ROUTER_OF_FIVE,
];
