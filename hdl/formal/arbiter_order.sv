// Formal: the order that an arbiter's state stands for. before[i*REQUESTERS + j]: i is to be served before
// j.
module arbiter_order #(
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned REQUESTERS = 4,
  localparam bit ROUND_ROBIN = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN,
  localparam int unsigned STATE_W = ROUND_ROBIN ? REQUESTERS : REQUESTERS * (REQUESTERS - 1) / 2
) (
  input  logic [STATE_W-1:0]               state,
  output logic [REQUESTERS*REQUESTERS-1:0] before,
  // Not so in states that no sequence of services leads to: a round-robin mask with gaps, a matrix that goes
  // round in circles.
  output logic                             is_legal
);
  generate
    for (genvar i = 0; i < REQUESTERS; i++) begin : g_i
      for (genvar j = 0; j < REQUESTERS; j++) begin : g_j
        if (i == j) begin : g_same
          assign before[i*REQUESTERS + j] = 1'b0;
        end else if (ROUND_ROBIN) begin : g_round_robin
          // Those after the one served last come first; on the same side, the lower one does.
          assign before[i*REQUESTERS + j] = state[i] == state[j] ? i < j : state[i];
        end else if (i < j) begin : g_upper
          assign before[i*REQUESTERS + j] = state[i * (2 * REQUESTERS - 1 - i) / 2 + j - i - 1];
        end else begin : g_lower
          assign before[i*REQUESTERS + j] = ~state[j * (2 * REQUESTERS - 1 - j) / 2 + i - j - 1];
        end
      end
    end

    if (ROUND_ROBIN) begin : g_thermometer
      assign is_legal = !state[0] && (~state & (~state + 1'b1)) == '0;
    end else begin : g_total
      always_comb begin
        is_legal = 1'b1;
        for (int i = 0; i < REQUESTERS; i++)
          for (int j = 0; j < REQUESTERS; j++)
            for (int k = 0; k < REQUESTERS; k++)
              if (before[i*REQUESTERS + j] && before[j*REQUESTERS + k] && !before[i*REQUESTERS + k])
                is_legal = 1'b0;
      end
    end
  endgenerate
endmodule
