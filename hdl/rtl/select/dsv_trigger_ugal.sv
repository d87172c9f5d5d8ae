// Stage 3. The UGAL trigger (router-core/src/select/ugal.rs): whether the minimal output's queue, times the hops behind it, is longer than
// the detour's, times its own, by more than the bias. A set that gives no hops counts as one hop.
module dsv_trigger_ugal #(
  parameter int unsigned PORTS         = 7,
  parameter int unsigned VCS           = 3,
  parameter int unsigned CREDIT_W      = 9,
  parameter int unsigned COUNTER_WIDTH = 8,
  parameter int unsigned UGAL_QUEUE    = dsv_pkg::UGAL_QUEUE_PORT,
  parameter int unsigned SETS          = 2,
  parameter logic [31:0] KINDS         = 32'h0100,
  // Whether the packet is counted at its minimal output.
  parameter bit          COUNTED       = 1'b1,
  localparam int unsigned HOPS_W       = dsv_pkg::HOPS_BITS
) (
  input  logic [SETS*PORTS-1:0]          set_ports,
  input  logic [SETS*VCS-1:0]            set_vcs,
  input  logic [SETS*HOPS_W-1:0]         set_hops,
  input  logic [PORTS-1:0]               minimal,
  input  logic [PORTS-1:0]               detour,
  input  logic                           detour_is_global,
  input  logic [PORTS*VCS*CREDIT_W-1:0]  used,
  input  logic [PORTS*COUNTER_WIDTH-1:0] counts,
  input  logic [15:0]                    bias,
  output logic                           is_better
);
  localparam int unsigned SUM_W = CREDIT_W + $clog2(VCS + 1);
  localparam int unsigned QUEUE_W = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PACKETS ? COUNTER_WIDTH : SUM_W;
  localparam int unsigned MORE_W = QUEUE_W + HOPS_W > 16 ? QUEUE_W + HOPS_W : 16;
  localparam int unsigned COST_W = MORE_W + 1;
  localparam logic [7:0] MINIMAL = 8'(dsv_pkg::HOP_KIND_MINIMAL);
  localparam logic [7:0] GLOBAL = 8'(dsv_pkg::HOP_KIND_GLOBAL_MISROUTE);
  localparam logic [7:0] LOCAL = 8'(dsv_pkg::HOP_KIND_LOCAL_MISROUTE);

  logic unused;
  assign unused = &{1'b0, set_vcs, used, counts};

  // What each way costs: the minimal one, and the detour above it.
  logic [2*COST_W-1:0] cost;

  generate for (genvar n = 0; n < 2; n++) begin : g_way
    logic [PORTS-1:0] port;
    logic [7:0]       kind;
    assign port = n == 0 ? minimal : detour;
    assign kind = n == 0 ? MINIMAL : detour_is_global ? GLOBAL : LOCAL;

    // The first set of the kind that holds the port.
    logic [HOPS_W-1:0]  hops;
    logic [SETS-1:0]    holds, chosen;
    logic [VCS-1:0]     vcs, first;
    logic [QUEUE_W-1:0] queue;
    for (genvar k = 0; k < SETS; k++) begin : g_set
      assign holds[k] = KINDS[k*8 +: 8] == kind && (set_ports[k*PORTS +: PORTS] & port) != '0;
    end
    assign chosen = holds & (~holds + SETS'(1));
    always_comb begin
      hops = '0;
      vcs  = '0;
      for (int k = 0; k < SETS; k++) begin
        hops = hops | set_hops[k*HOPS_W +: HOPS_W] & {HOPS_W{chosen[k]}};
        vcs  = vcs | set_vcs[k*VCS +: VCS] & {VCS{chosen[k]}};
      end
    end
    assign first = vcs & (~vcs + VCS'(1));

    if (UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PACKETS) begin : g_packets
      logic unused_first;
      assign unused_first = &{1'b0, first};
      // The packet itself is no obstacle to itself.
      always_comb begin
        queue = '0;
        for (int p = 0; p < PORTS; p++) queue = queue | (port[p] ? counts[p*COUNTER_WIDTH +: COUNTER_WIDTH] : '0);
        if (COUNTED && n == 0 && queue != '0) queue = queue - 1'b1;
      end
    end else begin : g_flits
      logic [VCS*CREDIT_W-1:0] behind;
      always_comb begin
        behind = '0;
        for (int p = 0; p < PORTS; p++) behind = behind | (port[p] ? used[p*VCS*CREDIT_W +: VCS*CREDIT_W] : '0);
        queue = '0;
        for (int c = 0; c < VCS; c++) begin
          if (UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PORT || first[c]) queue = queue + QUEUE_W'(behind[c*CREDIT_W +: CREDIT_W]);
        end
      end
    end
    logic [HOPS_W-1:0] factor;
    assign factor  = hops == '0 ? HOPS_W'(1) : hops;
    assign cost[n*COST_W +: COST_W] = COST_W'(queue) * COST_W'(factor);
  end endgenerate

  assign is_better = cost[COST_W-1:0] > cost[COST_W +: COST_W] + COST_W'(bias);
endmodule
