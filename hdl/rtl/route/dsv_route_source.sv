// Stage 2. The route that the header brings (router-core/src/route/source.rs): its lowest bits are the output, which `dsv_onward`
// takes off.
module dsv_route_source #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS,
  localparam int unsigned SIGN_W = $clog2(PORTS)
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0]   to_port,
  input  logic [dsv_pkg::VIA_BITS-1:0]    route,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs
);
  logic [VCS-1:0] hop_vcs;
  dsv_hop_vcs #(.VCS(VCS), .HOP_VCS(HOP_VCS)) hop (.from_kind, .from_vc, .table_vcs({VCS{1'b0}}), .vcs(hop_vcs));

  logic arrived;
  assign arrived = here_router == to_router;

  logic unused;
  assign unused = &{1'b0, route};

  always_comb begin
    minimal_ports = (arrived ? PORTS'(1) << to_port : PORTS'(1) << route[SIGN_W-1:0]) & wired;
    minimal_vcs = arrived ? {VCS{1'b1}} : hop_vcs;
    if (minimal_ports == '0) minimal_vcs = '0;
  end
endmodule
