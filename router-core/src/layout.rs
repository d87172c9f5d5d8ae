//! What Rust and SystemVerilog agree on: bits of the header, numbers of choices, configurations.
//!
//! Written from `hdl/switch.toml` by `cargo xtask generate`: do not edit.

/// Lowest bit of `router`.
pub const ROUTER_AT: u32 = 0;
/// Bits of `router`.
pub const ROUTER_BITS: u32 = 18;
/// Lowest bit of `port`.
pub const PORT_AT: u32 = 18;
/// Bits of `port`.
pub const PORT_BITS: u32 = 6;
/// Lowest bit of `progress`.
pub const PROGRESS_AT: u32 = 24;
/// Bits of `progress`.
pub const PROGRESS_BITS: u32 = 6;
/// Lowest bit of `marks`.
pub const MARKS_AT: u32 = 30;
/// Bits of `marks`.
pub const MARKS_BITS: u32 = 2;
/// Lowest bit of `source`.
pub const SOURCE_AT: u32 = 32;
/// Bits of `source`.
pub const SOURCE_BITS: u32 = 32;
/// Lowest bit of `via`.
pub const VIA_AT: u32 = 64;
/// Bits of `via`.
pub const VIA_BITS: u32 = 18;
/// Lowest bit of `service_class`.
pub const SERVICE_CLASS_AT: u32 = 82;
/// Bits of `service_class`.
pub const SERVICE_CLASS_BITS: u32 = 4;
/// Lowest bit of `length`.
pub const LENGTH_AT: u32 = 86;
/// Bits of `length`.
pub const LENGTH_BITS: u32 = 10;
/// Lowest bit of `local_misroutes`.
pub const PROGRESS_LOCAL_MISROUTES_AT: u32 = 0;
/// Bits of `local_misroutes`.
pub const PROGRESS_LOCAL_MISROUTES_BITS: u32 = 3;
/// Lowest bit of `left_origin`.
pub const PROGRESS_LEFT_ORIGIN_AT: u32 = 3;
/// Bits of `left_origin`.
pub const PROGRESS_LEFT_ORIGIN_BITS: u32 = 1;
/// Lowest bit of `must_leave`.
pub const PROGRESS_MUST_LEAVE_AT: u32 = 4;
/// Bits of `must_leave`.
pub const PROGRESS_MUST_LEAVE_BITS: u32 = 1;
/// Lowest bit of `via_ahead`.
pub const PROGRESS_VIA_AHEAD_AT: u32 = 5;
/// Bits of `via_ahead`.
pub const PROGRESS_VIA_AHEAD_BITS: u32 = 1;
/// Lowest bit of `forward`.
pub const MARKS_FORWARD_AT: u32 = 0;
/// Bits of `forward`.
pub const MARKS_FORWARD_BITS: u32 = 1;
/// Lowest bit of `backward`.
pub const MARKS_BACKWARD_AT: u32 = 1;
/// Bits of `backward`.
pub const MARKS_BACKWARD_BITS: u32 = 1;
/// Lowest bit of `router`.
pub const SOURCE_ROUTER_AT: u32 = 0;
/// Bits of `router`.
pub const SOURCE_ROUTER_BITS: u32 = 18;
/// Lowest bit of `port`.
pub const SOURCE_PORT_AT: u32 = 18;
/// Bits of `port`.
pub const SOURCE_PORT_BITS: u32 = 6;
/// Lowest bit of `spare`.
pub const SOURCE_SPARE_AT: u32 = 24;
/// Bits of `spare`.
pub const SOURCE_SPARE_BITS: u32 = 8;
/// Lowest bit of `index`.
pub const ADDRESS_INDEX_AT: u32 = 0;
/// Bits of `index`.
pub const ADDRESS_INDEX_BITS: u32 = 6;
/// Lowest bit of `group`.
pub const ADDRESS_GROUP_AT: u32 = 6;
/// Bits of `group`.
pub const ADDRESS_GROUP_BITS: u32 = 12;
/// Lowest bit of `vl`.
pub const VL_ENTRY_VL_AT: u32 = 0;
/// Bits of `vl`.
pub const VL_ENTRY_VL_BITS: u32 = 3;
/// Lowest bit of `weight`.
pub const VL_ENTRY_WEIGHT_AT: u32 = 3;
/// Bits of `weight`.
pub const VL_ENTRY_WEIGHT_BITS: u32 = 8;
/// Bits of a virtual lane in a table from service levels to lanes.
pub const LANE_BITS: u32 = 4;
/// Rows of the table memory that such tables of an input have: a bit of the lane of each level.
pub const LANE_ROWS: u32 = 64;
/// Bits of the marking rate.
pub const MARK_RATE_BITS: u32 = 16;
/// Rows of the table memory that say what is marked.
pub const MARK_ROWS: u32 = 59;
/// Bits of a threshold of congestion.
pub const MARK_WEIGHT_BITS: u32 = 4;
/// Bits of the count of units of high priority: no limit is beyond it.
pub const VL_COUNT_BITS: u32 = 14;
/// Entries of a table of VL arbitration.
pub const VL_ENTRIES: u32 = 8;
/// Bits of the limit of high priority.
pub const VL_LIMIT_BITS: u32 = 8;
/// Bits of the number of packets in succession by whose discard a lane is stalled.
pub const VL_STALL_BITS: u32 = 3;
/// Lifetime limits for which a lane is stalled.
pub const VL_STALL_LIMITS: u32 = 8;
/// Bits of the state: a turn in each table (entry, units), and the count.
pub const VL_STATE_BITS: u32 = 36;
/// Bits of both tables and the limit.
pub const VL_TABLES_BITS: u32 = 184;
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
/// How many choices `allocator` has.
pub const ALLOCATOR_COUNT: u32 = 3;
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
/// Sets of candidates that a packet has room for.
pub const CANDIDATE_SETS: u32 = 3;
/// Bits of the hops to the destination by a set of candidates.
pub const HOPS_BITS: u32 = 3;
/// Bits of a header.
pub const HEADER_BITS: u32 = 96;
/// Words of 32 bits of a header.
pub const HEADER_WORDS: u32 = 3;
/// The choices of `allocation_unit`, by number.
pub const ALLOCATION_UNIT_NAMES: [&str; 2] = ["flit", "packet"];
/// The choices of `allocator`, by number.
pub const ALLOCATOR_NAMES: [&str; 3] = ["separable_input_first", "separable_output_first", "wavefront"];
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
/// The choices of `policy`, by number.
pub const POLICY_NAMES: [&str; 4] = ["rrg", "crg", "nrg", "mm"];
/// The choices of `port_kind`, by number.
pub const PORT_KIND_NAMES: [&str; 3] = ["node", "local", "global"];
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
/// The choices of `vc_state`, by number.
pub const VC_STATE_NAMES: [&str; 4] = ["idle", "waiting", "active", "discarding"];
/// The kinds of hop of each routing's sets, in offer order; by number of the routing.
pub const ROUTING_KINDS: [&[u32]; 12] =
    [&[0], &[0, 1, 2], &[0], &[0, 0], &[0], &[0], &[0], &[0], &[0, 1, 2], &[0, 1, 2], &[0], &[0, 1]];

/// The parameters of one named router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Its name.
    pub name: &'static str,
    /// Parameter `NODES` of the module `router`.
    pub nodes: u32,
    /// Parameter `LOCALS` of the module `router`.
    pub locals: u32,
    /// Parameter `GLOBALS` of the module `router`.
    pub globals: u32,
    /// Parameter `GROUPS` of the module `router`.
    pub groups: u32,
    /// Parameter `VCS` of the module `router`.
    pub vcs: u32,
    /// Parameter `NODE_VCS` of the module `router`.
    pub node_vcs: u32,
    /// Parameter `LOCAL_VCS` of the module `router`.
    pub local_vcs: u32,
    /// Parameter `GLOBAL_VCS` of the module `router`.
    pub global_vcs: u32,
    /// Parameter `GRID_STARTS` of the module `router`.
    pub grid_starts: u32,
    /// Parameter `GRID_LAST` of the module `router`.
    pub grid_last: u32,
    /// Parameter `GRID_WRAPS` of the module `router`.
    pub grid_wraps: u32,
    /// Parameter `TABLE_ROUTERS` of the module `router`.
    pub table_routers: u32,
    /// Parameter `TABLE_BY` of the module `router`.
    pub table_by: u32,
    /// Parameter `TABLE_LABELS` of the module `router`.
    pub table_labels: u32,
    /// Parameter `TABLE_NODES` of the module `router`.
    pub table_nodes: u32,
    /// Parameter `HOP_VCS` of the module `router`.
    pub hop_vcs: u32,
    /// Parameter `ROUTING` of the module `router`.
    pub routing: u32,
    /// Parameter `TURNS` of the module `router`.
    pub turns: u32,
    /// Parameter `ARRANGEMENT` of the module `router`.
    pub arrangement: u32,
    /// Parameter `RULES` of the module `router`.
    pub rules: u32,
    /// Parameter `POLICY` of the module `router`.
    pub policy: u32,
    /// Parameter `LOCAL_MISROUTING` of the module `router`.
    pub local_misrouting: u32,
    /// Parameter `LIMIT` of the module `router`.
    pub limit: u32,
    /// Parameter `SCOPE` of the module `router`.
    pub scope: u32,
    /// Parameter `INTERMEDIATE` of the module `router`.
    pub intermediate: u32,
    /// Parameter `DECIDED` of the module `router`.
    pub decided: u32,
    /// Parameter `NODE_FLITS` of the module `router`.
    pub node_flits: u32,
    /// Parameter `LOCAL_FLITS` of the module `router`.
    pub local_flits: u32,
    /// Parameter `GLOBAL_FLITS` of the module `router`.
    pub global_flits: u32,
    /// Parameter `SHORTEST` of the module `router`.
    pub shortest: u32,
    /// Parameter `LONGEST` of the module `router`.
    pub longest: u32,
    /// Parameter `OUTPUT_FLITS` of the module `router`.
    pub output_flits: u32,
    /// Parameter `SPEEDUP` of the module `router`.
    pub speedup: u32,
    /// Parameter `FLIT_WIDTH` of the module `router`.
    pub flit_width: u32,
    /// Parameter `COUNTER_WIDTH` of the module `router`.
    pub counter_width: u32,
    /// Parameter `FLOW` of the module `router`.
    pub flow: u32,
    /// Parameter `VC_ORDER` of the module `router`.
    pub vc_order: u32,
    /// Parameter `COUNT_AT` of the module `router`.
    pub count_at: u32,
    /// Parameter `TRIGGER` of the module `router`.
    pub trigger: u32,
    /// Parameter `UGAL_QUEUE` of the module `router`.
    pub ugal_queue: u32,
    /// Parameter `NOTICE_PERIOD` of the module `router`.
    pub notice_period: u32,
    /// Parameter `ALLOCATOR` of the module `router`.
    pub allocator: u32,
    /// Parameter `ARBITER` of the module `router`.
    pub arbiter: u32,
    /// Parameter `ITERATIONS` of the module `router`.
    pub iterations: u32,
    /// Parameter `ALLOCATION_UNIT` of the module `router`.
    pub allocation_unit: u32,
    /// Parameter `PRIORITY` of the module `router`.
    pub priority: u32,
    /// Parameter `PIPELINE` of the module `router`.
    pub pipeline: u32,
    /// Parameter `MARKING` of the module `router`.
    pub marking: u32,
    /// Parameter `DISCARDS` of the module `router`.
    pub discards: u32,
    /// Parameter `VL_ARBITRATION` of the module `router`.
    pub vl_arbitration: u32,
    /// Parameter `MANAGEMENT_VCS` of the module `router`.
    pub management_vcs: u32,
    /// Parameter `LIFETIME` of the module `router`.
    pub lifetime: u32,
    /// Parameter `FLIT_BYTES` of the module `router`.
    pub flit_bytes: u32,
}

impl Configuration {
    /// All parameters of the module `router`, by name.
    pub const fn parameters(&self) -> [(&'static str, u32); PARAMETERS] {
        [
            ("NODES", self.nodes),
            ("LOCALS", self.locals),
            ("GLOBALS", self.globals),
            ("GROUPS", self.groups),
            ("VCS", self.vcs),
            ("NODE_VCS", self.node_vcs),
            ("LOCAL_VCS", self.local_vcs),
            ("GLOBAL_VCS", self.global_vcs),
            ("GRID_STARTS", self.grid_starts),
            ("GRID_LAST", self.grid_last),
            ("GRID_WRAPS", self.grid_wraps),
            ("TABLE_ROUTERS", self.table_routers),
            ("TABLE_BY", self.table_by),
            ("TABLE_LABELS", self.table_labels),
            ("TABLE_NODES", self.table_nodes),
            ("HOP_VCS", self.hop_vcs),
            ("ROUTING", self.routing),
            ("TURNS", self.turns),
            ("ARRANGEMENT", self.arrangement),
            ("RULES", self.rules),
            ("POLICY", self.policy),
            ("LOCAL_MISROUTING", self.local_misrouting),
            ("LIMIT", self.limit),
            ("SCOPE", self.scope),
            ("INTERMEDIATE", self.intermediate),
            ("DECIDED", self.decided),
            ("NODE_FLITS", self.node_flits),
            ("LOCAL_FLITS", self.local_flits),
            ("GLOBAL_FLITS", self.global_flits),
            ("SHORTEST", self.shortest),
            ("LONGEST", self.longest),
            ("OUTPUT_FLITS", self.output_flits),
            ("SPEEDUP", self.speedup),
            ("FLIT_WIDTH", self.flit_width),
            ("COUNTER_WIDTH", self.counter_width),
            ("FLOW", self.flow),
            ("VC_ORDER", self.vc_order),
            ("COUNT_AT", self.count_at),
            ("TRIGGER", self.trigger),
            ("UGAL_QUEUE", self.ugal_queue),
            ("NOTICE_PERIOD", self.notice_period),
            ("ALLOCATOR", self.allocator),
            ("ARBITER", self.arbiter),
            ("ITERATIONS", self.iterations),
            ("ALLOCATION_UNIT", self.allocation_unit),
            ("PRIORITY", self.priority),
            ("PIPELINE", self.pipeline),
            ("MARKING", self.marking),
            ("DISCARDS", self.discards),
            ("VL_ARBITRATION", self.vl_arbitration),
            ("MANAGEMENT_VCS", self.management_vcs),
            ("LIFETIME", self.lifetime),
            ("FLIT_BYTES", self.flit_bytes),
        ]
    }
}

/// How many parameters there are.
pub const PARAMETERS: usize = 53;

/// The configuration `paper`.
pub const PAPER: Configuration = Configuration {
    name: "paper",
    nodes: 2,
    locals: 3,
    globals: 2,
    groups: 9,
    vcs: 3,
    node_vcs: 3,
    local_vcs: 3,
    global_vcs: 2,
    grid_starts: 1,
    grid_last: 1,
    grid_wraps: 0,
    table_routers: 1,
    table_by: 0,
    table_labels: 1,
    table_nodes: 0,
    hop_vcs: 0,
    routing: 1,
    turns: 2,
    arrangement: 0,
    rules: 0,
    policy: 3,
    local_misrouting: 1,
    limit: 1,
    scope: 0,
    intermediate: 0,
    decided: 0,
    node_flits: 32,
    local_flits: 32,
    global_flits: 256,
    shortest: 8,
    longest: 1023,
    output_flits: 32,
    speedup: 2,
    flit_width: 128,
    counter_width: 8,
    flow: 0,
    vc_order: 0,
    count_at: 0,
    trigger: 4,
    ugal_queue: 0,
    notice_period: 100,
    allocator: 0,
    arbiter: 1,
    iterations: 2,
    allocation_unit: 0,
    priority: 0,
    pipeline: 4,
    marking: 0,
    discards: 0,
    vl_arbitration: 0,
    management_vcs: 0,
    lifetime: 0,
    flit_bytes: 64,
};

/// The configuration `tiny`.
pub const TINY: Configuration = Configuration {
    name: "tiny",
    nodes: 1,
    locals: 1,
    globals: 1,
    groups: 3,
    vcs: 3,
    node_vcs: 3,
    local_vcs: 3,
    global_vcs: 2,
    grid_starts: 1,
    grid_last: 1,
    grid_wraps: 0,
    table_routers: 1,
    table_by: 0,
    table_labels: 1,
    table_nodes: 0,
    hop_vcs: 0,
    routing: 1,
    turns: 2,
    arrangement: 0,
    rules: 0,
    policy: 3,
    local_misrouting: 1,
    limit: 1,
    scope: 0,
    intermediate: 0,
    decided: 0,
    node_flits: 8,
    local_flits: 8,
    global_flits: 8,
    shortest: 4,
    longest: 1023,
    output_flits: 4,
    speedup: 2,
    flit_width: 128,
    counter_width: 4,
    flow: 0,
    vc_order: 0,
    count_at: 0,
    trigger: 4,
    ugal_queue: 0,
    notice_period: 100,
    allocator: 0,
    arbiter: 1,
    iterations: 2,
    allocation_unit: 0,
    priority: 0,
    pipeline: 4,
    marking: 0,
    discards: 0,
    vl_arbitration: 0,
    management_vcs: 0,
    lifetime: 0,
    flit_bytes: 64,
};

/// The configuration `wide`.
pub const WIDE: Configuration = Configuration {
    name: "wide",
    nodes: 4,
    locals: 7,
    globals: 4,
    groups: 33,
    vcs: 3,
    node_vcs: 3,
    local_vcs: 3,
    global_vcs: 2,
    grid_starts: 1,
    grid_last: 1,
    grid_wraps: 0,
    table_routers: 1,
    table_by: 0,
    table_labels: 1,
    table_nodes: 0,
    hop_vcs: 0,
    routing: 1,
    turns: 2,
    arrangement: 0,
    rules: 0,
    policy: 3,
    local_misrouting: 1,
    limit: 1,
    scope: 0,
    intermediate: 0,
    decided: 0,
    node_flits: 32,
    local_flits: 32,
    global_flits: 256,
    shortest: 8,
    longest: 1023,
    output_flits: 32,
    speedup: 2,
    flit_width: 128,
    counter_width: 8,
    flow: 0,
    vc_order: 0,
    count_at: 0,
    trigger: 4,
    ugal_queue: 0,
    notice_period: 100,
    allocator: 0,
    arbiter: 1,
    iterations: 2,
    allocation_unit: 0,
    priority: 0,
    pipeline: 4,
    marking: 0,
    discards: 0,
    vl_arbitration: 0,
    management_vcs: 0,
    lifetime: 0,
    flit_bytes: 64,
};
