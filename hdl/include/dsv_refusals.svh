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

  localparam bit SHARES = LOCAL_RESERVED > 0 && LOCAL_RESERVED < LOCAL_FLITS || GLOBAL_RESERVED > 0 && GLOBAL_RESERVED < GLOBAL_FLITS;

  // An error of a generate block is met by Verilator when all is elaborated, which may be impossible, and one of a constant function before.
`ifdef VERILATOR
`define DSV_REFUSE(WHEN, TEXT) if (WHEN) $error(TEXT);
  function automatic bit refused();
    refused = 1'b0;
`else
`define DSV_REFUSE(WHEN, TEXT) if (WHEN) begin $error(TEXT); end
  generate
`endif
    `DSV_REFUSE(PORTS < 2 || PORTS > 64,
      "NODES, LOCALS and GLOBALS: a router has 2 to 64 ports")
    `DSV_REFUSE(VCS != MOST_VCS || VCS < 1 || VCS > 8,
      "VCS has to be the largest of NODE_VCS, LOCAL_VCS and GLOBAL_VCS, from 1 to 8")
    `DSV_REFUSE(NODES > 0 && NODE_VCS < 1 || LOCALS > 0 && LOCAL_VCS < 1 || GLOBALS > 0 && GLOBAL_VCS < 1,
      "NODE_VCS, LOCAL_VCS and GLOBAL_VCS have to be at least 1 where there are such ports")
    `DSV_REFUSE(NODE_FLITS < 1 || LOCAL_FLITS < 1 || GLOBAL_FLITS < 1 || OUTPUT_FLITS < 1,
      "NODE_FLITS, LOCAL_FLITS, GLOBAL_FLITS and OUTPUT_FLITS have to be at least 1")
    `DSV_REFUSE(LOCAL_RESERVED > LOCAL_FLITS || GLOBAL_RESERVED > GLOBAL_FLITS,
      "LOCAL_RESERVED and GLOBAL_RESERVED have to be at most LOCAL_FLITS and GLOBAL_FLITS")
    `DSV_REFUSE(SHARES && (SYNCHRONOUS_BUFFERS == 0 || MARKING != 0
        || ALLOCATION_UNIT == dsv_pkg::ALLOCATION_UNIT_PACKET),
      "LOCAL_RESERVED and GLOBAL_RESERVED need SYNCHRONOUS_BUFFERS and no MARKING, and not ALLOCATION_UNIT_PACKET")
    `DSV_REFUSE(LONGEST < SHORTEST || LONGEST >= 1 << dsv_pkg::LENGTH_BITS,
      "LONGEST has to be from SHORTEST to 1023")
    `DSV_REFUSE(SHORTEST < 1 || SPEEDUP < 1 || ITERATIONS < 1,
      "SHORTEST, SPEEDUP and ITERATIONS have to be at least 1")
    `DSV_REFUSE(FLIT_WIDTH < dsv_pkg::HEADER_BITS,
      "FLIT_WIDTH has to be at least HEADER_BITS, the bits of a header")
    `DSV_REFUSE(COUNTER_WIDTH < 1 || COUNTER_WIDTH > 16,
      "COUNTER_WIDTH has to be from 1 to 16")
    `DSV_REFUSE(ON_DRAGONFLY && (GLOBALS < 1 || GROUPS < 2),
      "a routing of a Dragonfly needs at least one of GLOBALS and two GROUPS")
    `DSV_REFUSE(TABLE_ROUTERS < 1,
      "TABLE_ROUTERS has to be at least 1")
    `DSV_REFUSE(PIPELINE < 4 || PIPELINE > 6,
      "PIPELINE has to be from 4 to 6")
    `DSV_REFUSE(PIPELINE > 4 && ALLOCATION_UNIT == dsv_pkg::ALLOCATION_UNIT_PACKET,
      "PIPELINE 5 and 6 register a request for one flit: not with ALLOCATION_UNIT_PACKET")
    `DSV_REFUSE(PIPELINE > 5 && (LIFETIME != 0 || PACKET_LIFETIME != 0),
      "PIPELINE 6 grants in one cycle and sends in the next: not with LIFETIME and PACKET_LIFETIME")
    `DSV_REFUSE(PIPELINE > 4 && SPEEDUP > 1 && OUTPUT_FLITS < SPEEDUP + PIPELINE - 4,
      "PIPELINE 5 and 6 need one and two OUTPUT_FLITS more than SPEEDUP, unless that is 1")
    `DSV_REFUSE(NOTICE_PERIOD < 1 || NOTICE_PERIOD > 65535,
      "NOTICE_PERIOD has to be from 1 to 65535")
    `DSV_REFUSE(TRIGGER == dsv_pkg::TRIGGER_ECTN && (CONTROL || LOCALS == 0 || GROUPS < 2),
      "TRIGGER_ECTN needs other routers in the group, other groups, and a router without control plane")
    `DSV_REFUSE(ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY && (LOCALS + 1) * GLOBALS + 1 != GROUPS,
      "ROUTING_UGAL_DRAGONFLY needs a Dragonfly with one link between two groups")
    `DSV_REFUSE(KNOWLEDGE == dsv_pkg::KNOWLEDGE_CREDITS,
      "KNOWLEDGE_CREDITS is not written: no credit is held back")
    `DSV_REFUSE(KNOWLEDGE != dsv_pkg::KNOWLEDGE_ROUTER && ROUTING != dsv_pkg::ROUTING_UGAL_DRAGONFLY,
      "KNOWLEDGE_GROUP, KNOWLEDGE_ORACLE and KNOWLEDGE_GROUP_EACH_CYCLE need ROUTING_UGAL_DRAGONFLY")
    `DSV_REFUSE(KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP_EACH_CYCLE && TRIGGER != dsv_pkg::TRIGGER_UGAL,
      "KNOWLEDGE_GROUP_EACH_CYCLE needs TRIGGER_UGAL")
    `DSV_REFUSE((KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP || KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP_EACH_CYCLE)
        && (CONTROL || LOCALS == 0 || GLOBALS == 0 || GLOBAL_VCS < 2),
      "KNOWLEDGE_GROUP and KNOWLEDGE_GROUP_EACH_CYCLE need other routers in the group, two GLOBAL_VCS, and a router without control plane")
    `DSV_REFUSE(KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP && TRIGGER == dsv_pkg::TRIGGER_ECTN,
      "KNOWLEDGE_GROUP and TRIGGER_ECTN both have the wires of notices")
    `DSV_REFUSE(PIGGYBACK_FACTOR > 4096 || PIGGYBACK_FLITS > 1048575,
      "PIGGYBACK_FACTOR has to be at most 4096, and PIGGYBACK_FLITS at most 1048575")
    `DSV_REFUSE(TRIGGER == dsv_pkg::TRIGGER_UGAL && CONTROL,
      "TRIGGER_UGAL needs a router without control plane")
    `DSV_REFUSE(ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY && TRIGGER != dsv_pkg::TRIGGER_UGAL && TRIGGER != dsv_pkg::TRIGGER_NEVER
        && TRIGGER != dsv_pkg::TRIGGER_ALWAYS,
      "ROUTING_UGAL_DRAGONFLY needs TRIGGER_UGAL, TRIGGER_NEVER or TRIGGER_ALWAYS: its detours to other groups are by local ports, too")
    `DSV_REFUSE(LIMIT > 7,
      "LIMIT has to be from 0 to 7")
    `DSV_REFUSE(ON_GRID && (LOCALS == 0 || LOCALS != 2 * $countones(GRID_STARTS)),
      "a routing of a grid needs two LOCALS for each dimension of GRID_STARTS")
    `DSV_REFUSE(ROUTING == dsv_pkg::ROUTING_DUATO && LOCAL_VCS < 2,
      "ROUTING_DUATO needs two LOCAL_VCS")
    `DSV_REFUSE(GRID_WRAPS != 0 && (!IN_ORDER || LOCAL_VCS < 2),
      "GRID_WRAPS needs ROUTING_DIMENSION_ORDER, and two LOCAL_VCS")
    `DSV_REFUSE(TABLE_BY == dsv_pkg::TABLE_BY_NODE && (TABLE_NODES == 0 || BY_TABLE && TABLE_ROUTERS % NODAL != 0),
      "TABLE_BY_NODE needs TABLE_NODES rows for each router")
    `DSV_REFUSE(BY_TABLE && TABLE_BY == dsv_pkg::TABLE_BY_LEG && (TABLE_ROUTERS % 2 == 0 || HAS_VCS),
      "TABLE_BY_LEG needs two rows for each router and one more, and no HOP_VCS_GIVEN or HOP_VCS_KEPT")
    `DSV_REFUSE(BY_TABLE && TABLE_BY == dsv_pkg::TABLE_BY_INTERVAL && (TABLE_ROUTERS != LABEL_W + 1 || HAS_VCS),
      "TABLE_BY_INTERVAL needs a row for each bit of a label and one more, and no HOP_VCS_GIVEN or HOP_VCS_KEPT")
    `DSV_REFUSE(HAS_VCS && (!BY_TABLE || TABLE_ROUTERS % 2 != 0 || VCS > PORTS),
      "HOP_VCS_GIVEN and HOP_VCS_KEPT need a table with as many rows of VCs as of ports, and at least as many ports as VCs")
    `DSV_REFUSE(ON_PLANE && LOCALS != 4,
      "ROUTING_ODD_EVEN, TURNS_WEST_FIRST and TURNS_NORTH_LAST need four LOCALS: two dimensions")
    `DSV_REFUSE(ALLOCATION_UNIT == dsv_pkg::ALLOCATION_UNIT_PACKET && FLOW == dsv_pkg::FLOW_WORMHOLE,
      "ALLOCATION_UNIT_PACKET deadlocks with FLOW_WORMHOLE")
    `DSV_REFUSE(VL_ARBITRATION != 0 && (ALLOCATOR != dsv_pkg::ALLOCATOR_SEPARABLE_OUTPUT_FIRST
        || ALLOCATION_UNIT != dsv_pkg::ALLOCATION_UNIT_PACKET),
      "VL_ARBITRATION needs ALLOCATOR_SEPARABLE_OUTPUT_FIRST and ALLOCATION_UNIT_PACKET")
    `DSV_REFUSE(DISCARDS != 0 && (!BY_TABLE || NODES == 0),
      "DISCARDS needs ROUTING_TABLE, and a port to a node: port 0 of the table stands for management")
    `DSV_REFUSE(LIFETIME > 28,
      "LIFETIME has to be from 0 to 28")
    `DSV_REFUSE(PACKET_LIFETIME > 268435455 || PACKET_LIFETIME > 0 && PACKET_LIFETIME < dsv_pkg::LIFETIME_TICKS,
      "PACKET_LIFETIME has to be 0, or from 4 to 268435455")
    `DSV_REFUSE(FLIT_BYTES < 1 || FLIT_BYTES > 4096,
      "FLIT_BYTES has to be from 1 to 4096")
    `DSV_REFUSE(ROUTING == dsv_pkg::ROUTING_DUATO && (FLOW == dsv_pkg::FLOW_WORMHOLE || SHARES),
      "ROUTING_DUATO deadlocks with FLOW_WORMHOLE, and where VCs share places")
    `DSV_REFUSE(ROUTING == dsv_pkg::ROUTING_OLM && LOCAL_RESERVED > 0 && LOCAL_RESERVED < LOCAL_FLITS,
      "ROUTING_OLM deadlocks where VCs of local ports share places: LOCAL_RESERVED has to be 0")
`ifdef VERILATOR
  endfunction
  /* verilator lint_off UNUSEDPARAM */
  localparam bit REFUSED = refused();
  /* verilator lint_on UNUSEDPARAM */
`else
  endgenerate
`endif
`undef DSV_REFUSE
