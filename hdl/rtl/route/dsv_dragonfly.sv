// Stage 2. The map of a Dragonfly of equal groups (router-core/src/map/dragonfly.rs): where a packet's
// destination lies from here, and by which ports it is reached. A group has LOCALS + 1 routers, each GLOBALS
// global links.
//
// Link number j = index * GLOBALS + k of a group goes, in round j / OTHERS, to the group of rank j % OTHERS.
// So the links to one group are a one-hot rank, once for each round; in the last round some have no far end.
module dsv_dragonfly #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0]   to_port,
  output logic             known,        // the destination is a node of this network
  output logic             arrived,      // its router is this one
  output logic             same_group,   // its group is this one
  output logic [PORTS-1:0] own_links,    // unless same_group: own global ports to its group
  output logic [PORTS-1:0] local_ports   // local ports to its router, or to those with a link to its group
);
  localparam int unsigned INDEX_W = dsv_pkg::ADDRESS_INDEX_BITS;
  localparam int unsigned SIZE = LOCALS + 1;
  localparam int unsigned OTHERS = GROUPS - 1;
  localparam int unsigned GROUP_W = $clog2(GROUPS);
  localparam int unsigned LINKS = SIZE * GLOBALS;
  localparam int unsigned ROUNDS = (LINKS + OTHERS - 1) / OTHERS;
  localparam int unsigned LAST_ROUND_AT = (ROUNDS - 1) * OTHERS;
  localparam int unsigned LAST_ROUND = LINKS - LAST_ROUND_AT;
  localparam logic [LINKS-1:0] FULL_ROUNDS = ~({LINKS{1'b1}} << LAST_ROUND_AT);

  dsv_pkg::address_t here, there;
  assign here = here_router;
  assign there = to_router;

  assign known = 32'(there.group) < GROUPS && 32'(there.index) < SIZE && 32'(to_port) < NODES;
  assign same_group = here.group == there.group;
  assign arrived = same_group && here.index == there.index;

  // Rank of the destination's group in the list of the own one, and the other way round.
  logic [GROUP_W-1:0] from, to, near, far;
  assign from = here.group[GROUP_W-1:0];
  assign to = there.group[GROUP_W-1:0];
  generate
    if (ARRANGEMENT == dsv_pkg::ARRANGEMENT_ABSOLUTE) begin : g_by_number
      assign near = to - GROUP_W'(to > from);
      assign far = from - GROUP_W'(from > to);
    end else begin : g_around
      // minuend - subtrahend - 1, modulo the number of groups; both ranks together are always GROUPS - 2.
      logic [GROUP_W-1:0] minuend, subtrahend, below;
      assign minuend = ARRANGEMENT == dsv_pkg::ARRANGEMENT_PALMTREE ? from : to;
      assign subtrahend = ARRANGEMENT == dsv_pkg::ARRANGEMENT_PALMTREE ? to : from;
      assign below = minuend + ~subtrahend;
      assign near = minuend > subtrahend ? below : below + GROUP_W'(GROUPS);
      assign far = GROUP_W'(GROUPS - 2) - near;
    end
  endgenerate

  // The links to the destination's group, by number. An address outside of the network has none.
  logic [OTHERS-1:0] rank;
  logic [LINKS-1:0] numbered, links;
  assign rank = 32'(here.group) < GROUPS ? OTHERS'(1) << near : '0;
  assign numbered = LINKS'({ROUNDS{rank}});
  assign links = 32'(far) < LAST_ROUND ? numbered : numbered & FULL_ROUNDS;

  // The routers that the packet may go to next in this group, and the own share of the links.
  logic [GLOBALS-1:0] own;
  logic [SIZE-1:0] routers;
  always_comb begin
    own = '0;
    for (int i = 0; i < SIZE; i++) begin
      own |= {GLOBALS{here.index == INDEX_W'(i)}} & links[i*GLOBALS +: GLOBALS];
      routers[i] = same_group ? there.index == INDEX_W'(i) : |links[i*GLOBALS +: GLOBALS];
    end
  end

  // Local ports leave the own index out: a router below it is at its place, one above it a place lower.
  logic [SIZE-1:0] below_here, peers;
  always_comb begin
    for (int i = 0; i < SIZE; i++) below_here[i] = here.index > INDEX_W'(i);
  end
  assign peers = routers & below_here | routers >> 1 & ~below_here;

  assign own_links = PORTS'(own) << (NODES + LOCALS);
  assign local_ports = PORTS'(peers) << NODES;
endmodule
