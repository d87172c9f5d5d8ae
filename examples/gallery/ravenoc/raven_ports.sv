// RaveNoC's router, its interfaces as vectors: local, south, north, east, west.
module raven_ports
  import ravenoc_pkg::*;
#(
  parameter int X = 1,
  parameter int Y = 1
) (
  input  logic                      clk,
  input  logic                      arst,
  input  logic [4:0]                in_valid,
  input  logic [4:0][VcWidth-1:0]   in_vc,
  input  logic [4:0][FlitWidth-1:0] in_flit,
  output logic [4:0]                in_ready,
  output logic [4:0]                out_valid,
  output logic [4:0][VcWidth-1:0]   out_vc,
  output logic [4:0][FlitWidth-1:0] out_flit,
  input  logic [4:0]                out_ready,
  output logic                      full
);
  router_if local_in (), south_in (), north_in (), east_in (), west_in ();
  router_if local_out (), south_out (), north_out (), east_out (), west_out ();

  `define RECV(NAME, PORT) \
    assign NAME.req.fdata = in_flit[PORT]; \
    assign NAME.req.vc_id = in_vc[PORT]; \
    assign NAME.req.valid = in_valid[PORT]; \
    assign in_ready[PORT] = NAME.resp.ready;
  `define SEND(NAME, PORT) \
    assign out_flit[PORT] = NAME.req.fdata; \
    assign out_vc[PORT] = NAME.req.vc_id; \
    assign out_valid[PORT] = NAME.req.valid; \
    assign NAME.resp.ready = out_ready[PORT];
  `RECV(local_in, 0)
  `RECV(south_in, 1)
  `RECV(north_in, 2)
  `RECV(east_in, 3)
  `RECV(west_in, 4)
  `SEND(local_out, 0)
  `SEND(south_out, 1)
  `SEND(north_out, 2)
  `SEND(east_out, 3)
  `SEND(west_out, 4)

  router_ravenoc #(.ROUTER_X_ID(XWidth'(X)), .ROUTER_Y_ID(YWidth'(Y))) switch (
    .clk, .arst, .full_wr_fifo_o(full),
    .local_recv(local_in), .south_recv(south_in), .north_recv(north_in), .east_recv(east_in), .west_recv(west_in),
    .local_send(local_out), .south_send(south_out), .north_send(north_out), .east_send(east_out), .west_send(west_out)
  );
endmodule
