// The mean of a VC that no global port has.
`include "dsv_check.svh"
module dsv_occupancy_check #(
  parameter int unsigned VCS        = 3,
  parameter int unsigned GLOBAL_VCS = 2,
  parameter int unsigned MEAN_W     = 16
) (
  input logic [VCS*MEAN_W-1:0] global_mean
);
  logic unused;
  assign unused = &{1'b0, global_mean};

  generate for (genvar v = GLOBAL_VCS; v < VCS; v++) begin : g_vc
    `DSV_CHECK_ALWAYS(MEAN_OF_NONE, global_mean[v*MEAN_W +: MEAN_W] == '0,
      ("MEAN-OF-NONE: no global port has VC %0d, and its mean is %0d", v, global_mean[v*MEAN_W +: MEAN_W]))
  end endgenerate
endmodule
