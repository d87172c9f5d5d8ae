// One output port: what goes into its FIFO, and what comes out on the wire.
`include "dsv_check.svh"
module dsv_output_port_check #(
  parameter  int unsigned VCS = 3,
  parameter  int unsigned FLITS = 32,
  parameter  int unsigned FLIT_WIDTH = dsv_pkg::DEFAULT_FLIT_WIDTH,
  parameter  int unsigned KEEPS = 0,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned PLACE_W = FLITS > 1 ? $clog2(FLITS) : 1,
  localparam int unsigned COUNT_W = $clog2(FLITS + 1),
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS
) (
  input logic                  clk,
  input logic                  rst,
  input logic                  push,
  input logic                  push_head,
  input logic [VC_W-1:0]       push_vc,
  input logic [VCS-1:0]        owned,
  input logic [PLACE_W-1:0]    first,
  input logic [PLACE_W-1:0]    free,
  input logic [COUNT_W-1:0]    count,
  input logic                  accepts,
  input logic                  flit_valid,
  input logic                  flit_head,
  input logic                  flit_tail,
  input logic [VC_W-1:0]       flit_vc,
  input logic [FLIT_WIDTH-1:0] flit_data
);
  `DSV_CHECK(OUTPUT_FIFO, count <= COUNT_W'(FLITS) && !(push && count == COUNT_W'(FLITS) && !flit_valid),
    ("OUTPUT-FIFO: %0d flits are in a FIFO of %0d, pushed: %b", count, FLITS, push))

  `DSV_CHECK(OUTPUT_ACCEPTS, accepts == (32'(count) - 32'(flit_valid) < FLITS - KEEPS),
    ("OUTPUT-FIFO: %0d flits are in a FIFO of %0d, one leaves: %b, and it takes one: %b", count, FLITS, flit_valid, accepts))

  // The pointers are as far apart as there are flits.
  logic [31:0] behind;
  assign behind = 32'(first) + 32'(count);
  `DSV_CHECK(OUTPUT_POINTERS, behind == 32'(free) || behind == 32'(free) + FLITS,
    ("OUTPUT-FIFO: %0d flits from place %0d on, and place %0d is the next", count, first, free))

  logic held;
  assign held = owned[push_vc];
  `DSV_CHECK(VC_OWNED, !push || held == !push_head,
    ("VC-OWNED: a flit (head: %b) is pushed into VC %0d of the held ones %b", push_head, push_vc, owned))

  // Per VC, the flits of the packet on the wire that have yet to come.
  logic [VCS-1:0]          whole;
  logic [VCS*LENGTH_W-1:0] on_wire;
  generate for (genvar v = 0; v < VCS; v++) begin : g_vc
    logic [LENGTH_W-1:0] left, now;
    logic                here;
    assign on_wire[v*LENGTH_W +: LENGTH_W] = left;
    assign here = flit_valid && flit_vc == VC_W'(v);
    assign now  = flit_head ? flit_data[FLIT_WIDTH - dsv_pkg::HEADER_BITS + dsv_pkg::LENGTH_AT +: LENGTH_W] : left;
    // A head comes when nothing is left, a body when something is, and the tail is the last.
    assign whole[v] = !here || (flit_head == (left == '0) && now != '0 && flit_tail == (now == LENGTH_W'(1)));
    always_ff @(posedge clk) begin
      if (rst)       left <= '0;
      else if (here) left <= now - 1'b1;
    end
  end endgenerate

  logic unused;
  assign unused = &{1'b0, flit_data, on_wire};

  `DSV_CHECK(FLIT_WHOLE, &whole,
    ("FLIT-WHOLE: VC %0d: head %b, tail %b, out of order", flit_vc, flit_head, flit_tail))
endmodule
