// Formal: a service of a requester without a request does no harm to an arbiter.
//
// ARBITER-GRANT holds after any sequence of services whatever, and ARBITER-HARMLESS: the requester
// that was served is last, and the order of the others is as before.
module arbiter_harmless #(
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned REQUESTERS = 4,
  localparam bit ROUND_ROBIN = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN,
  localparam int unsigned STATE_W = ROUND_ROBIN ? REQUESTERS : REQUESTERS * (REQUESTERS - 1) / 2
) (
  input logic                  clk,
  input logic                  rst,
  input logic [REQUESTERS-1:0] request,
  // One-hot or 0, and nothing else is said about it.
  input logic [REQUESTERS-1:0] served
);
  logic [REQUESTERS-1:0] grant;
  logic [STATE_W-1:0] state;
  logic [REQUESTERS*REQUESTERS-1:0] before;
  logic is_legal;

  dsv_arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) pick (.state, .request, .grant);
  logic is_served;
  assign is_served = served != '0;
  dsv_arbiter_state #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) memory (
    .clk, .rst, .served, .advance(is_served), .state
  );
  arbiter_order #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) order (.state, .before, .is_legal);

  logic has_begun, had_reset;
  logic [REQUESTERS-1:0] was_served;
  logic [REQUESTERS*REQUESTERS-1:0] was_before;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) begin
    has_begun <= 1'b1;
    had_reset <= rst;
    was_served <= served;
    was_before <= before;
  end
  always_comb begin
    assume ((served & (served - 1'b1)) == '0);
    if (!has_begun) assume (rst);
  end

  // What the order of a matrix arbiter must be after a service: the one that was served moves, and it alone.
  logic [REQUESTERS*REQUESTERS-1:0] expected;
  always_comb
    for (int i = 0; i < REQUESTERS; i++)
      for (int j = 0; j < REQUESTERS; j++)
        if (i == j) expected[i*REQUESTERS + j] = 1'b0;
        else if (was_served[i] || was_served[j]) expected[i*REQUESTERS + j] = was_served[j];
        else expected[i*REQUESTERS + j] = was_before[i*REQUESTERS + j];

  always_comb if (has_begun) begin
    INVARIANT_ORDER: assert (is_legal);
    ARBITER_GRANT_ALWAYS: assert (grant != '0 || request == '0);
    if (!had_reset && was_served != '0) begin
      // The requester that was served last is only granted when no other requests.
      ARBITER_HARMLESS_LAST: assert ((grant & was_served) == '0 || request == was_served);
    end
    if (!had_reset && (was_served == '0 || !ROUND_ROBIN))
      ARBITER_HARMLESS_ORDER: assert (before == expected);
  end

  always_comb if (has_begun && !had_reset) begin
    SERVED_LAST_OF_ALL: cover (was_served[REQUESTERS-1] && grant[0]);
    SERVED_TWICE: cover (was_served[1] && served[1] && request == '0);
  end
endmodule
