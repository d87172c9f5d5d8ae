// MEAN-EXACT and SHARE-EXACT: the products that follow what comes and goes are those of the places in use. LIFTS-EXACT: what is compared a
// cycle ahead is what a comparison in this cycle would give.
`include "dsv_check.svh"
module dsv_products_check #(
  parameter int unsigned NODES      = 2,
  parameter int unsigned LOCALS     = 3,
  parameter int unsigned GLOBALS    = 2,
  parameter int unsigned VCS        = 3,
  parameter int unsigned GLOBAL_VCS = 2,
  parameter int unsigned CREDIT_W   = 9,
  parameter int unsigned SUM_W      = 10,
  // Flits of all packets where such comparisons are made, else 0.
  parameter int unsigned LENGTH     = 0,
  localparam int unsigned GLOBAL_W  = GLOBALS > 0 ? GLOBALS : 1,
  localparam int unsigned PORTS     = NODES + LOCALS + GLOBALS,
  localparam int unsigned MEAN_W    = SUM_W + 8,
  localparam int unsigned SHARE_W   = CREDIT_W + 16
) (
  input logic                          clk,
  input logic                          rst,
  input logic [PORTS*VCS*CREDIT_W-1:0] used,
  input logic [PORTS-1:0]              wired,
  input logic [15:0]                   restriction_factor,
  input logic [15:0]                   restriction_packets,
  input logic [15:0]                   relative_threshold,
  input logic [VCS*MEAN_W-1:0]         global_mean,
  input logic [VCS*GLOBAL_W-1:0]       lifts,
  input logic [PORTS*VCS*SHARE_W-1:0]  shares
);
  logic unused;
  assign unused = &{1'b0, used, wired, restriction_factor, restriction_packets, relative_threshold, global_mean, lifts, shares};

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

      if (LENGTH > 0) begin : g_lifts
        for (genvar g = 0; g < GLOBALS; g++) begin : g_output
          logic [31:0] above, slack;
          assign slack = 32'(restriction_packets) * LENGTH;
          assign above = 32'(used[((NODES + LOCALS + g)*VCS + v)*CREDIT_W +: CREDIT_W]) - slack;
          `DSV_CHECK(LIFTS_EXACT, !wired[NODES + LOCALS + g] || lifts[v*GLOBAL_W + g] == (!above[31] && above * $countones(wired >> (NODES + LOCALS)) > 32'(mean)),
            ("LIFTS-EXACT: global output %0d exceeds the mean of VC %0d: %b, by %0d flits", g, v, lifts[v*GLOBAL_W + g], above))
        end
      end
    end

    for (genvar n = 0; n < PORTS * VCS; n++) begin : g_share
      logic [SHARE_W-1:0] share;
      assign share = SHARE_W'(used[n*CREDIT_W +: CREDIT_W]) * SHARE_W'(relative_threshold);
      `DSV_CHECK(SHARE_EXACT, shares[n*SHARE_W +: SHARE_W] == share,
        ("SHARE-EXACT: the share of VC %0d behind port %0d is %0d, not %0d", n % VCS, n / VCS, shares[n*SHARE_W +: SHARE_W], share))
    end
  endgenerate
endmodule
