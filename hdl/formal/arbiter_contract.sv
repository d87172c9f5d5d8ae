// Formal: the contract of an arbiter. Every state that it reaches from reset, every request, taken up or not.
//
// ARBITER-GRANT, ARBITER-FAIR. ORDER-* say which states there are; the induction needs them.
module arbiter_contract #(
  parameter int unsigned ARBITER = desvio_pkg::DEFAULT_ARBITER,
  parameter int unsigned REQUESTERS = 4,
  localparam bit ROUND_ROBIN = ARBITER == desvio_pkg::ARBITER_ROUND_ROBIN,
  localparam int unsigned STATE_W = ROUND_ROBIN ? REQUESTERS : REQUESTERS * (REQUESTERS - 1) / 2,
  localparam int unsigned WHO_W = $clog2(REQUESTERS)
) (
  input logic                  clk,
  input logic                  rst,
  input logic [REQUESTERS-1:0] request,
  input logic                  advance
);
  logic [REQUESTERS-1:0] grant;
  logic [STATE_W-1:0] state;
  arbiter #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) dut (.clk, .rst, .request, .advance, .grant, .state);

  // Any one requester, and how many others were served since it began to ask without a break.
  (* anyconst *) logic [WHO_W-1:0] who;
  logic [WHO_W:0] passed_over;
  // How many stand before it, as the state has it.
  logic [WHO_W:0] ahead;
  logic [REQUESTERS*REQUESTERS-1:0] before;

  arbiter_order #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) order (.state, .before);

  always_comb begin
    ahead = '0;
    for (int j = 0; j < REQUESTERS; j++) ahead = ahead + (WHO_W+1)'(before[j*REQUESTERS + 32'(who)]);
  end

  always_ff @(posedge clk) begin
    if (rst || !request[who] || (advance && grant[who])) passed_over <= '0;
    else if (advance) passed_over <= passed_over + 1'b1;
  end

  initial assume (rst);

  always_comb if (!rst) begin
    ARBITER_GRANT_answers_a_request: assert ((grant & ~request) == '0);
    ARBITER_GRANT_is_one: assert ((grant & (grant - 1'b1)) == '0);
    ARBITER_GRANT_is_there: assert ((grant == '0) == (request == '0));
    // Others are served at most REQUESTERS - 1 times: within REQUESTERS grants, one is its own.
    ARBITER_FAIR: assert (passed_over < REQUESTERS);
    ORDER_is_kept: assert (passed_over + ahead < REQUESTERS);
  end

  generate
    for (genvar i = 0; i < REQUESTERS; i++) begin : g_i
      for (genvar j = 0; j < REQUESTERS; j++) begin : g_j
        for (genvar k = 0; k < REQUESTERS; k++) begin : g_k
          if (i != j && j != k && i != k) begin : g_order
            always_comb if (!rst)
              ORDER_is_total: assert (!(before[i*REQUESTERS + j] && before[j*REQUESTERS + k])
                                      || before[i*REQUESTERS + k]);
          end
        end
      end
    end
    if (ROUND_ROBIN) begin : g_thermometer
      always_comb if (!rst) ORDER_is_a_thermometer: assert (((~state + 1'b1) & ~state) == (~state & 1));
    end
  endgenerate

  // None of this is vacuous: someone waits as long as anyone may.
  always_comb if (!rst) begin
    COVER_longest_wait: cover (passed_over == REQUESTERS - 1);
    COVER_everyone_asks: cover (&request && advance && grant[REQUESTERS-1]);
  end
endmodule
