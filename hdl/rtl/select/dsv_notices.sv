// Stage 3. What the routers of a group tell each other (explicit contention notification; router-core/src/exchange.rs): how many packets
// each of them has for each other group. Every NOTICE_PERIOD link cycles this one counts its own and tells the others. The way to a group
// is contended where what all have told last adds up to the threshold.
//
// Counters that come in cycle t are kept in t+1 and added up in t+2; selection knows in t+3.
module dsv_notices #(
  parameter  int unsigned GROUPS        = dsv_pkg::DEFAULT_GROUPS,
  parameter  int unsigned NODES         = dsv_pkg::DEFAULT_NODES,
  parameter  int unsigned LOCALS        = dsv_pkg::DEFAULT_LOCALS,
  parameter  int unsigned GLOBALS       = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned VCS           = 3,
  parameter  int unsigned NODE_VCS      = dsv_pkg::DEFAULT_NODE_VCS,
  parameter  int unsigned GLOBAL_VCS    = dsv_pkg::DEFAULT_GLOBAL_VCS,
  parameter  int unsigned NOTICE_PERIOD = dsv_pkg::DEFAULT_NOTICE_PERIOD,
  parameter  int unsigned SPEEDUP       = dsv_pkg::DEFAULT_SPEEDUP,
  localparam int unsigned PORTS         = NODES + LOCALS + GLOBALS,
  // Routers that tell: those behind the local ports. VCs whose packets are counted: those of the other ports.
  localparam int unsigned OTHERS        = LOCALS > 0 ? LOCALS : 1,
  localparam int unsigned COUNTED       = NODES * NODE_VCS + GLOBALS * GLOBAL_VCS,
  localparam int unsigned GROUP_W       = GROUPS > 1 ? $clog2(GROUPS) : 1,
  localparam int unsigned LEAVING_W     = GROUP_W + 1,
  localparam int unsigned COUNT_W       = $clog2(COUNTED + 1),
  localparam int unsigned ROW_W         = GROUPS * COUNT_W
) (
  input  logic                           clk,
  input  logic                           rst,
  // The group that the front packet of each VC is leaving for: a valid bit above its number, or 0.
  input  logic [PORTS*VCS*LEAVING_W-1:0] leaving,
  input  logic [15:0]                    threshold,
  input  logic [OTHERS-1:0]              in_valid,
  input  logic [OTHERS*ROW_W-1:0]        in_counts,
  output logic                           out_valid,
  output logic [ROW_W-1:0]               out_counts,
  output logic [GROUPS-1:0]              contended
);
  localparam int unsigned CYCLES = NOTICE_PERIOD * SPEEDUP;
  localparam int unsigned LEFT_W = $clog2(CYCLES + 1);
  localparam int unsigned SUM_W = $clog2((OTHERS + 1) * ((1 << COUNT_W) - 1) + 1);

  // The input registers.
  logic [OTHERS-1:0]       came;
  logic [OTHERS*ROW_W-1:0] came_counts;
  always_ff @(posedge clk) begin
    came        <= rst ? '0 : in_valid;
    came_counts <= in_counts;
  end

  // Internal cycles until this router counts.
  logic [LEFT_W-1:0] left;
  logic              counts;
  assign counts = left == '0;
  always_ff @(posedge clk) begin
    if (rst)         left <= LEFT_W'(CYCLES);
    else if (counts) left <= LEFT_W'(CYCLES - 1);
    else             left <= left - 1'b1;
  end
  always_ff @(posedge clk) out_valid <= !rst && counts;

  // The VCs of ports that are no local ones.
  logic [COUNTED*LEAVING_W-1:0] counted;
  generate for (genvar i = 0; i < PORTS; i++) begin : g_input
    localparam int unsigned FROM = i < NODES ? i * NODE_VCS : NODES * NODE_VCS + (i - NODES - LOCALS) * GLOBAL_VCS;
    localparam int unsigned HERE = i < NODES ? NODE_VCS : GLOBAL_VCS;
    if (i < NODES || i >= NODES + LOCALS) begin : g_counted
      assign counted[FROM*LEAVING_W +: HERE*LEAVING_W] = leaving[i*VCS*LEAVING_W +: HERE*LEAVING_W];
    end
  end endgenerate
  logic unused;
  assign unused = &{1'b0, leaving};

  // What has been told last: a row for this router, then one for each of the others.
  logic [(OTHERS+1)*ROW_W-1:0] heard;
  logic [GROUPS-1:0]           reached;
  assign out_counts = out_valid ? heard[ROW_W-1:0] : '0;

  generate
    for (genvar g = 0; g < GROUPS; g++) begin : g_group
      logic [COUNTED-1:0] here;
      for (genvar n = 0; n < COUNTED; n++) begin : g_vc
        assign here[n] = counted[n*LEAVING_W +: LEAVING_W] == {1'b1, GROUP_W'(g)};
      end
      always_ff @(posedge clk) begin
        if (rst)         heard[g*COUNT_W +: COUNT_W] <= '0;
        else if (counts) heard[g*COUNT_W +: COUNT_W] <= COUNT_W'($countones(here));
      end

      logic [SUM_W-1:0] sum;
      always_comb begin
        sum = '0;
        for (int n = 0; n <= OTHERS; n++) sum = sum + SUM_W'(heard[n*ROW_W + g*COUNT_W +: COUNT_W]);
      end
      assign reached[g] = 32'(sum) >= 32'(threshold);
    end

    for (genvar n = 0; n < OTHERS; n++) begin : g_other
      always_ff @(posedge clk) begin
        if (rst)          heard[(n+1)*ROW_W +: ROW_W] <= '0;
        else if (came[n]) heard[(n+1)*ROW_W +: ROW_W] <= came_counts[n*ROW_W +: ROW_W];
      end
    end
  endgenerate

  // Counters are reset, and nothing is reached by none.
  always_ff @(posedge clk) contended <= reached;
endmodule
