// Stage 3. What the restriction asks of a global output (router-core/src/select/occupancy.rs, `GlobalRestriction`), where all packets are
// as long and thresholds do not change while a packet is in the router. An output exceeds it where its places in use times the connected
// global outputs, less the sum of all their places times the factor, less these packets, is more than 0, in 256ths.
//
// All in registers, as nothing of it changes; behind a reset, which may have been without thresholds, nothing is in use until they are
// right.
module dsv_lift_levels #(
  parameter  int unsigned GLOBALS = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned FLITS   = dsv_pkg::DEFAULT_GLOBAL_FLITS,
  parameter  int unsigned LENGTH  = dsv_pkg::DEFAULT_SHORTEST,
  parameter  int unsigned COUNT_W = $clog2(GLOBALS + 1),
  parameter  int unsigned WIDTH   = 28,
  parameter  int unsigned CASES   = 3 * (2 * GLOBALS - 1)
) (
  input  logic                   clk,
  input  logic                   rst,
  input  logic [15:0]            factor,      // U8F8
  input  logic [15:0]            packets,
  input  logic [COUNT_W-1:0]     count,       // connected global outputs
  output logic                   is_ready,
  // What a place more and less of an output adds to the difference, and one of another output; and what the difference has to exceed, less
  // what each change that a cycle can bring adds to it.
  output logic [WIDTH-1:0]       own_more,
  output logic [WIDTH-1:0]       own_less,
  output logic [WIDTH-1:0]       other_more,
  output logic [WIDTH-1:0]       other_less,
  output logic [CASES*WIDTH-1:0] least,
  // The packets are more than a buffer holds: no output exceeds that.
  output logic                   too_much
);
  localparam int unsigned USED_W = $clog2(FLITS + 1);
  localparam int MOST = GLOBALS;
  localparam int OTHERS = 2 * MOST - 1;

  logic [1:0]         begun;
  logic [USED_W+25:0] slack;
  logic [WIDTH-1:0]   unit, times, floor;
  assign unit     = WIDTH'(count) << 8;
  assign times    = WIDTH'(factor);
  assign slack    = (USED_W + 26)'(packets) * (USED_W + 26)'(LENGTH);
  assign too_much = slack >> USED_W != '0;
  always_ff @(posedge clk) begin
    {is_ready, begun} <= rst ? '0 : {begun, 1'b1};
    own_more   <= unit - times;
    own_less   <= times - unit;
    other_more <= '0 - times;
    other_less <= times;
    floor      <= (WIDTH'(USED_W'(slack)) * WIDTH'(count) << 8) + 1'b1;
  end

  generate for (genvar c = 0; c < CASES; c++) begin : g_case
    // Places more in use of the output, and of the others together.
    localparam int OWN = c / OTHERS - 1;
    localparam int OF_OTHERS = c % OTHERS - MOST + 1;
    logic [WIDTH-1:0] own, others;
    assign own    = OWN < 0 ? own_less : OWN > 0 ? own_more : '0;
    assign others = OF_OTHERS < 0 ? WIDTH'(-OF_OTHERS) * other_less : WIDTH'(OF_OTHERS) * other_more;
    always_ff @(posedge clk) least[c*WIDTH +: WIDTH] <= own + others - floor;
  end endgenerate
endmodule
