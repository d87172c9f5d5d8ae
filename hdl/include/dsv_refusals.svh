// Inside of `dsv_router`: parameters that make no router are refused by name when the design is read.
  localparam int unsigned MORE_VCS = LOCAL_VCS > NODE_VCS ? LOCAL_VCS : NODE_VCS;
  localparam int unsigned MOST_VCS = GLOBAL_VCS > MORE_VCS ? GLOBAL_VCS : MORE_VCS;
  localparam bit IN_ORDER = ROUTING == dsv_pkg::ROUTING_DIMENSION_ORDER;
  localparam bit BY_TURNS = ROUTING == dsv_pkg::ROUTING_TURN_MODEL;
  localparam bit ODD_EVEN = ROUTING == dsv_pkg::ROUTING_ODD_EVEN;
  localparam bit ON_GRID = ROUTING == dsv_pkg::ROUTING_DUATO || IN_ORDER || BY_TURNS || ODD_EVEN;
  localparam bit ON_PLANE = ODD_EVEN || BY_TURNS && TURNS != dsv_pkg::TURNS_NEGATIVE_FIRST;
  localparam bit BY_TABLE = ROUTING == dsv_pkg::ROUTING_TABLE;
  localparam bit HAS_VCS = HOP_VCS == dsv_pkg::HOP_VCS_GIVEN || HOP_VCS == dsv_pkg::HOP_VCS_KEPT;
  localparam int unsigned NODAL = TABLE_NODES > 0 ? TABLE_NODES : 1;
  localparam int unsigned LABEL_W = TABLE_LABELS > 1 ? $clog2(TABLE_LABELS) : 1;
  localparam bit ON_DRAGONFLY = ROUTING == dsv_pkg::ROUTING_MINIMAL || ROUTING == dsv_pkg::ROUTING_OLM
    || ROUTING == dsv_pkg::ROUTING_PAR || ROUTING == dsv_pkg::ROUTING_RLM || ROUTING == dsv_pkg::ROUTING_VALIANT
    || ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY;

  // What leaves nothing that could be elaborated.
  localparam bit NO_PORTS = PORTS < 2 || PORTS > 64;
  localparam bit NO_VCS = VCS != MOST_VCS || VCS < 1 || VCS > 8;
  localparam bit NO_COUNTS = SHORTEST < 1 || SPEEDUP < 1 || ITERATIONS < 1;
  localparam bit NO_HEADER = FLIT_WIDTH < dsv_pkg::HEADER_BITS;
  localparam bit NO_COUNTER = COUNTER_WIDTH < 1 || COUNTER_WIDTH > 16;
  localparam bit NO_GROUPS = ON_DRAGONFLY && (GLOBALS < 1 || GROUPS < 2);
`define DSV_NO_PORTS $error("NODES, LOCALS and GLOBALS: a router has 2 to 64 ports");
`define DSV_NO_VCS $error("VCS has to be the largest of NODE_VCS, LOCAL_VCS and GLOBAL_VCS, from 1 to 8");
`define DSV_NO_COUNTS $error("SHORTEST, SPEEDUP and ITERATIONS have to be at least 1");
`define DSV_NO_HEADER $error("FLIT_WIDTH has to be at least HEADER_BITS, the bits of a header");
`define DSV_NO_COUNTER $error("COUNTER_WIDTH has to be from 1 to 16");
`define DSV_NO_GROUPS $error("a routing of a Dragonfly needs at least one of GLOBALS and two GROUPS");
`ifdef VERILATOR
  // An error of a generate block is met when all is elaborated, one of a constant function before.
  function automatic bit refused();
    refused = 1'b0;
    if (NO_PORTS) `DSV_NO_PORTS
    if (NO_VCS) `DSV_NO_VCS
    if (NO_COUNTS) `DSV_NO_COUNTS
    if (NO_HEADER) `DSV_NO_HEADER
    if (NO_COUNTER) `DSV_NO_COUNTER
    if (NO_GROUPS) `DSV_NO_GROUPS
  endfunction
  /* verilator lint_off UNUSEDPARAM */
  localparam bit REFUSED = refused();
  /* verilator lint_on UNUSEDPARAM */
`endif
  generate
    if (NO_PORTS) begin : g_ports
      `DSV_NO_PORTS
    end
    if (NO_VCS) begin : g_vcs
      `DSV_NO_VCS
    end
    if (NODES > 0 && NODE_VCS < 1 || LOCALS > 0 && LOCAL_VCS < 1 || GLOBALS > 0 && GLOBAL_VCS < 1) begin : g_kinds
      $error("NODE_VCS, LOCAL_VCS and GLOBAL_VCS have to be at least 1 where there are such ports");
    end
    if (NODE_FLITS < 1 || LOCAL_FLITS < 1 || GLOBAL_FLITS < 1 || OUTPUT_FLITS < 1) begin : g_places
      $error("NODE_FLITS, LOCAL_FLITS, GLOBAL_FLITS and OUTPUT_FLITS have to be at least 1");
    end
    if (LONGEST < SHORTEST || LONGEST >= 1 << dsv_pkg::LENGTH_BITS) begin : g_lengths
      $error("LONGEST has to be from SHORTEST to %0d", (1 << dsv_pkg::LENGTH_BITS) - 1);
    end
    if (NO_COUNTS) begin : g_counts
      `DSV_NO_COUNTS
    end
    if (NO_HEADER) begin : g_width
      `DSV_NO_HEADER
    end
    if (NO_COUNTER) begin : g_counter
      `DSV_NO_COUNTER
    end
    if (NO_GROUPS) begin : g_groups
      `DSV_NO_GROUPS
    end
    if (TABLE_ROUTERS < 1) begin : g_rows
      $error("TABLE_ROUTERS has to be at least 1");
    end
    if (PIPELINE < 4 || PIPELINE > 6) begin : g_pipeline
      $error("PIPELINE has to be from 4 to 6");
    end
    if (PIPELINE > 4 && (TRIGGER == dsv_pkg::TRIGGER_ALWAYS || ALLOCATION_UNIT == dsv_pkg::ALLOCATION_UNIT_PACKET)) begin : g_one_request
      $error("PIPELINE 5 and 6 register a request for one output and one flit: not with TRIGGER_ALWAYS and ALLOCATION_UNIT_PACKET");
    end
    if (PIPELINE > 5 && LIFETIME != 0) begin : g_granted
      $error("PIPELINE 6 grants in one cycle and sends in the next: not with LIFETIME");
    end
    if (PIPELINE > 4 && SPEEDUP > 1 && OUTPUT_FLITS < SPEEDUP + PIPELINE - 4) begin : g_kept
      $error("PIPELINE 5 and 6 need one and two OUTPUT_FLITS more than SPEEDUP, unless that is 1");
    end
    if (NOTICE_PERIOD < 1 || NOTICE_PERIOD > 65535) begin : g_period
      $error("NOTICE_PERIOD has to be from 1 to 65535");
    end
    if (TRIGGER == dsv_pkg::TRIGGER_ECTN && (CONTROL || LOCALS == 0 || GROUPS < 2)) begin : g_alone
      $error("TRIGGER_ECTN needs other routers in the group, other groups, and a router without control plane");
    end
    if (ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY && (LOCALS + 1) * GLOBALS + 1 != GROUPS) begin : g_links
      $error("ROUTING_UGAL_DRAGONFLY needs a Dragonfly with one link between two groups");
    end
    if (KNOWLEDGE == dsv_pkg::KNOWLEDGE_CREDITS) begin : g_credits
      $error("KNOWLEDGE_CREDITS is not written: no credit is held back");
    end
    if (KNOWLEDGE != dsv_pkg::KNOWLEDGE_ROUTER && ROUTING != dsv_pkg::ROUTING_UGAL_DRAGONFLY) begin : g_knowledge
      $error("KNOWLEDGE_GROUP and KNOWLEDGE_ORACLE need ROUTING_UGAL_DRAGONFLY");
    end
    if (KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP && (CONTROL || LOCALS == 0 || GLOBALS == 0 || GLOBAL_VCS < 2)) begin : g_flags
      $error("KNOWLEDGE_GROUP needs other routers in the group, two GLOBAL_VCS, and a router without control plane");
    end
    if (KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP && TRIGGER == dsv_pkg::TRIGGER_ECTN) begin : g_two_notices
      $error("KNOWLEDGE_GROUP and TRIGGER_ECTN both have the wires of notices");
    end
    if (PIGGYBACK_FACTOR > 4096 || PIGGYBACK_FLITS > 1048575) begin : g_flag
      $error("PIGGYBACK_FACTOR has to be at most 4096, and PIGGYBACK_FLITS at most 1048575");
    end
    if (TRIGGER == dsv_pkg::TRIGGER_UGAL && CONTROL) begin : g_bias
      $error("TRIGGER_UGAL needs a router without control plane");
    end
    if (LIMIT > 7) begin : g_limit
      $error("LIMIT has to be from 0 to 7");
    end
    if (ON_GRID && (LOCALS == 0 || LOCALS != 2 * $countones(GRID_STARTS))) begin : g_grid
      $error("a routing of a grid needs two LOCALS for each dimension of GRID_STARTS");
    end
    if (ROUTING == dsv_pkg::ROUTING_DUATO && LOCAL_VCS < 2) begin : g_escape
      $error("ROUTING_DUATO needs two LOCAL_VCS");
    end
    if (GRID_WRAPS != 0 && (!IN_ORDER || LOCAL_VCS < 2)) begin : g_torus
      $error("GRID_WRAPS needs ROUTING_DIMENSION_ORDER, and two LOCAL_VCS");
    end
    if (TABLE_BY == dsv_pkg::TABLE_BY_NODE && (TABLE_NODES == 0 || BY_TABLE && TABLE_ROUTERS % NODAL != 0)) begin : g_nodes
      $error("TABLE_BY_NODE needs TABLE_NODES rows for each router");
    end
    if (BY_TABLE && TABLE_BY == dsv_pkg::TABLE_BY_LEG && (TABLE_ROUTERS % 2 == 0 || HAS_VCS)) begin : g_legs
      $error("TABLE_BY_LEG needs two rows for each router and one more, and no HOP_VCS_GIVEN or HOP_VCS_KEPT");
    end
    if (BY_TABLE && TABLE_BY == dsv_pkg::TABLE_BY_INTERVAL && (TABLE_ROUTERS != LABEL_W + 1 || HAS_VCS)) begin : g_intervals
      $error("TABLE_BY_INTERVAL needs a row for each bit of a label and one more, and no HOP_VCS_GIVEN or HOP_VCS_KEPT");
    end
    if (HAS_VCS && (!BY_TABLE || TABLE_ROUTERS % 2 != 0 || VCS > PORTS)) begin : g_table_vcs
      $error("HOP_VCS_GIVEN and HOP_VCS_KEPT need a table with as many rows of VCs as of ports, and at least as many ports as VCs");
    end
    if (ON_PLANE && LOCALS != 4) begin : g_plane
      $error("ROUTING_ODD_EVEN, TURNS_WEST_FIRST and TURNS_NORTH_LAST need four LOCALS: two dimensions");
    end
    if (ALLOCATION_UNIT == dsv_pkg::ALLOCATION_UNIT_PACKET && FLOW == dsv_pkg::FLOW_WORMHOLE) begin : g_held_links
      $error("ALLOCATION_UNIT_PACKET deadlocks with FLOW_WORMHOLE");
    end
    if (VL_ARBITRATION != 0 && (ALLOCATOR != dsv_pkg::ALLOCATOR_SEPARABLE_OUTPUT_FIRST
        || ALLOCATION_UNIT != dsv_pkg::ALLOCATION_UNIT_PACKET)) begin : g_vl_packets
      $error("VL_ARBITRATION needs ALLOCATOR_SEPARABLE_OUTPUT_FIRST and ALLOCATION_UNIT_PACKET");
    end
    if (DISCARDS != 0 && (!BY_TABLE || NODES == 0)) begin : g_discards_by_table
      $error("DISCARDS needs ROUTING_TABLE, and a port to a node: port 0 of the table stands for management");
    end
    if (LIFETIME > 28) begin : g_lifetime_bits
      $error("LIFETIME has to be from 0 to 28");
    end
    if (FLIT_BYTES < 1 || FLIT_BYTES > 4096) begin : g_flit_bytes
      $error("FLIT_BYTES has to be from 1 to 4096");
    end
    if (ROUTING == dsv_pkg::ROUTING_DUATO && FLOW == dsv_pkg::FLOW_WORMHOLE) begin : g_whole_packets
      $error("ROUTING_DUATO deadlocks with FLOW_WORMHOLE");
    end
  endgenerate
`undef DSV_NO_PORTS
`undef DSV_NO_VCS
`undef DSV_NO_COUNTS
`undef DSV_NO_HEADER
`undef DSV_NO_COUNTER
`undef DSV_NO_GROUPS
