// Stage 3. Flits in use behind the connected global outputs together, per VC, times the restriction's factor,
// and how many such outputs there are: what the occupancy trigger compares a global output with
// (router-core/src/select/occupancy.rs, `GlobalRestriction`). Once for the whole router. The 8 fractional
// bits of the factor are dropped: what it is compared with has none. A product is that of the cycle before, and of what came and went since:
// it follows, where the factor stays, or is formed anew in each cycle.
module dsv_occupancy #(
  parameter  int unsigned NODES          = dsv_pkg::DEFAULT_NODES,
  parameter  int unsigned LOCALS         = dsv_pkg::DEFAULT_LOCALS,
  parameter  int unsigned GLOBALS        = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned VCS            = dsv_pkg::DEFAULT_VCS,
  parameter  int unsigned GLOBAL_VCS     = dsv_pkg::DEFAULT_GLOBAL_VCS,
  parameter  int unsigned GLOBAL_FLITS   = dsv_pkg::DEFAULT_GLOBAL_FLITS,
  parameter  int unsigned SUM_W          = GLOBALS > 0 ? $clog2(GLOBALS * GLOBAL_FLITS + 1) : 1,
  parameter  int unsigned GLOBAL_COUNT_W = GLOBALS > 0 ? $clog2(GLOBALS + 1) : 1,
  // Whether thresholds stay as they are while a packet is in the router; and the flits of all packets then, 0 where they are not as long.
  parameter  bit          STEADY         = 1'b0,
  parameter  int unsigned LENGTH         = 0,
  localparam int unsigned GLOBAL_W       = GLOBALS > 0 ? GLOBALS : 1,
  localparam int unsigned PORTS          = NODES + LOCALS + GLOBALS,
  localparam int unsigned MEAN_W         = SUM_W + 8
) (
  input  logic                          clk,
  input  logic                          rst,
  input  logic [PORTS*VCS-1:0]          came,      // a place more of a VC behind a port is in use than in the cycle before, or one less
  input  logic [PORTS*VCS-1:0]          went,
  input  logic [PORTS-1:0]              wired,
  input  logic [15:0]                   restriction_factor,  // U8F8, in this cycle and in the next
  input  logic [15:0]                   next_factor,
  input  logic [15:0]                   restriction_packets,
  output logic [VCS*MEAN_W-1:0]         global_mean,
  // STEADY, and all packets as long: the global outputs whose VC exceeds the mean by as much as the restriction asks for.
  output logic [VCS*GLOBAL_W-1:0]       lifts,
  output logic [GLOBAL_COUNT_W-1:0]     global_count
);
  localparam int unsigned FIRST = NODES + LOCALS;

  logic unused;
  assign unused = &{1'b0, came, went, wired, restriction_factor, next_factor, restriction_packets};

  assign global_count = GLOBAL_COUNT_W'($countones(wired >> FIRST));

  // Of what is compared a cycle ahead: the bits of a difference, and the changes that a cycle can bring.
  localparam int unsigned WIDTH = SUM_W + 18;
  localparam int unsigned CASES = 3 * (2 * GLOBAL_W - 1);
  logic [WIDTH-1:0]       own_more, own_less, other_more, other_less;
  logic [CASES*WIDTH-1:0] least;
  logic                   is_ready, too_much;
  generate if (STEADY && LENGTH > 0 && GLOBALS > 0) begin : g_levels
    dsv_lift_levels #(
      .GLOBALS(GLOBALS), .FLITS(GLOBAL_FLITS), .LENGTH(LENGTH), .COUNT_W(GLOBAL_COUNT_W), .WIDTH(WIDTH), .CASES(CASES)
    ) levels (
      .clk, .rst, .factor(restriction_factor), .packets(restriction_packets), .count(global_count), .is_ready, .own_more, .own_less,
      .other_more, .other_less, .least, .too_much
    );
  end else begin : g_no_levels
    logic unused_levels;
    assign unused_levels = &{1'b0, own_more, own_less, other_more, other_less, least, is_ready, too_much};
    assign {own_more, own_less, other_more, other_less, least, is_ready, too_much} = '0;
  end endgenerate

  generate
    for (genvar v = 0; v < VCS; v++) begin : g_vc
      if (v < GLOBAL_VCS) begin : g_sum
        // The product of the cycle before, and what came and went since.
        logic [SUM_W+15:0] older, product, next_product;
        always_comb begin
          product = older;
          for (int p = FIRST; p < PORTS; p++)
            product = product + ((SUM_W + 16)'(restriction_factor) & {(SUM_W + 16){wired[p] && came[p*VCS + v]}})
                              - ((SUM_W + 16)'(restriction_factor) & {(SUM_W + 16){wired[p] && went[p*VCS + v]}});
        end
        always_ff @(posedge clk) older <= rst ? '0 : next_product;

        if (STEADY) begin : g_follows
          assign next_product = product;
        end else begin : g_anew
          logic [SUM_W-1:0] sum, settled;
          always_comb begin
            sum = settled;
            for (int p = FIRST; p < PORTS; p++)
              sum = sum + SUM_W'(wired[p] && came[p*VCS + v]) - SUM_W'(wired[p] && went[p*VCS + v]);
          end
          always_ff @(posedge clk) settled <= rst ? '0 : sum;
          assign next_product = (SUM_W + 16)'(sum) * (SUM_W + 16)'(next_factor);
        end
        assign global_mean[v*MEAN_W +: MEAN_W] = MEAN_W'(product >> 8);

        if (STEADY && LENGTH > 0 && GLOBALS > 0) begin : g_lifts
          logic [GLOBALS-1:0] more, less, exceeds;
          for (genvar g = 0; g < GLOBALS; g++) begin : g_global
            assign more[g] = wired[FIRST + g] && came[(FIRST + g)*VCS + v];
            assign less[g] = wired[FIRST + g] && went[(FIRST + g)*VCS + v];
          end
          dsv_lifts #(.GLOBALS(GLOBALS), .WIDTH(WIDTH), .CASES(CASES)) above_mean (
            .clk, .rst, .came(more), .went(less), .is_ready, .own_more, .own_less, .other_more, .other_less, .least, .lifts(exceeds)
          );
          assign lifts[v*GLOBAL_W +: GLOBAL_W] = exceeds & {GLOBALS{!too_much}};
        end else begin : g_no_lifts
          assign lifts[v*GLOBAL_W +: GLOBAL_W] = '0;
        end
      end else begin : g_none
        assign lifts[v*GLOBAL_W +: GLOBAL_W] = '0;
        assign global_mean[v*MEAN_W +: MEAN_W] = MEAN_W'(0);
      end
    end
  endgenerate
endmodule
