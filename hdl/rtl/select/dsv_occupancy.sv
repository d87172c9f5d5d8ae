// Stage 3. Flits in use behind the connected global outputs together, per VC, times the restriction's factor,
// and how many such outputs there are: what the occupancy trigger compares a global output with
// (router-core/src/select/occupancy.rs, `GlobalRestriction`). Once for the whole router. The 8 fractional
// bits of the factor are dropped: what it is compared with has none. A sum follows what comes and goes, and its product is formed in the
// cycle before; what came or went since is added.
module dsv_occupancy #(
  parameter  int unsigned NODES          = dsv_pkg::DEFAULT_NODES,
  parameter  int unsigned LOCALS         = dsv_pkg::DEFAULT_LOCALS,
  parameter  int unsigned GLOBALS        = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned VCS            = dsv_pkg::DEFAULT_VCS,
  parameter  int unsigned GLOBAL_VCS     = dsv_pkg::DEFAULT_GLOBAL_VCS,
  parameter  int unsigned GLOBAL_FLITS   = dsv_pkg::DEFAULT_GLOBAL_FLITS,
  parameter  int unsigned SUM_W          = GLOBALS > 0 ? $clog2(GLOBALS * GLOBAL_FLITS + 1) : 1,
  parameter  int unsigned GLOBAL_COUNT_W = GLOBALS > 0 ? $clog2(GLOBALS + 1) : 1,
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
  output logic [VCS*MEAN_W-1:0]         global_mean,
  output logic [GLOBAL_COUNT_W-1:0]     global_count
);
  localparam int unsigned FIRST = NODES + LOCALS;

  logic unused;
  assign unused = &{1'b0, came, went, wired, restriction_factor, next_factor};

  assign global_count = GLOBAL_COUNT_W'($countones(wired >> FIRST));

  generate
    for (genvar v = 0; v < VCS; v++) begin : g_vc
      if (v < GLOBAL_VCS) begin : g_sum
        // The sum of the cycle before, and its product.
        logic [SUM_W-1:0] sum, settled;
        logic [SUM_W+15:0] older, product, next_product;
        always_comb begin
          sum = settled;
          product = older;
          next_product = (SUM_W + 16)'(settled) * (SUM_W + 16)'(next_factor);
          for (int p = FIRST; p < PORTS; p++) begin
            sum = sum + SUM_W'(wired[p] && came[p*VCS + v]) - SUM_W'(wired[p] && went[p*VCS + v]);
            product = product + ((SUM_W + 16)'(restriction_factor) & {(SUM_W + 16){wired[p] && came[p*VCS + v]}})
                              - ((SUM_W + 16)'(restriction_factor) & {(SUM_W + 16){wired[p] && went[p*VCS + v]}});
            next_product = next_product + ((SUM_W + 16)'(next_factor) & {(SUM_W + 16){wired[p] && came[p*VCS + v]}})
                                        - ((SUM_W + 16)'(next_factor) & {(SUM_W + 16){wired[p] && went[p*VCS + v]}});
          end
        end
        always_ff @(posedge clk) settled <= rst ? '0 : sum;
        always_ff @(posedge clk) older   <= rst ? '0 : next_product;
        assign global_mean[v*MEAN_W +: MEAN_W] = MEAN_W'(product >> 8);
      end else begin : g_none
        assign global_mean[v*MEAN_W +: MEAN_W] = MEAN_W'(0);
      end
    end
  endgenerate
endmodule
