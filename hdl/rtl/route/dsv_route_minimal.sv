// Stage 2. Shortest routes on a Dragonfly: at most local, global, local (router-core/src/route/minimal.rs).
module dsv_route_minimal #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0]   to_port,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs
);
  logic known, arrived, same_group;
  logic [PORTS-1:0] own_links, local_ports;
  dsv_dragonfly #(
`include "dsv_route_config_pass.svh"
  ) map (
    .here_router, .to_router, .to_port, .known, .arrived, .same_group, .own_links, .local_ports
  );

  logic [VCS-1:0] to_local, to_global, misroute;
  dsv_ladder #(.VCS(VCS)) ladder (.from_kind, .from_vc, .to_local, .to_global, .misroute);

  logic unused;
  assign unused = &{1'b0, misroute};

  logic owns_link;
  assign owns_link = |own_links && !same_group;

  always_comb begin
    minimal_ports = owns_link ? own_links : local_ports;
    minimal_vcs = owns_link ? to_global : to_local;
    if (arrived) begin
      minimal_ports = PORTS'(1) << to_port & wired;
      minimal_vcs = '1;
    end
    if (!known) minimal_ports = '0;
    if (minimal_ports == '0) minimal_vcs = '0;
  end
endmodule
