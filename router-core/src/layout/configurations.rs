//! The parameters of named routers.
//!
//! Written from `hdl/switch.toml` by `cargo xtask generate`: do not edit.

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
    /// Parameter `KNOWLEDGE` of the module `router`.
    pub knowledge: u32,
    /// Parameter `NODE_FLITS` of the module `router`.
    pub node_flits: u32,
    /// Parameter `LOCAL_FLITS` of the module `router`.
    pub local_flits: u32,
    /// Parameter `GLOBAL_FLITS` of the module `router`.
    pub global_flits: u32,
    /// Parameter `LOCAL_RESERVED` of the module `router`.
    pub local_reserved: u32,
    /// Parameter `GLOBAL_RESERVED` of the module `router`.
    pub global_reserved: u32,
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
    /// Parameter `PORT_RULE` of the module `router`.
    pub port_rule: u32,
    /// Parameter `VC_RULE` of the module `router`.
    pub vc_rule: u32,
    /// Parameter `NOTICE_PERIOD` of the module `router`.
    pub notice_period: u32,
    /// Parameter `PIGGYBACK_FACTOR` of the module `router`.
    pub piggyback_factor: u32,
    /// Parameter `PIGGYBACK_FLITS` of the module `router`.
    pub piggyback_flits: u32,
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
    /// Parameter `SELECT_AHEAD` of the module `router`.
    pub select_ahead: u32,
    /// Parameter `SYNCHRONOUS_BUFFERS` of the module `router`.
    pub synchronous_buffers: u32,
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
    /// Parameter `PACKET_LIFETIME` of the module `router`.
    pub packet_lifetime: u32,
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
            ("KNOWLEDGE", self.knowledge),
            ("NODE_FLITS", self.node_flits),
            ("LOCAL_FLITS", self.local_flits),
            ("GLOBAL_FLITS", self.global_flits),
            ("LOCAL_RESERVED", self.local_reserved),
            ("GLOBAL_RESERVED", self.global_reserved),
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
            ("PORT_RULE", self.port_rule),
            ("VC_RULE", self.vc_rule),
            ("NOTICE_PERIOD", self.notice_period),
            ("PIGGYBACK_FACTOR", self.piggyback_factor),
            ("PIGGYBACK_FLITS", self.piggyback_flits),
            ("ALLOCATOR", self.allocator),
            ("ARBITER", self.arbiter),
            ("ITERATIONS", self.iterations),
            ("ALLOCATION_UNIT", self.allocation_unit),
            ("PRIORITY", self.priority),
            ("PIPELINE", self.pipeline),
            ("SELECT_AHEAD", self.select_ahead),
            ("SYNCHRONOUS_BUFFERS", self.synchronous_buffers),
            ("MARKING", self.marking),
            ("DISCARDS", self.discards),
            ("VL_ARBITRATION", self.vl_arbitration),
            ("MANAGEMENT_VCS", self.management_vcs),
            ("LIFETIME", self.lifetime),
            ("PACKET_LIFETIME", self.packet_lifetime),
            ("FLIT_BYTES", self.flit_bytes),
        ]
    }
}

/// How many parameters there are.
pub const PARAMETERS: usize = 62;

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
    knowledge: 0,
    node_flits: 32,
    local_flits: 32,
    global_flits: 256,
    local_reserved: 0,
    global_reserved: 0,
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
    port_rule: 0,
    vc_rule: 0,
    notice_period: 100,
    piggyback_factor: 512,
    piggyback_flits: 40,
    allocator: 0,
    arbiter: 1,
    iterations: 2,
    allocation_unit: 0,
    priority: 0,
    pipeline: 4,
    select_ahead: 1,
    synchronous_buffers: 0,
    marking: 0,
    discards: 0,
    vl_arbitration: 0,
    management_vcs: 0,
    lifetime: 0,
    packet_lifetime: 0,
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
    knowledge: 0,
    node_flits: 8,
    local_flits: 8,
    global_flits: 8,
    local_reserved: 0,
    global_reserved: 0,
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
    port_rule: 0,
    vc_rule: 0,
    notice_period: 100,
    piggyback_factor: 512,
    piggyback_flits: 40,
    allocator: 0,
    arbiter: 1,
    iterations: 2,
    allocation_unit: 0,
    priority: 0,
    pipeline: 4,
    select_ahead: 1,
    synchronous_buffers: 0,
    marking: 0,
    discards: 0,
    vl_arbitration: 0,
    management_vcs: 0,
    lifetime: 0,
    packet_lifetime: 0,
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
    knowledge: 0,
    node_flits: 32,
    local_flits: 32,
    global_flits: 256,
    local_reserved: 0,
    global_reserved: 0,
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
    port_rule: 0,
    vc_rule: 0,
    notice_period: 100,
    piggyback_factor: 512,
    piggyback_flits: 40,
    allocator: 0,
    arbiter: 1,
    iterations: 2,
    allocation_unit: 0,
    priority: 0,
    pipeline: 4,
    select_ahead: 1,
    synchronous_buffers: 0,
    marking: 0,
    discards: 0,
    vl_arbitration: 0,
    management_vcs: 0,
    lifetime: 0,
    packet_lifetime: 0,
    flit_bytes: 64,
};
