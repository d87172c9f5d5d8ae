// Stage 3. The UGAL trigger (router-core/src/select/ugal.rs): whether the minimal output's queue, times the hops behind it, is longer than
// the detour's, times its own, by more than the bias. A set that gives no hops counts as one hop.
//
// What a way by each port costs is known of the packet's sets before one of the ports is drawn; a port is misrouted by with one kind of hop.
module dsv_trigger_ugal #(
  parameter  int unsigned PORTS      = 7,
  parameter  int unsigned VCS        = 3,
  parameter  int unsigned UGAL_QUEUE = dsv_pkg::UGAL_QUEUE_PORT,
  // Most hops of a way, and the bits of a queue times hops (dsv_queues).
  parameter  int unsigned HOPS       = 1,
  parameter  int unsigned COST_W     = 11,
  parameter  int unsigned SETS       = 2,
  parameter  logic [31:0] KINDS      = 32'h0100,
  // The first port of global misroutes: those by ports before it are local.
  parameter  int unsigned FIRST      = 0,
  // Whether the detour is drawn, and known late.
  parameter  bit          DRAWN      = 1'b1,
  // Whether the packet is counted at its minimal output.
  parameter  bit          COUNTED    = 1'b1,
  localparam int unsigned HOPS_W     = dsv_pkg::HOPS_BITS,
  localparam int unsigned QUEUES     = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_VC ? VCS : 1
) (
  input  logic [SETS*PORTS-1:0]  set_ports,
  input  logic [SETS*VCS-1:0]    set_vcs,
  input  logic [SETS*HOPS_W-1:0] set_hops,
  input  logic [PORTS-1:0]       minimal,
  input  logic [PORTS-1:0]       detour,
  input  logic [PORTS*QUEUES*HOPS*COST_W-1:0] queues,
  input  logic [15:0]            bias,
  output logic                   is_better
);
  localparam bit OWN_COUNTS = COUNTED && UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PACKETS;
  localparam int unsigned MARGIN_W = (COST_W > 16 ? COST_W : 16) + 3;
  localparam logic [7:0] MINIMAL = 8'(dsv_pkg::HOP_KIND_MINIMAL);
  localparam logic [7:0] GLOBAL = 8'(dsv_pkg::HOP_KIND_GLOBAL_MISROUTE);
  localparam logic [7:0] LOCAL = 8'(dsv_pkg::HOP_KIND_LOCAL_MISROUTE);

  logic unused;
  assign unused = &{1'b0, set_ports, set_vcs, set_hops};

  // By each port: the hops of the minimal way, and what both ways cost.
  logic [PORTS*HOPS_W-1:0]   minimal_hops;
  logic [2*PORTS*COST_W-1:0] costs;
  generate for (genvar n = 0; n < 2; n++) begin : g_way
    for (genvar p = 0; p < PORTS; p++) begin : g_port
      localparam logic [7:0] KIND = n == 0 ? MINIMAL : p < FIRST ? LOCAL : GLOBAL;
      // The first set of the kind that holds the port, or the only one of the kind.
      localparam logic [3:0] OF_KIND = {SETS > 3 && KINDS[31:24] == KIND, SETS > 2 && KINDS[23:16] == KIND,
                                        SETS > 1 && KINDS[15:8] == KIND, KINDS[7:0] == KIND};
      localparam bit SEVERAL = (OF_KIND & (OF_KIND - 4'd1)) != '0;
      logic [SETS-1:0]   holds, chosen;
      logic [HOPS_W-1:0] given, hops;
      logic [VCS-1:0]    vcs, first;
      for (genvar k = 0; k < SETS; k++) begin : g_set
        assign holds[k] = OF_KIND[k] && (!SEVERAL || set_ports[k*PORTS + p]);
      end
      assign chosen = holds & (~holds + SETS'(1));
      always_comb begin
        given = '0;
        vcs   = '0;
        for (int k = 0; k < SETS; k++) begin
          given = given | set_hops[k*HOPS_W +: HOPS_W] & {HOPS_W{chosen[k]}};
          vcs   = vcs | set_vcs[k*VCS +: VCS] & {VCS{chosen[k]}};
        end
      end
      assign hops  = HOPS == 1 || given == '0 ? HOPS_W'(1) : given;
      assign first = vcs & (~vcs + VCS'(1));

      logic [COST_W-1:0] cost;
      always_comb begin
        cost = '0;
        for (int q = 0; q < QUEUES; q++)
          for (int h = 1; h <= HOPS; h++)
            if ((QUEUES == 1 || first[q]) && hops == HOPS_W'(h)) cost = cost | queues[((p*QUEUES + q)*HOPS + h - 1)*COST_W +: COST_W];
      end
      assign costs[(n*PORTS + p)*COST_W +: COST_W] = cost;
      if (n == 0) begin : g_hops
        assign minimal_hops[p*HOPS_W +: HOPS_W] = hops;
      end
    end
  end endgenerate

  // The packet itself is no obstacle to itself: of a queue of packets the minimal way has its hops less.
  logic [COST_W-1:0]   minimal_cost;
  logic [HOPS_W-1:0]   own;
  always_comb begin
    minimal_cost = '0;
    own          = '0;
    for (int p = 0; p < PORTS; p++) begin
      minimal_cost = minimal_cost | costs[p*COST_W +: COST_W] & {COST_W{minimal[p]}};
      own          = own | minimal_hops[p*HOPS_W +: HOPS_W] & {HOPS_W{OWN_COUNTS && minimal[p]}};
    end
  end
  // Above a detour's cost and the bias by 1 or more: the sign of one sum. Where the detour is drawn, of each port beside the draw.
  logic [MARGIN_W-1:0] limit;
  assign limit = MARGIN_W'(minimal_cost) - MARGIN_W'(own) + ~(MARGIN_W'(bias));
  generate if (DRAWN) begin : g_of_each
    logic [PORTS-1:0] better;
    for (genvar p = 0; p < PORTS; p++) begin : g_port
      logic [MARGIN_W-1:0] margin;
      logic                unused_margin;
      assign margin        = limit - MARGIN_W'(costs[(PORTS + p)*COST_W +: COST_W]);
      assign unused_margin = &{1'b0, margin};
      assign better[p]     = !margin[MARGIN_W-1];
    end
    assign is_better = (better & detour) != '0;
  end else begin : g_of_one
    logic [COST_W-1:0]   detour_cost;
    logic [MARGIN_W-1:0] margin;
    logic                unused_margin;
    always_comb begin
      detour_cost = '0;
      for (int p = 0; p < PORTS; p++) detour_cost = detour_cost | costs[(PORTS + p)*COST_W +: COST_W] & {COST_W{detour[p]}};
    end
    assign margin        = limit - MARGIN_W'(detour_cost);
    assign unused_margin = &{1'b0, margin};
    assign is_better     = !margin[MARGIN_W-1];
  end endgenerate
endmodule
