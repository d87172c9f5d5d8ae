// MEAN-EXACT and SHARE-EXACT: the products that follow what comes and goes are those of the places in use.
`include "dsv_check.svh"
module dsv_products_check #(
  parameter int unsigned NODES      = 2,
  parameter int unsigned LOCALS     = 3,
  parameter int unsigned GLOBALS    = 2,
  parameter int unsigned VCS        = 3,
  parameter int unsigned GLOBAL_VCS = 2,
  parameter int unsigned CREDIT_W   = 9,
  parameter int unsigned SUM_W      = 10,
  localparam int unsigned PORTS     = NODES + LOCALS + GLOBALS,
  localparam int unsigned MEAN_W    = SUM_W + 8,
  localparam int unsigned SHARE_W   = CREDIT_W + 16
) (
  input logic                          clk,
  input logic                          rst,
  input logic [PORTS*VCS*CREDIT_W-1:0] used,
  input logic [PORTS-1:0]              wired,
  input logic [15:0]                   restriction_factor,
  input logic [15:0]                   relative_threshold,
  input logic [VCS*MEAN_W-1:0]         global_mean,
  input logic [PORTS*VCS*SHARE_W-1:0]  shares
);
  logic unused;
  assign unused = &{1'b0, used, wired, restriction_factor, relative_threshold, global_mean, shares};

  generate
    for (genvar v = 0; v < GLOBAL_VCS && GLOBALS > 0; v++) begin : g_mean
      logic [SUM_W+15:0] sum, mean;
      always_comb begin
        sum = '0;
        for (int p = NODES + LOCALS; p < PORTS; p++)
          sum = sum + ((SUM_W + 16)'(used[(p*VCS + v)*CREDIT_W +: CREDIT_W]) & {(SUM_W + 16){wired[p]}});
      end
      assign mean = sum * (SUM_W + 16)'(restriction_factor) >> 8;
      `DSV_CHECK(MEAN_EXACT, global_mean[v*MEAN_W +: MEAN_W] == MEAN_W'(mean),
        ("MEAN-EXACT: the mean of VC %0d behind global ports is %0d, not %0d", v, global_mean[v*MEAN_W +: MEAN_W], mean))
    end

    for (genvar n = 0; n < PORTS * VCS; n++) begin : g_share
      logic [SHARE_W-1:0] share;
      assign share = SHARE_W'(used[n*CREDIT_W +: CREDIT_W]) * SHARE_W'(relative_threshold);
      `DSV_CHECK(SHARE_EXACT, shares[n*SHARE_W +: SHARE_W] == share,
        ("SHARE-EXACT: the share of VC %0d behind port %0d is %0d, not %0d", n % VCS, n / VCS, shares[n*SHARE_W +: SHARE_W], share))
    end
  endgenerate
endmodule
