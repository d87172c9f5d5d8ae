// Stage 5, allocation: the state of an arbiter; `arbiter_pick` defines its meaning.
//
// `served` is one-hot where it counts: with `advance`. The requester served is last from then on, with
// or without a request; nothing else moves. A round-robin arbiter has two circles: the first YIELDING
// requesters, of which none requests while others do, and the others; only that of the one served moves.
// The two inputs are apart because `served` is known earlier.
module dsv_arbiter_state #(
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned REQUESTERS = 4,
  parameter int unsigned YIELDING = 0,
  localparam int unsigned PAIRS = REQUESTERS * (REQUESTERS - 1) / 2,
  localparam int unsigned STATE_W =
    ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN ? REQUESTERS : PAIRS > 0 ? PAIRS : 1
) (
  input  logic                  clk,
  input  logic                  rst,
  input  logic [REQUESTERS-1:0] served,
  input  logic                  advance,
  output logic [STATE_W-1:0]    state
);
  generate
    if (ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN) begin : g_round_robin
      // Not '1, which Yosys takes to be one bit here.
      localparam logic [REQUESTERS-1:0] ALL = {REQUESTERS{1'b1}};
      localparam logic [REQUESTERS-1:0] OTHERS = ALL << YIELDING;
      logic [REQUESTERS-1:0] from, circle;
      assign circle = YIELDING == 0 ? ALL : (served & OTHERS) != '0 ? OTHERS : ~OTHERS;
      always_comb begin
        from = served;
        for (int k = 1; k < REQUESTERS; k = k * 2) from = from | (from << k);
      end

      always_ff @(posedge clk) begin
        if (rst) state <= '0;
        else if (advance) state <= (from << 1 & circle) | (state & ~circle);
      end
    end else if (REQUESTERS == 1) begin : g_alone
      logic unused;
      assign unused = &{1'b0, clk, rst, served, advance};
      assign state = '0;
    end else begin : g_matrix
      logic [STATE_W-1:0] next;
      for (genvar i = 0; i + 1 < REQUESTERS; i++) begin : g_row
        localparam int unsigned FIRST = i * (2 * REQUESTERS - 1 - i) / 2;
        localparam int unsigned WIDTH = REQUESTERS - 1 - i;
        // Row i: i comes before each j beyond it, unless i is served; and surely before the j that is served.
        assign next[FIRST +: WIDTH] =
          state[FIRST +: WIDTH] & {WIDTH{~served[i]}} | served[REQUESTERS-1 -: WIDTH];
      end

      always_ff @(posedge clk) begin
        if (rst) state <= '1;
        else if (advance) state <= next;
      end
    end
  endgenerate
endmodule
