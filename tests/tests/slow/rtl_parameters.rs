//! Parameters of the RTL that make no router are refused by name when the design is read.

use desvio_lockstep::rtl::Sources;
use desvio_tests::rtl::{hdl, insists};
use router_core::layout;
use verilated::{BuildError, Design};

/// What is set in the smallest router, and a word of the refusal.
const WRONG: [(&[(&str, u32)], &str); 50] = [
    (
        &[("ROUTING", layout::ROUTING_TABLE), ("LOCALS", 0), ("GLOBALS", 0), ("GROUPS", 1)],
        "a router has 2 to 64 ports",
    ),
    (&[("NODES", 0), ("LOCALS", 0), ("GLOBALS", 0)], "a router has 2 to 64 ports"),
    (
        &[("ROUTING", layout::ROUTING_TABLE), ("TABLE_BY", layout::TABLE_BY_INTERVAL), ("TABLE_LABELS", 5)],
        "TABLE_BY_INTERVAL needs a row for each bit of a label and one more",
    ),
    (&[("ROUTING", layout::ROUTING_TABLE), ("TABLE_ROUTERS", 0)], "TABLE_ROUTERS has to be at least 1"),
    (&[("GLOBALS", 0)], NO_GROUPS),
    (&[("GROUPS", 0)], NO_GROUPS),
    (&[("GROUPS", 1)], NO_GROUPS),
    (&[("GLOBALS", 0), ("GROUPS", 1)], NO_GROUPS),
    (&[("ROUTING", layout::ROUTING_MINIMAL), ("GLOBALS", 0)], NO_GROUPS),
    (&[("ROUTING", layout::ROUTING_PAR), ("GROUPS", 1)], NO_GROUPS),
    (&[("ROUTING", layout::ROUTING_RLM), ("GROUPS", 0)], NO_GROUPS),
    (&[("ROUTING", layout::ROUTING_VALIANT), ("GLOBALS", 0)], NO_GROUPS),
    (&[("ROUTING", layout::ROUTING_UGAL_DRAGONFLY), ("GROUPS", 0)], NO_GROUPS),
    (&[("VCS", 0)], "VCS has to be the largest"),
    (&[("VCS", 4)], "VCS has to be the largest"),
    (&[("VCS", 9), ("LOCAL_VCS", 9)], "VCS has to be the largest"),
    (&[("NODE_VCS", 0)], NO_VCS_OF_KIND),
    (&[("LOCAL_VCS", 0), ("VCS", 2), ("NODE_VCS", 2)], NO_VCS_OF_KIND),
    (&[("GLOBAL_VCS", 0)], NO_VCS_OF_KIND),
    (&[("OUTPUT_FLITS", 0)], "OUTPUT_FLITS have to be at least 1"),
    (&[("SPEEDUP", 0)], "SPEEDUP and ITERATIONS"),
    (&[("SHORTEST", 0)], "SPEEDUP and ITERATIONS"),
    (&[("ITERATIONS", 0)], "SPEEDUP and ITERATIONS"),
    (&[("ITERATIONS", 0), ("ALLOCATOR", layout::ALLOCATOR_SEPARABLE_OUTPUT_FIRST)], "SPEEDUP and ITERATIONS"),
    (
        &[
            ("GLOBAL_RESERVED", 4),
            ("SYNCHRONOUS_BUFFERS", 1),
            ("ALLOCATION_UNIT", layout::ALLOCATION_UNIT_PACKET),
        ],
        "and not ALLOCATION_UNIT_PACKET",
    ),
    (&[("LOCAL_RESERVED", 4), ("SYNCHRONOUS_BUFFERS", 1)], "ROUTING_OLM deadlocks where"),
    (
        &[
            ("ROUTING", layout::ROUTING_DUATO),
            ("LOCALS", 2),
            ("LOCAL_RESERVED", 4),
            ("SYNCHRONOUS_BUFFERS", 1),
        ],
        "ROUTING_DUATO deadlocks with FLOW_WORMHOLE, and where",
    ),
    (&[("LOCAL_RESERVED", 9)], "have to be at most LOCAL_FLITS and GLOBAL_FLITS"),
    (&[("GLOBAL_RESERVED", 4)], "need SYNCHRONOUS_BUFFERS"),
    (
        &[("LOCAL_RESERVED", 4), ("SYNCHRONOUS_BUFFERS", 1), ("MARKING", 1)],
        "SYNCHRONOUS_BUFFERS and no MARKING",
    ),
    (&[("LONGEST", 3)], "LONGEST has to be from SHORTEST to 1023"),
    (&[("LONGEST", 1024)], "LONGEST has to be from SHORTEST to 1023"),
    (&[("FLIT_WIDTH", 95)], "FLIT_WIDTH has to be at least HEADER_BITS"),
    (&[("FLIT_WIDTH", 63)], "FLIT_WIDTH has to be at least HEADER_BITS"),
    (&[("COUNTER_WIDTH", 0)], "COUNTER_WIDTH has to be from 1 to 16"),
    (&[("COUNTER_WIDTH", 17)], "COUNTER_WIDTH has to be from 1 to 16"),
    (&[("DISCARDS", 1)], "DISCARDS needs ROUTING_TABLE"),
    (&[("LIFETIME", 29)], "LIFETIME has to be from 0 to 28"),
    (&[("PACKET_LIFETIME", 3)], "PACKET_LIFETIME has to be 0, or from 4"),
    (&[("PACKET_LIFETIME", 1 << 28)], "PACKET_LIFETIME has to be 0, or from 4"),
    (&[("LIMIT", 8)], "LIMIT has to be"),
    (&[("KNOWLEDGE", layout::KNOWLEDGE_CREDITS)], "KNOWLEDGE_CREDITS is not written"),
    (&[("KNOWLEDGE", layout::KNOWLEDGE_GROUP)], "need ROUTING_UGAL_DRAGONFLY"),
    (
        &[("ROUTING", layout::ROUTING_UGAL_DRAGONFLY), ("KNOWLEDGE", layout::KNOWLEDGE_GROUP_EACH_CYCLE)],
        "KNOWLEDGE_GROUP_EACH_CYCLE needs TRIGGER_UGAL",
    ),
    (
        &[
            ("ROUTING", layout::ROUTING_UGAL_DRAGONFLY),
            ("LOCALS", 1),
            ("GLOBALS", 1),
            ("GROUPS", 3),
            ("TRIGGER", layout::TRIGGER_OCCUPANCY),
        ],
        "needs TRIGGER_UGAL, TRIGGER_NEVER or TRIGGER_ALWAYS",
    ),
    (&[("PIGGYBACK_FACTOR", 4097)], "PIGGYBACK_FACTOR has to be at most 4096"),
    (&[("ROUTING", layout::ROUTING_DUATO), ("LOCALS", 4)], "two LOCALS for each dimension"),
    (&[("ROUTING", layout::ROUTING_DUATO), ("LOCALS", 3)], "two LOCALS for each dimension"),
    (&[("ROUTING", layout::ROUTING_ODD_EVEN), ("LOCALS", 2)], "two dimensions"),
    (&[("ROUTING", layout::ROUTING_TURN_MODEL), ("LOCALS", 2), ("GRID_WRAPS", 1)], "GRID_WRAPS needs"),
];

const NO_GROUPS: &str = "a routing of a Dragonfly needs at least one of GLOBALS and two GROUPS";
const NO_VCS_OF_KIND: &str = "have to be at least 1 where there are such ports";

#[test]
fn parameters_that_make_no_router_are_refused() {
    let sources = Sources::folder(hdl()).unwrap_or_else(|error| panic!("{error}"));
    for (parameters, why) in WRONG {
        let design = Design::new("dsv_router").include(sources.include()).sources(sources.files(false));
        let of_smallest = layout::TINY.parameters();
        let changed = |name: &str| parameters.iter().any(|(other, _)| *other == name);
        let kept = of_smallest.iter().filter(|(name, _)| !changed(name));
        let design =
            kept.chain(parameters).fold(design, |design, &(name, value)| design.parameter(name, value));
        match design.build() {
            Err(BuildError::VerilatorMissing { command, .. }) if !insists() => {
                println!("skipped, nothing was refused: there is no {command}");
                return;
            }
            Err(error) => assert!(error.to_string().contains(why), "{parameters:?}: {error}"),
            Ok(_) => panic!("{parameters:?} is a router"),
        }
    }
}
