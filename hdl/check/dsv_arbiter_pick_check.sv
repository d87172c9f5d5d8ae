// Whom an arbiter serves: one that asks, as long as one does. The states of a matrix arbiter that are no order of the requesters
// (before the first reset) may serve none of them: those that come before all others that ask are served, and no state has two.
`include "dsv_check.svh"
module dsv_arbiter_pick_check #(
  parameter  int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter  int unsigned REQUESTERS = 4,
  localparam int unsigned PAIRS = REQUESTERS * (REQUESTERS - 1) / 2,
  localparam int unsigned STATE_W = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN ? REQUESTERS : PAIRS > 0 ? PAIRS : 1
) (
  input logic [STATE_W-1:0]    state,
  input logic [REQUESTERS-1:0] request,
  input logic [REQUESTERS-1:0] grant
);
  // Looked at only where none is served: in a simulation it costs nothing as long as all is well.
  logic is_missed;
  generate
    if (ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN || REQUESTERS == 1) begin : g_any_state
      assign is_missed = request != '0 && grant == '0;
      logic unused;
      assign unused = &{1'b0, state};
    end else begin : g_matrix
      logic [STATE_W+REQUESTERS-1:0] rows;
      logic [REQUESTERS-1:0]         beaten, later;
      assign rows = {{REQUESTERS{1'b0}}, state};
      always_comb begin
        is_missed = 1'b0;
        beaten    = '0;
        later     = '0;
        if (request != '0 && grant == '0) begin
          for (int i = 0; i < REQUESTERS; i++) begin
            later = request & ({REQUESTERS{1'b1}} << (i + 1));
            is_missed = is_missed || request[i] && !beaten[i]
              && (later & ~(rows[i * (2 * REQUESTERS - 1 - i) / 2 +: REQUESTERS] << (i + 1))) == '0;
            beaten = beaten | (rows[i * (2 * REQUESTERS - 1 - i) / 2 +: REQUESTERS] << (i + 1) & {REQUESTERS{request[i]}});
          end
        end
      end
    end
  endgenerate

  `DSV_CHECK_ALWAYS(ARBITER_GRANT, (grant & ~request) == '0 && !is_missed,
    ("ARBITER-GRANT: requests %b, grants %b", request, grant))

  // Of those that ask: others are granted nothing.
  `DSV_CHECK_ALWAYS(ARBITER_ONE, $onehot0(grant & request),
    ("ARBITER-ONE: requests %b, grants %b", request, grant))
endmodule
