// Stage 3. Notices between the routers of a group, on wires of their own: the number of packets that each of
// them has for each other group (TRIGGER_ECTN), or its congested global links (KNOWLEDGE_GROUP,
// KNOWLEDGE_GROUP_EACH_CYCLE). By the flags it is decided which way a packet takes whose head is on the wire
// of its node: the input register takes it with that in its header. Or packets look at them while they wait, as
// counters.
module dsv_group #(
`include "dsv_config.svh"
  parameter  int unsigned CREDIT_W       = 9,
  parameter  int unsigned SUM_W          = 10,
  parameter  int unsigned GLOBAL_COUNT_W = 2,
  parameter  int unsigned NOTICE_W       = 1,
  // Most hops of a way, and the bits of a queue times hops.
  parameter  int unsigned HOPS           = 1,
  parameter  int unsigned COST_W         = 1,
  localparam int unsigned OTHERS         = LOCALS > 0 ? LOCALS : 1,
  localparam int unsigned LEAVING_W      = GROUPS > 1 ? $clog2(GROUPS) + 1 : 2,
  localparam int unsigned MEAN_W         = SUM_W + 8,
  localparam int unsigned QUEUES         = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_VC ? VCS : 1
) (
  input  logic                           clk,
  input  logic                           rst,
  input  logic [dsv_pkg::ROUTER_BITS-1:0] here_router,
  input  logic [PORTS-1:0]               wired,
  input  dsv_pkg::thresholds_t           thresholds,
  // The group that the front packet of each VC is leaving for.
  input  logic [PORTS*VCS*LEAVING_W-1:0] leaving,
  input  logic [PORTS*VCS*CREDIT_W-1:0]  used,
  input  logic [VCS*MEAN_W-1:0]          global_mean,
  input  logic [GLOBAL_COUNT_W-1:0]      global_count,
  input  logic [PORTS*QUEUES*HOPS*COST_W-1:0] queues,
  input  logic [OTHERS-1:0]              in_valid,
  input  logic [OTHERS*NOTICE_W-1:0]     in_counts,
  output logic                           out_valid,
  output logic [NOTICE_W-1:0]            out_counts,
  // The groups to which the way is contended.
  output logic [GROUPS-1:0]              contended,
  // The flits on the wires, as they come and as they are taken.
  input  logic [PORTS-1:0]               flit_head,
  input  logic [PORTS*FLIT_WIDTH-1:0]    flit_data,
  output logic [PORTS*FLIT_WIDTH-1:0]    taken_data
);
  localparam bit LISTENS = TRIGGER == dsv_pkg::TRIGGER_ECTN;
  localparam bit EACH_CYCLE = ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY && KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP_EACH_CYCLE;
  localparam bit ONCE = ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY && KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP;
  localparam int unsigned HEADER_W = dsv_pkg::HEADER_BITS;

  logic unused;
  assign unused = &{1'b0, clk, rst, here_router, wired, thresholds, leaving, used, global_mean, global_count, queues, in_valid, in_counts, flit_head};

  generate
    if (LISTENS) begin : g_listens
      dsv_notices #(
        .GROUPS(GROUPS), .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .VCS(VCS), .NODE_VCS(NODE_VCS), .GLOBAL_VCS(GLOBAL_VCS),
        .NOTICE_PERIOD(NOTICE_PERIOD), .SPEEDUP(SPEEDUP)
      ) notices (
        .clk, .rst, .leaving, .threshold(thresholds.combined_threshold), .in_valid, .in_counts, .out_valid, .out_counts, .contended
      );
    end else if (!EACH_CYCLE) begin : g_counts_alone
      assign contended = '0;
    end

    logic [(OTHERS+1)*NOTICE_W-1:0] known;
    if (ONCE || EACH_CYCLE) begin : g_flags
      dsv_flags #(
        .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .VCS(VCS), .GLOBAL_VCS(GLOBAL_VCS), .CREDIT_W(CREDIT_W), .SUM_W(SUM_W),
        .GLOBAL_COUNT_W(GLOBAL_COUNT_W), .PIGGYBACK_FLITS(PIGGYBACK_FLITS)
      ) flags (
        .clk, .rst, .used, .global_mean, .global_count, .in_valid, .in_flags(in_counts), .out_valid, .out_flags(out_counts), .known
      );
    end else begin : g_no_flags
      logic unused_known;
      assign unused_known = &{1'b0, known};
      assign known = '0;
    end

    if (EACH_CYCLE) begin : g_heeded
      dsv_contended_links #(
`include "dsv_route_config_pass.svh"
      ) contended_links (.clk, .here_router, .known, .contended);
    end

    if (ONCE) begin : g_decided
      for (genvar n = 0; n < NODES; n++) begin : g_node
        logic [HEADER_W-1:0] header, decided;
        assign header = flit_data[(n+1)*FLIT_WIDTH-1 -: HEADER_W];
        dsv_piggyback #(
          .UGAL_QUEUE(UGAL_QUEUE), .HOPS(HOPS), .COST_W(COST_W),
`include "dsv_route_config_pass.svh"
        ) piggyback (
          .here_router, .wired, .header, .queues, .bias(thresholds.ugal_bias), .known, .decided
        );
        if (FLIT_WIDTH > HEADER_W) begin : g_payload
          assign taken_data[n*FLIT_WIDTH +: FLIT_WIDTH-HEADER_W] = flit_data[n*FLIT_WIDTH +: FLIT_WIDTH-HEADER_W];
        end
        assign taken_data[(n+1)*FLIT_WIDTH-1 -: HEADER_W] = flit_head[n] ? decided : header;
      end
      assign taken_data[PORTS*FLIT_WIDTH-1:NODES*FLIT_WIDTH] = flit_data[PORTS*FLIT_WIDTH-1:NODES*FLIT_WIDTH];
    end else begin : g_as_it_comes
      assign taken_data = flit_data;
    end

    if (!LISTENS && !ONCE && !EACH_CYCLE) begin : g_silent
      assign out_valid  = 1'b0;
      assign out_counts = '0;
    end
  endgenerate
endmodule
