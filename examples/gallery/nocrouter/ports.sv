// NoCRouter's interfaces as vectors: port p at [p], in its own order, local, north, south, west, east.
module ports
  import noc_params::*;
#(
  parameter int X = 2,
  parameter int Y = 2,
  localparam int FLIT = $bits(flit_t)
) (
  input  logic                            clk,
  input  logic                            rst,
  input  logic [PORT_NUM-1:0]             in_valid,
  input  logic [PORT_NUM-1:0][FLIT-1:0]   in_flit,
  output logic [PORT_NUM-1:0][VC_NUM-1:0] in_on,
  output logic [PORT_NUM-1:0][VC_NUM-1:0] in_free,
  output logic [PORT_NUM-1:0]             out_valid,
  output logic [PORT_NUM-1:0][FLIT-1:0]   out_flit,
  input  logic [PORT_NUM-1:0][VC_NUM-1:0] out_on,
  input  logic [PORT_NUM-1:0][VC_NUM-1:0] out_free,
  output logic [PORT_NUM-1:0][VC_NUM-1:0] error
);
  router2router local_out (), north_out (), south_out (), west_out (), east_out ();
  router2router local_in (), north_in (), south_in (), west_in (), east_in ();
  logic [VC_NUM-1:0] error_of [PORT_NUM-1:0];

  `define DOWN(NAME, PORT) \
    assign NAME.data = in_flit[PORT]; \
    assign NAME.is_valid = in_valid[PORT]; \
    assign in_on[PORT] = NAME.is_on_off; \
    assign in_free[PORT] = NAME.is_allocatable;
  `define UP(NAME, PORT) \
    assign out_flit[PORT] = NAME.data; \
    assign out_valid[PORT] = NAME.is_valid; \
    assign NAME.is_on_off = out_on[PORT]; \
    assign NAME.is_allocatable = out_free[PORT]; \
    assign error[PORT] = error_of[PORT];
  `DOWN(local_in, LOCAL)
  `DOWN(north_in, NORTH)
  `DOWN(south_in, SOUTH)
  `DOWN(west_in, WEST)
  `DOWN(east_in, EAST)
  `UP(local_out, LOCAL)
  `UP(north_out, NORTH)
  `UP(south_out, SOUTH)
  `UP(west_out, WEST)
  `UP(east_out, EAST)

  router #(.X_CURRENT(X), .Y_CURRENT(Y)) switch (
    .clk, .rst, .error_o(error_of),
    .router_if_local_up(local_out), .router_if_north_up(north_out), .router_if_south_up(south_out),
    .router_if_west_up(west_out), .router_if_east_up(east_out),
    .router_if_local_down(local_in), .router_if_north_down(north_in), .router_if_south_down(south_in),
    .router_if_west_down(west_in), .router_if_east_down(east_in)
  );
endmodule
