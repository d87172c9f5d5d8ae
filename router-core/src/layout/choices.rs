//! Choices by their numbers and words, and what each routing offers.
//!
//! Written from `hdl/switch.toml` by `cargo xtask generate`: do not edit.

/// `flit`, a choice of `allocation_unit`.
pub const ALLOCATION_UNIT_FLIT: u32 = 0;
/// `packet`, a choice of `allocation_unit`.
pub const ALLOCATION_UNIT_PACKET: u32 = 1;
/// How many choices `allocation_unit` has.
pub const ALLOCATION_UNIT_COUNT: u32 = 2;
/// `separable_input_first`, a choice of `allocator`.
pub const ALLOCATOR_SEPARABLE_INPUT_FIRST: u32 = 0;
/// `separable_output_first`, a choice of `allocator`.
pub const ALLOCATOR_SEPARABLE_OUTPUT_FIRST: u32 = 1;
/// `wavefront`, a choice of `allocator`.
pub const ALLOCATOR_WAVEFRONT: u32 = 2;
/// `separable_one_arbiter`, a choice of `allocator`.
pub const ALLOCATOR_SEPARABLE_ONE_ARBITER: u32 = 3;
/// How many choices `allocator` has.
pub const ALLOCATOR_COUNT: u32 = 4;
/// `round_robin`, a choice of `arbiter`.
pub const ARBITER_ROUND_ROBIN: u32 = 0;
/// `matrix`, a choice of `arbiter`.
pub const ARBITER_MATRIX: u32 = 1;
/// How many choices `arbiter` has.
pub const ARBITER_COUNT: u32 = 2;
/// `palmtree`, a choice of `arrangement`.
pub const ARRANGEMENT_PALMTREE: u32 = 0;
/// `consecutive`, a choice of `arrangement`.
pub const ARRANGEMENT_CONSECUTIVE: u32 = 1;
/// `absolute`, a choice of `arrangement`.
pub const ARRANGEMENT_ABSOLUTE: u32 = 2;
/// How many choices `arrangement` has.
pub const ARRANGEMENT_COUNT: u32 = 3;
/// `head`, a choice of `count_at`.
pub const COUNT_AT_HEAD: u32 = 0;
/// `arrival`, a choice of `count_at`.
pub const COUNT_AT_ARRIVAL: u32 = 1;
/// How many choices `count_at` has.
pub const COUNT_AT_COUNT: u32 = 2;
/// `not_in_table`, a choice of `discard`.
pub const DISCARD_NOT_IN_TABLE: u32 = 0;
/// `invalid_port`, a choice of `discard`.
pub const DISCARD_INVALID_PORT: u32 = 1;
/// `input_port`, a choice of `discard`.
pub const DISCARD_INPUT_PORT: u32 = 2;
/// `management_port`, a choice of `discard`.
pub const DISCARD_MANAGEMENT_PORT: u32 = 3;
/// `lifetime`, a choice of `discard`.
pub const DISCARD_LIFETIME: u32 = 4;
/// How many choices `discard` has.
pub const DISCARD_COUNT: u32 = 5;
/// `vct`, a choice of `flow`.
pub const FLOW_VCT: u32 = 0;
/// `wormhole`, a choice of `flow`.
pub const FLOW_WORMHOLE: u32 = 1;
/// `store_and_forward`, a choice of `flow`.
pub const FLOW_STORE_AND_FORWARD: u32 = 2;
/// How many choices `flow` has.
pub const FLOW_COUNT: u32 = 3;
/// `minimal`, a choice of `hop_kind`.
pub const HOP_KIND_MINIMAL: u32 = 0;
/// `global_misroute`, a choice of `hop_kind`.
pub const HOP_KIND_GLOBAL_MISROUTE: u32 = 1;
/// `local_misroute`, a choice of `hop_kind`.
pub const HOP_KIND_LOCAL_MISROUTE: u32 = 2;
/// How many choices `hop_kind` has.
pub const HOP_KIND_COUNT: u32 = 3;
/// `rising`, a choice of `hop_vcs`.
pub const HOP_VCS_RISING: u32 = 0;
/// `any`, a choice of `hop_vcs`.
pub const HOP_VCS_ANY: u32 = 1;
/// `given`, a choice of `hop_vcs`.
pub const HOP_VCS_GIVEN: u32 = 2;
/// `kept`, a choice of `hop_vcs`.
pub const HOP_VCS_KEPT: u32 = 3;
/// `level`, a choice of `hop_vcs`.
pub const HOP_VCS_LEVEL: u32 = 4;
/// How many choices `hop_vcs` has.
pub const HOP_VCS_COUNT: u32 = 5;
/// `group`, a choice of `intermediate`.
pub const INTERMEDIATE_GROUP: u32 = 0;
/// `router`, a choice of `intermediate`.
pub const INTERMEDIATE_ROUTER: u32 = 1;
/// How many choices `intermediate` has.
pub const INTERMEDIATE_COUNT: u32 = 2;
/// `router`, a choice of `knowledge`.
pub const KNOWLEDGE_ROUTER: u32 = 0;
/// `credits`, a choice of `knowledge`.
pub const KNOWLEDGE_CREDITS: u32 = 1;
/// `group`, a choice of `knowledge`.
pub const KNOWLEDGE_GROUP: u32 = 2;
/// `oracle`, a choice of `knowledge`.
pub const KNOWLEDGE_ORACLE: u32 = 3;
/// `group_each_cycle`, a choice of `knowledge`.
pub const KNOWLEDGE_GROUP_EACH_CYCLE: u32 = 4;
/// How many choices `knowledge` has.
pub const KNOWLEDGE_COUNT: u32 = 5;
/// `rrg`, a choice of `policy`.
pub const POLICY_RRG: u32 = 0;
/// `crg`, a choice of `policy`.
pub const POLICY_CRG: u32 = 1;
/// `nrg`, a choice of `policy`.
pub const POLICY_NRG: u32 = 2;
/// `mm`, a choice of `policy`.
pub const POLICY_MM: u32 = 3;
/// How many choices `policy` has.
pub const POLICY_COUNT: u32 = 4;
/// `node`, a choice of `port_kind`.
pub const PORT_KIND_NODE: u32 = 0;
/// `local`, a choice of `port_kind`.
pub const PORT_KIND_LOCAL: u32 = 1;
/// `global`, a choice of `port_kind`.
pub const PORT_KIND_GLOBAL: u32 = 2;
/// How many choices `port_kind` has.
pub const PORT_KIND_COUNT: u32 = 3;
/// `random`, a choice of `port_rule`.
pub const PORT_RULE_RANDOM: u32 = 0;
/// `lowest_dimension`, a choice of `port_rule`.
pub const PORT_RULE_LOWEST_DIMENSION: u32 = 1;
/// How many choices `port_rule` has.
pub const PORT_RULE_COUNT: u32 = 2;
/// `none`, a choice of `priority`.
pub const PRIORITY_NONE: u32 = 0;
/// `transit`, a choice of `priority`.
pub const PRIORITY_TRANSIT: u32 = 1;
/// How many choices `priority` has.
pub const PRIORITY_COUNT: u32 = 2;
/// `no_such_vc`, a choice of `protocol_error`.
pub const PROTOCOL_ERROR_NO_SUCH_VC: u32 = 0;
/// `overflow`, a choice of `protocol_error`.
pub const PROTOCOL_ERROR_OVERFLOW: u32 = 1;
/// `too_many_packets`, a choice of `protocol_error`.
pub const PROTOCOL_ERROR_TOO_MANY_PACKETS: u32 = 2;
/// `body_without_head`, a choice of `protocol_error`.
pub const PROTOCOL_ERROR_BODY_WITHOUT_HEAD: u32 = 3;
/// `head_inside_packet`, a choice of `protocol_error`.
pub const PROTOCOL_ERROR_HEAD_INSIDE_PACKET: u32 = 4;
/// `wrong_length`, a choice of `protocol_error`.
pub const PROTOCOL_ERROR_WRONG_LENGTH: u32 = 5;
/// `no_flits`, a choice of `protocol_error`.
pub const PROTOCOL_ERROR_NO_FLITS: u32 = 6;
/// `credit_overflow`, a choice of `protocol_error`.
pub const PROTOCOL_ERROR_CREDIT_OVERFLOW: u32 = 7;
/// `no_route`, a choice of `protocol_error`.
pub const PROTOCOL_ERROR_NO_ROUTE: u32 = 8;
/// `too_many_sets`, a choice of `protocol_error`.
pub const PROTOCOL_ERROR_TOO_MANY_SETS: u32 = 9;
/// How many choices `protocol_error` has.
pub const PROTOCOL_ERROR_COUNT: u32 = 10;
/// `minimal`, a choice of `routing`.
pub const ROUTING_MINIMAL: u32 = 0;
/// `olm`, a choice of `routing`.
pub const ROUTING_OLM: u32 = 1;
/// `table`, a choice of `routing`.
pub const ROUTING_TABLE: u32 = 2;
/// `duato`, a choice of `routing`.
pub const ROUTING_DUATO: u32 = 3;
/// `dimension_order`, a choice of `routing`.
pub const ROUTING_DIMENSION_ORDER: u32 = 4;
/// `turn_model`, a choice of `routing`.
pub const ROUTING_TURN_MODEL: u32 = 5;
/// `odd_even`, a choice of `routing`.
pub const ROUTING_ODD_EVEN: u32 = 6;
/// `source`, a choice of `routing`.
pub const ROUTING_SOURCE: u32 = 7;
/// `par`, a choice of `routing`.
pub const ROUTING_PAR: u32 = 8;
/// `rlm`, a choice of `routing`.
pub const ROUTING_RLM: u32 = 9;
/// `valiant`, a choice of `routing`.
pub const ROUTING_VALIANT: u32 = 10;
/// `ugal_dragonfly`, a choice of `routing`.
pub const ROUTING_UGAL_DRAGONFLY: u32 = 11;
/// How many choices `routing` has.
pub const ROUTING_COUNT: u32 = 12;
/// `restricted`, a choice of `rules`.
pub const RULES_RESTRICTED: u32 = 0;
/// `free`, a choice of `rules`.
pub const RULES_FREE: u32 = 1;
/// How many choices `rules` has.
pub const RULES_COUNT: u32 = 2;
/// `group`, a choice of `scope`.
pub const SCOPE_GROUP: u32 = 0;
/// `route`, a choice of `scope`.
pub const SCOPE_ROUTE: u32 = 1;
/// How many choices `scope` has.
pub const SCOPE_COUNT: u32 = 2;
/// `router`, a choice of `table_by`.
pub const TABLE_BY_ROUTER: u32 = 0;
/// `node`, a choice of `table_by`.
pub const TABLE_BY_NODE: u32 = 1;
/// `leg`, a choice of `table_by`.
pub const TABLE_BY_LEG: u32 = 2;
/// `drawn`, a choice of `table_by`.
pub const TABLE_BY_DRAWN: u32 = 3;
/// `interval`, a choice of `table_by`.
pub const TABLE_BY_INTERVAL: u32 = 4;
/// How many choices `table_by` has.
pub const TABLE_BY_COUNT: u32 = 5;
/// `never`, a choice of `trigger`.
pub const TRIGGER_NEVER: u32 = 0;
/// `occupancy`, a choice of `trigger`.
pub const TRIGGER_OCCUPANCY: u32 = 1;
/// `contention`, a choice of `trigger`.
pub const TRIGGER_CONTENTION: u32 = 2;
/// `contention_average`, a choice of `trigger`.
pub const TRIGGER_CONTENTION_AVERAGE: u32 = 3;
/// `hybrid`, a choice of `trigger`.
pub const TRIGGER_HYBRID: u32 = 4;
/// `always`, a choice of `trigger`.
pub const TRIGGER_ALWAYS: u32 = 5;
/// `ectn`, a choice of `trigger`.
pub const TRIGGER_ECTN: u32 = 6;
/// `ugal`, a choice of `trigger`.
pub const TRIGGER_UGAL: u32 = 7;
/// How many choices `trigger` has.
pub const TRIGGER_COUNT: u32 = 8;
/// `west_first`, a choice of `turns`.
pub const TURNS_WEST_FIRST: u32 = 0;
/// `north_last`, a choice of `turns`.
pub const TURNS_NORTH_LAST: u32 = 1;
/// `negative_first`, a choice of `turns`.
pub const TURNS_NEGATIVE_FIRST: u32 = 2;
/// How many choices `turns` has.
pub const TURNS_COUNT: u32 = 3;
/// `port`, a choice of `ugal_queue`.
pub const UGAL_QUEUE_PORT: u32 = 0;
/// `vc`, a choice of `ugal_queue`.
pub const UGAL_QUEUE_VC: u32 = 1;
/// `packets`, a choice of `ugal_queue`.
pub const UGAL_QUEUE_PACKETS: u32 = 2;
/// How many choices `ugal_queue` has.
pub const UGAL_QUEUE_COUNT: u32 = 3;
/// `ascending`, a choice of `vc_order`.
pub const VC_ORDER_ASCENDING: u32 = 0;
/// `descending`, a choice of `vc_order`.
pub const VC_ORDER_DESCENDING: u32 = 1;
/// How many choices `vc_order` has.
pub const VC_ORDER_COUNT: u32 = 2;
/// `random`, a choice of `vc_rule`.
pub const VC_RULE_RANDOM: u32 = 0;
/// `first`, a choice of `vc_rule`.
pub const VC_RULE_FIRST: u32 = 1;
/// How many choices `vc_rule` has.
pub const VC_RULE_COUNT: u32 = 2;
/// `idle`, a choice of `vc_state`.
pub const VC_STATE_IDLE: u32 = 0;
/// `waiting`, a choice of `vc_state`.
pub const VC_STATE_WAITING: u32 = 1;
/// `active`, a choice of `vc_state`.
pub const VC_STATE_ACTIVE: u32 = 2;
/// `discarding`, a choice of `vc_state`.
pub const VC_STATE_DISCARDING: u32 = 3;
/// How many choices `vc_state` has.
pub const VC_STATE_COUNT: u32 = 4;
/// The choices of `allocation_unit`, by number.
pub const ALLOCATION_UNIT_NAMES: [&str; 2] = ["flit", "packet"];
/// The choices of `allocator`, by number.
pub const ALLOCATOR_NAMES: [&str; 4] =
    ["separable_input_first", "separable_output_first", "wavefront", "separable_one_arbiter"];
/// The choices of `arbiter`, by number.
pub const ARBITER_NAMES: [&str; 2] = ["round_robin", "matrix"];
/// The choices of `arrangement`, by number.
pub const ARRANGEMENT_NAMES: [&str; 3] = ["palmtree", "consecutive", "absolute"];
/// The choices of `count_at`, by number.
pub const COUNT_AT_NAMES: [&str; 2] = ["head", "arrival"];
/// The choices of `discard`, by number.
pub const DISCARD_NAMES: [&str; 5] =
    ["not_in_table", "invalid_port", "input_port", "management_port", "lifetime"];
/// The choices of `flow`, by number.
pub const FLOW_NAMES: [&str; 3] = ["vct", "wormhole", "store_and_forward"];
/// The choices of `hop_kind`, by number.
pub const HOP_KIND_NAMES: [&str; 3] = ["minimal", "global_misroute", "local_misroute"];
/// The choices of `hop_vcs`, by number.
pub const HOP_VCS_NAMES: [&str; 5] = ["rising", "any", "given", "kept", "level"];
/// The choices of `intermediate`, by number.
pub const INTERMEDIATE_NAMES: [&str; 2] = ["group", "router"];
/// The choices of `knowledge`, by number.
pub const KNOWLEDGE_NAMES: [&str; 5] = ["router", "credits", "group", "oracle", "group_each_cycle"];
/// The choices of `policy`, by number.
pub const POLICY_NAMES: [&str; 4] = ["rrg", "crg", "nrg", "mm"];
/// The choices of `port_kind`, by number.
pub const PORT_KIND_NAMES: [&str; 3] = ["node", "local", "global"];
/// The choices of `port_rule`, by number.
pub const PORT_RULE_NAMES: [&str; 2] = ["random", "lowest_dimension"];
/// The choices of `priority`, by number.
pub const PRIORITY_NAMES: [&str; 2] = ["none", "transit"];
/// The choices of `protocol_error`, by number.
pub const PROTOCOL_ERROR_NAMES: [&str; 10] = [
    "no_such_vc",
    "overflow",
    "too_many_packets",
    "body_without_head",
    "head_inside_packet",
    "wrong_length",
    "no_flits",
    "credit_overflow",
    "no_route",
    "too_many_sets",
];
/// The choices of `routing`, by number.
pub const ROUTING_NAMES: [&str; 12] = [
    "minimal",
    "olm",
    "table",
    "duato",
    "dimension_order",
    "turn_model",
    "odd_even",
    "source",
    "par",
    "rlm",
    "valiant",
    "ugal_dragonfly",
];
/// The choices of `rules`, by number.
pub const RULES_NAMES: [&str; 2] = ["restricted", "free"];
/// The choices of `scope`, by number.
pub const SCOPE_NAMES: [&str; 2] = ["group", "route"];
/// The choices of `table_by`, by number.
pub const TABLE_BY_NAMES: [&str; 5] = ["router", "node", "leg", "drawn", "interval"];
/// The choices of `trigger`, by number.
pub const TRIGGER_NAMES: [&str; 8] =
    ["never", "occupancy", "contention", "contention_average", "hybrid", "always", "ectn", "ugal"];
/// The choices of `turns`, by number.
pub const TURNS_NAMES: [&str; 3] = ["west_first", "north_last", "negative_first"];
/// The choices of `ugal_queue`, by number.
pub const UGAL_QUEUE_NAMES: [&str; 3] = ["port", "vc", "packets"];
/// The choices of `vc_order`, by number.
pub const VC_ORDER_NAMES: [&str; 2] = ["ascending", "descending"];
/// The choices of `vc_rule`, by number.
pub const VC_RULE_NAMES: [&str; 2] = ["random", "first"];
/// The choices of `vc_state`, by number.
pub const VC_STATE_NAMES: [&str; 4] = ["idle", "waiting", "active", "discarding"];
/// The kinds of hop of each routing's sets, in offer order; by number of the routing.
pub const ROUTING_KINDS: [&[u32]; 12] =
    [&[0], &[0, 1, 2], &[0], &[0, 0], &[0], &[0], &[0], &[0], &[0, 1, 2], &[0, 1, 2], &[0], &[0, 1]];
