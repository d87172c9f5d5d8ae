// Formal: the contract of an arbiter, from reset on, for every request, taken up or not.
//
// ARBITER-GRANT and ARBITER-ONE are those of the check that is bound to the arbiter; ARBITER-GRANT-ALWAYS, in states that are
// an order of the requesters; ARBITER-FAIR. INVARIANT-ORDER: the reachable states are such; the induction needs it.
module arbiter_contract #(
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned REQUESTERS = 4,
  localparam bit ROUND_ROBIN = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN,
  localparam int unsigned STATE_W = ROUND_ROBIN ? REQUESTERS : REQUESTERS * (REQUESTERS - 1) / 2
) (
  input logic                  clk,
  input logic                  rst,
  input logic [REQUESTERS-1:0] request,
  input logic                  advance,
  // Any one requester, the same for ever: one-hot.
  input logic [REQUESTERS-1:0] who
);
  logic [REQUESTERS-1:0] grant;
  logic [STATE_W-1:0] state;
  logic [REQUESTERS*REQUESTERS-1:0] before;
  logic is_legal;

  dsv_arbiter #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) dut (.clk, .rst, .request, .advance, .grant, .state);
  arbiter_order #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) order (.state, .before, .is_legal);

  // How many are to be served before it, and how many were since it began to ask without a break.
  logic [7:0] ahead, passed_over;
  always_comb begin
    ahead = '0;
    for (int j = 0; j < REQUESTERS; j++) ahead = ahead + 8'((before[j*REQUESTERS +: REQUESTERS] & who) != '0);
  end
  always_ff @(posedge clk) begin
    if (rst || (who & request) == '0 || (advance && (who & grant) != '0)) passed_over <= '0;
    else if (advance) passed_over <= passed_over + 1'b1;
  end

  logic [REQUESTERS-1:0] was;
  logic has_begun;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) begin
    has_begun <= 1'b1;
    was <= who;
  end
  always_comb begin
    assume (who != '0 && (who & (who - 1'b1)) == '0);
    if (has_begun) assume (who == was);
    else assume (rst);
  end

  always_comb if (has_begun) begin
    INVARIANT_ORDER: assert (is_legal && ahead + passed_over < REQUESTERS);
    ARBITER_GRANT_ALWAYS: assert (grant != '0 || request == '0);
    // Others are served at most REQUESTERS - 1 times: of REQUESTERS grants, one is its own.
    ARBITER_FAIR: assert (passed_over < REQUESTERS);
  end

  // Not vacuous: the longest wait allowed occurs; the last requester is granted while all request.
  always_comb if (has_begun && !rst) begin
    LONGEST_WAIT: cover (passed_over == REQUESTERS - 1 && (who & request) != '0);
    LAST_OF_ALL: cover (&request && grant[REQUESTERS-1]);
  end
endmodule
