// Routings side by side on the same map, for the unit lockstep of `route`: minimal, then each rules and
// policy of OLM, then OLM with other limits of local misroutes. Each fills one 64-bit place of `offered`, packed as in the
// probes of lockstep, and one of `passed_over`.
module routes #(
  parameter  int unsigned NODES       = 2,
  parameter  int unsigned LOCALS      = 3,
  parameter  int unsigned GLOBALS     = 2,
  parameter  int unsigned GROUPS      = 9,
  parameter  int unsigned VCS         = 3,
  parameter  int unsigned ARRANGEMENT = 0,
  localparam int unsigned PORTS       = NODES + LOCALS + GLOBALS,
  localparam int unsigned VC_W        = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned VARIANTS    = 13
) (
  input  logic [17:0]      here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [PORTS-1:0] exits,
  input  logic [PORTS-1:0] from_port,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [dsv_pkg::HEADER_BITS-1:0] header,
  output logic [VARIANTS*64-1:0] offered,
  output logic [VARIANTS*64-1:0] passed_over
);
  generate
    for (genvar k = 0; k < VARIANTS; k++) begin : g_variant
      localparam int unsigned ROUTING = k == 0 ? dsv_pkg::ROUTING_MINIMAL : dsv_pkg::ROUTING_OLM;
      localparam int unsigned SETS = dsv_pkg::ROUTING_SETS[ROUTING*32 +: 32];
      logic [SETS*PORTS-1:0] set_ports;
      logic [SETS*VCS-1:0] set_vcs;
      logic [SETS*(PORTS+VCS):0] candidates;
      logic forced;
      logic [PORTS-1:0] passed;
      logic [SETS*dsv_pkg::HOPS_BITS-1:0] set_hops;
      dsv_route #(
        .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .GROUPS(GROUPS), .VCS(VCS),
        .ARRANGEMENT(ARRANGEMENT),
        .ROUTING(ROUTING),
        .RULES(k % 2), .POLICY(k / 2 % dsv_pkg::POLICY_COUNT),
        .LOCAL_MISROUTING(k == 9 ? 0 : 1), .LIMIT(k == 10 ? 0 : k == 11 ? 2 : k == 12 ? 7 : 1)
      ) one (
        .here_router, .wired, .exits, .from_port, .from_kind, .from_vc, .header, .table_ports('0), .table_vcs('0),
        .set_ports, .set_vcs, .set_hops, .forced, .passed_over(passed)
      );
      logic unused_hops;
      assign unused_hops = &{1'b0, set_hops};
      dsv_packed_candidates #(.PORTS(PORTS), .VCS(VCS), .SETS(SETS)) packing (.set_ports, .set_vcs, .forced, .candidates);
      assign offered[k*64 +: 64] = 64'(candidates);
      assign passed_over[k*64 +: 64] = 64'(passed);
    end
  endgenerate
endmodule
