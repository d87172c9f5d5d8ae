// One VC of an input port, stages 2 to 5: its buffer, and the route of the head behind the front packet,
// ready as that head comes to the front. It shows selection the front packet or the one behind it, holds its
// request, checked against this cycle's credits, and takes a VC behind its output.
module dsv_input_vc #(
`include "dsv_config.svh"
  parameter  int unsigned PORT = 0,
  parameter  int unsigned KIND = dsv_pkg::PORT_KIND_NODE,
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned RESERVED = DEPTH,
  parameter  int unsigned CREDIT_W = 9,
  // Lengths that packets may have, from SHORTEST flits on; 0 for any.
  parameter  int unsigned LENGTHS = 0,
  parameter  int unsigned SUM_W = 10,
  parameter  int unsigned GLOBAL_COUNT_W = 2,
  // Whether a packet never has a choice.
  parameter  bit          ONE_WAY = 1'b0,
  parameter  bit          ONE_COUNTED = 1'b0,
  parameter  bit          LIFTED = 1'b0,
  // Of a packet that has one minimal hop and one detour at most nothing is drawn.
  parameter  bit          ONE_EACH = 1'b0,
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
  localparam int unsigned PLACE_W = DEPTH > 1 ? $clog2(DEPTH) : 1,
  localparam int unsigned HOPS_W = dsv_pkg::HOPS_BITS,
  localparam int unsigned SETS = dsv_pkg::ROUTING_SETS[ROUTING*32 +: 32],
  localparam int unsigned ERRORS = dsv_pkg::PROTOCOL_ERROR_COUNT,
  localparam int unsigned REASONS = dsv_pkg::DISCARD_COUNT,
  localparam int unsigned LIMIT_W = LIFETIME + dsv_pkg::VL_STALL_BITS
) (
  input  logic                           clk,
  input  logic                           rst,
  // Random bits of its own, whether they move, and what they are then; and which VC it is, in ascending order.
  input  logic [31:0]                    tap,
  input  logic                           moves,
  input  logic [31:0]                    next_tap,
  input  logic [VC_W-1:0]                own_vc,
  // Where the router is.
  input  logic [ROUTER_W-1:0]            here_router,
  input  logic [PORTS-1:0]               wired,
  input  logic [PORTS-1:0]               exits,
  input  logic [TABLE_ROUTERS*PORTS-1:0] rows,
  // The flit that arrives, whether it is for this VC, and the route of a head.
  input  logic                           write,
  input  logic                           flit_head,
  input  logic                           flit_tail,
  input  logic [FLIT_WIDTH-1:0]          flit_data,
  input  logic [SETS*PORTS-1:0]          arriving_ports,
  input  logic [SETS*VCS-1:0]            arriving_vcs,
  input  logic [SETS*HOPS_W-1:0]         arriving_hops,
  input  logic                           arriving_forced,
  input  logic [PORTS-1:0]               arriving_minimal,
  input  logic [LEAVING_W-1:0]           arriving_leaving,
  input  logic                           arriving_discards,
  // SYNCHRONOUS_BUFFERS: to and from the memory of the port.
  output logic                           store,
  output logic [PLACE_W-1:0]             store_place,
  output logic                           fetch,
  output logic [PLACE_W-1:0]             fetch_place,
  input  logic [FLIT_WIDTH-1:0]          fetched,
  // Where the VCs of the port share places: whether none is left, and whether a flit takes one, or leaves one.
  input  logic                           exhausted,
  output logic                           takes_shared,
  output logic                           leaves_shared,
  // A head was taken in the cycle before, and whether it met congestion.
  output logic                           fresh,
  input  logic                           mark,
  // The outputs, as selection and admission see them; those that a packet holds; and whether a packet of this port is leaving, where packets
  // are allocated.
  input  logic [PORTS-1:0]               accepts,
  input  logic [PORTS-1:0]               held,
  input  logic                           taken,
  input  logic [VCS*PORTS-1:0]           free,
  input  logic [VCS*PORTS-1:0]           vacant,
  input  logic [PORTS*VCS*CREDIT_W-1:0]  credits,
  input  logic [VCS*PORTS-1:0]           credited,
  input  logic [VCS*PORTS-1:0]           credited_twice,
  input  logic [VCS*PORTS-1:0]           credited_thrice,
  input  logic [ROOMS*VCS*PORTS-1:0]     rooms,
  input  logic [PORTS*VCS*CREDIT_W-1:0]  used,
  input  logic [PORTS*VCS*SHARE_W-1:0]   shares,
  input  logic [PORTS-1:0]               contention_fires,
  input  logic [PORTS-1:0]               contention_allows,
  input  logic [PORTS*QUEUES*HOPS*COST_W-1:0] queues,
  input  logic [GROUPS-1:0]              contended,
  input  dsv_pkg::thresholds_t           thresholds,
  input  logic [VCS*MEAN_W-1:0]          global_mean,
  input  logic [GLOBAL_COUNT_W-1:0]      global_count,
  input  logic [VCS*GLOBAL_W-1:0]        lifts,
  // To the allocator and back, at once and as grants are carried out; and the VC that a granted head takes behind its output.
  output logic [PORTS-1:0]               want,
  output logic [VC_W-1:0]                want_out_vc,
  input  logic [VCS*PORTS-1:0]           seized,
  input  logic                           match,
  input  logic                           grant,
  input  logic [PORTS-1:0]               grant_output,
  output logic [VC_W-1:0]                take_vc,
  // The front flit of a packet that is discarded leaves.
  input  logic                           drop,
  // Lifetime limits, VCs behind outputs that are stalled, and the tick by which packets grow old; whether the front packet is discarded for that, and the VCs for which its time
  // is up.
  input  logic [PORTS*LIMIT_W-1:0]       lifetimes,
  input  logic [VCS*PORTS-1:0]           stalled,
  input  logic                           tick,
  output logic                           expires,
  output logic [VCS-1:0]                 late_for,
  // The front packet, the ports at which it is misrouted, and its first flit.
  output logic                           occupied,
  output logic                           waiting,
  output logic                           active,
  output logic                           discarding,
  output logic [PORTS-1:0]               minimal,
  output logic [LEAVING_W-1:0]           leaving,
  output logic [PORTS-1:0]               global_misroutes,
  output logic [PORTS-1:0]               local_misroutes,
  output logic [FLIT_WIDTH-1:0]          front,
  output logic                           front_is_tail,
  // Congestion: what it waits for, and the flits behind it.
  output logic [PORTS-1:0]               waits_port,
  output logic [VCS-1:0]                 waits_vcs,
  output logic [CREDIT_W-1:0]            waits_flits,
  // Contention counters to raise, packets that are discarded as they come to the front, errors.
  output logic                           arrival_rises,
  output logic                           next_rises,
  output logic [PORTS-1:0]               next_minimal,
  output logic                           arrival_discarded,
  output logic [REASONS-1:0]             next_why,
  output logic [ERRORS-1:0]              write_error,
  output logic                           arrival_no_route,
  output logic                           next_no_route
);
  localparam logic [31:0] HOP_KINDS = dsv_pkg::ROUTING_KINDS[ROUTING*32 +: 32];
  localparam int unsigned OVERLAP = dsv_pkg::ROUTING_OVERLAP[ROUTING*32 +: 32];
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS;
  localparam int unsigned HEADER_W = dsv_pkg::HEADER_BITS;
  localparam bit WHOLE_PACKETS = ALLOCATION_UNIT == dsv_pkg::ALLOCATION_UNIT_PACKET;
  localparam int unsigned DROPS = DISCARDS != 0 || LIFETIME != 0 || PACKET_LIFETIME != 0 ? 1 : 0;
  // Whether a packet asks for several outputs at once.
  localparam bit SEVERAL = TRIGGER == dsv_pkg::TRIGGER_ALWAYS && PIPELINE == 4;
  localparam bit LISTENS = TRIGGER == dsv_pkg::TRIGGER_ECTN || KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP_EACH_CYCLE;
  // Where the way of a packet is decided before, selection has nothing to compare.
  localparam bit DECIDED = ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY && KNOWLEDGE != dsv_pkg::KNOWLEDGE_ROUTER
                        && KNOWLEDGE != dsv_pkg::KNOWLEDGE_GROUP_EACH_CYCLE;
  localparam int unsigned SELECTS_BY = DECIDED && TRIGGER == dsv_pkg::TRIGGER_UGAL ? dsv_pkg::TRIGGER_NEVER : TRIGGER;
  // Whole packets, one that is leaving and one that is arriving.
  localparam int unsigned WHOLE = (DEPTH > 2 ? DEPTH - 2 : 0) / SHORTEST;
  localparam int unsigned PLACES = WHOLE + 2 < DEPTH ? WHOLE + 2 : DEPTH;

  // The packet behind the front one, as it is routed and judged.
  logic [HEADER_W-1:0]    next;
  logic [SETS*PORTS-1:0]  next_ports;
  logic [SETS*VCS-1:0]    next_vcs;
  logic [SETS*HOPS_W-1:0] next_hops;
  logic [PORTS-1:0]       next_routed_minimal, next_counted;
  logic [LEAVING_W-1:0]   next_leaving;
  logic [REASONS-1:0]     why;
  logic                   next_forced, next_discarded;
  // The front packet.
  logic [$clog2(DEPTH+1)-1:0] flits;
  logic [$clog2(PLACES+1)-1:0] packets;
  logic                   finish;
  logic [LENGTH_W-1:0]    length;
  logic [SETS*PORTS-1:0]  set_ports;
  logic [SETS*VCS-1:0]    set_vcs;
  logic [SETS*HOPS_W-1:0] set_hops;
  logic [PORTS-1:0]       request, chosen, admitted;
  logic [VC_W-1:0]        out_vc, admitted_out_vc;
  logic                   forced, whole, has_next, has_third, asks;
  // What selection sees.
  logic [LENGTH_W-1:0]    seen_length;
  logic [SETS*PORTS-1:0]  seen_ports;
  logic [SETS*VCS-1:0]    seen_vcs;
  logic [SETS*HOPS_W-1:0] seen_hops;
  logic [PORTS-1:0]       seen_minimal, seen_accepts, open_ports, minimal_open;
  logic [PORTS-1:0]       open_global, open_local;
  logic [VCS*PORTS-1:0]   seen_free, fits, open;
  logic                   ahead, seen_forced, told;
  logic [VCS-1:0]         waiting_vcs;

  // Stage 2. The route of the next head of the buffer.
  dsv_routed_head #(
    .KIND(KIND), .PORT(PORT), .ONE_WAY(ONE_WAY), .ONE_COUNTED(ONE_COUNTED),
`include "dsv_route_config_pass.svh"
  ) next_head (
    .here_router, .wired, .exits, .rows, .from_vc(own_vc), .header(next),
    .random(tap[31:16]), .set_ports(next_ports), .set_vcs(next_vcs), .set_hops(next_hops), .forced(next_forced),
    .minimal(next_routed_minimal)
  );

  dsv_discard #(
    .PORTS(PORTS), .VCS(VCS), .NODES(NODES), .PORT(PORT), .DISCARDS(DISCARDS), .MANAGEMENT_VCS(MANAGEMENT_VCS)
  ) next_discard (
    .here_router, .to_router(next[dsv_pkg::ROUTER_AT +: ROUTER_W]), .from_vc(own_vc), .wired, .ports(next_ports[PORTS-1:0]), .why
  );
  assign next_minimal = next_routed_minimal & {PORTS{why == '0}};
  assign next_why     = why & {REASONS{next_discarded}};

  // Stage 4.
  dsv_vc #(
    .PORTS(PORTS), .VCS(VCS), .DEPTH(DEPTH), .RESERVED(RESERVED), .PLACES(PLACES), .FLIT_WIDTH(FLIT_WIDTH), .LONGEST(LONGEST),
    .COUNT_AT(COUNT_AT), .SELECT_AHEAD(SELECT_AHEAD), .SETS(SETS), .DISCARDS(DROPS), .MARKING(MARKING),
    .SYNCHRONOUS_BUFFERS(SYNCHRONOUS_BUFFERS), .LEAVING_W(LEAVING_W)
  ) vc (
    .clk, .rst, .fresh, .mark, .queued(flits), .exhausted, .takes_shared, .leaves_shared,
    .write, .write_head(flit_head), .write_tail(flit_tail), .write_data(flit_data),
    .store, .store_place, .fetch, .fetch_place, .fetched,
    .arriving_ports, .arriving_vcs, .arriving_hops, .arriving_forced, .arriving_minimal, .arriving_leaving,
    .next_ports, .next_vcs, .next_hops, .next_forced, .next_minimal, .next_leaving,
    .arriving_discards, .next_discards(why != '0), .chosen, .expires, .drop, .grant, .grant_output, .grant_out_vc(take_vc),
    .occupied, .packets, .finish, .waiting, .active, .discarding, .whole, .has_next, .has_third, .length,
    .set_ports, .set_vcs, .set_hops, .forced, .minimal, .leaving, .request, .out_vc, .front, .front_is_tail,
    .next, .next_counted, .arrival_rises, .next_rises,
    .write_error, .arrival_no_route, .next_no_route, .arrival_discarded, .next_discarded
  );

  // Of a waiting packet the VCs that it may take at the output that it is counted at.
  always_comb begin
    waiting_vcs = '0;
    for (int k = 0; k < SETS; k++)
      if ((set_ports[k*PORTS +: PORTS] & minimal) != '0) waiting_vcs = waiting_vcs | set_vcs[k*VCS +: VCS];
  end
  assign waits_port  = active ? request : waiting ? minimal : '0;
  assign waits_vcs   = active ? VCS'(1) << out_vc : waiting_vcs;
  assign waits_flits = CREDIT_W'(flits);

  // Whether it has waited for too long, or is too old.
  logic waits_too_long, is_old;
  assign expires = waits_too_long || waiting && is_old;
  generate if (LIFETIME != 0) begin : g_lifetime
    dsv_lifetime #(
      .PORTS(PORTS), .VCS(VCS), .NODES(NODES), .LOCALS(LOCALS), .NODE_VCS(NODE_VCS), .LOCAL_VCS(LOCAL_VCS), .GLOBAL_VCS(GLOBAL_VCS),
      .SPEEDUP(SPEEDUP), .LIFETIME(LIFETIME)
    ) lifetime (.clk, .rst, .waiting, .minimal, .vcs(waiting_vcs), .grant, .lifetimes, .stalled, .expires(waits_too_long), .gone(expires), .late_for);
  end else begin : g_no_lifetime
    logic unused_lifetimes;
    assign unused_lifetimes = &{1'b0, lifetimes, stalled};
    assign waits_too_long = 1'b0;
    assign late_for       = '0;
  end endgenerate
  generate if (PACKET_LIFETIME != 0) begin : g_ages
    dsv_packet_ages #(.PLACES(PLACES)) ages (.clk, .rst, .tick, .packets, .finish, .is_old);
  end else begin : g_no_ages
    logic unused_ages;
    assign unused_ages = &{1'b0, tick, packets, finish};
    assign is_old = 1'b0;
  end endgenerate

  // Selection sees the front packet. While that one leaves, and selection looks ahead, it sees the packet
  // behind it, which the tail will bring to the front. For that packet the VC that the tail gives back and
  // the output that it holds are free.
  assign ahead = SELECT_AHEAD != 0 && active;
  assign seen_ports   = ahead ? next_ports : set_ports;
  assign seen_vcs     = ahead ? next_vcs : set_vcs;
  assign seen_hops    = ahead ? next_hops : set_hops;
  assign seen_forced  = ahead ? next_forced : forced;
  assign seen_minimal = ahead ? next_counted : minimal;
  assign seen_length  = ahead ? next[dsv_pkg::LENGTH_AT +: LENGTH_W] : length;
  generate for (genvar c = 0; c < VCS; c++) begin : g_free
    assign seen_free[c*PORTS +: PORTS] = free[c*PORTS +: PORTS] | (request & {PORTS{ahead && out_vc == VC_W'(c)}});
  end endgenerate

  // A new packet is told what its group knows of the way that it is about to take.
  generate if (LISTENS) begin : g_told
    dsv_way_out #(.GROUPS(GROUPS), .KIND(KIND)) way_out (.here(here_router), .header(next), .leaving(next_leaving));
    if (KIND == dsv_pkg::PORT_KIND_NODE) begin : g_new
      logic [LEAVING_W-1:0] seen_leaving;
      assign seen_leaving = ahead ? next_leaving : leaving;
      assign told = seen_leaving[GROUP_W] && 1'(contended >> seen_leaving[GROUP_W-1:0]);
    end else begin : g_in_transit
      logic unused_contended;
      assign unused_contended = &{1'b0, contended};
      assign told = 1'b0;
    end
  end else begin : g_told_nothing
    logic unused_contended;
    assign unused_contended = &{1'b0, contended};
    assign next_leaving = '0;
    assign told = 1'b0;
  end endgenerate

  // A packet that leaves holds the output that it requests.
  assign seen_accepts = WHOLE_PACKETS ? accepts & ~(held & ~(request & {PORTS{active}})) : accepts;
  assign asks         = WHOLE_PACKETS ? occupied && !(waiting && taken) : occupied;

  // Where it may leave now.
  dsv_fits #(
    .PORTS(PORTS), .VCS(VCS), .CREDIT_W(CREDIT_W), .SHORTEST(SHORTEST), .LENGTHS(LENGTHS)
  ) room (.length(seen_length), .credits, .credited, .rooms, .fits);

  dsv_feasible #(.PORTS(PORTS), .VCS(VCS), .FLOW(FLOW), .SETS(SETS), .KINDS(HOP_KINDS), .OVERLAP(OVERLAP), .PORT_RULE(PORT_RULE)) feasible (
    .set_ports(seen_ports), .set_vcs(seen_vcs), .accepts(seen_accepts), .free(seen_free), .credited, .fits, .open, .minimal_open,
    .global_misroutes(open_global), .local_misroutes(open_local)
  );
  generate if (OVERLAP != 0 && PIPELINE > 4) begin : g_registered_hop
    // The head leaves by what was open when it was admitted: by the first set that holds the port and the VC that it was admitted for.
    logic unused_open;
    assign unused_open = &{1'b0, open_global, open_local};
    logic [PORTS-1:0] holds, earlier;
    always_comb begin
      global_misroutes = '0;
      local_misroutes  = '0;
      earlier          = '0;
      for (int k = 0; k < SETS; k++) begin
        holds = set_ports[k*PORTS +: PORTS] & {PORTS{1'(set_vcs[k*VCS +: VCS] >> want_out_vc)}} & ~earlier;
        if (HOP_KINDS[k*8 +: 8] == 8'(dsv_pkg::HOP_KIND_GLOBAL_MISROUTE)) global_misroutes = global_misroutes | holds;
        if (HOP_KINDS[k*8 +: 8] == 8'(dsv_pkg::HOP_KIND_LOCAL_MISROUTE))  local_misroutes = local_misroutes | holds;
        earlier = earlier | holds;
      end
    end
  end else begin : g_hop
    assign global_misroutes = open_global;
    assign local_misroutes  = open_local;
  end endgenerate

  // Stage 5, first half: of the front packet, whatever selection looks ahead at.
  dsv_admit #(
    .PORTS(PORTS), .VCS(VCS), .FLOW(FLOW), .SETS(SETS), .KINDS(HOP_KINDS), .OVERLAP(OVERLAP),
    .SEVERAL(SEVERAL), .VC_RULE(VC_RULE)
  ) admit (
    .occupied(asks), .waiting, .active, .whole, .set_ports, .set_vcs, .request, .out_vc, .random(tap[15:0]),
    .accepts(seen_accepts), .free(vacant), .credited, .fits, .open,
    .want(admitted), .want_out_vc(admitted_out_vc)
  );

  // What is discarded asks for nothing. In a pipeline of five a request is allocated in the next cycle.
  logic [PORTS-1:0] asked;
  assign want = asked & ~{PORTS{expires}};
  generate if (PIPELINE > 4) begin : g_registered
    dsv_admitted #(.PORTS(PORTS), .VCS(VCS)) request_register (
      .clk, .rst, .waiting, .admitted(admitted & ~{PORTS{expires}}), .admitted_out_vc, .match, .granted(PIPELINE > 5 ? grant : 1'b0),
      .grant_output, .has_next, .has_third, .accepts, .credited_twice, .credited_thrice, .seized, .want(asked), .want_out_vc
    );
  end else begin : g_at_once
    logic unused;
    assign unused = &{1'b0, match, has_next, has_third, credited_twice, credited_thrice, seized};
    assign asked       = admitted;
    assign want_out_vc = admitted_out_vc;
  end endgenerate

  always_comb begin
    open_ports = '0;
    for (int c = 0; c < VCS; c++) open_ports = open_ports | open[c*PORTS +: PORTS];
  end

  // Stage 3. What its draws come to is known a cycle ahead.
  localparam int unsigned LOCAL_W = LOCALS > 0 ? LOCALS : 1;
  localparam int unsigned MOST_MISROUTES = LOCAL_W > GLOBAL_W ? LOCAL_W : GLOBAL_W;
  localparam int unsigned MOST = SELECTS_BY == dsv_pkg::TRIGGER_ALWAYS ? PORTS : MOST_MISROUTES;
  localparam int unsigned MULTIPLES_W = MOST * $clog2(MOST + 1);
  localparam bit DRAWS = SELECTS_BY == dsv_pkg::TRIGGER_ALWAYS ? !SEVERAL : SELECTS_BY != dsv_pkg::TRIGGER_NEVER && !ONE_EACH;
  localparam bit DRAWS_AHEAD = DRAWS && !ONE_WAY && MOST <= dsv_pkg::DRAWS_AHEAD;
  logic [MULTIPLES_W-1:0] multiples;
  logic [LOCAL_W-1:0]     own_router;
  generate if (DRAWS_AHEAD) begin : g_draws
    logic [MULTIPLES_W-1:0] next_multiples;
    logic [LOCAL_W-1:0]     next_own_router;
    dsv_draws #(.LOCAL_W(LOCAL_W), .MOST(MOST)) draws (
      .tap(next_tap), .multiples(next_multiples), .own_router(next_own_router)
    );
    always_ff @(posedge clk) if (moves) {multiples, own_router} <= {next_multiples, next_own_router};
  end else begin : g_no_draws
    logic unused_draws;
    assign unused_draws = &{1'b0, moves, next_tap};
    assign {multiples, own_router} = '0;
  end endgenerate

  dsv_select #(
    .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .VCS(VCS),
    .NODE_VCS(NODE_VCS), .LOCAL_VCS(LOCAL_VCS), .GLOBAL_VCS(GLOBAL_VCS),
    .NODE_FLITS(NODE_FLITS), .LOCAL_FLITS(LOCAL_FLITS), .GLOBAL_FLITS(GLOBAL_FLITS),
    .CREDIT_W(CREDIT_W), .SUM_W(SUM_W), .GLOBAL_COUNT_W(GLOBAL_COUNT_W), .SHORTEST(SHORTEST), .LONGEST(LONGEST),
    .TRIGGER(SELECTS_BY), .UGAL_QUEUE(UGAL_QUEUE), .HOPS(HOPS), .COST_W(COST_W),
    .SETS(SETS), .KINDS(HOP_KINDS), .WAITS(KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP_EACH_CYCLE), .ONE_WAY(ONE_WAY),
    .ONE_COUNTED(ONE_COUNTED), .ONE_EACH(ONE_EACH), .LIFTED(LIFTED), .DRAWS_AHEAD(DRAWS_AHEAD), .SEVERAL(SEVERAL), .MOST(MOST)
  ) select (
    .set_ports(seen_ports), .set_vcs(seen_vcs), .set_hops(seen_hops), .forced(seen_forced), .minimal(seen_minimal), .length(seen_length),
    .tap, .multiples, .own_router, .open(open_ports), .minimal_open, .accepts, .fits, .used, .shares, .contention_fires, .contention_allows,
    .told, .queues, .thresholds, .global_mean, .global_count, .lifts, .request(chosen)
  );

  generate if (SEVERAL) begin : g_any_output
    // Of several outputs the granted one need not be the one whose VC was shown to the allocator.
    logic [VCS-1:0]  granted_open, members, drawn;
    logic [VC_W-1:0] drawn_vc;
    for (genvar c = 0; c < VCS; c++) begin : g_out_vc
      assign granted_open[c] = (open[c*PORTS +: PORTS] & grant_output) != '0;
    end
    assign members = VC_RULE == dsv_pkg::VC_RULE_FIRST ? granted_open & (~granted_open + 1'b1) : granted_open;
    dsv_draw #(.WIDTH(VCS)) draw_vc (.members, .random(tap[15:0]), .one(drawn));
    always_comb begin
      drawn_vc = '0;
      for (int c = 0; c < VCS; c++) drawn_vc = drawn_vc | (drawn[c] ? VC_W'(c) : '0);
    end
    assign take_vc = active ? out_vc : drawn_vc;
  end else begin : g_one_output
    assign take_vc = want_out_vc;
  end endgenerate
endmodule
