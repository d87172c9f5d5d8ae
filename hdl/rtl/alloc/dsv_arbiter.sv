// Stage 5, allocation: an arbiter as a whole. `advance`: the grant was taken up.
//
// ARBITER-GRANT: a grant goes to one requester, and there is one as long as there is a request.
// ARBITER-FAIR: a requester that holds its request is served within as many grants as there are requesters.
module dsv_arbiter #(
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned REQUESTERS = 4,
  localparam int unsigned PAIRS = REQUESTERS * (REQUESTERS - 1) / 2,
  localparam int unsigned STATE_W =
    ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN ? REQUESTERS : PAIRS > 0 ? PAIRS : 1
) (
  input  logic                  clk,
  input  logic                  rst,
  input  logic [REQUESTERS-1:0] request,
  input  logic                  advance,
  output logic [REQUESTERS-1:0] grant,
  output logic [STATE_W-1:0]    state
);
  dsv_arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) pick (.state, .request, .grant);

  dsv_arbiter_state #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) memory (
    .clk, .rst, .served(grant), .advance(advance && request != '0), .state
  );
endmodule
