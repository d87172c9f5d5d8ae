// Stage 2. Duato's fully adaptive routing on a mesh (router-core/src/route/duato.rs): every port that leads closer, on the adaptive
// VCs; behind it the port of dimension order alone, on the escape VC. The two sets share that port.
module dsv_route_duato #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0] to_port,
  output logic [PORTS-1:0] adaptive_ports,
  output logic [VCS-1:0]   adaptive_vcs,
  output logic [PORTS-1:0] escape_ports,
  output logic [VCS-1:0]   escape_vcs
);
  localparam logic [VCS-1:0] ESCAPE = VCS'(1);
  localparam logic [VCS-1:0] ADAPTIVE = ~({VCS{1'b1}} << LOCAL_VCS) & ~ESCAPE;

  logic arrived;
  logic [PORTS-1:0] closer, outside, ahead, behind, single;
  dsv_grid #(
`include "dsv_route_config_pass.svh"
  ) map (
    .here_router, .to_router, .arrived, .closer, .outside, .ahead, .behind, .single
  );

  logic unused;
  assign unused = &{1'b0, ahead, behind, single};

  // A port that leads closer and is not connected is a mesh with a hole: nothing is offered.
  logic whole;
  assign whole = (outside | closer & ~wired) == '0;

  always_comb begin
    adaptive_ports = whole ? closer : '0;
    adaptive_vcs = ADAPTIVE;
    // Of the lowest dimension: the one set bit that is left of it and its complement plus one.
    escape_ports = adaptive_ports & (~adaptive_ports + PORTS'(1));
    escape_vcs = ESCAPE;
    if (arrived) begin
      adaptive_ports = PORTS'(1) << to_port & wired;
      adaptive_vcs = '1;
    end
    if (adaptive_ports == '0) adaptive_vcs = '0;
    if (escape_ports == '0) escape_vcs = '0;
  end
endmodule
