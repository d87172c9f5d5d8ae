// Stage 2. Every shortest route, looked up, with one VC per hop (router-core/src/route/table.rs). The table
// itself is the router's: `table_ports` is its entry for this packet.
module dsv_route_table #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0]   to_port,
  input  logic [PORTS-1:0] table_ports,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs
);
  // One up with each hop, from 0: what the ladder gives a hop by a local port.
  logic [VCS-1:0] to_local, to_global, misroute;
  dsv_ladder #(.VCS(VCS)) ladder (.from_kind, .from_vc, .to_local, .to_global, .misroute);

  logic unused;
  assign unused = &{1'b0, to_global, misroute};

  logic arrived;
  assign arrived = here_router == to_router;

  always_comb begin
    minimal_ports = arrived ? PORTS'(1) << to_port & wired : table_ports;
    minimal_vcs = arrived ? '1 : to_local;
    if (minimal_ports == '0) minimal_vcs = '0;
  end
endmodule
