// Routings side by side on the same map, for the unit lockstep of `route`: minimal, then each rules and
// policy of OLM, then OLM with other limits of local misroutes. Each fills one 64-bit place of `offered`,
// from the top: minimal ports and VCs, global ports and VCs, local ports and VCs, forced.
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
  input  logic [63:0]      header,
  output logic [VARIANTS*64-1:0] offered
);
  generate
    for (genvar k = 0; k < VARIANTS; k++) begin : g_variant
      logic [PORTS-1:0] minimal_ports, global_ports, local_ports;
      logic [VCS-1:0] minimal_vcs, global_vcs, local_vcs;
      logic forced;
      dsv_route #(
        .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .GROUPS(GROUPS), .VCS(VCS),
        .ARRANGEMENT(ARRANGEMENT),
        .ROUTING(k == 0 ? dsv_pkg::ROUTING_MINIMAL : dsv_pkg::ROUTING_OLM),
        .RULES(k % 2), .POLICY(k / 2 % dsv_pkg::POLICY_COUNT),
        .LOCAL_MISROUTING(k == 9 ? 0 : 1), .LIMIT(k == 10 ? 0 : k == 11 ? 2 : k == 12 ? 7 : 1)
      ) one (
        .here_router, .wired, .exits, .from_port, .from_kind, .from_vc, .header, .table_ports('0),
        .minimal_ports, .minimal_vcs, .global_ports, .global_vcs, .local_ports, .local_vcs, .forced
      );
      assign offered[k*64 +: 64] = 64'({minimal_ports, minimal_vcs, global_ports, global_vcs,
                                        local_ports, local_vcs, forced});
    end
  endgenerate
endmodule
