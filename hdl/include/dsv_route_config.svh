// The parameters that a routing reads, and those of the map it runs on. A parameter of the module's own has to follow.
// Written from hdl/switch.toml by `cargo xtask generate`: do not edit.
/* verilator lint_off UNUSEDPARAM */
  // Ports to nodes: the first of the router.
  parameter int unsigned NODES = 2,
  // Ports to routers of the same group, behind those to nodes. In a Dragonfly a group has one router more; in a grid there are two for each dimension, up first.
  parameter int unsigned LOCALS = 3,
  // Ports to other groups, behind the local ones; 0 where there is one group.
  parameter int unsigned GLOBALS = 2,
  // Groups of a Dragonfly, otherwise 1.
  parameter int unsigned GROUPS = 9,
  // VCs of a port: the largest of NODE_VCS, LOCAL_VCS and GLOBAL_VCS, at most 8.
  parameter int unsigned VCS = 3,
  // VCs of a port to a node.
  parameter int unsigned NODE_VCS = 3,
  // VCs of a local port.
  parameter int unsigned LOCAL_VCS = 3,
  // VCs of a global port.
  parameter int unsigned GLOBAL_VCS = 2,
  // A mask: the lowest bit of each coordinate in a router's address on a grid.
  parameter int unsigned GRID_STARTS = 1,
  // The address with the highest coordinates on a grid.
  parameter int unsigned GRID_LAST = 1,
  // 1 if the grid is a torus: then a router beyond the highest coordinate of a dimension is the one at 0; 2 if its links lead up alone, too; else 0.
  parameter int unsigned GRID_WRAPS = 0,
  // Rows of the routing table: as TABLE_BY and HOP_VCS say for ROUTING_TABLE, otherwise 1.
  parameter int unsigned TABLE_ROUTERS = 1,
  // ROUTING_TABLE: what a row is for, in the order of the values below. Each router of the network. Each node of each router, TABLE_NODES for a router. Each router for packets that have not gone down, then each router for those that have, and a last row with the ports that lead up. Each router, where the header brings the port of several that was drawn. Intervals of labels: row b has bit b of the begin of each port's interval, and a last row has the ports with an interval.
  // TABLE_BY_ROUTER, TABLE_BY_NODE, TABLE_BY_LEG, TABLE_BY_DRAWN, TABLE_BY_INTERVAL.
  parameter int unsigned TABLE_BY = dsv_pkg::TABLE_BY_ROUTER,
  // TABLE_BY_INTERVAL: labels, as many as the network has routers: packets with another one go nowhere.
  parameter int unsigned TABLE_LABELS = 1,
  // ROUTING_TABLE: nodes of each router that has nodes, where packets for anything else go nowhere; 0 where any port of any router may have a node.
  parameter int unsigned TABLE_NODES = 0,
  // ROUTING_TABLE and ROUTING_SOURCE: the VCs of a hop between routers, in the order of the values below. The next one with each hop. Any. Those of the table, in as many rows behind those with ports. Those of the table on the first hop, and then the VC of that hop. The one of the service level, by LANE_ROWS rows for each input behind the others.
  // HOP_VCS_RISING, HOP_VCS_ANY, HOP_VCS_GIVEN, HOP_VCS_KEPT, HOP_VCS_LEVEL.
  parameter int unsigned HOP_VCS = dsv_pkg::HOP_VCS_RISING,
  // Which outputs and VCs a packet may take.
  // ROUTING_MINIMAL, ROUTING_OLM, ROUTING_TABLE, ROUTING_DUATO, ROUTING_DIMENSION_ORDER, ROUTING_TURN_MODEL, ROUTING_ODD_EVEN, ROUTING_SOURCE, ROUTING_PAR, ROUTING_RLM, ROUTING_VALIANT, ROUTING_UGAL_DRAGONFLY.
  parameter int unsigned ROUTING = dsv_pkg::ROUTING_OLM,
  // ROUTING_TURN_MODEL: which turns are forbidden; the first coordinate is x, east and north are up.
  // TURNS_WEST_FIRST, TURNS_NORTH_LAST, TURNS_NEGATIVE_FIRST.
  parameter int unsigned TURNS = dsv_pkg::TURNS_NEGATIVE_FIRST,
  // Which group a global link leads to.
  // ARRANGEMENT_PALMTREE, ARRANGEMENT_CONSECUTIVE, ARRANGEMENT_ABSOLUTE.
  parameter int unsigned ARRANGEMENT = dsv_pkg::ARRANGEMENT_PALMTREE,
  // ROUTING_OLM: restricted offers at injection only misroutes by own global ports, and none of these in transit at a router that has the minimal global link; free offers all that the policy has.
  // RULES_RESTRICTED, RULES_FREE.
  parameter int unsigned RULES = dsv_pkg::RULES_RESTRICTED,
  // ROUTING_OLM: which global links a nonminimal path may take.
  // POLICY_RRG, POLICY_CRG, POLICY_NRG, POLICY_MM.
  parameter int unsigned POLICY = dsv_pkg::POLICY_MM,
  // ROUTING_OLM and ROUTING_PAR: 1 if local misroutes are offered in the intermediate and the destination group, too; for ROUTING_PAR 2 if in the intermediate group alone; else 0.
  parameter int unsigned LOCAL_MISROUTING = 1,
  // ROUTING_OLM: in the intermediate and the destination group a local misroute is offered after fewer than this, 0 to 7, counted as SCOPE says. Those in the origin group count, and are not limited.
  parameter int unsigned LIMIT = 1,
  // ROUTING_OLM: whether LIMIT counts in each group or on the whole route.
  // SCOPE_GROUP, SCOPE_ROUTE.
  parameter int unsigned SCOPE = dsv_pkg::SCOPE_GROUP,
  // ROUTING_VALIANT and ROUTING_UGAL_DRAGONFLY: what a packet goes by way of: a group, or a router of one.
  // INTERMEDIATE_GROUP, INTERMEDIATE_ROUTER.
  parameter int unsigned INTERMEDIATE = dsv_pkg::INTERMEDIATE_GROUP,
  // ROUTING_UGAL_DRAGONFLY: what the decision between both ways of a packet knows. KNOWLEDGE_ROUTER and KNOWLEDGE_CREDITS: the queues of its first router, which offers both ways. KNOWLEDGE_GROUP and KNOWLEDGE_GROUP_EACH_CYCLE: those and the flags of its group, as it comes from its node or in each cycle in which it waits in its first router, with a link between each two groups. KNOWLEDGE_ORACLE: whatever its source knows, which has written it into the header. No router holds back the credits of KNOWLEDGE_CREDITS.
  // KNOWLEDGE_ROUTER, KNOWLEDGE_CREDITS, KNOWLEDGE_GROUP, KNOWLEDGE_ORACLE, KNOWLEDGE_GROUP_EACH_CYCLE.
  parameter int unsigned KNOWLEDGE = dsv_pkg::KNOWLEDGE_ROUTER,

  localparam int unsigned PORTS = NODES + LOCALS + GLOBALS,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
/* verilator lint_on UNUSEDPARAM */
