// One waiting packet before every trigger, for the unit lockstep of `select`. The request of trigger t is the
// 64-bit place t of `requests`; behind them is that of TRIGGER_ALWAYS where a packet asks for one output. Counters come as what their two triggers say of each port.
module selections #(
  parameter  int unsigned NODES        = 2,
  parameter  int unsigned LOCALS       = 3,
  parameter  int unsigned GLOBALS      = 2,
  parameter  int unsigned VCS          = 3,
  parameter  int unsigned NODE_VCS     = 3,
  parameter  int unsigned LOCAL_VCS    = 3,
  parameter  int unsigned GLOBAL_VCS   = 2,
  parameter  int unsigned NODE_FLITS   = 32,
  parameter  int unsigned LOCAL_FLITS  = 32,
  parameter  int unsigned GLOBAL_FLITS = 256,
  parameter  int unsigned CREDIT_W     = 9,
  parameter  int unsigned SETS         = 3,
  parameter  logic [31:0] KINDS        = 32'h020100,
  parameter  int unsigned UGAL_QUEUE   = dsv_pkg::UGAL_QUEUE_PORT,
  parameter  int unsigned DRAWS_AHEAD  = 1,
  parameter  int unsigned ONE_EACH     = 0,
  localparam int unsigned PORTS        = NODES + LOCALS + GLOBALS,
  localparam int unsigned REQUESTS     = dsv_pkg::TRIGGER_COUNT + 1
) (
  input  logic [PORTS-1:0] wired,
  input  logic [SETS*PORTS-1:0] set_ports,
  input  logic [SETS*VCS-1:0]   set_vcs,
  input  logic             forced,
  input  logic [PORTS-1:0] minimal,
  input  logic [9:0]       length,
  input  logic [31:0]      tap,
  input  logic [PORTS-1:0] open,
  input  logic [PORTS-1:0] minimal_open,
  input  logic [PORTS-1:0] accepts,
  input  logic [PORTS*VCS*CREDIT_W-1:0] credits,
  input  logic [PORTS-1:0] fixed_fires,
  input  logic [PORTS-1:0] fixed_allows,
  input  logic [PORTS-1:0] average_fires,
  input  logic [PORTS-1:0] average_allows,
  input  logic             told,
  input  logic [SETS*dsv_pkg::HOPS_BITS-1:0] set_hops,
  input  logic [PORTS*8-1:0] counts,
  input  logic [15:0]      bias,
  input  logic [15:0]      minimal_occupancy,
  input  logic [15:0]      relative_threshold,
  input  logic             restriction,
  input  logic [15:0]      restriction_factor,
  input  logic [15:0]      restriction_packets,
  output logic [REQUESTS*64-1:0] requests
);
  localparam int unsigned SUM_W = GLOBALS > 0 ? $clog2(GLOBALS * GLOBAL_FLITS + 1) : 1;
  localparam int unsigned MEAN_W = SUM_W + 8;
  localparam int unsigned SHARE_W = CREDIT_W + 16;
  localparam int unsigned GLOBAL_COUNT_W = GLOBALS > 0 ? $clog2(GLOBALS + 1) : 1;

  // As the router shows them: free places from the highest down, and where there is room for the packet.
  logic [PORTS*VCS*CREDIT_W-1:0] used;
  logic [VCS*PORTS-1:0] fits;
  generate for (genvar p = 0; p < PORTS; p++) begin : g_port
    localparam int unsigned DEPTH = p < NODES ? NODE_FLITS : p < NODES + LOCALS ? LOCAL_FLITS : GLOBAL_FLITS;
    for (genvar c = 0; c < VCS; c++) begin : g_vc
      assign used[(p*VCS + c)*CREDIT_W +: CREDIT_W] = CREDIT_W'(DEPTH) - credits[(p*VCS + c)*CREDIT_W +: CREDIT_W];
      assign fits[c*PORTS + p] = 32'(credits[(p*VCS + c)*CREDIT_W +: CREDIT_W]) >= 32'(length);
    end
  end endgenerate

  logic [VCS*(SUM_W+8)-1:0] global_mean;
  logic [GLOBAL_COUNT_W-1:0] global_count;
  logic [PORTS*VCS*SHARE_W-1:0] shares;
  logic [MEAN_W+7:0] sum;
  always_comb begin
    global_mean = '0;
    sum = '0;
    for (int v = 0; v < GLOBAL_VCS; v++) begin
      sum = '0;
      for (int p = NODES + LOCALS; p < PORTS; p++)
        if (wired[p]) sum = sum + (MEAN_W + 8)'(used[(p*VCS + v)*CREDIT_W +: CREDIT_W]);
      global_mean[v*MEAN_W +: MEAN_W] = MEAN_W'(sum * (MEAN_W + 8)'(restriction_factor) >> 8);
    end
    for (int n = 0; n < PORTS * VCS; n++)
      shares[n*SHARE_W +: SHARE_W] = SHARE_W'(used[n*CREDIT_W +: CREDIT_W]) * SHARE_W'(relative_threshold);
  end
  assign global_count = GLOBAL_COUNT_W'($countones(wired >> (NODES + LOCALS)));

  // The queues that the UGAL trigger compares, times all hops that a set can give.
  localparam int unsigned QUEUES = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_VC ? VCS : 1;
  localparam int unsigned HOPS = (1 << dsv_pkg::HOPS_BITS) - 1;
  localparam int unsigned QUEUE_W = CREDIT_W + $clog2(VCS) > 8 ? CREDIT_W + $clog2(VCS) : 8;
  localparam int unsigned COST_W = QUEUE_W + dsv_pkg::HOPS_BITS;
  logic [PORTS*QUEUES*HOPS*COST_W-1:0] queues;
  logic [COST_W-1:0] queue;
  always_comb begin
    queue = '0;
    for (int p = 0; p < PORTS; p++)
      for (int q = 0; q < QUEUES; q++) begin
        queue = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PACKETS ? COST_W'(counts[p*8 +: 8]) : '0;
        for (int c = 0; c < VCS; c++)
          if (UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PORT || UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_VC && c == q)
            queue = queue + COST_W'(used[(p*VCS + c)*CREDIT_W +: CREDIT_W]);
        for (int h = 1; h <= HOPS; h++) queues[((p*QUEUES + q)*HOPS + h - 1)*COST_W +: COST_W] = queue * COST_W'(h);
      end
  end

  // What the draws come to, which the router keeps in registers.
  localparam int unsigned LOCAL_W = LOCALS > 0 ? LOCALS : 1;
  localparam int unsigned GLOBAL_W = GLOBALS > 0 ? GLOBALS : 1;
  localparam int unsigned MISROUTES = LOCAL_W > GLOBAL_W ? LOCAL_W : GLOBAL_W;

  dsv_pkg::thresholds_t thresholds;
  always_comb begin
    thresholds = '0;
    thresholds.minimal_occupancy = minimal_occupancy;
    thresholds.ugal_bias = bias;
    thresholds.relative_threshold = relative_threshold;
    thresholds.restriction = restriction;
    thresholds.restriction_packets = restriction_packets;
    thresholds.occupancy_enable = 1'b1;
  end

  generate
    for (genvar t = 0; t < REQUESTS; t++) begin : g_trigger
      localparam bit IS_AVERAGE = t == dsv_pkg::TRIGGER_CONTENTION_AVERAGE;
      localparam int unsigned TRIGGER = t < dsv_pkg::TRIGGER_COUNT ? t : dsv_pkg::TRIGGER_ALWAYS;
      localparam int unsigned MOST = TRIGGER == dsv_pkg::TRIGGER_ALWAYS ? PORTS : MISROUTES;
      logic [MOST*$clog2(MOST+1)-1:0] multiples;
      logic [LOCAL_W-1:0] own_router;
      logic [PORTS-1:0] request;
      dsv_draws #(.LOCAL_W(LOCAL_W), .MOST(MOST)) draws (.tap, .multiples, .own_router);
      dsv_select #(
        .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .VCS(VCS), .NODE_VCS(NODE_VCS),
        .LOCAL_VCS(LOCAL_VCS), .GLOBAL_VCS(GLOBAL_VCS), .NODE_FLITS(NODE_FLITS), .LOCAL_FLITS(LOCAL_FLITS),
        .GLOBAL_FLITS(GLOBAL_FLITS), .CREDIT_W(CREDIT_W), .TRIGGER(TRIGGER), .UGAL_QUEUE(UGAL_QUEUE), .HOPS(HOPS), .COST_W(COST_W), .SETS(SETS), .KINDS(KINDS),
        .DRAWS_AHEAD(DRAWS_AHEAD != 0 && MOST <= dsv_pkg::DRAWS_AHEAD), .ONE_EACH(ONE_EACH != 0), .SEVERAL(t == dsv_pkg::TRIGGER_ALWAYS), .MOST(MOST)
      ) one (
        .set_ports, .set_vcs, .forced, .minimal, .length, .tap, .multiples, .own_router, .open, .minimal_open, .accepts, .fits, .used, .shares,
        .contention_fires(IS_AVERAGE ? average_fires : fixed_fires),
        .contention_allows(IS_AVERAGE ? average_allows : fixed_allows),
        .told, .set_hops, .queues, .global_mean, .global_count, .lifts('0), .thresholds, .request
      );
      assign requests[t*64 +: 64] = 64'(request);
    end
  endgenerate
endmodule
