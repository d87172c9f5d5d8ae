// The parameters of the router. A parameter of the module's own has to follow.
// Written from hdl/switch.toml by `cargo xtask generate`: do not edit.
`include "dsv_route_config.svh"
/* verilator lint_off UNUSEDPARAM */
  // Places of the buffer of each VC of a port to a node, in flits; the node has the same.
  parameter int unsigned NODE_FLITS = 32,
  // Places of the buffer of each VC of a local port, in flits; the far end has the same.
  parameter int unsigned LOCAL_FLITS = 32,
  // Places of the buffer of each VC of a global port, in flits; the far end has the same.
  parameter int unsigned GLOBAL_FLITS = 256,
  // Places of LOCAL_FLITS that are kept for each VC of a local port, where its VCs share the others, in one memory: needs SYNCHRONOUS_BUFFERS, no MARKING and ALLOCATION_UNIT_FLIT. At least LONGEST, but for FLOW_WORMHOLE: else packets may wait for each other for ever. 0: all are kept. The far end has the same.
  parameter int unsigned LOCAL_RESERVED = 0,
  // The same of GLOBAL_FLITS for a global port.
  parameter int unsigned GLOBAL_RESERVED = 0,
  // Flits of the shortest packet: a buffer holds descriptors for as many packets as can be in it, one that is leaving and one that is arriving included.
  parameter int unsigned SHORTEST = 8,
  // Flits of the longest packet, at least SHORTEST: what counts a packet's flits is as wide. No longer one may come.
  parameter int unsigned LONGEST = 1023,
  // Places of an output FIFO, in flits.
  parameter int unsigned OUTPUT_FLITS = 32,
  // Internal cycles to a link cycle, at least 1.
  parameter int unsigned SPEEDUP = 2,
  // Bits of a flit: at least a header's, which a head flit has in its highest bits.
  parameter int unsigned FLIT_WIDTH = 128,
  // Bits of a contention counter, at most 16.
  parameter int unsigned COUNTER_WIDTH = 8,
  // When a packet may leave: room for all of it, for its next flit, or all of it here and room for all of it there.
  // FLOW_VCT, FLOW_WORMHOLE, FLOW_STORE_AND_FORWARD.
  parameter int unsigned FLOW = dsv_pkg::FLOW_VCT,
  // Whether VCs are numbered upwards along a route, or downwards.
  // VC_ORDER_ASCENDING, VC_ORDER_DESCENDING.
  parameter int unsigned VC_ORDER = dsv_pkg::VC_ORDER_ASCENDING,
  // When a contention counter counts a packet: at the front of its VC, or on arrival.
  // COUNT_AT_HEAD, COUNT_AT_ARRIVAL.
  parameter int unsigned COUNT_AT = dsv_pkg::COUNT_AT_HEAD,
  // When a misroute is preferred to a minimal output.
  // TRIGGER_NEVER, TRIGGER_OCCUPANCY, TRIGGER_CONTENTION, TRIGGER_CONTENTION_AVERAGE, TRIGGER_HYBRID, TRIGGER_ALWAYS, TRIGGER_ECTN, TRIGGER_UGAL.
  parameter int unsigned TRIGGER = dsv_pkg::TRIGGER_HYBRID,
  // TRIGGER_UGAL: what a queue is: the flits in all VCs behind an output, by its credits; in the first VC that the packet may take there; or the packets at this router with this minimal output.
  // UGAL_QUEUE_PORT, UGAL_QUEUE_VC, UGAL_QUEUE_PACKETS.
  parameter int unsigned UGAL_QUEUE = dsv_pkg::UGAL_QUEUE_PORT,
  // Which minimal output a packet requests where several have room: the one it is counted at, else one that is drawn; or the lowest one, of the first set of candidates by which it may leave.
  // PORT_RULE_RANDOM, PORT_RULE_LOWEST_DIMENSION.
  parameter int unsigned PORT_RULE = dsv_pkg::PORT_RULE_RANDOM,
  // Which VC behind an output a head takes where several have room: one that is drawn, or the lowest one.
  // VC_RULE_RANDOM, VC_RULE_FIRST.
  parameter int unsigned VC_RULE = dsv_pkg::VC_RULE_RANDOM,
  // TRIGGER_ECTN: link cycles after which a router tells its group again how many packets it has for each other one, 1 to 65535.
  parameter int unsigned NOTICE_PERIOD = 100,
  // KNOWLEDGE_GROUP and KNOWLEDGE_GROUP_EACH_CYCLE: a VC behind a global link is flagged that holds more flits than so many 256ths of the mean over the router's global links, 0 to 4096, and PIGGYBACK_FLITS.
  parameter int unsigned PIGGYBACK_FACTOR = 512,
  // The same: those flits, at most 1048575.
  parameter int unsigned PIGGYBACK_FLITS = 40,
  // How requests are matched to outputs.
  // ALLOCATOR_SEPARABLE_INPUT_FIRST, ALLOCATOR_SEPARABLE_OUTPUT_FIRST, ALLOCATOR_WAVEFRONT, ALLOCATOR_SEPARABLE_ONE_ARBITER.
  parameter int unsigned ALLOCATOR = dsv_pkg::ALLOCATOR_SEPARABLE_INPUT_FIRST,
  // How the allocator's arbiters choose.
  // ARBITER_ROUND_ROBIN, ARBITER_MATRIX.
  parameter int unsigned ARBITER = dsv_pkg::ARBITER_MATRIX,
  // Iterations of a separable allocator in a cycle, at least 1.
  parameter int unsigned ITERATIONS = 2,
  // How long an output and the input that sends to it are allocated: for a flit, or, but for FLOW_WORMHOLE, from the head of a packet to its tail.
  // ALLOCATION_UNIT_FLIT, ALLOCATION_UNIT_PACKET.
  parameter int unsigned ALLOCATION_UNIT = dsv_pkg::ALLOCATION_UNIT_FLIT,
  // Whether an output serves ports from other routers before those from nodes.
  // PRIORITY_NONE, PRIORITY_TRANSIT.
  parameter int unsigned PRIORITY = dsv_pkg::PRIORITY_NONE,
  // Internal cycles of a head from an input wire to an output wire: 4, 5 or 6. With 5 requests are registered between admission and allocation. That excludes ALLOCATION_UNIT_PACKET, and needs one of OUTPUT_FLITS more than SPEEDUP, unless that is 1. With 6 grants are registered, too. That also excludes LIFETIME and PACKET_LIFETIME, and needs two more. With 5 and 6 TRIGGER_CONTENTION_AVERAGE compares with the mean of three cycles before, and with TRIGGER_ALWAYS a packet requests one of its candidates with room, drawn in each cycle.
  parameter int unsigned PIPELINE = 4,
  // 1 if the packet behind a tail is selected while the tail leaves; 0 if in the cycle after: a cycle more between packets of a VC that have a choice, and no path through route and selection.
  parameter int unsigned SELECT_AHEAD = 1,
  // 1 if an input port has its flits in one synchronous memory, with a write port and a read port, behind two flits of each VC in registers. Else 0: each VC has an array that is read at two places at once. No cycle depends on it.
  parameter int unsigned SYNCHRONOUS_BUFFERS = 0,
  // 1 if packets that meet congestion are marked (FECN), else 0. Thresholds, victim mask, packet size and marking rate are further rows of the routing table, behind TABLE_ROUTERS and before those of VL_ARBITRATION. The thresholds take 32 rows: the bit of each output for each bit of the threshold of each VC, VC 0 first. The next row is the victim mask. Then packet size and marking rate are in the lowest bit of each row.
  parameter int unsigned MARKING = 0,
  // ROUTING_TABLE: 1 if packets without a proper output in the table are discarded; else 0: then they stay. Such an entry is missing, leads to no other router, or is the input of the packet. It may also be port 0, for a packet that did not come on one of MANAGEMENT_VCS: in the table port 0 stands for management and so has to be a port to a node.
  parameter int unsigned DISCARDS = 0,
  // 1 if an output picks the VC of the next packet by InfiniBand's tables of weights, which needs ALLOCATOR_SEPARABLE_OUTPUT_FIRST and ALLOCATION_UNIT_PACKET; else 0. The tables are further rows of the routing table, behind TABLE_ROUTERS, with the bit of each output. Each bit of the entries of high priority, of those of low priority, and of the limit has a row, from the lowest up.
  parameter int unsigned VL_ARBITRATION = 0,
  // VL_ARBITRATION: a mask of the VCs that stand for VL15 and go before all others.
  parameter int unsigned MANAGEMENT_VCS = 0,
  // Bits of the lifetime limit of packets at the head of a queue, 1 to 28: one that has waited for the limit of its output, in link cycles, is discarded; 0: none is. The limits are further rows of the routing table, behind those of VL_ARBITRATION, with the bit of each output in the row of each bit, from the lowest up. First comes the limit, 0 for none, then the number of such packets in succession by which a VC behind the output is stalled, 0 for never.
  parameter int unsigned LIFETIME = 0,
  // Link cycles that a packet may be in the router, 4 to 268435455: a clock ticks four times in them, every PACKET_LIFETIME / 4, and a packet that has seen four ticks and waits is discarded; 0: for any.
  parameter int unsigned PACKET_LIFETIME = 0,
  // VL_ARBITRATION: bytes of a flit, 1 to 4096, of which weights count 64 at a time.
  parameter int unsigned FLIT_BYTES = 64,
/* verilator lint_on UNUSEDPARAM */
