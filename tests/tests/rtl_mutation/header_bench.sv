// The fields of a header; the router does not ask whether they are legal.
module header_bench (
  input  logic        clk,
  input  logic        rst,
  input  logic [15:0] mutant,
  input  logic [dsv_pkg::HEADER_BITS-1:0] raw,
  output logic        legal
);
  always_ff @(posedge clk) if (rst) mutation::chosen <= mutant;

  logic [dsv_pkg::ROUTER_BITS-1:0] to_router;
  logic [dsv_pkg::PORT_BITS-1:0]   to_port;
  logic [dsv_pkg::VIA_BITS-1:0]    via;
  logic [dsv_pkg::LENGTH_BITS-1:0] length;
  logic [dsv_pkg::PROGRESS_LOCAL_MISROUTES_BITS-1:0] local_misroutes;
  logic left_origin, must_leave, via_ahead;
  dsv_header header (
    .raw, .to_router, .to_port, .via, .length, .local_misroutes, .left_origin, .must_leave, .via_ahead, .legal
  );
endmodule
