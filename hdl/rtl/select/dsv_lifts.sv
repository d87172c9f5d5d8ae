// Stage 3. Which global outputs have more in use of one VC than the restriction asks of a minimal output: factor times the mean over the
// connected global outputs, and some packets (router-core/src/select/occupancy.rs, `GlobalRestriction`), as dsv_lift_levels has it.
//
// The difference between the two sides follows what comes and goes. Where it would be after each change that a cycle can bring is
// compared in the cycle before, so that what comes and goes only has to pick.
module dsv_lifts #(
  parameter  int unsigned GLOBALS = dsv_pkg::DEFAULT_GLOBALS,
  // Bits of a difference, and changes that an output can see: its own place, and those of the others.
  parameter  int unsigned WIDTH   = 28,
  parameter  int unsigned CASES   = 3 * (2 * GLOBALS - 1)
) (
  input  logic                   clk,
  input  logic                   rst,
  input  logic [GLOBALS-1:0]     came,       // a place more of the VC is in use than in the cycle before, or one less
  input  logic [GLOBALS-1:0]     went,
  // What a place more and less of the output adds to the difference, and one of another output; and what each change has to exceed.
  input  logic                   is_ready,
  input  logic [WIDTH-1:0]       own_more,
  input  logic [WIDTH-1:0]       own_less,
  input  logic [WIDTH-1:0]       other_more,
  input  logic [WIDTH-1:0]       other_less,
  input  logic [CASES*WIDTH-1:0] least,
  output logic [GLOBALS-1:0]     lifts
);
  localparam int unsigned OTHERS = 2 * GLOBALS - 1;
  localparam int unsigned COUNT_W = $clog2(2 * GLOBALS + 1);

  generate for (genvar g = 0; g < GLOBALS; g++) begin : g_output
    localparam logic [GLOBALS-1:0] REST = ~(GLOBALS'(1) << g);
    logic [WIDTH-1:0]   difference, steps;
    logic [CASES-1:0]   exceeds, is_case;
    logic [COUNT_W-1:0] others;

    always_comb begin
      steps = (own_more & {WIDTH{came[g]}}) | (own_less & {WIDTH{went[g]}});
      for (int o = 0; o < GLOBALS; o++)
        if (REST[o]) steps = steps + ((other_more & {WIDTH{came[o]}}) | (other_less & {WIDTH{went[o]}}));
    end
    always_ff @(posedge clk) difference <= rst ? '0 : difference + steps;

    assign others = COUNT_W'($countones({came & REST, ~went & REST}));
    for (genvar c = 0; c < CASES; c++) begin : g_case
      logic             is_own;
      logic [WIDTH-1:0] rest;
      assign is_own = c / OTHERS == 0 ? went[g] : c / OTHERS == 2 ? came[g] : !came[g] && !went[g];
      assign is_case[c] = is_own && others == COUNT_W'(c % OTHERS);
      assign rest = difference + steps + least[c*WIDTH +: WIDTH];
      always_ff @(posedge clk) exceeds[c] <= is_ready && !rest[WIDTH-1];
    end
    assign lifts[g] = (exceeds & is_case) != '0;
  end endgenerate
endmodule
