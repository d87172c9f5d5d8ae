// Stage 2. The turn model on a mesh (router-core/src/route/turn_model.rs): the early ports that lead closer, or all where none is left,
// on any VC.
module dsv_route_turn_model #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0] to_port,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs
);
  localparam logic [VCS-1:0] ALL = ~({VCS{1'b1}} << LOCAL_VCS);
  // In the order of the ports: east, west, north, south, then two for each further dimension.
  localparam logic [LOCALS-1:0] EARLY = TURNS == dsv_pkg::TURNS_WEST_FIRST ? LOCALS'(2)
                                      : TURNS == dsv_pkg::TURNS_NORTH_LAST ? ~LOCALS'(4)
                                      : {(LOCALS / 2){2'b10}};

  logic arrived;
  logic [PORTS-1:0] closer, outside, ahead, behind, single;
  dsv_grid #(
`include "dsv_route_config_pass.svh"
  ) map (
    .here_router, .to_router, .arrived, .closer, .outside, .ahead, .behind, .single
  );

  logic unused;
  assign unused = &{1'b0, ahead, behind, single};

  logic [PORTS-1:0] early;
  assign early = closer & PORTS'(EARLY) << NODES;

  always_comb begin
    minimal_ports = (early != '0 ? early : closer) & wired;
    minimal_vcs = ALL;
    if (arrived) begin
      minimal_ports = PORTS'(1) << to_port & wired;
      minimal_vcs = '1;
    end
    if (outside != '0) minimal_ports = '0;
    if (minimal_ports == '0) minimal_vcs = '0;
  end
endmodule
