// Whom an arbiter serves, in every cycle out of reset.
module dsv_arbiter_pick_check #(
  parameter int unsigned REQUESTERS = 4
) (
  input logic                  clk,
  input logic                  rst,
  input logic [REQUESTERS-1:0] request,
  input logic [REQUESTERS-1:0] grant
);
  ARBITER_GRANT: assert property (@(posedge clk) disable iff (rst)
    (grant & ~request) == '0 && (grant != '0 || request == '0)
  ) else $error("ARBITER-GRANT: requests %b, grants %b", request, grant);

  ARBITER_ONE: assert property (@(posedge clk) disable iff (rst) $onehot0(grant))
  else $error("ARBITER-ONE: requests %b, grants %b", request, grant);
endmodule
