// Stage 3. Flits in use behind the connected global outputs together, per VC, times the restriction's factor,
// and how many such outputs there are: what the occupancy trigger compares a global output with
// (router-core/src/select/occupancy.rs, `GlobalRestriction`). Once for the whole router. The 8 fractional
// bits of the factor are dropped: what it is compared with has none.
module dsv_occupancy #(
  parameter  int unsigned NODES          = dsv_pkg::DEFAULT_NODES,
  parameter  int unsigned LOCALS         = dsv_pkg::DEFAULT_LOCALS,
  parameter  int unsigned GLOBALS        = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned VCS            = dsv_pkg::DEFAULT_VCS,
  parameter  int unsigned GLOBAL_VCS     = dsv_pkg::DEFAULT_GLOBAL_VCS,
  parameter  int unsigned GLOBAL_FLITS   = dsv_pkg::DEFAULT_GLOBAL_FLITS,
  parameter  int unsigned CREDIT_W       = $clog2(GLOBAL_FLITS + 1),
  parameter  int unsigned SUM_W          = GLOBALS > 0 ? $clog2(GLOBALS * GLOBAL_FLITS + 1) : 1,
  parameter  int unsigned GLOBAL_COUNT_W = GLOBALS > 0 ? $clog2(GLOBALS + 1) : 1,
  localparam int unsigned PORTS          = NODES + LOCALS + GLOBALS,
  localparam int unsigned MEAN_W         = SUM_W + 8
) (
  input  logic [PORTS*VCS*CREDIT_W-1:0] used,      // places in use of each VC behind each port
  input  logic [PORTS-1:0]              wired,
  input  logic [15:0]                   restriction_factor,  // U8F8
  output logic [VCS*MEAN_W-1:0]         global_mean,
  output logic [GLOBAL_COUNT_W-1:0]     global_count
);
  localparam int unsigned FIRST = NODES + LOCALS;

  logic unused;
  assign unused = &{1'b0, used, wired, restriction_factor};

  assign global_count = GLOBAL_COUNT_W'($countones(wired >> FIRST));

  generate
    for (genvar v = 0; v < VCS; v++) begin : g_vc
      if (v < GLOBAL_VCS) begin : g_sum
        logic [SUM_W-1:0] sum;
        always_comb begin
          sum = '0;
          for (int p = FIRST; p < PORTS; p++) begin
            if (wired[p]) sum = sum + SUM_W'(used[(p*VCS+v)*CREDIT_W +: CREDIT_W]);
          end
        end
        assign global_mean[v*MEAN_W +: MEAN_W] =
          MEAN_W'((SUM_W + 16)'(sum) * (SUM_W + 16)'(restriction_factor) >> 8);
      end else begin : g_none
        assign global_mean[v*MEAN_W +: MEAN_W] = MEAN_W'(0);
      end
    end
  endgenerate
endmodule
