// Stage 5, allocation: whom an arbiter serves. Combinational.
//
// A grant goes to one requester, and there is one as long as there is a request, in every state that
// `arbiter_state` reaches. State of a round-robin arbiter: those that come after the one served last (none
// after the last of all: then requester 0 is first, as after reset). State of a matrix arbiter: for each
// pair i < j, row after row, whether i was served longer ago than j.
module dsv_arbiter_pick #(
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned REQUESTERS = 4,
  localparam int unsigned PAIRS = REQUESTERS * (REQUESTERS - 1) / 2,
  localparam int unsigned STATE_W =
    ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN ? REQUESTERS : PAIRS > 0 ? PAIRS : 1
) (
  input  logic [STATE_W-1:0]    state,
  input  logic [REQUESTERS-1:0] request,
  output logic [REQUESTERS-1:0] grant
);
  generate
    if (ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN && REQUESTERS <= 5) begin : g_few
      // The set ahead of each requester does not depend on the requests: least depth; for so few no more gates.
      for (genvar n = 0; n < REQUESTERS; n++) begin : g_requester
        localparam logic [REQUESTERS-1:0] LOWER = ~({REQUESTERS{1'b1}} << n);
        logic [REQUESTERS-1:0] ahead;
        assign ahead = state[n] ? state & LOWER : state | LOWER;
        assign grant[n] = request[n] && (request & ahead) == '0;
      end
    end else if (ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN) begin : g_many
      // All bits from the lowest one on, in logarithmic depth.
      function automatic logic [REQUESTERS-1:0] lowest(input logic [REQUESTERS-1:0] set);
        logic [REQUESTERS-1:0] seen;
        seen = set;
        for (int k = 1; k < REQUESTERS; k = k * 2) seen = seen | (seen << k);
        lowest = set & ~(seen << 1);
      endfunction

      logic [REQUESTERS-1:0] later;
      assign later = request & state;
      assign grant = lowest(later) | (lowest(request) & {REQUESTERS{later == '0}});
    end else begin : g_matrix
      // Row i stands at i (2 REQUESTERS − 1 − i) / 2; what follows it is shifted out below.
      logic [STATE_W+REQUESTERS-1:0] rows;
      logic [REQUESTERS-1:0] younger;
      logic [REQUESTERS-1:0] blocked;
      assign rows = {{REQUESTERS{1'b0}}, state};

      always_comb begin
        blocked = '0;
        for (int i = 0; i < REQUESTERS; i++) begin
          // Those beyond i that it comes ahead; the others beyond i come before it.
          younger = rows[i * (2 * REQUESTERS - 1 - i) / 2 +: REQUESTERS] << (i + 1);
          blocked = blocked | (younger & {REQUESTERS{request[i]}})
            | (REQUESTERS'((request & ~younger & ({REQUESTERS{1'b1}} << (i + 1))) != '0) << i);
        end
      end

      assign grant = request & ~blocked;
    end
  endgenerate
endmodule
