// Routings of Dragonflies beside OLM, on one map, for the unit lockstep of `route_in_transit`, `parity_sign`,
// `route_valiant`, `route_ugal`, `ways`, `leg`, `via_ahead` and `onward`. They are PAR without local
// misroutes, with those in all later groups and with those in the intermediate group alone, then RLM, then
// Valiant's by way of a group and of a router. Where two groups have one link there is UGAL by both, that
// chooses at the first router and that has been decided. Each fills one 64-bit place of `offered`, packed as
// in the probes of lockstep, and one header of `onward_headers`. Behind them, where two groups have one link,
// both ways of a new packet, through a group and through a router.
module rivals #(
  parameter  int unsigned NODES       = 1,
  parameter  int unsigned LOCALS      = 4,
  parameter  int unsigned GLOBALS     = 2,
  parameter  int unsigned GROUPS      = 6,
  parameter  int unsigned ARRANGEMENT = 0,
  localparam int unsigned PORTS       = NODES + LOCALS + GLOBALS,
  localparam int unsigned VCS         = 6,
  localparam int unsigned VC_W        = 3,
  localparam bit          ONE_LINK    = (LOCALS + 1) * GLOBALS + 1 == GROUPS,
  localparam int unsigned VARIANTS    = ONE_LINK ? 10 : 6,
  localparam int unsigned WAYS        = ONE_LINK ? 2 : 1,
  localparam int unsigned HEADER_W    = dsv_pkg::HEADER_BITS
) (
  input  logic [17:0]      here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [PORTS-1:0] exits,
  input  logic [PORTS-1:0] from_port,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [HEADER_W-1:0] header,
  input  logic             out_is_global,
  input  logic [1:0]       hop,
  output logic [VARIANTS*64-1:0] offered,
  output logic [VARIANTS*64-1:0] passed_over,
  output logic [VARIANTS*HEADER_W-1:0] onward_headers,
  output logic [WAYS*64-1:0] ways
);
  generate
    for (genvar k = 0; k < VARIANTS; k++) begin : g_variant
      localparam int unsigned ROUTING = k < 3 ? dsv_pkg::ROUTING_PAR : k == 3 ? dsv_pkg::ROUTING_RLM : k < 6 ? dsv_pkg::ROUTING_VALIANT
        : dsv_pkg::ROUTING_UGAL_DRAGONFLY;
      localparam int unsigned INTERMEDIATE = k % 2 == 1 ? dsv_pkg::INTERMEDIATE_ROUTER : dsv_pkg::INTERMEDIATE_GROUP;
      localparam int unsigned SETS = dsv_pkg::ROUTING_SETS[ROUTING*32 +: 32];
      logic [SETS*PORTS-1:0] set_ports;
      logic [SETS*VCS-1:0] set_vcs;
      logic [SETS*(PORTS+VCS):0] candidates;
      logic [SETS*dsv_pkg::HOPS_BITS-1:0] set_hops;
      logic forced;
      logic [PORTS-1:0] passed;
      dsv_route #(
        .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .GROUPS(GROUPS), .VCS(VCS),
        .ARRANGEMENT(ARRANGEMENT), .ROUTING(ROUTING), .LOCAL_MISROUTING(k < 3 ? k : 1), .INTERMEDIATE(INTERMEDIATE),
        .KNOWLEDGE(k >= 8 ? dsv_pkg::KNOWLEDGE_ORACLE : dsv_pkg::KNOWLEDGE_ROUTER)
      ) one (
        .here_router, .wired, .exits, .from_port, .from_kind, .from_vc, .header, .table_ports('0), .table_vcs('0),
        .set_ports, .set_vcs, .set_hops, .forced, .passed_over(passed)
      );
      dsv_packed_candidates #(.PORTS(PORTS), .VCS(VCS), .SETS(SETS)) packing (.set_ports, .set_vcs, .forced, .candidates);
      // Hops above all of the candidates.
      assign offered[k*64 +: 64] = 64'(candidates) | 64'(set_hops) << 58;
      assign passed_over[k*64 +: 64] = 64'(passed);

      dsv_onward #(.PORTS(PORTS), .ROUTING(ROUTING), .INTERMEDIATE(INTERMEDIATE)) onward (
        .header, .here(here_router), .out_is_global, .hop, .drawn(1'b0), .onward_header(onward_headers[k*HEADER_W +: HEADER_W])
      );
    end

    // Nothing but 0 where there is no choice.
    for (genvar k = 0; k < WAYS; k++) begin : g_ways
      localparam int unsigned LINK_W = GLOBALS > 1 ? $clog2(GLOBALS) : 1;
      localparam int unsigned HOPS_W = dsv_pkg::HOPS_BITS;
      logic is_new, elsewhere, leaves;
      logic [LINK_W-1:0] link;
      logic [PORTS-1:0] shortest_ports, around_ports;
      logic [VCS-1:0] shortest_vcs, around_vcs;
      logic [HOPS_W-1:0] shortest_hops, around_hops;
      dsv_ways #(
        .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .GROUPS(GROUPS), .VCS(VCS), .ARRANGEMENT(ARRANGEMENT),
        .ROUTING(dsv_pkg::ROUTING_UGAL_DRAGONFLY), .INTERMEDIATE(k == 0 ? dsv_pkg::INTERMEDIATE_GROUP : dsv_pkg::INTERMEDIATE_ROUTER)
      ) both (
        .here_router, .wired, .from_kind, .from_vc, .header, .is_new, .elsewhere, .shortest_ports, .shortest_vcs, .shortest_hops,
        .leaves, .link, .around_ports, .around_vcs, .around_hops
      );
      assign ways[k*64 +: 64] = is_new && elsewhere && shortest_ports != '0 && around_ports != '0
        ? 64'({leaves ? link : LINK_W'(0), leaves, shortest_hops, around_hops, shortest_vcs, around_vcs, shortest_ports, around_ports, 1'b1})
        : '0;
    end
  endgenerate
endmodule
