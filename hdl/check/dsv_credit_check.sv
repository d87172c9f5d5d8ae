// The credits of one output port, for each VC behind it.
`include "dsv_check.svh"
module dsv_credit_check #(
  parameter  int unsigned VCS = 3,
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned CREDIT_W = $clog2(DEPTH + 1),
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input logic                    clk,
  input logic                    rst,
  input logic                    take_valid,
  input logic [VC_W-1:0]         take_vc,
  input logic [VCS*CREDIT_W-1:0] left
);
  generate for (genvar v = 0; v < VCS; v++) begin : g_vc
    logic [CREDIT_W-1:0] free;
    assign free = left[v*CREDIT_W +: CREDIT_W];

    `DSV_CHECK(CREDIT_NO_DEBT, !(take_valid && take_vc == VC_W'(v) && free == '0),
      ("CREDIT-NO-DEBT: a flit leaves for VC %0d without a credit", v))

    `DSV_CHECK(CREDIT_BOUND, free <= CREDIT_W'(DEPTH),
      ("CREDIT-BOUND: VC %0d has %0d credits for %0d places", v, free, DEPTH))
  end endgenerate
endmodule
