// Written from hdl/switch.toml by `cargo xtask generate`: do not edit.

package dsv_pkg;
  localparam int unsigned ROUTER_AT = 0;
  localparam int unsigned ROUTER_BITS = 18;
  localparam int unsigned PORT_AT = 18;
  localparam int unsigned PORT_BITS = 6;
  localparam int unsigned PROGRESS_AT = 24;
  localparam int unsigned PROGRESS_BITS = 6;
  localparam int unsigned MARKS_AT = 30;
  localparam int unsigned MARKS_BITS = 2;
  localparam int unsigned SOURCE_AT = 32;
  localparam int unsigned SOURCE_BITS = 32;
  localparam int unsigned VIA_AT = 64;
  localparam int unsigned VIA_BITS = 18;
  localparam int unsigned SERVICE_CLASS_AT = 82;
  localparam int unsigned SERVICE_CLASS_BITS = 4;
  localparam int unsigned LENGTH_AT = 86;
  localparam int unsigned LENGTH_BITS = 10;
  localparam int unsigned PROGRESS_LOCAL_MISROUTES_AT = 0;
  localparam int unsigned PROGRESS_LOCAL_MISROUTES_BITS = 3;
  localparam int unsigned PROGRESS_LEFT_ORIGIN_AT = 3;
  localparam int unsigned PROGRESS_LEFT_ORIGIN_BITS = 1;
  localparam int unsigned PROGRESS_MUST_LEAVE_AT = 4;
  localparam int unsigned PROGRESS_MUST_LEAVE_BITS = 1;
  localparam int unsigned PROGRESS_VIA_AHEAD_AT = 5;
  localparam int unsigned PROGRESS_VIA_AHEAD_BITS = 1;
  localparam int unsigned MARKS_FORWARD_AT = 0;
  localparam int unsigned MARKS_FORWARD_BITS = 1;
  localparam int unsigned MARKS_BACKWARD_AT = 1;
  localparam int unsigned MARKS_BACKWARD_BITS = 1;
  localparam int unsigned SOURCE_ROUTER_AT = 0;
  localparam int unsigned SOURCE_ROUTER_BITS = 18;
  localparam int unsigned SOURCE_PORT_AT = 18;
  localparam int unsigned SOURCE_PORT_BITS = 6;
  localparam int unsigned SOURCE_SPARE_AT = 24;
  localparam int unsigned SOURCE_SPARE_BITS = 8;
  localparam int unsigned ADDRESS_INDEX_AT = 0;
  localparam int unsigned ADDRESS_INDEX_BITS = 6;
  localparam int unsigned ADDRESS_GROUP_AT = 6;
  localparam int unsigned ADDRESS_GROUP_BITS = 12;
  localparam int unsigned ALLOCATOR_SEPARABLE_INPUT_FIRST = 0;
  localparam int unsigned ALLOCATOR_SEPARABLE_OUTPUT_FIRST = 1;
  localparam int unsigned ALLOCATOR_WAVEFRONT = 2;
  localparam int unsigned ALLOCATOR_COUNT = 3;
  localparam int unsigned ARBITER_ROUND_ROBIN = 0;
  localparam int unsigned ARBITER_MATRIX = 1;
  localparam int unsigned ARBITER_COUNT = 2;
  localparam int unsigned ARRANGEMENT_PALMTREE = 0;
  localparam int unsigned ARRANGEMENT_CONSECUTIVE = 1;
  localparam int unsigned ARRANGEMENT_ABSOLUTE = 2;
  localparam int unsigned ARRANGEMENT_COUNT = 3;
  localparam int unsigned COUNT_AT_HEAD = 0;
  localparam int unsigned COUNT_AT_ARRIVAL = 1;
  localparam int unsigned COUNT_AT_COUNT = 2;
  localparam int unsigned FLOW_VCT = 0;
  localparam int unsigned FLOW_WORMHOLE = 1;
  localparam int unsigned FLOW_STORE_AND_FORWARD = 2;
  localparam int unsigned FLOW_COUNT = 3;
  localparam int unsigned HOP_KIND_MINIMAL = 0;
  localparam int unsigned HOP_KIND_GLOBAL_MISROUTE = 1;
  localparam int unsigned HOP_KIND_LOCAL_MISROUTE = 2;
  localparam int unsigned HOP_KIND_COUNT = 3;
  localparam int unsigned POLICY_RRG = 0;
  localparam int unsigned POLICY_CRG = 1;
  localparam int unsigned POLICY_NRG = 2;
  localparam int unsigned POLICY_MM = 3;
  localparam int unsigned POLICY_COUNT = 4;
  localparam int unsigned PORT_KIND_NODE = 0;
  localparam int unsigned PORT_KIND_LOCAL = 1;
  localparam int unsigned PORT_KIND_GLOBAL = 2;
  localparam int unsigned PORT_KIND_COUNT = 3;
  localparam int unsigned PROTOCOL_ERROR_NO_SUCH_VC = 0;
  localparam int unsigned PROTOCOL_ERROR_OVERFLOW = 1;
  localparam int unsigned PROTOCOL_ERROR_TOO_MANY_PACKETS = 2;
  localparam int unsigned PROTOCOL_ERROR_BODY_WITHOUT_HEAD = 3;
  localparam int unsigned PROTOCOL_ERROR_HEAD_INSIDE_PACKET = 4;
  localparam int unsigned PROTOCOL_ERROR_WRONG_LENGTH = 5;
  localparam int unsigned PROTOCOL_ERROR_NO_FLITS = 6;
  localparam int unsigned PROTOCOL_ERROR_CREDIT_OVERFLOW = 7;
  localparam int unsigned PROTOCOL_ERROR_NO_ROUTE = 8;
  localparam int unsigned PROTOCOL_ERROR_TOO_MANY_SETS = 9;
  localparam int unsigned PROTOCOL_ERROR_COUNT = 10;
  localparam int unsigned ROUTING_MINIMAL = 0;
  localparam int unsigned ROUTING_OLM = 1;
  localparam int unsigned ROUTING_TABLE = 2;
  localparam int unsigned ROUTING_DUATO = 3;
  localparam int unsigned ROUTING_DIMENSION_ORDER = 4;
  localparam int unsigned ROUTING_TURN_MODEL = 5;
  localparam int unsigned ROUTING_ODD_EVEN = 6;
  localparam int unsigned ROUTING_COUNT = 7;
  localparam int unsigned RULES_RESTRICTED = 0;
  localparam int unsigned RULES_FREE = 1;
  localparam int unsigned RULES_COUNT = 2;
  localparam int unsigned SCOPE_GROUP = 0;
  localparam int unsigned SCOPE_ROUTE = 1;
  localparam int unsigned SCOPE_COUNT = 2;
  localparam int unsigned TRIGGER_NEVER = 0;
  localparam int unsigned TRIGGER_OCCUPANCY = 1;
  localparam int unsigned TRIGGER_CONTENTION = 2;
  localparam int unsigned TRIGGER_CONTENTION_AVERAGE = 3;
  localparam int unsigned TRIGGER_HYBRID = 4;
  localparam int unsigned TRIGGER_ALWAYS = 5;
  localparam int unsigned TRIGGER_COUNT = 6;
  localparam int unsigned TURNS_WEST_FIRST = 0;
  localparam int unsigned TURNS_NORTH_LAST = 1;
  localparam int unsigned TURNS_NEGATIVE_FIRST = 2;
  localparam int unsigned TURNS_COUNT = 3;
  localparam int unsigned VC_ORDER_ASCENDING = 0;
  localparam int unsigned VC_ORDER_DESCENDING = 1;
  localparam int unsigned VC_ORDER_COUNT = 2;
  localparam int unsigned VC_STATE_COUNT = 3;
  localparam int unsigned CANDIDATE_SETS = 3;
  localparam int unsigned HEADER_BITS = 96;
  localparam int unsigned HEADER_WORDS = 3;

  // Bit fields, the highest first.
  typedef struct packed {
    logic via_ahead;
    logic must_leave;
    logic left_origin;
    logic [2:0] local_misroutes;
  } progress_t;
  typedef struct packed {
    logic backward;
    logic forward;
  } marks_t;
  typedef struct packed {
    logic [7:0] spare;
    logic [5:0] port;
    logic [17:0] router;
  } source_t;
  typedef struct packed {
    logic [9:0] length;
    logic [3:0] service_class;
    logic [17:0] via;
    source_t source;
    marks_t marks;
    progress_t progress;
    logic [5:0] port;
    logic [17:0] router;
  } header_t;
  typedef struct packed {
    logic [11:0] group;
    logic [5:0] index;
  } address_t;
  typedef struct packed {
    logic contention_enable;
    logic occupancy_enable;
    logic restriction;
    logic [15:0] restriction_packets;
    logic [15:0] restriction_factor;
    logic [15:0] relative_threshold;
    logic [15:0] minimal_occupancy;
    logic [15:0] contention_factor;
    logic [15:0] contention_threshold;
  } thresholds_t;

  // The state of a VC.
  typedef enum logic [1:0] { VC_STATE_IDLE, VC_STATE_WAITING, VC_STATE_ACTIVE } vc_state_t;

  // What each routing offers: 32 bits for each, the first in the lowest.
  // How many sets.
  localparam logic [223:0] ROUTING_SETS = {32'h1, 32'h1, 32'h1, 32'h2, 32'h1, 32'h3, 32'h1};
  // The kind of hop of each set, a byte each.
  localparam logic [223:0] ROUTING_KINDS = {32'h0, 32'h0, 32'h0, 32'h0, 32'h0, 32'h20100, 32'h0};
  // Whether sets may share a port.
  localparam logic [223:0] ROUTING_OVERLAP = {32'h0, 32'h0, 32'h0, 32'h1, 32'h0, 32'h0, 32'h0};

  // Defaults of parameters.
  localparam int unsigned DEFAULT_NODES = 2;
  localparam int unsigned DEFAULT_LOCALS = 3;
  localparam int unsigned DEFAULT_GLOBALS = 2;
  localparam int unsigned DEFAULT_GROUPS = 9;
  localparam int unsigned DEFAULT_VCS = 3;
  localparam int unsigned DEFAULT_NODE_VCS = 3;
  localparam int unsigned DEFAULT_LOCAL_VCS = 3;
  localparam int unsigned DEFAULT_GLOBAL_VCS = 2;
  localparam int unsigned DEFAULT_GRID_STARTS = 1;
  localparam int unsigned DEFAULT_GRID_LAST = 1;
  localparam int unsigned DEFAULT_GRID_WRAPS = 0;
  localparam int unsigned DEFAULT_TABLE_ROUTERS = 1;
  localparam int unsigned DEFAULT_ROUTING = 1;
  localparam int unsigned DEFAULT_TURNS = 2;
  localparam int unsigned DEFAULT_ARRANGEMENT = 0;
  localparam int unsigned DEFAULT_RULES = 0;
  localparam int unsigned DEFAULT_POLICY = 3;
  localparam int unsigned DEFAULT_LOCAL_MISROUTING = 1;
  localparam int unsigned DEFAULT_LIMIT = 1;
  localparam int unsigned DEFAULT_SCOPE = 0;
  localparam int unsigned DEFAULT_NODE_FLITS = 32;
  localparam int unsigned DEFAULT_LOCAL_FLITS = 32;
  localparam int unsigned DEFAULT_GLOBAL_FLITS = 256;
  localparam int unsigned DEFAULT_SHORTEST = 8;
  localparam int unsigned DEFAULT_OUTPUT_FLITS = 32;
  localparam int unsigned DEFAULT_SPEEDUP = 2;
  localparam int unsigned DEFAULT_FLIT_WIDTH = 128;
  localparam int unsigned DEFAULT_COUNTER_WIDTH = 8;
  localparam int unsigned DEFAULT_FLOW = 0;
  localparam int unsigned DEFAULT_VC_ORDER = 0;
  localparam int unsigned DEFAULT_COUNT_AT = 0;
  localparam int unsigned DEFAULT_TRIGGER = 4;
  localparam int unsigned DEFAULT_ALLOCATOR = 0;
  localparam int unsigned DEFAULT_ARBITER = 1;
  localparam int unsigned DEFAULT_ITERATIONS = 2;
endpackage
