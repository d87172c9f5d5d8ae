// Stage 3. Which VCs behind which of its global links this router says are congested (router-core/src/piggyback.rs, `FlagRule`), what it
// tells its group of that, and what each of the other routers has told last. Flags are told in each cycle, a cycle after they are known
// here; what comes in cycle t is known in t+1.
module dsv_flags #(
  parameter  int unsigned NODES           = dsv_pkg::DEFAULT_NODES,
  parameter  int unsigned LOCALS          = dsv_pkg::DEFAULT_LOCALS,
  parameter  int unsigned GLOBALS         = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned VCS             = dsv_pkg::DEFAULT_VCS,
  parameter  int unsigned GLOBAL_VCS      = dsv_pkg::DEFAULT_GLOBAL_VCS,
  parameter  int unsigned CREDIT_W        = 9,
  parameter  int unsigned SUM_W           = 10,
  parameter  int unsigned GLOBAL_COUNT_W  = 2,
  parameter  int unsigned PIGGYBACK_FLITS = dsv_pkg::DEFAULT_PIGGYBACK_FLITS,
  localparam int unsigned PORTS           = NODES + LOCALS + GLOBALS,
  localparam int unsigned OTHERS          = LOCALS > 0 ? LOCALS : 1,
  localparam int unsigned FLAGS_W         = GLOBALS > 0 ? GLOBALS * GLOBAL_VCS : 1,
  localparam int unsigned MEAN_W          = SUM_W + 8
) (
  input  logic                           clk,
  input  logic                           rst,
  // Places in use of each VC behind each port; of each VC the mean of the connected global ones times their number and the factor, and
  // that number.
  input  logic [PORTS*VCS*CREDIT_W-1:0]  used,
  input  logic [VCS*MEAN_W-1:0]          global_mean,
  input  logic [GLOBAL_COUNT_W-1:0]      global_count,
  input  logic [OTHERS-1:0]              in_valid,
  input  logic [OTHERS*FLAGS_W-1:0]      in_flags,
  output logic                           out_valid,
  output logic [FLAGS_W-1:0]             out_flags,
  // Its own as they are now, and above them those of the others.
  output logic [(OTHERS+1)*FLAGS_W-1:0]  known
);
  // Both sides of the comparison have room for more than they hold.
  localparam int unsigned SIDE_W = MEAN_W + 20 + GLOBAL_COUNT_W;

  // What has been told last: a row for this router, then one for each of the others.
  logic [(OTHERS+1)*FLAGS_W-1:0] heard;
  logic [FLAGS_W-1:0]            own;
  assign known     = {heard[(OTHERS+1)*FLAGS_W-1:FLAGS_W], own};
  assign out_flags = heard[FLAGS_W-1:0];
  always_ff @(posedge clk) begin
    out_valid          <= !rst;
    heard[FLAGS_W-1:0] <= rst ? '0 : own;
  end

  logic unused;
  assign unused = &{1'b0, used, global_mean};

  generate
    for (genvar k = 0; k < GLOBALS; k++) begin : g_link
      for (genvar c = 0; c < GLOBAL_VCS; c++) begin : g_vc
        logic [SIDE_W-1:0] filled, limit;
        assign filled = SIDE_W'(used[((NODES+LOCALS+k)*VCS+c)*CREDIT_W +: CREDIT_W]) * SIDE_W'(global_count);
        assign limit  = SIDE_W'(global_mean[c*MEAN_W +: MEAN_W]) + SIDE_W'(PIGGYBACK_FLITS) * SIDE_W'(global_count);
        assign own[k*GLOBAL_VCS + c] = filled > limit;
      end
    end

    for (genvar n = 0; n < OTHERS; n++) begin : g_other
      always_ff @(posedge clk) begin
        if (rst)              heard[(n+1)*FLAGS_W +: FLAGS_W] <= '0;
        else if (in_valid[n]) heard[(n+1)*FLAGS_W +: FLAGS_W] <= in_flags[n*FLAGS_W +: FLAGS_W];
      end
    end
  endgenerate
endmodule
