// Stage 2. The odd-even turn model on a mesh of two dimensions (router-core/src/route/odd_even.rs), on any
// VC. There is no turn from east to north or south in even columns, none from north or south to west in odd
// ones, and no hop to a router where all ways on are forbidden.
module dsv_route_odd_even #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [PORTS-1:0] from_port,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0] to_port,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs
);
  localparam logic [VCS-1:0] ALL = ~({VCS{1'b1}} << LOCAL_VCS);
  localparam int unsigned EAST = NODES;
  localparam int unsigned WEST = NODES + 1;
  localparam logic [PORTS-1:0] COLUMNS = PORTS'(3) << NODES;
  // The bits of the first coordinate: those below the beginning of the second.
  localparam logic [ROUTER_W-1:0] COLUMN = (ROUTER_W'(GRID_STARTS) & ~ROUTER_W'(1)) - ROUTER_W'(1);

  logic arrived;
  logic [PORTS-1:0] closer, outside, ahead, behind, single;
  dsv_grid #(
`include "dsv_route_config_pass.svh"
  ) map (
    .here_router, .to_router, .arrived, .closer, .outside, .ahead, .behind, .single
  );

  logic unused;
  assign unused = &{1'b0, ahead, behind, single};

  logic [PORTS-1:0] along, across;
  assign along  = closer & COLUMNS;
  assign across = closer & ~COLUMNS;

  // Where both change: eastwards the row changes in odd columns, or before the first hop, and before an even destination column;
  // westwards it changes in even columns.
  logic is_odd, is_last_odd, is_next, moved_east, may_go_across, may_go_along;
  assign is_odd = here_router[0];
  assign is_last_odd = to_router[0];
  assign is_next = (here_router & COLUMN) + ROUTER_W'(1) == (to_router & COLUMN);
  assign moved_east = from_port[WEST];
  assign may_go_across = closer[EAST] ? is_odd || !moved_east : !is_odd;
  assign may_go_along = !is_next || is_last_odd;

  always_comb begin
    minimal_ports = closer;
    if (along != '0 && across != '0) begin
      minimal_ports = (may_go_along ? along : '0) | (may_go_across ? across : '0);
    end
    minimal_ports &= wired;
    minimal_vcs = ALL;
    if (arrived) begin
      minimal_ports = PORTS'(1) << to_port & wired;
      minimal_vcs = '1;
    end
    if (outside != '0) minimal_ports = '0;
    if (minimal_ports == '0) minimal_vcs = '0;
  end
endmodule
