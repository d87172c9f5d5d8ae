// Stage 2. One output for each destination, from a forwarding table that is given, on any VC (router-core/src/route/forwarding.rs).
// The table itself is the router's: `table_ports` is its entry for the node that this packet is for, empty where it has none.
module dsv_route_forwarding #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0]   to_port,
  input  logic [PORTS-1:0] table_ports,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs
);
  assign minimal_ports = here_router == to_router ? PORTS'(1) << to_port & wired : table_ports;
  assign minimal_vcs   = {VCS{minimal_ports != '0}};
endmodule
