// The credits of one output port, for each VC behind it.
`include "dsv_check.svh"
module dsv_credit_check #(
  parameter  int unsigned VCS = 3,
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned RESERVED = DEPTH,
  parameter  int unsigned CREDIT_W = $clog2(DEPTH + 1),
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input logic                    clk,
  input logic                    rst,
  input logic                    take_valid,
  input logic [VC_W-1:0]         take_vc,
  input logic [VCS*CREDIT_W-1:0] left,
  input logic [VCS*CREDIT_W-1:0] used,
  input logic [$clog2(DEPTH+1)-1:0] lent
);
  // Where a VC has more credits than places, what follows from it is not reported beside it.
  logic [VCS-1:0] is_over;
  generate for (genvar v = 0; v < VCS; v++) begin : g_bound
    assign is_over[v] = left[v*CREDIT_W +: CREDIT_W] > CREDIT_W'(DEPTH);
    `DSV_CHECK(CREDIT_BOUND, !is_over[v],
      ("CREDIT-BOUND: VC %0d has %0d credits for %0d places", v, left[v*CREDIT_W +: CREDIT_W], DEPTH))
  end endgenerate

  // Shared places in use: those of each VC beyond the ones that are kept for it.
  localparam int unsigned SHARED = DEPTH - RESERVED;
  logic [31:0] borrowed;
  always_comb begin
    borrowed = 0;
    for (int v = 0; v < VCS; v++)
      if (32'(used[v*CREDIT_W +: CREDIT_W]) > RESERVED) borrowed = borrowed + 32'(used[v*CREDIT_W +: CREDIT_W]) - RESERVED;
  end
  `DSV_CHECK(CREDIT_SHARED, is_over != '0 || 32'(lent) == borrowed && borrowed <= SHARED,
    ("CREDIT-SHARED: %0d shared places of %0d are in use, and %0d are counted", borrowed, SHARED, lent))

  generate for (genvar v = 0; v < VCS; v++) begin : g_vc
    logic [CREDIT_W-1:0] free;
    assign free = left[v*CREDIT_W +: CREDIT_W];

    // What a VC does not use of its own, and what nothing uses of what is shared.
    logic [31:0] in_use, own;
    assign in_use = 32'(used[v*CREDIT_W +: CREDIT_W]);
    assign own    = in_use < RESERVED ? RESERVED - in_use : 0;
    `DSV_CHECK(CREDIT_SHARED, is_over != '0 || 32'(free) + borrowed == own + SHARED,
      ("CREDIT-SHARED: VC %0d of %0d flits has %0d credits, of %0d shared places %0d are in use", v, in_use, free, SHARED, borrowed))

    `DSV_CHECK(CREDIT_NO_DEBT, !(take_valid && take_vc == VC_W'(v) && free == '0),
      ("CREDIT-NO-DEBT: a flit leaves for VC %0d without a credit", v))
  end endgenerate
endmodule
