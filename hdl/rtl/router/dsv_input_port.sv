// Stages 1 to 5 of one input port. The flit on its wire is written into its VC, and routed if it is a head.
// Each VC (dsv_input_vc) shows its front packet to selection. Its request, checked against this cycle's
// credits, goes to the allocator. The granted flit leaves with its header brought up to date.
module dsv_input_port #(
`include "dsv_config.svh"
  parameter  int unsigned PORT = 0,
  parameter  int unsigned KIND = dsv_pkg::PORT_KIND_NODE,
  parameter  int unsigned VCS_HERE = 3,
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned RESERVED = DEPTH,
  parameter  int unsigned CREDIT_W = 9,
  // Lengths that packets may have, from SHORTEST flits on; 0 for any.
  parameter  int unsigned LENGTHS = 0,
  parameter  int unsigned SUM_W = 10,
  parameter  int unsigned GLOBAL_COUNT_W = 2,
  parameter  int unsigned QUEUED_W = 6,
  parameter  bit          CONTROL = 1'b0,
  parameter  bit          LIFTED = 1'b0,
  // TRIGGER_UGAL: most hops of a way, and the bits of a queue times hops.
  parameter  int unsigned HOPS = 1,
  parameter  int unsigned COST_W = 1,
  localparam int unsigned GLOBAL_W = GLOBALS > 0 ? GLOBALS : 1,
  localparam int unsigned MEAN_W = SUM_W + 8,
  localparam int unsigned SHARE_W = CREDIT_W + 16,
  localparam int unsigned QUEUES = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_VC ? VCS : 1,
  localparam int unsigned ROOMS = LENGTHS > 0 ? LENGTHS : 1,
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS,
  localparam int unsigned GROUP_W = GROUPS > 1 ? $clog2(GROUPS) : 1,
  localparam int unsigned LEAVING_W = GROUP_W + 1,
  localparam int unsigned ERRORS = dsv_pkg::PROTOCOL_ERROR_COUNT,
  localparam int unsigned REASONS = dsv_pkg::DISCARD_COUNT,
  localparam int unsigned LIMIT_W = LIFETIME + dsv_pkg::VL_STALL_BITS
) (
  input  logic                           clk,
  input  logic                           rst,
  // The random word, and above it what it is in each cycle in which the router holds a flit: what all draws but the arriving head's see.
  input  logic [63:0]                    chance,
  // Whether it moves, and what the upper half of `chance` becomes then.
  input  logic                           moves,
  input  logic [31:0]                    following,
  // Where the router is, to be taken over at reset.
  input  logic [ROUTER_W-1:0]            config_router,
  input  logic [PORTS-1:0]               wired,
  input  logic [PORTS-1:0]               exits,
  input  logic [TABLE_ROUTERS*PORTS-1:0] rows,
  // The input register: a flit that was on the wire in the cycle before.
  input  logic                           flit_valid,
  input  logic                           flit_head,
  input  logic                           flit_tail,
  input  logic [VC_W-1:0]                flit_vc,
  input  logic [FLIT_WIDTH-1:0]          flit_data,
  // The outputs, as selection and admission see them, and those that a packet holds. Then the VCs behind them
  // that packets hold, or that are not there, and those that a registered grant takes in this cycle:
  // admission does not see these as free, either.
  input  logic [PORTS-1:0]               accepts,
  input  logic [PORTS-1:0]               held,
  input  logic [VCS*PORTS-1:0]           taken_vcs,
  input  logic [VCS*PORTS-1:0]           granted_vcs,
  input  logic [PORTS*VCS*CREDIT_W-1:0]  credits,
  input  logic [VCS*PORTS-1:0]           credited,
  input  logic [VCS*PORTS-1:0]           credited_twice,
  input  logic [VCS*PORTS-1:0]           credited_thrice,
  input  logic [ROOMS*VCS*PORTS-1:0]     rooms,
  input  logic [PORTS*VCS*CREDIT_W-1:0]  used,
  input  logic [PORTS*VCS*SHARE_W-1:0]   shares,
  input  logic [PORTS-1:0]               contention_fires,
  input  logic [PORTS-1:0]               contended,
  input  logic [PORTS*QUEUES*HOPS*COST_W-1:0] queues,
  // TRIGGER_ECTN and KNOWLEDGE_GROUP_EACH_CYCLE: the groups to which the way is contended, and the one that the front packet of each VC is leaving for.
  input  logic [GROUPS-1:0]              contended_groups,
  output logic [VCS*LEAVING_W-1:0]       leaving,
  input  dsv_pkg::thresholds_t           thresholds,
  input  logic [VCS*MEAN_W-1:0]          global_mean,
  input  logic [GLOBAL_COUNT_W-1:0]      global_count,
  input  logic [VCS*GLOBAL_W-1:0]        lifts,
  // Congestion: what the front packet of each VC of all inputs waits for, and the flits behind it; flits in the FIFO of each output that do
  // not leave now; and what is marked.
  input  logic [PORTS*VCS*PORTS-1:0]     waits_port,
  input  logic [PORTS*VCS*VCS-1:0]       waits_vcs,
  input  logic [PORTS*VCS*CREDIT_W-1:0]  waits_flits,
  input  logic [PORTS*QUEUED_W-1:0]      queued,
  input  logic [PORTS*VCS*dsv_pkg::MARK_WEIGHT_BITS-1:0] mark_weights,
  input  logic [PORTS-1:0]               mark_victims,
  input  logic [dsv_pkg::LENGTH_BITS-1:0]    mark_size,
  input  logic [dsv_pkg::MARK_RATE_BITS-1:0] mark_rate,
  output logic [VCS*PORTS-1:0]           own_waits_port,
  output logic [VCS*VCS-1:0]             own_waits_vcs,
  output logic [VCS*CREDIT_W-1:0]        own_waits_flits,
  // To the allocator and back.
  output logic [VCS*PORTS-1:0]           want,
  output logic [VCS*VC_W-1:0]            want_out_vc,
  // The VCs behind outputs that are granted in this cycle, and the VC of this port that is; what is carried out, which was granted in the
  // cycle before where grants are registered.
  input  logic [VCS*PORTS-1:0]           seized,
  input  logic [VCS-1:0]                 match_vc,
  input  logic [VCS-1:0]                 grant_vc,
  input  logic [PORTS-1:0]               grant_output,
  // The granted flit, with the VC it takes behind its output.
  output logic                           leaves_head,
  output logic                           leaves_tail,
  output logic [VC_W-1:0]                leaves_vc,
  output logic [FLIT_WIDTH-1:0]          leaves_data,
  // The VC of which a flit leaves, by an output or by none.
  output logic [VCS-1:0]                 read,
  // Why packets that come to the front are discarded: one that arrives, one behind a tail.
  output logic [REASONS-1:0]             arrival_why,
  output logic [REASONS-1:0]             next_why,
  // Lifetime limits, VCs behind outputs that are stalled, and the tick by which packets grow old. The output of the front packet of each VC that is discarded for that; and the
  // VCs of all outputs for which the time of one is up.
  input  logic [PORTS*LIMIT_W-1:0]       lifetimes,
  input  logic [VCS*PORTS-1:0]           stalled,
  input  logic                           tick,
  output logic [VCS*PORTS-1:0]           expired,
  output logic [VCS*PORTS-1:0]           late,
  // Contention counters to raise and to lower.
  output logic [PORTS-1:0]               arrival_rise,
  output logic [PORTS-1:0]               next_rise,
  output logic [PORTS-1:0]               fall,
  output logic                           busy,
  // The port at which the front packet of each VC is counted, one-hot or 0: for checks.
  output logic [VCS*PORTS-1:0]           counted,
  // Errors of the arriving flit; no route for it, or for the packet that came to the front.
  output logic [ERRORS-1:0]              flit_error,
  output logic                           next_has_no_route
);
  localparam int unsigned SETS = dsv_pkg::ROUTING_SETS[ROUTING*32 +: 32];
  // A packet never has a choice: in dimension order; on shortest routes and on Valiant's, of a Dragonfly with one link at most between two
  // groups.
  localparam bit BY_MAP = ROUTING == dsv_pkg::ROUTING_MINIMAL || ROUTING == dsv_pkg::ROUTING_VALIANT;
  localparam bit ONE_LINK = (LOCALS + 1) * GLOBALS < GROUPS;
  // UGAL has one as its packets are injected, between one hop each, and none in transit.
  localparam bit ONE_EACH = ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY && ONE_LINK;
  localparam bit INJECTS_ONLY = ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY && KIND != dsv_pkg::PORT_KIND_NODE;
  localparam bit ONE_WAY = ROUTING == dsv_pkg::ROUTING_DIMENSION_ORDER || (BY_MAP || INJECTS_ONLY) && ONE_LINK;
  // Nor is there a choice where it is counted: on a Dragonfly with one link between each two groups, where no software says which router
  // this is.
  localparam bit ON_ITS_WAY = ROUTING == dsv_pkg::ROUTING_OLM || ROUTING == dsv_pkg::ROUTING_PAR;
  localparam bit ONE_COUNTED = ON_ITS_WAY && (LOCALS + 1) * GLOBALS + 1 == GROUPS && !CONTROL;
  localparam int unsigned HOPS_W = dsv_pkg::HOPS_BITS;
  localparam int unsigned HOP_W = $clog2(dsv_pkg::HOP_KIND_COUNT);
  localparam int unsigned HEADER_W = dsv_pkg::HEADER_BITS;
  localparam int unsigned HEADER_LSB = FLIT_WIDTH - HEADER_W;
  localparam int unsigned PLACE_W = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam bit DESCENDS = VC_ORDER == dsv_pkg::VC_ORDER_DESCENDING && KIND != dsv_pkg::PORT_KIND_NODE;

  // What the VCs say, one after the other.
  logic [VCS-1:0]            occupied, waiting, active, is_tail, arrival_rises, next_rises, write;
  logic [VCS-1:0]            arrival_no_route, next_no_route, arrival_discarded, discarding, drop;
  logic [VCS-1:0]            expires;
  logic [VCS*VCS-1:0]        late_for;
  logic [VCS*REASONS-1:0]    next_whys;
  logic [VCS*PORTS-1:0]      minimal, global_misroutes, local_misroutes;
  logic [VCS*FLIT_WIDTH-1:0] fronts;
  logic [VCS*ERRORS-1:0]     write_error;
  logic [VCS*VC_W-1:0]       take_vc;
  logic [VCS*32-1:0]         arriving_taps;
  logic [VCS-1:0]            store, fetch, takes_shared, leaves_shared;
  logic                      exhausted;
  logic [VCS*PLACE_W-1:0]    store_places, fetch_places;
  logic [FLIT_WIDTH-1:0]     fetched;

  // Stage 4. The arriving flit, for the VC by its place in ascending order.
  logic [VC_W-1:0] arriving_vc;
  logic            known;
  assign known       = 32'(flit_vc) < VCS_HERE && wired[PORT];
  assign arriving_vc = DESCENDS ? VC_W'(VCS_HERE - 1) - flit_vc : flit_vc;
  assign write       = flit_valid && known ? VCS'(1) << arriving_vc : '0;

  // Where packets are allocated, no other VC may begin while a packet leaves.
  localparam bit WHOLE_PACKETS = ALLOCATION_UNIT == dsv_pkg::ALLOCATION_UNIT_PACKET;
  logic taken;
  assign taken = WHOLE_PACKETS && active != '0;

  // Marks: a head that was taken in the cycle before is tested against all registers.
  logic [VCS-1:0] fresh;
  logic           meets_congestion;
  generate if (MARKING != 0) begin : g_marks
    dsv_mark #(
      .PORTS(PORTS), .VCS(VCS), .NODES(NODES), .LOCALS(LOCALS), .NODE_VCS(NODE_VCS), .LOCAL_VCS(LOCAL_VCS), .GLOBAL_VCS(GLOBAL_VCS),
      .NODE_FLITS(NODE_FLITS), .LOCAL_FLITS(LOCAL_FLITS), .GLOBAL_FLITS(GLOBAL_FLITS), .FLOW(FLOW), .SETS(SETS), .PORT(PORT),
      .CREDIT_W(CREDIT_W), .QUEUED_W(QUEUED_W)
    ) congestion (
      .clk, .arriving_ports, .arriving_vcs, .arriving_minimal,
      .arriving_length(flit_data[HEADER_LSB + dsv_pkg::LENGTH_AT +: dsv_pkg::LENGTH_BITS]), .arriving_random(arriving_tap[15:0]),
      .fresh, .waits_port, .waits_vcs, .flits(waits_flits), .credits, .queued,
      .weights(mark_weights), .victims(mark_victims), .packet_size(mark_size), .marking_rate(mark_rate), .mark(meets_congestion)
    );
  end else begin : g_no_marks
    logic unused;
    assign unused = &{1'b0, fresh, waits_port, waits_vcs, waits_flits, queued, mark_weights, mark_victims,
                      mark_size, mark_rate};
    assign meets_congestion = 1'b0;
  end endgenerate

  // Flits that are dropped take turns with those that are granted: the first VC that has one, where none of the port is granted.
  logic [VCS-1:0] droppable;
  assign droppable = grant_vc == '0 ? discarding & occupied : '0;
  assign drop      = droppable & (~droppable + 1'b1);
  assign read      = grant_vc | drop;

  // The VC whose tail leaves.
  logic [VCS-1:0] finishing;
  logic [31:0]    arriving_tap;
  assign finishing = grant_vc & is_tail;

  always_comb begin
    arriving_tap = '0;
    for (int v = 0; v < VCS; v++) arriving_tap = arriving_tap | (arriving_taps[v*32 +: 32] & {32{write[v]}});
  end

  // Stage 2. The route of the arriving head.
  logic [SETS*PORTS-1:0] arriving_ports;
  logic [SETS*VCS-1:0]   arriving_vcs;
  logic [SETS*HOPS_W-1:0] arriving_hops;
  logic                  arriving_forced;
  logic [PORTS-1:0]      routed_minimal, arriving_minimal;
  logic [REASONS-1:0]    arriving_why;
  logic [VCS*PORTS-1:0]  next_minimals;
  logic [LEAVING_W-1:0]  arriving_leaving;

  // For each input: what drives its routes has few of them.
  logic [ROUTER_W-1:0] here_router;
  always_ff @(posedge clk) if (rst) here_router <= config_router;

  dsv_routed_head #(
    .KIND(KIND), .PORT(PORT), .ONE_WAY(ONE_WAY), .ONE_COUNTED(ONE_COUNTED),
`include "dsv_route_config_pass.svh"
  ) arriving_head (
    .here_router, .wired, .exits, .rows, .from_vc(arriving_vc), .header(flit_data[HEADER_LSB +: HEADER_W]),
    .random(arriving_tap[31:16]), .set_ports(arriving_ports), .set_vcs(arriving_vcs), .set_hops(arriving_hops), .forced(arriving_forced),
    .minimal(routed_minimal)
  );

  // A packet that is discarded has no minimal output, and so no route.
  dsv_discard #(
    .PORTS(PORTS), .VCS(VCS), .NODES(NODES), .PORT(PORT), .DISCARDS(DISCARDS), .MANAGEMENT_VCS(MANAGEMENT_VCS)
  ) arriving_discard (
    .here_router, .to_router(flit_data[HEADER_LSB + dsv_pkg::ROUTER_AT +: ROUTER_W]), .from_vc(arriving_vc), .wired, .ports(arriving_ports[PORTS-1:0]), .why(arriving_why)
  );
  assign arriving_minimal = routed_minimal & {PORTS{arriving_why == '0}};

  // Where the group counts together: which other group the packets leave for.
  localparam bit LISTENS = TRIGGER == dsv_pkg::TRIGGER_ECTN || KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP_EACH_CYCLE;
  generate if (LISTENS) begin : g_arriving_leaving
    dsv_way_out #(.GROUPS(GROUPS), .KIND(KIND)) way_out (
      .here(here_router), .header(flit_data[HEADER_LSB +: HEADER_W]), .leaving(arriving_leaving)
    );
  end else begin : g_no_leaving
    assign arriving_leaving = '0;
  end endgenerate

  // What the selections of all VCs see is formed for each input, and not once for all: what drives those of one input has few of them.
  logic [PORTS-1:0]     fires, allows;
  logic [VCS*PORTS-1:0]  free, vacant;
  logic [VCS*MEAN_W-1:0] mean;
  assign free   = ~taken_vcs;
  assign vacant = ~taken_vcs & ~granted_vcs;
  assign mean   = global_mean & {(VCS*MEAN_W){thresholds.restriction}};
  assign fires  = contention_fires & {PORTS{thresholds.contention_enable}};
  assign allows = ~contended;

  generate for (genvar v = 0; v < VCS; v++) begin : g_vc
    localparam int unsigned TURN = (7 * PORT + 11 * v) % 32;
    assign arriving_taps[v*32 +: 32] = (chance[31:0] << TURN) | (chance[31:0] >> (32 - TURN));

    if (v < VCS_HERE) begin : g_here
      dsv_input_vc #(
        .PORT(PORT), .KIND(KIND), .DEPTH(DEPTH), .RESERVED(RESERVED), .CREDIT_W(CREDIT_W), .LENGTHS(LENGTHS), .SUM_W(SUM_W), .GLOBAL_COUNT_W(GLOBAL_COUNT_W),
        .ONE_WAY(ONE_WAY), .ONE_COUNTED(ONE_COUNTED), .LIFTED(LIFTED), .ONE_EACH(ONE_EACH), .HOPS(HOPS), .COST_W(COST_W),
`include "dsv_config_pass.svh"
      ) input_vc (
        .clk, .rst, .tap((chance[63:32] << TURN) | (chance[63:32] >> (32 - TURN))),
        .moves, .next_tap((following << TURN) | (following >> (32 - TURN))), .own_vc(VC_W'(v)), .here_router, .wired, .exits, .rows,
        .write(write[v]), .flit_head, .flit_tail, .flit_data,
        .arriving_ports, .arriving_vcs, .arriving_hops, .arriving_forced, .arriving_minimal, .arriving_leaving,
        .arriving_discards(arriving_why != '0),
        .store(store[v]), .store_place(store_places[v*PLACE_W +: PLACE_W]),
        .fetch(fetch[v]), .fetch_place(fetch_places[v*PLACE_W +: PLACE_W]), .fetched,
        .exhausted, .takes_shared(takes_shared[v]), .leaves_shared(leaves_shared[v]), .fresh(fresh[v]), .mark(meets_congestion),
        .accepts, .held, .taken, .free, .vacant, .credits, .credited, .credited_twice, .credited_thrice, .rooms, .used, .shares,
        .contention_fires(fires), .contention_allows(allows), .queues, .contended(contended_groups), .thresholds, .global_mean(mean), .global_count, .lifts,
        .want(want[v*PORTS +: PORTS]), .want_out_vc(want_out_vc[v*VC_W +: VC_W]), .seized,
        .match(match_vc[v]), .grant(grant_vc[v]), .grant_output, .take_vc(take_vc[v*VC_W +: VC_W]), .drop(drop[v]),
        .lifetimes, .stalled, .tick, .expires(expires[v]), .late_for(late_for[v*VCS +: VCS]),
        .occupied(occupied[v]), .waiting(waiting[v]), .active(active[v]), .discarding(discarding[v]),
        .minimal(minimal[v*PORTS +: PORTS]), .leaving(leaving[v*LEAVING_W +: LEAVING_W]),
        .global_misroutes(global_misroutes[v*PORTS +: PORTS]), .local_misroutes(local_misroutes[v*PORTS +: PORTS]),
        .front(fronts[v*FLIT_WIDTH +: FLIT_WIDTH]), .front_is_tail(is_tail[v]),
        .waits_port(own_waits_port[v*PORTS +: PORTS]), .waits_vcs(own_waits_vcs[v*VCS +: VCS]),
        .waits_flits(own_waits_flits[v*CREDIT_W +: CREDIT_W]),
        .arrival_rises(arrival_rises[v]), .next_rises(next_rises[v]), .next_minimal(next_minimals[v*PORTS +: PORTS]),
        .arrival_discarded(arrival_discarded[v]), .next_why(next_whys[v*REASONS +: REASONS]),
        .write_error(write_error[v*ERRORS +: ERRORS]), .arrival_no_route(arrival_no_route[v]), .next_no_route(next_no_route[v])
      );
    end else begin : g_absent
      logic unused;
      assign unused = &{1'b0, active[v], drop[v], match_vc[v]};
      assign {store[v], fetch[v], takes_shared[v], leaves_shared[v]} = '0;
      assign {store_places[v*PLACE_W +: PLACE_W], fetch_places[v*PLACE_W +: PLACE_W]} = '0;
      assign {occupied[v], waiting[v], active[v], discarding[v], is_tail[v], fresh[v]} = '0;
      assign {own_waits_port[v*PORTS +: PORTS], own_waits_vcs[v*VCS +: VCS], own_waits_flits[v*CREDIT_W +: CREDIT_W]} = '0;
      assign {arrival_rises[v], next_rises[v], arrival_no_route[v], next_no_route[v], arrival_discarded[v]} = '0;
      assign {expires[v], late_for[v*VCS +: VCS]} = '0;
      assign next_whys[v*REASONS +: REASONS]      = '0;
      assign next_minimals[v*PORTS +: PORTS]      = '0;
      assign leaving[v*LEAVING_W +: LEAVING_W]    = '0;
      assign global_misroutes[v*PORTS +: PORTS]   = '0;
      assign local_misroutes[v*PORTS +: PORTS]    = '0;
      assign minimal[v*PORTS +: PORTS]            = '0;
      assign fronts[v*FLIT_WIDTH +: FLIT_WIDTH]   = '0;
      assign write_error[v*ERRORS +: ERRORS]      = '0;
      assign want[v*PORTS +: PORTS]               = '0;
      assign want_out_vc[v*VC_W +: VC_W]          = '0;
      assign take_vc[v*VC_W +: VC_W]              = '0;
    end
    assign expired[v*PORTS +: PORTS] = minimal[v*PORTS +: PORTS] & {PORTS{expires[v]}};
    assign counted[v*PORTS +: PORTS] = waiting[v] || active[v] ? minimal[v*PORTS +: PORTS] : '0;
  end endgenerate

  dsv_buffer_memory #(
    .VCS(VCS), .VCS_HERE(VCS_HERE), .DEPTH(DEPTH), .RESERVED(RESERVED), .FLIT_WIDTH(FLIT_WIDTH), .SYNCHRONOUS(SYNCHRONOUS_BUFFERS != 0)
  ) memory (
    .clk, .rst, .store, .store_places, .flit(flit_data), .fetch, .fetch_places, .fetched, .takes_shared, .leaves_shared, .exhausted
  );

  // Stage 6. The granted flit; what its packet was counted for falls with the tail.
  logic [FLIT_WIDTH-1:0] front;
  logic [PORTS-1:0]      front_minimal;
  logic [HOP_W-1:0]      hop;
  dsv_pkg::header_t      onward_header;
  logic                  misroutes_globally, misroutes_locally;

  always_comb begin
    front              = '0;
    front_minimal      = '0;
    leaves_vc          = '0;
    misroutes_globally = 1'b0;
    misroutes_locally  = 1'b0;
    for (int v = 0; v < VCS; v++) begin
      front         = front | (fronts[v*FLIT_WIDTH +: FLIT_WIDTH] & {FLIT_WIDTH{grant_vc[v]}});
      front_minimal = front_minimal | (minimal[v*PORTS +: PORTS] & {PORTS{grant_vc[v]}});
      leaves_vc     = leaves_vc | (take_vc[v*VC_W +: VC_W] & {VC_W{grant_vc[v]}});
      misroutes_globally = misroutes_globally
        | (grant_vc[v] && (global_misroutes[v*PORTS +: PORTS] & grant_output) != '0);
      misroutes_locally  = misroutes_locally
        | (grant_vc[v] && (local_misroutes[v*PORTS +: PORTS] & grant_output) != '0);
    end
  end

  assign hop = misroutes_globally ? HOP_W'(dsv_pkg::HOP_KIND_GLOBAL_MISROUTE)
             : misroutes_locally ? HOP_W'(dsv_pkg::HOP_KIND_LOCAL_MISROUTE)
             : HOP_W'(dsv_pkg::HOP_KIND_MINIMAL);

  dsv_pkg::header_t front_header;
  logic             drawn;
  assign front_header = front[HEADER_LSB +: HEADER_W];
  dsv_drawn_hop #(
    .PORT(PORT),
`include "dsv_route_config_pass.svh"
  ) drawn_hop (.rows, .header(front_header), .drawn);

  dsv_onward #(.PORTS(PORTS), .ROUTING(ROUTING), .SCOPE(SCOPE), .INTERMEDIATE(INTERMEDIATE)) onward (
    .header(front_header), .here(here_router),
    .out_is_global((grant_output >> (NODES + LOCALS)) != '0), .hop, .drawn, .onward_header
  );

  assign leaves_head = (grant_vc & waiting) != '0;
  assign leaves_tail = finishing != '0;

  always_comb begin
    leaves_data = front;
    if (leaves_head) leaves_data[HEADER_LSB +: HEADER_W] = onward_header;
  end

  assign arrival_rise = arrival_rises != '0 ? arriving_minimal : '0;
  always_comb begin
    next_rise = '0;
    for (int v = 0; v < VCS; v++) next_rise = next_rise | (next_minimals[v*PORTS +: PORTS] & {PORTS{next_rises[v]}});
  end
  assign arrival_why  = arrival_discarded != '0 ? arriving_why : '0;
  always_comb begin
    next_why = '0;
    for (int v = 0; v < VCS; v++) next_why = next_why | next_whys[v*REASONS +: REASONS];
  end
  always_comb begin
    late = '0;
    for (int v = 0; v < VCS; v++)
      for (int c = 0; c < VCS; c++)
        late[c*PORTS +: PORTS] = late[c*PORTS +: PORTS] | (minimal[v*PORTS +: PORTS] & {PORTS{late_for[v*VCS + c]}});
  end
  assign fall         = leaves_tail ? front_minimal : '0;
  assign busy         = occupied != '0;
  assign next_has_no_route = next_no_route != '0;

  always_comb begin
    flit_error = '0;
    for (int v = 0; v < VCS; v++) flit_error = flit_error | write_error[v*ERRORS +: ERRORS];
    flit_error[dsv_pkg::PROTOCOL_ERROR_NO_SUCH_VC] = flit_valid && !known;
    flit_error[dsv_pkg::PROTOCOL_ERROR_NO_ROUTE]   = arrival_no_route != '0;
  end
endmodule
