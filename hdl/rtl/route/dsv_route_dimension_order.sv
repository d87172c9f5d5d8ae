// Stage 2. One dimension after the other, on a mesh or torus (router-core/src/route/dimension_order.rs). On a torus the VCs form two
// halves: the lower one before the wrap-around link and where a packet enters a ring, the upper one behind it, both within a ring
// where the link is not crossed. In a ring of two or three routers no packet takes a second hop, and all VCs serve; in one of two
// where links lead up alone.
module dsv_route_dimension_order #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [PORTS-1:0] from_port,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0] to_port,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs
);
  localparam logic [VCS-1:0] ALL = ~({VCS{1'b1}} << LOCAL_VCS);
  localparam logic [VCS-1:0] LOWER = ~({VCS{1'b1}} << (LOCAL_VCS / 2));
  localparam logic [VCS-1:0] UPPER = ALL & ~LOWER;

  logic arrived;
  logic [PORTS-1:0] closer, outside, ahead, behind, single;
  dsv_grid #(
`include "dsv_route_config_pass.svh"
  ) map (
    .here_router, .to_router, .arrived, .closer, .outside, .ahead, .behind, .single
  );

  // The port of the lowest dimension: the one set bit that is left of all and their complement plus one.
  logic [PORTS-1:0] first;
  assign first = closer & (~closer + PORTS'(1));

  // A packet goes straight on by a port if it came by the other one of that dimension.
  logic [PORTS-1:0] straight;
  always_comb begin
    straight = '0;
    for (int p = NODES; p < NODES + LOCALS; p += 2) straight[p +: 2] = {from_port[p], from_port[p+1]};
  end

  logic [VCS-1:0] vcs;
  generate if (GRID_WRAPS != 0) begin : g_ring
    logic was_upper;
    logic [PORTS-1:0] onward;
    assign was_upper = (UPPER & VCS'(1) << from_vc) != '0;
    assign onward = first & straight & ~ahead;
    assign vcs = (first & single) != '0 ? ALL
               : onward == '0 ? LOWER : was_upper || (onward & behind) != '0 ? UPPER : ALL;
  end else begin : g_line
    logic unused;
    assign unused = &{1'b0, from_vc, straight, ahead, behind, single};
    assign vcs = ALL;
  end endgenerate

  always_comb begin
    minimal_ports = first & ~outside & wired;
    minimal_vcs = vcs;
    if (arrived) begin
      minimal_ports = PORTS'(1) << to_port & wired;
      minimal_vcs = '1;
    end
    if (minimal_ports == '0) minimal_vcs = '0;
  end
endmodule
