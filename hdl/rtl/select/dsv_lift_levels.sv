// Stage 3. What the restriction asks of a global output (router-core/src/select/occupancy.rs, `GlobalRestriction`), where all packets are
// as long and thresholds do not change while a packet is in the router. An output exceeds it by its places in use, times the connected
// global outputs, less the sum of all their places times the factor, less these packets: in 256ths, more than 0.
//
// For each change that a cycle can bring: what it adds to that difference, less what the difference has to exceed. In registers, as
// nothing of it changes.
module dsv_lift_levels #(
  parameter  int unsigned GLOBALS = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned FLITS   = dsv_pkg::DEFAULT_GLOBAL_FLITS,
  parameter  int unsigned LENGTH  = dsv_pkg::DEFAULT_SHORTEST,
  parameter  int unsigned COUNT_W = $clog2(GLOBALS + 1),
  parameter  int unsigned WIDTH   = 28,
  parameter  int unsigned CASES   = 3 * (2 * GLOBALS - 1)
) (
  input  logic                   clk,
  input  logic [15:0]            factor,   // U8F8
  input  logic [15:0]            packets,
  input  logic [COUNT_W-1:0]     count,    // connected global outputs
  output logic [CASES*WIDTH-1:0] least,
  // The packets are more than a buffer holds: no output exceeds that.
  output logic                   too_much
);
  localparam int unsigned USED_W = $clog2(FLITS + 1);
  localparam int MOST = GLOBALS;
  localparam int OTHERS = 2 * MOST - 1;

  logic [USED_W+25:0] slack;
  logic [WIDTH-1:0]   floor;
  assign slack    = (USED_W + 26)'(packets) * (USED_W + 26)'(LENGTH);
  assign too_much = slack >> USED_W != '0;
  always_ff @(posedge clk) floor <= (WIDTH'(USED_W'(slack)) * WIDTH'(count) << 8) + 1'b1;

  generate for (genvar c = 0; c < CASES; c++) begin : g_case
    // Places more in use of the output, and of all.
    localparam int OWN = c / OTHERS - 1;
    localparam int ALL = OWN + c % OTHERS - MOST + 1;
    logic [WIDTH-1:0] unit, own, all;
    assign unit = WIDTH'(count) << 8;
    assign own  = OWN < 0 ? -unit : OWN > 0 ? unit : '0;
    assign all  = WIDTH'(ALL < 0 ? -ALL : ALL) * WIDTH'(factor);
    always_ff @(posedge clk) least[c*WIDTH +: WIDTH] <= ALL < 0 ? own + all - floor : own - all - floor;
  end endgenerate
endmodule
