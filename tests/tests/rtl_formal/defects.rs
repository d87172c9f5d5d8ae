//! What is planted to break a proof.

use super::proof::Proof;
use super::proofs::{
    CONTENTION, OUTPUT, OUTPUT_THAT_KEEPS, ROUTER, ROUTER_OF_FIVE, VC, VC_DISCARDING, VC_ON_ARRIVAL, admit,
    allocator, arbiter, credit,
};

/// A defect, and the property that must break on it.
pub(crate) struct Defect {
    pub(crate) proof: Proof,
    pub(crate) file: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) breaks: &'static str,
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        proof: arbiter("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 4)]),
        file: "arbiter_pick",
        from: "state[n] ? state & LOWER : state | LOWER",
        to: "state | LOWER",
        breaks: "ARBITER_GRANT",
    },
    Defect {
        proof: arbiter("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 4)]),
        file: "arbiter_pick",
        from: "state[n] ? state & LOWER : state | LOWER",
        to: "LOWER",
        breaks: "ARBITER_FAIR",
    },
    Defect {
        proof: arbiter("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 6)]),
        file: "arbiter_pick",
        from: "lowest(request) & {REQUESTERS{later == '0}}",
        to: "lowest(request)",
        breaks: "ARBITER_ONE",
    },
    Defect {
        proof: arbiter("arbiter_contract", &[("ARBITER", 1), ("REQUESTERS", 4)]),
        file: "arbiter_state",
        from: " | served[REQUESTERS-1 -: WIDTH]",
        to: "",
        breaks: "INVARIANT_ORDER",
    },
    Defect {
        proof: arbiter("arbiter_harmless", &[("ARBITER", 0), ("REQUESTERS", 4)]),
        file: "arbiter_state",
        from: "(from << 1 & circle)",
        to: "(from & circle)",
        breaks: "ARBITER_HARMLESS_LAST",
    },
    Defect {
        proof: allocator(&[("ALLOCATOR", 0), ("ARBITER", 0), ("ITERATIONS", 2)]),
        file: "separable_input_first",
        from: "g_pass[k-1].outputs & ~g_pass[k-1].nominated",
        to: "g_pass[k-1].outputs",
        breaks: "ALLOCATE_MATCH_OUTPUT",
    },
    Defect {
        proof: allocator(&[("ALLOCATOR", 1), ("ARBITER", 0), ("ITERATIONS", 1)]),
        file: "separable_output_first",
        from: "want[(i*VCS + v)*PORTS +: PORTS] & offers & by_its_out_vc",
        to: "offers & by_its_out_vc",
        breaks: "ALLOCATE_MATCH_ANSWER",
    },
    Defect {
        proof: allocator(&[("ALLOCATOR", 2), ("ARBITER", 1)]),
        file: "wavefront",
        from: "rows[i*PORTS + c] & inputs[i] & columns[c]",
        to: "rows[i*PORTS + c] & columns[c]",
        breaks: "ALLOCATE_MATCH_INPUT",
    },
    Defect {
        proof: allocator(&[("ALLOCATOR", 2), ("ARBITER", 0)]),
        file: "allocator",
        from: "turn == PORT_W'(PORTS - 1) ? '0 : turn + 1'b1",
        to: "turn + 1'b1",
        breaks: "INVARIANT_CHOICES",
    },
    Defect {
        proof: credit(&[("VCS", 3), ("DEPTH", 2)], 9),
        file: "credit",
        from: "give && !take && !is_full",
        to: "give && !take",
        breaks: "CREDIT_BOUND",
    },
    Defect {
        proof: VC,
        file: "vc",
        from: "flits == FLITS_W'(DEPTH) && !read",
        to: "1'b0",
        breaks: "BUFFER_BOUND",
    },
    Defect {
        proof: VC,
        file: "vc",
        from: "fronts ? write_length : next_length",
        to: "write_length != '0 && fronts ? write_length : LEFT_W'(write_data)",
        breaks: "FLIT_WHOLE",
    },
    Defect {
        proof: VC,
        file: "vc",
        from: "SELECT_AHEAD != 0 && !fronts && active",
        to: "1'b0",
        breaks: "NO_LOST_CYCLE",
    },
    Defect {
        proof: VC_DISCARDING,
        file: "vc",
        from: "grant || DISCARDS != 0 && drop",
        to: "grant",
        breaks: "FLIT_WHOLE",
    },
    Defect {
        proof: VC_DISCARDING,
        file: "vc",
        from: "!(DISCARDS != 0 && expires)",
        to: "1'b1",
        breaks: "ASKS_NOTHING",
    },
    Defect {
        proof: VC_ON_ARRIVAL,
        file: "vc",
        from: "ring_free == RING_W'(PLACES - 1) ? '0 : ring_free + 1'b1",
        to: "ring_free",
        breaks: "RING_POINTERS",
    },
    Defect {
        proof: OUTPUT,
        file: "output_port",
        from: "opens_next || !fills",
        to: "1'b1",
        breaks: "OUTPUT_FIFO",
    },
    Defect {
        proof: OUTPUT,
        file: "output_port",
        from: "flits[free] <=",
        to: "flits[first] <=",
        breaks: "FLIT_WHOLE",
    },
    Defect {
        proof: OUTPUT_THAT_KEEPS,
        file: "output_port",
        from: "opens_next ? !fills : !nearly",
        to: "opens_next || !fills",
        breaks: "OUTPUT_FIFO",
    },
    Defect {
        proof: admit(&[("FLOW", 0)]),
        file: "admit",
        from: "request & accepts & credited[out_vc*PORTS +: PORTS]",
        to: "request & accepts",
        breaks: "ADMIT_CREDIT",
    },
    Defect {
        proof: admit(&[("FLOW", 0), ("SEVERAL", 1)]),
        file: "feasible",
        from: "free & {VCS{accepts}}",
        to: "{VCS{accepts}}",
        breaks: "ADMIT_VC",
    },
    Defect {
        proof: admit(&[("FLOW", 1), ("SETS", 2), ("KINDS", 0), ("OVERLAP", 1)]),
        file: "admit",
        from: "request & accepts & free[c*PORTS +: PORTS]",
        to: "request & accepts",
        breaks: "ADMIT_VC",
    },
    Defect {
        proof: credit(&[("VCS", 3), ("DEPTH", 5)], 18),
        file: "room",
        from: "room && !is_last",
        to: "room",
        breaks: "ROOM_EXACT",
    },
    Defect {
        proof: CONTENTION,
        file: "contention",
        from: "$countones(fallen)",
        to: "0",
        breaks: "CONTENTION_EXACT",
    },
    Defect {
        proof: CONTENTION,
        file: "contention",
        from: "TOTAL_W'($countones(has_fallen))",
        to: "'0",
        breaks: "CONTENTION_TOTAL",
    },
];

/// With `DESVIO_LONG=1`: in the whole router, where it breaks the step of the induction.
pub(crate) const LONG_DEFECTS: &[Defect] = &[
    Defect {
        proof: ROUTER,
        file: "router",
        from: "!IS_HERE || owned[o*VCS + c]",
        to: "!IS_HERE",
        breaks: "VC_OWNED",
    },
    Defect {
        proof: ROUTER_OF_FIVE,
        file: "admitted",
        from: "admitted & {PORTS{!is_taken}}",
        to: "admitted",
        breaks: "INVARIANT_VCS",
    },
];
