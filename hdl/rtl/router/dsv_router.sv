// The router: it only wires the stages, in the order a packet meets them.
//
// Every output is a function of registers. A head on an input wire in cycle t is written and routed in t+1,
// selected in t+2, allocated in t+3 and on an output wire in t+4, if its link opens then. It is a cycle later
// where PIPELINE is 5, two where it is 6. Configuration is taken in while `rst` is high; `config_load` takes
// in thresholds and trigger, and nothing else, while the router runs. Without CONTROL that has to be before
// the first flit, as sums and differences then follow each flit and credit.
module dsv_router #(
`include "dsv_config.svh"
  // With a control plane around it: a second bank of the routing table, and everything that can be read out.
  parameter  bit          CONTROL = 1'b0,
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS,
  localparam int unsigned KINDS = dsv_pkg::PROTOCOL_ERROR_COUNT,
  localparam int unsigned REASONS = dsv_pkg::DISCARD_COUNT,
  localparam int unsigned DEEPER = LOCAL_FLITS > NODE_FLITS ? LOCAL_FLITS : NODE_FLITS,
  localparam int unsigned DEEPEST = GLOBAL_FLITS > DEEPER ? GLOBAL_FLITS : DEEPER,
  localparam int unsigned CREDIT_W = $clog2(DEEPEST + 1),
  // What routers of a group tell each other: for each group, how many of the packets in these VCs are leaving for it; or flags of links.
  localparam int unsigned OTHERS = LOCALS > 0 ? LOCALS : 1,
  localparam int unsigned COUNTED = NODES * NODE_VCS + GLOBALS * GLOBAL_VCS,
  localparam bit FLAGS = ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY && GLOBALS > 0
                      && (KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP || KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP_EACH_CYCLE),
  localparam int unsigned NOTICE_W = FLAGS ? GLOBALS * GLOBAL_VCS : GROUPS * (COUNTED > 0 ? $clog2(COUNTED + 1) : 1)
) (
  input  logic                        clk,
  input  logic                        rst,
  // Configuration.
  input  logic [ROUTER_W-1:0]         config_router,
  input  logic [PORTS-1:0]            config_wired,
  input  logic [PORTS-1:0]            config_exits,
  input  logic [31:0]                 config_seed,
  input  logic [COUNTER_WIDTH-1:0]    config_contention_threshold,
  input  logic [15:0]                 config_contention_factor,
  input  logic [15:0]                 config_combined_threshold,
  input  logic [15:0]                 config_ugal_bias,
  input  logic [15:0]                 config_minimal_occupancy,
  input  logic [15:0]                 config_relative_threshold,
  input  logic                        config_restriction,
  input  logic [15:0]                 config_restriction_factor,
  input  logic [15:0]                 config_restriction_packets,
  input  logic                        config_occupancy_enable,
  input  logic                        config_contention_enable,
  input  logic                        config_load,
  // The routing table, written row by row. With two banks, the one in use is chosen here, and the other one written.
  input  logic                        table_bank,
  input  logic                        table_write,
  input  logic [ROUTER_W-1:0]         table_row,
  input  logic [PORTS-1:0]            table_ports,
  // PortInputs: per port, at most one flit and one credit.
  input  logic [PORTS-1:0]            flit_in_valid,
  input  logic [PORTS-1:0]            flit_in_head,
  input  logic [PORTS-1:0]            flit_in_tail,
  input  logic [PORTS*VC_W-1:0]       flit_in_vc,
  input  logic [PORTS*FLIT_WIDTH-1:0] flit_in_data,
  input  logic [PORTS-1:0]            credit_in_valid,
  input  logic [PORTS*VC_W-1:0]       credit_in_vc,
  // PortOutputs: the same.
  output logic [PORTS-1:0]            flit_out_valid,
  output logic [PORTS-1:0]            flit_out_head,
  output logic [PORTS-1:0]            flit_out_tail,
  output logic [PORTS*VC_W-1:0]       flit_out_vc,
  output logic [PORTS*FLIT_WIDTH-1:0] flit_out_data,
  output logic [PORTS-1:0]            credit_out_valid,
  output logic [PORTS*VC_W-1:0]       credit_out_vc,
  // TRIGGER_ECTN, KNOWLEDGE_GROUP and KNOWLEDGE_GROUP_EACH_CYCLE: the notices of the routers of the group,
  // each behind its local port, and those of this one to all of them. A notice is a counter for each group,
  // or a bit for each VC of each global link. Wires of their own: nothing of it is on the links.
  input  logic [OTHERS-1:0]           notice_in_valid,
  input  logic [OTHERS*NOTICE_W-1:0]  notice_in_counts,
  output logic                        notice_out_valid,
  output logic [NOTICE_W-1:0]         notice_out_counts,
  // What software may read: 0 without CONTROL.
  output logic [ROUTER_W-1:0]         read_router,
  output logic [PORTS-1:0]            read_wired,
  output logic [PORTS-1:0]            read_exits,
  output dsv_pkg::thresholds_t        read_thresholds,
  output logic [PORTS*COUNTER_WIDTH-1:0] read_contention,
  output logic [PORTS*VCS*CREDIT_W-1:0]  read_credits,
  output logic [KINDS*16-1:0]            read_errors,
  // Both banks of the table, row `table_read_row`, one cycle later.
  input  logic [ROUTER_W-1:0]         table_read_row,
  output logic [PORTS-1:0]            table_read_in_use,
  output logic [PORTS-1:0]            table_read_staged
);
  localparam int unsigned SUM_W = GLOBALS > 0 ? $clog2(GLOBALS * GLOBAL_FLITS + 1) : 1;
  localparam int unsigned GLOBAL_COUNT_W = GLOBALS > 0 ? $clog2(GLOBALS + 1) : 1;
  localparam int unsigned SHARE_W = CREDIT_W + 16;
  localparam int unsigned PHASE_W = SPEEDUP > 1 ? $clog2(SPEEDUP) : 1;
  // TRIGGER_UGAL: the queues of an output, the most hops of a way, and the bits of a queue times hops. Routings but one give no hops: all ways
  // are one hop.
  localparam bit BY_QUEUE = TRIGGER == dsv_pkg::TRIGGER_UGAL || FLAGS;
  localparam int unsigned QUEUES = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_VC ? VCS : 1;
  localparam int unsigned THROUGH_POINT = INTERMEDIATE == dsv_pkg::INTERMEDIATE_GROUP ? 5 : 6;
  localparam int unsigned HOPS = ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY ? THROUGH_POINT : 1;
  localparam int unsigned QUEUE_W = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PACKETS ? COUNTER_WIDTH
                                  : UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_VC ? CREDIT_W : CREDIT_W + $clog2(VCS);
  localparam int unsigned COST_W = HOPS > 1 ? QUEUE_W + $clog2(HOPS + 1) : QUEUE_W;
  // Where packets have one of a few lengths, each VC behind an output has a bit for each of them; else credits are compared.
  localparam int unsigned MOST_LENGTHS = 8;
  localparam int unsigned LENGTHS = LONGEST - SHORTEST < MOST_LENGTHS ? LONGEST - SHORTEST + 1 : 0;
  localparam int unsigned ROOMS = LENGTHS > 0 ? LENGTHS : 1;

  // Configuration registers.
  logic [ROUTER_W-1:0]      here_router;
  logic [PORTS-1:0]         wired, exits;
  dsv_pkg::thresholds_t     thresholds;

  always_ff @(posedge clk) if (rst) begin
    here_router <= config_router;
    wired       <= config_wired;
    exits       <= config_exits;
  end

  logic [15:0] next_relative_threshold, next_restriction_factor;
  dsv_thresholds #(.COUNTER_WIDTH(COUNTER_WIDTH)) settings (
    .clk, .load(rst || config_load), .config_contention_threshold, .config_contention_factor, .config_combined_threshold,
    .config_ugal_bias, .config_minimal_occupancy, .config_relative_threshold, .config_restriction, .config_restriction_factor,
    .config_restriction_packets, .config_occupancy_enable, .config_contention_enable, .thresholds, .next_relative_threshold,
    .next_restriction_factor
  );

  // The bank in use changes at the edge at which `config_load` takes effect.
  logic bank;
  always_ff @(posedge clk) bank <= CONTROL && table_bank;

  // The input registers.
  logic [PORTS-1:0]            flit_valid, flit_head, flit_tail, credit_valid;
  logic [PORTS*VC_W-1:0]       flit_vc, credit_vc;
  logic [PORTS*FLIT_WIDTH-1:0] flit_data, taken_data;

  always_ff @(posedge clk) begin
    flit_valid   <= rst ? '0 : flit_in_valid;
    credit_valid <= rst ? '0 : credit_in_valid;
    flit_head    <= rst ? '0 : flit_in_head;
    flit_tail    <= rst ? '0 : flit_in_tail;
    flit_vc      <= rst ? '0 : flit_in_vc;
    credit_vc    <= rst ? '0 : credit_in_vc;
    flit_data    <= rst ? '0 : taken_data;
  end

  // The place of this cycle in the link cycle: links open in the first.
  logic [PHASE_W-1:0] phase, next_phase;
  logic               opens, opens_next;
  assign next_phase = phase == PHASE_W'(SPEEDUP - 1) ? '0 : phase + 1'b1;
  assign opens_next = next_phase == '0;
  always_ff @(posedge clk) phase <= rst ? '0 : next_phase;
  generate if (SPEEDUP == 1) begin : g_always_open
    assign opens = 1'b1;
  end else begin : g_opens
    // In the cycle behind a reset, nothing is there to be sent.
    always_ff @(posedge clk) opens <= opens_next;
  end endgenerate

  // Chance.
  logic [PORTS-1:0] busy;
  logic [63:0]      chance;
  logic [31:0]      following;
  logic             moves;
  dsv_lfsr lfsr (.clk, .rst, .seed(config_seed), .advance(busy != '0), .word(chance[31:0]), .stepped(chance[63:32]), .moves, .following);

  // The routing table, and behind its rows what is marked where it meets congestion, the tables of VL arbitration, and lifetime limits.
  localparam int unsigned VL_TABLES_W = dsv_pkg::VL_TABLES_BITS;
  localparam int unsigned MARK_ROWS = MARKING != 0 ? dsv_pkg::MARK_ROWS : 0;
  localparam int unsigned LIMIT_W = LIFETIME + dsv_pkg::VL_STALL_BITS;
  localparam int unsigned ROWS = TABLE_ROUTERS + MARK_ROWS + (VL_ARBITRATION != 0 ? VL_TABLES_W : 0) + (LIFETIME != 0 ? LIMIT_W : 0);
  logic [ROWS*PORTS-1:0]              all_rows;
  logic [TABLE_ROUTERS*PORTS-1:0]     rows;
  logic [PORTS*VL_TABLES_W-1:0]       vl_tables;
  logic [PORTS*LIMIT_W-1:0]           lifetimes;
  logic [PORTS*VCS*dsv_pkg::MARK_WEIGHT_BITS-1:0] mark_weights;
  logic [PORTS-1:0]                   mark_victims;
  logic [dsv_pkg::LENGTH_BITS-1:0]    mark_size;
  logic [dsv_pkg::MARK_RATE_BITS-1:0] mark_rate;
  dsv_routing_table #(.PORTS(PORTS), .ROWS(ROWS), .CONTROL(CONTROL)) routing_table (
    .clk, .bank, .write(table_write), .write_row(table_row), .write_ports(table_ports), .rows(all_rows),
    .read_row(table_read_row), .read_in_use(table_read_in_use), .read_staged(table_read_staged)
  );
  assign rows = all_rows[TABLE_ROUTERS*PORTS-1:0];
  dsv_table_settings #(
    .PORTS(PORTS), .VCS(VCS), .TABLE_ROUTERS(TABLE_ROUTERS), .ROWS(ROWS), .MARKING(MARKING), .VL_ARBITRATION(VL_ARBITRATION),
    .LIFETIME(LIFETIME)
  ) table_settings (.all_rows, .mark_weights, .mark_victims, .mark_size, .mark_rate, .vl_tables, .lifetimes);

  // Between the stages.
  localparam int unsigned QUEUED_W = OUTPUT_FLITS > 0 ? $clog2(OUTPUT_FLITS + 1) : 1;
  logic [PORTS*VCS*PORTS-1:0]      waits_port;
  logic [PORTS*VCS*VCS-1:0]        waits_vcs;
  logic [PORTS*VCS*CREDIT_W-1:0]   waits_flits;
  logic [PORTS*QUEUED_W-1:0]       queued;
  localparam int unsigned LEAVING_W = GROUPS > 1 ? $clog2(GROUPS) + 1 : 2;
  logic [PORTS*VCS*LEAVING_W-1:0]  leaving;
  logic [GROUPS-1:0]               contended_groups;
  logic [PORTS-1:0]                accepts, held, contention_fires, contended;
  logic [PORTS*VCS-1:0]            owned;
  logic [VCS*PORTS-1:0]            taken_vcs, granted_vcs, credited, credited_twice, credited_thrice, seized;
  logic [ROOMS*VCS*PORTS-1:0]      rooms;
  logic [PORTS*VCS*CREDIT_W-1:0]   credits, used;
  logic [PORTS*VCS-1:0]            came, went, comes, goes;
  logic [PORTS*VCS*SHARE_W-1:0]    shares;
  logic [PORTS*QUEUES*HOPS*COST_W-1:0] queues;
  logic [VCS*(SUM_W+8)-1:0]        global_mean;
  logic [GLOBAL_COUNT_W-1:0]       global_count;
  // Where thresholds stay and all packets are as long, what exceeds the mean is known of each output.
  localparam int unsigned GLOBAL_W = GLOBALS > 0 ? GLOBALS : 1;
  localparam bit          LIFTED = !CONTROL && SHORTEST == LONGEST;
  logic [VCS*GLOBAL_W-1:0]         lifts;
  logic [PORTS*COUNTER_WIDTH-1:0]  contention_count;
  logic [PORTS*VCS*PORTS-1:0]      want;
  logic [PORTS*VCS*VC_W-1:0]       want_out_vc;
  logic [PORTS*VCS-1:0]            match_vc, match_out_vc, grant_vc, grant_out_vc;
  logic [PORTS*PORTS-1:0]          match_output, grant_output, fall;
  logic [PORTS*VCS*PORTS-1:0]      counted;
  logic [2*PORTS*PORTS-1:0]        rise;
  logic [PORTS*16-1:0]             sends_units;
  logic [PORTS-1:0]                leaves_head, leaves_tail, push, push_head, push_tail, next_has_no_route, credit_to_no_vc, credit_overflow;
  logic [PORTS*VC_W-1:0]           leaves_vc, push_vc;
  logic [PORTS*FLIT_WIDTH-1:0]     leaves_data, push_data;
  logic [PORTS*KINDS-1:0]          flit_error;
  logic [PORTS*REASONS-1:0]        arrival_why, next_why;
  logic [PORTS*VCS*PORTS-1:0]      expired, late;
  logic [VCS*PORTS-1:0]            stalled;
  logic                            tick;

  // Stages 1 to 4: input ports.
  generate for (genvar i = 0; i < PORTS; i++) begin : g_input
    localparam int unsigned KIND = i < NODES ? dsv_pkg::PORT_KIND_NODE
      : i < NODES + LOCALS ? dsv_pkg::PORT_KIND_LOCAL : dsv_pkg::PORT_KIND_GLOBAL;
    localparam int unsigned HERE = i < NODES ? NODE_VCS : i < NODES + LOCALS ? LOCAL_VCS : GLOBAL_VCS;
    localparam int unsigned DEPTH = i < NODES ? NODE_FLITS : i < NODES + LOCALS ? LOCAL_FLITS : GLOBAL_FLITS;
    localparam int unsigned KEPT = i < NODES ? 0 : i < NODES + LOCALS ? LOCAL_RESERVED : GLOBAL_RESERVED;
    logic [VCS-1:0] read;

    dsv_input_port #(
      .PORT(i), .KIND(KIND), .VCS_HERE(HERE), .DEPTH(DEPTH), .RESERVED(KEPT > 0 ? KEPT : DEPTH), .CREDIT_W(CREDIT_W), .LENGTHS(LENGTHS), .SUM_W(SUM_W),
      .GLOBAL_COUNT_W(GLOBAL_COUNT_W), .QUEUED_W(QUEUED_W), .CONTROL(CONTROL), .LIFTED(LIFTED),
      .HOPS(HOPS), .COST_W(COST_W),
`include "dsv_config_pass.svh"
    ) input_port (
      .clk, .rst, .chance, .moves, .following, .config_router, .wired, .exits, .rows,
      .flit_valid(flit_valid[i]), .flit_head(flit_head[i]), .flit_tail(flit_tail[i]),
      .flit_vc(flit_vc[i*VC_W +: VC_W]), .flit_data(flit_data[i*FLIT_WIDTH +: FLIT_WIDTH]),
      .accepts, .held, .taken_vcs, .granted_vcs, .credits, .credited, .credited_twice, .credited_thrice, .rooms, .used, .shares, .contention_fires, .contended,
      .queues, .contended_groups, .leaving(leaving[i*VCS*LEAVING_W +: VCS*LEAVING_W]), .thresholds, .global_mean, .global_count, .lifts,
      .waits_port, .waits_vcs, .waits_flits, .queued, .mark_weights, .mark_victims, .mark_size, .mark_rate,
      .own_waits_port(waits_port[i*VCS*PORTS +: VCS*PORTS]), .own_waits_vcs(waits_vcs[i*VCS*VCS +: VCS*VCS]),
      .own_waits_flits(waits_flits[i*VCS*CREDIT_W +: VCS*CREDIT_W]),
      .want(want[i*VCS*PORTS +: VCS*PORTS]), .want_out_vc(want_out_vc[i*VCS*VC_W +: VCS*VC_W]),
      .seized, .match_vc(match_vc[i*VCS +: VCS]), .grant_vc(grant_vc[i*VCS +: VCS]), .grant_output(grant_output[i*PORTS +: PORTS]),
      .read, .arrival_why(arrival_why[i*REASONS +: REASONS]), .next_why(next_why[i*REASONS +: REASONS]),
      .lifetimes, .stalled, .tick, .expired(expired[i*VCS*PORTS +: VCS*PORTS]), .late(late[i*VCS*PORTS +: VCS*PORTS]),
      .leaves_head(leaves_head[i]), .leaves_tail(leaves_tail[i]),
      .leaves_vc(leaves_vc[i*VC_W +: VC_W]), .leaves_data(leaves_data[i*FLIT_WIDTH +: FLIT_WIDTH]),
      .arrival_rise(rise[2*i*PORTS +: PORTS]), .next_rise(rise[(2*i+1)*PORTS +: PORTS]),
      .fall(fall[i*PORTS +: PORTS]), .busy(busy[i]), .counted(counted[i*VCS*PORTS +: VCS*PORTS]),
      .flit_error(flit_error[i*KINDS +: KINDS]), .next_has_no_route(next_has_no_route[i])
    );

    // Stage 6: the credit for the place that a flit leaves.
    dsv_credit_return #(
      .VCS(VCS), .VCS_HERE(HERE), .DESCENDS(VC_ORDER == dsv_pkg::VC_ORDER_DESCENDING && i >= NODES)
    ) credit_return (.clk, .rst, .read, .credit_valid(credit_out_valid[i]), .credit_vc(credit_out_vc[i*VC_W +: VC_W]));
  end endgenerate

  // Stage 3: contention counters. Of an input the tail of a packet leaves, and each VC may have one whose time is up.
  localparam int unsigned FALLS = LIFETIME != 0 || PACKET_LIFETIME != 0 ? PORTS + PORTS * VCS : PORTS;
  dsv_contention #(.PORTS(PORTS), .COUNTER_WIDTH(COUNTER_WIDTH), .TRIGGER(TRIGGER), .RISES(2 * PORTS), .FALLS(FALLS), .EARLY_FALLS(PIPELINE > 5), .LATE_MEAN(PIPELINE > 4 ? 1 : 0)) contention (
    .clk, .rst, .rise, .fall((FALLS*PORTS)'({expired, fall})), .threshold(COUNTER_WIDTH'(thresholds.contention_threshold)), .factor(thresholds.contention_factor), .wired,
    .count(contention_count), .fires(contention_fires), .contended
  );

  // What the group tells.
  dsv_group #(
    .CREDIT_W(CREDIT_W), .SUM_W(SUM_W), .GLOBAL_COUNT_W(GLOBAL_COUNT_W), .NOTICE_W(NOTICE_W), .HOPS(HOPS), .COST_W(COST_W),
`include "dsv_config_pass.svh"
  ) group (
    .clk, .rst, .here_router, .wired, .thresholds, .leaving, .used, .global_mean, .global_count, .queues,
    .in_valid(notice_in_valid), .in_counts(notice_in_counts), .out_valid(notice_out_valid), .out_counts(notice_out_counts),
    .contended(contended_groups), .flit_head(flit_in_head), .flit_data(flit_in_data), .taken_data
  );

  // Stage 5: allocation. Selection chooses one output for a packet, but for the trigger that leaves it to the allocator.
  dsv_allocator #(
    .PORTS(PORTS), .VCS(VCS), .ALLOCATOR(ALLOCATOR), .ARBITER(ARBITER), .ITERATIONS(ITERATIONS),
    .SETS(TRIGGER == dsv_pkg::TRIGGER_ALWAYS && PIPELINE == 4 ? 1 : 0), .YIELDING(PRIORITY == dsv_pkg::PRIORITY_TRANSIT ? NODES : 0),
    .VL_ARBITRATION(VL_ARBITRATION), .MANAGEMENT_VCS(MANAGEMENT_VCS)
  ) allocator (
    .clk, .rst, .vl_tables, .sends(push_head), .sends_vc(push_vc), .sends_units, .want, .want_out_vc, .grant_vc(match_vc),
    .grant_output(match_output), .grant_out_vc(match_out_vc)
  );
  dsv_granted #(.PORTS(PORTS), .VCS(VCS), .REGISTERED(PIPELINE > 5)) granted (
    .clk, .rst, .match_vc, .match_output, .match_out_vc, .grant_vc, .grant_output, .grant_out_vc
  );

  // Stage 6: the crossbar, credits and outputs.
  dsv_crossbar #(.PORTS(PORTS), .VCS(VCS), .FLIT_WIDTH(FLIT_WIDTH)) crossbar (
    .grant_output, .leaves_head, .leaves_tail, .leaves_vc, .leaves_data, .push, .push_head, .push_tail, .push_vc, .push_data
  );

  dsv_occupancy #(
    .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .VCS(VCS), .GLOBAL_VCS(GLOBAL_VCS),
    .GLOBAL_FLITS(GLOBAL_FLITS), .SUM_W(SUM_W), .GLOBAL_COUNT_W(GLOBAL_COUNT_W), .STEADY(!CONTROL), .LENGTH(LIFTED ? SHORTEST : 0)
  ) occupancy (
    .clk, .rst, .came, .went, .wired, .restriction_factor(FLAGS ? 16'(PIGGYBACK_FACTOR) : thresholds.restriction_factor),
    .next_factor(FLAGS ? 16'(PIGGYBACK_FACTOR) : next_restriction_factor),
    .restriction_packets(thresholds.restriction_packets), .global_mean, .lifts, .global_count
  );

  dsv_shares #(
    .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .VCS(VCS), .NODE_VCS(NODE_VCS), .LOCAL_VCS(LOCAL_VCS), .GLOBAL_VCS(GLOBAL_VCS),
    .NODE_FLITS(NODE_FLITS), .LOCAL_FLITS(LOCAL_FLITS), .GLOBAL_FLITS(GLOBAL_FLITS), .CREDIT_W(CREDIT_W), .STEADY(!CONTROL)
  ) products (
    .clk, .rst, .used, .came, .went, .next_threshold(next_relative_threshold), .shares
  );

  generate if (BY_QUEUE) begin : g_queues
    dsv_queues #(
      .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .VCS(VCS), .NODE_VCS(NODE_VCS), .LOCAL_VCS(LOCAL_VCS), .GLOBAL_VCS(GLOBAL_VCS),
      .NODE_FLITS(NODE_FLITS), .LOCAL_FLITS(LOCAL_FLITS), .GLOBAL_FLITS(GLOBAL_FLITS), .CREDIT_W(CREDIT_W), .COUNTER_WIDTH(COUNTER_WIDTH),
      .UGAL_QUEUE(UGAL_QUEUE), .KNOWN(PIPELINE > 5), .QUEUES(QUEUES), .HOPS(HOPS), .COST_W(COST_W)
    ) behind (
      .clk, .rst, .used, .gained(PIPELINE > 5 ? comes : came), .lost(PIPELINE > 5 ? goes : went), .counts(contention_count), .queues
    );
  end else begin : g_no_queues
    logic unused_changes;
    assign unused_changes = &{1'b0, comes, goes};
    assign queues = '0;
  end endgenerate

  generate for (genvar o = 0; o < PORTS; o++) begin : g_output
    localparam int unsigned HERE = o < NODES ? NODE_VCS : o < NODES + LOCALS ? LOCAL_VCS : GLOBAL_VCS;
    localparam int unsigned DEPTH = o < NODES ? NODE_FLITS : o < NODES + LOCALS ? LOCAL_FLITS : GLOBAL_FLITS;
    localparam int unsigned KEPT = o < NODES ? 0 : o < NODES + LOCALS ? LOCAL_RESERVED : GLOBAL_RESERVED;
    localparam int unsigned HERE_W = HERE > 1 ? $clog2(HERE) : 1;
    localparam bit DESCENDS = VC_ORDER == dsv_pkg::VC_ORDER_DESCENDING && o >= NODES;
    logic                     known;
    logic [VC_W-1:0]          out_vc;
    logic [HERE_W-1:0]        give_vc;
    logic [HERE*CREDIT_W-1:0] left, in_use;
    logic [HERE-1:0]          some, two, three, more, less, coming, going;
    logic [ROOMS*HERE-1:0]    room;

    assign out_vc = push_vc[o*VC_W +: VC_W];

    // For VL arbitration: units of 64 bytes, rounded up.
    logic [dsv_pkg::LENGTH_BITS-1:0] length;
    assign length = push_data[(o+1)*FLIT_WIDTH - dsv_pkg::HEADER_BITS + dsv_pkg::LENGTH_AT +: dsv_pkg::LENGTH_BITS];
    assign sends_units[o*16 +: 16] = 16'((32'(length) * FLIT_BYTES + 63) / 64);

    dsv_output_port #(
      .VCS(VCS), .FLITS(OUTPUT_FLITS), .FLIT_WIDTH(FLIT_WIDTH), .KEEPS(OUTPUT_FLITS > PIPELINE - 4 ? PIPELINE - 4 : OUTPUT_FLITS - 1)
    ) output_port (
      .clk, .rst, .opens, .opens_next, .push(push[o]), .push_head(push_head[o]), .push_tail(push_tail[o]), .push_vc(out_vc),
      .push_label(DESCENDS ? VC_W'(HERE - 1) - out_vc : out_vc), .push_data(push_data[o*FLIT_WIDTH +: FLIT_WIDTH]),
      .accepts(accepts[o]), .rest(queued[o*QUEUED_W +: QUEUED_W]), .owned(owned[o*VCS +: VCS]),
      .flit_valid(flit_out_valid[o]), .flit_head(flit_out_head[o]), .flit_tail(flit_out_tail[o]),
      .flit_vc(flit_out_vc[o*VC_W +: VC_W]), .flit_data(flit_out_data[o*FLIT_WIDTH +: FLIT_WIDTH])
    );

    // Where packets are allocated, one that holds a VC behind the output holds the output.
    assign held[o] = ALLOCATION_UNIT == dsv_pkg::ALLOCATION_UNIT_PACKET && owned[o*VCS +: VCS] != '0;

    assign known   = 32'(credit_vc[o*VC_W +: VC_W]) < HERE && wired[o];
    assign give_vc = HERE_W'(DESCENDS ? VC_W'(HERE - 1) - credit_vc[o*VC_W +: VC_W] : credit_vc[o*VC_W +: VC_W]);
    assign credit_to_no_vc[o] = credit_valid[o] && !known;

    dsv_credit #(
      .VCS(HERE), .DEPTH(DEPTH), .RESERVED(KEPT > 0 ? KEPT : DEPTH), .CREDIT_W(CREDIT_W), .SHORTEST(SHORTEST), .LENGTHS(LENGTHS), .AHEAD(PIPELINE - 4)
    ) credit (
      .clk, .rst, .take_valid(push[o]), .take_vc(HERE_W'(out_vc)), .give_valid(credit_valid[o] && known),
      .give_vc, .left, .used(in_use), .came(more), .went(less), .comes(coming), .goes(going), .credited(some), .credited_twice(two), .credited_thrice(three), .rooms(room), .overflow(credit_overflow[o])
    );

    // A VC that the port does not have is never free; what else is said of it is not asked for, but its credits, which software reads.
    for (genvar c = 0; c < VCS; c++) begin : g_vc
      localparam bit IS_HERE = c < HERE;
      localparam int unsigned AT = IS_HERE ? c : 0;
      assign credits[(o*VCS + c)*CREDIT_W +: CREDIT_W] = IS_HERE ? left[AT*CREDIT_W +: CREDIT_W] : CREDIT_W'(DEPTH);
      assign used[(o*VCS + c)*CREDIT_W +: CREDIT_W]    = IS_HERE ? in_use[AT*CREDIT_W +: CREDIT_W] : '0;
      assign came[o*VCS + c]                           = IS_HERE && more[AT];
      assign went[o*VCS + c]                           = IS_HERE && less[AT];
      assign comes[o*VCS + c]                          = IS_HERE && coming[AT];
      assign goes[o*VCS + c]                           = IS_HERE && going[AT];
      assign taken_vcs[c*PORTS + o]                    = !IS_HERE || owned[o*VCS + c];
      assign credited[c*PORTS + o]                     = some[AT];
      assign credited_twice[c*PORTS + o]               = two[AT];
      assign credited_thrice[c*PORTS + o]              = three[AT];
      assign granted_vcs[c*PORTS + o] = PIPELINE > 5 && grant_out_vc[o*VCS + c];
      for (genvar n = 0; n < ROOMS; n++) begin : g_length
        assign rooms[(n*VCS + c)*PORTS + o] = room[n*HERE + AT];
      end
      assign seized[c*PORTS + o] = PIPELINE > 4 && match_out_vc[o*VCS + c];
    end
  end endgenerate

  // Counters that software may read; nothing in the router does.
  logic [KINDS*16-1:0] error_count;
  dsv_errors #(.PORTS(PORTS)) errors (
    .clk, .rst, .flit_error, .credit_to_no_vc, .credit_overflow, .next_has_no_route, .count(error_count)
  );

  generate if (DISCARDS != 0 || LIFETIME != 0 || PACKET_LIFETIME != 0) begin : g_discards
    logic [REASONS*16-1:0] discarded;
    dsv_discards #(.PORTS(PORTS), .VCS(VCS)) discards (.clk, .rst, .arrival_why, .next_why, .expired, .discarded);
    logic unused_discarded;
    assign unused_discarded = &{1'b0, discarded};
  end else begin : g_no_discards
    logic unused_why;
    assign unused_why = &{1'b0, arrival_why, next_why, expired};
  end endgenerate

  // What all inputs know of lifetime limits.
  dsv_lifetimes #(
    .PORTS(PORTS), .VCS(VCS), .NODES(NODES), .LOCALS(LOCALS), .NODE_VCS(NODE_VCS), .LOCAL_VCS(LOCAL_VCS), .GLOBAL_VCS(GLOBAL_VCS),
    .LIFETIME(LIFETIME), .PACKET_LIFETIME(PACKET_LIFETIME)
  ) limits (.clk, .rst, .opens_next, .lifetimes, .late, .sends(push & push_head), .sends_vc(push_vc), .stalled, .tick);

  logic unused;
  assign unused = &{1'b0, contention_count, error_count, table_bank, counted};
  assign read_router     = CONTROL ? here_router : '0;
  assign read_wired      = CONTROL ? wired : '0;
  assign read_exits      = CONTROL ? exits : '0;
  assign read_thresholds = CONTROL ? thresholds : '0;
  assign read_contention = CONTROL ? contention_count : '0;
  assign read_credits    = CONTROL ? credits : '0;
  assign read_errors     = CONTROL ? error_count : '0;

`include "dsv_refusals.svh"
endmodule
