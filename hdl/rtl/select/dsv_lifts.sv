// Stage 3. Which global outputs have more in use of one VC than the restriction asks of a minimal output: factor times the mean over the
// connected global outputs, and some packets (router-core/src/select/occupancy.rs, `GlobalRestriction`), as dsv_lift_levels has it.
//
// The difference between the two sides follows what comes and goes. Where it would be after each change that a cycle can bring is
// compared in the cycle before, so that what comes and goes only has to pick.
module dsv_lifts #(
  parameter  int unsigned GLOBALS = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned COUNT_W = $clog2(GLOBALS + 1),
  // Bits of a difference, and changes that an output can see: its own place, and those of the others.
  parameter  int unsigned WIDTH   = 28,
  parameter  int unsigned CASES   = 3 * (2 * GLOBALS - 1)
) (
  input  logic                   clk,
  input  logic                   rst,
  input  logic [GLOBALS-1:0]     came,     // a place more of the VC is in use than in the cycle before, or one less
  input  logic [GLOBALS-1:0]     went,
  input  logic [15:0]            factor,   // U8F8
  input  logic [COUNT_W-1:0]     count,    // connected global outputs
  input  logic [CASES*WIDTH-1:0] least,
  output logic [GLOBALS-1:0]     lifts
);
  localparam int unsigned STEPS = 2 * GLOBALS + 1;
  localparam int unsigned OTHERS = 2 * GLOBALS - 1;
  localparam int unsigned STEP_W = $clog2(STEPS + 1);
  localparam int unsigned HIGH_W = WIDTH - 8;

  // The places of all outputs: `GLOBALS` more than there are more in use of, and as a multiple of the factor to be taken off, in one's
  // complement where it is.
  logic [STEP_W-1:0] all;
  logic [WIDTH-1:0]  taken;
  logic              is_off;
  always_comb begin
    all = STEP_W'(GLOBALS);
    for (int o = 0; o < GLOBALS; o++) all = all + STEP_W'(came[o]) - STEP_W'(went[o]);
    taken = '0;
    for (int unsigned n = 0; n < STEPS; n++)
      if (all == STEP_W'(n))
        taken = n > GLOBALS ? ~(WIDTH'(n - GLOBALS) * WIDTH'(factor)) : WIDTH'(GLOBALS - n) * WIDTH'(factor);
    is_off = all > STEP_W'(GLOBALS);
  end

  generate for (genvar g = 0; g < GLOBALS; g++) begin : g_output
    logic [WIDTH-1:0]  difference, own;
    logic [CASES-1:0]  exceeds, is_case;
    logic [STEP_W-1:0] others;

    // Its own places, in 256ths, and what the complement lacks.
    always_comb begin
      others = STEP_W'(GLOBALS - 1);
      for (int o = 0; o < GLOBALS; o++)
        if (o != g) others = others + STEP_W'(came[o]) - STEP_W'(went[o]);
      own = WIDTH'(is_off);
      if (came[g] && !went[g]) own[WIDTH-1:8] = HIGH_W'(count);
      if (went[g] && !came[g]) own[WIDTH-1:8] = HIGH_W'(0) - HIGH_W'(count);
    end
    always_ff @(posedge clk) difference <= rst ? '0 : difference + own + taken;

    for (genvar c = 0; c < CASES; c++) begin : g_case
      logic             is_own;
      logic [WIDTH-1:0] rest;
      assign is_own = c / OTHERS == 0 ? went[g] && !came[g] : c / OTHERS == 2 ? came[g] && !went[g] : came[g] == went[g];
      assign is_case[c] = is_own && others == STEP_W'(c % OTHERS);
      assign rest = difference + own + taken + least[c*WIDTH +: WIDTH];
      always_ff @(posedge clk) exceeds[c] <= !rst && !rest[WIDTH-1];
    end
    assign lifts[g] = (exceeds & is_case) != '0;
  end endgenerate
endmodule
