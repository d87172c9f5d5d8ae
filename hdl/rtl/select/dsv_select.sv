// Stage 3. Selection: the outputs that a waiting packet asks for (router-core/src/select.rs,
// `Selection::choose`). It knows credits and counters and never the map. The minimal output, unless the
// trigger fires and one misroute, drawn at random among those offered, is valid at this moment:
// ESCAPE-REQUESTED. Where packets wait for detours (WAITS) that one need not have room, as both ways respect the order.
//
// Draws from registered candidates run beside the thresholds; only the final choice waits for both.
module dsv_select #(
  parameter  int unsigned NODES          = dsv_pkg::DEFAULT_NODES,
  parameter  int unsigned LOCALS         = dsv_pkg::DEFAULT_LOCALS,
  parameter  int unsigned GLOBALS        = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned VCS            = dsv_pkg::DEFAULT_VCS,
  parameter  int unsigned NODE_VCS       = dsv_pkg::DEFAULT_NODE_VCS,
  parameter  int unsigned LOCAL_VCS      = dsv_pkg::DEFAULT_LOCAL_VCS,
  parameter  int unsigned GLOBAL_VCS     = dsv_pkg::DEFAULT_GLOBAL_VCS,
  parameter  int unsigned NODE_FLITS     = dsv_pkg::DEFAULT_NODE_FLITS,
  parameter  int unsigned LOCAL_FLITS    = dsv_pkg::DEFAULT_LOCAL_FLITS,
  parameter  int unsigned GLOBAL_FLITS   = dsv_pkg::DEFAULT_GLOBAL_FLITS,
  parameter  int unsigned CREDIT_W       = $clog2(GLOBAL_FLITS + 1),
  parameter  int unsigned SUM_W          = GLOBALS > 0 ? $clog2(GLOBALS * GLOBAL_FLITS + 1) : 1,
  parameter  int unsigned GLOBAL_COUNT_W = GLOBALS > 0 ? $clog2(GLOBALS + 1) : 1,
  parameter  int unsigned SHORTEST       = dsv_pkg::DEFAULT_SHORTEST,
  parameter  int unsigned LONGEST        = dsv_pkg::DEFAULT_LONGEST,
  parameter  int unsigned TRIGGER        = dsv_pkg::DEFAULT_TRIGGER,
  parameter  int unsigned UGAL_QUEUE     = dsv_pkg::DEFAULT_UGAL_QUEUE,
  // Most hops of a way, and the bits of a queue times hops (dsv_queues).
  parameter  int unsigned HOPS           = 1,
  parameter  int unsigned COST_W         = CREDIT_W + $clog2(VCS) + $clog2(HOPS + 1),
  // Sets of candidates, and the kind of hop of each in a byte.
  parameter  int unsigned SETS           = 3,
  parameter  logic [31:0] KINDS          = 32'h020100,
  // Whether a packet waits for a detour that is good enough until it has room.
  parameter  bit          WAITS          = 1'b0,
  // Whether a packet never has more than one candidate.
  parameter  bit          ONE_WAY        = 1'b0,
  parameter  bit          ONE_COUNTED    = 1'b0,
  // Whether a packet has one minimal hop and one detour at most, a global misroute by any port.
  parameter  bit          ONE_EACH       = 1'b0,
  parameter  bit          LIFTED         = 1'b0,
  // Whether what the draws come to is known (dsv_draws).
  parameter  bit          DRAWS_AHEAD    = 1'b0,
  // TRIGGER_ALWAYS: whether every candidate with room is requested at once, or one of them.
  parameter  bit          SEVERAL        = 1'b0,
  // Members that are drawn from at most, where that is known ahead: of the ports of one kind, or of all.
  parameter  int unsigned MOST           = 3,
  localparam int unsigned LOCAL_W        = LOCALS > 0 ? LOCALS : 1,
  localparam int unsigned GLOBAL_W       = GLOBALS > 0 ? GLOBALS : 1,
  localparam int unsigned MULTIPLES_W    = MOST * $clog2(MOST + 1),
  localparam int unsigned PORTS          = NODES + LOCALS + GLOBALS,
  localparam int unsigned MEAN_W         = SUM_W + 8,
  localparam int unsigned SHARE_W        = CREDIT_W + 16,
  localparam int unsigned QUEUES         = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_VC ? VCS : 1
) (
  // The waiting packet: its candidates, where it is counted, its flits, its random bits of this cycle.
  input  logic [SETS*PORTS-1:0] set_ports,
  input  logic [SETS*VCS-1:0]   set_vcs,
  input  logic [SETS*dsv_pkg::HOPS_BITS-1:0] set_hops,
  input  logic             forced,
  input  logic [PORTS-1:0] minimal,
  input  logic [dsv_pkg::LENGTH_BITS-1:0] length,
  input  logic [31:0]      tap,
  input  logic [MULTIPLES_W-1:0] multiples,
  input  logic [LOCAL_W-1:0] own_router,
  // The outputs. Candidate ports by which its head may leave now, and on a minimal hop. FIFOs that take a
  // flit, and whether VC c of port p has room for all of it (bit c*PORTS + p). Places in use, and the
  // relative threshold times that.
  input  logic [PORTS-1:0] open,
  input  logic [PORTS-1:0] minimal_open,
  input  logic [PORTS-1:0] accepts,
  input  logic [VCS*PORTS-1:0] fits,
  input  logic [PORTS*VCS*CREDIT_W-1:0] used,
  input  logic [PORTS*VCS*SHARE_W-1:0]  shares,
  input  logic [PORTS-1:0] contention_fires,
  input  logic [PORTS-1:0] contention_allows,
  // TRIGGER_UGAL: the queues of each output, times each number of hops.
  input  logic [PORTS*QUEUES*HOPS*COST_W-1:0] queues,
  // TRIGGER_ECTN, and TRIGGER_UGAL where packets heed flags: the group says that the packet's way to another one is contended.
  input  logic             told,
  input  logic [VCS*MEAN_W-1:0]     global_mean,
  input  logic [GLOBAL_COUNT_W-1:0] global_count,
  input  logic [VCS*GLOBAL_W-1:0]   lifts,
  input  dsv_pkg::thresholds_t      thresholds,
  output logic [PORTS-1:0] request
);
  localparam bit BY_OCCUPANCY = TRIGGER == dsv_pkg::TRIGGER_OCCUPANCY
                             || TRIGGER == dsv_pkg::TRIGGER_HYBRID;
  localparam bit BY_COUNT = TRIGGER == dsv_pkg::TRIGGER_CONTENTION
                         || TRIGGER == dsv_pkg::TRIGGER_HYBRID
                         || TRIGGER == dsv_pkg::TRIGGER_CONTENTION_AVERAGE
                         || TRIGGER == dsv_pkg::TRIGGER_ECTN;
  localparam bit BY_QUEUE = TRIGGER == dsv_pkg::TRIGGER_UGAL;
  localparam bit LISTENS = TRIGGER == dsv_pkg::TRIGGER_ECTN;
  localparam int unsigned FIRST_GLOBAL = NODES + LOCALS;
  localparam int unsigned LOCAL_COUNT_W = $clog2(LOCAL_W + 1);
  localparam int unsigned PORT_USED_W = VCS * CREDIT_W;
  localparam int unsigned PORT_SHARE_W = VCS * SHARE_W;
  localparam logic [VCS-1:0] NODE_MASK = ~({VCS{1'b1}} << NODE_VCS);
  localparam logic [VCS-1:0] LOCAL_MASK = ~({VCS{1'b1}} << LOCAL_VCS);
  localparam logic [VCS-1:0] GLOBAL_MASK = ~({VCS{1'b1}} << GLOBAL_VCS);

  // The VC whose occupancy stands for a set at a port: the first that the port has, else VC 0.
  function automatic logic [VCS-1:0] first_of(input logic [VCS-1:0] vcs);
    first_of = vcs == '0 ? VCS'(1) : vcs & (~vcs + VCS'(1));
  endfunction

  // The ports of each kind of hop.
  localparam logic [7:0] MINIMAL = 8'(dsv_pkg::HOP_KIND_MINIMAL);
  localparam logic [7:0] GLOBAL = 8'(dsv_pkg::HOP_KIND_GLOBAL_MISROUTE);
  localparam logic [7:0] LOCAL = 8'(dsv_pkg::HOP_KIND_LOCAL_MISROUTE);
  logic [PORTS-1:0] minimal_ports, global_ports, local_ports;
  always_comb begin
    minimal_ports = '0;
    global_ports  = '0;
    local_ports   = '0;
    for (int k = 0; k < SETS; k++) begin
      if (KINDS[k*8 +: 8] == MINIMAL) minimal_ports = minimal_ports | set_ports[k*PORTS +: PORTS];
      if (KINDS[k*8 +: 8] == GLOBAL)  global_ports = global_ports | set_ports[k*PORTS +: PORTS];
      if (KINDS[k*8 +: 8] == LOCAL)   local_ports = local_ports | set_ports[k*PORTS +: PORTS];
    end
  end

  // Not every trigger reads all of it.
  logic unused;
  assign unused = &{1'b0, minimal_open, set_vcs, length, tap, multiples, own_router, accepts, fits, used, shares, contention_fires,
                    contention_allows, told, set_hops, queues, global_mean, global_count, lifts, thresholds};

  // The draw among the outputs that are open, and the detour if one is valid.
  logic [PORTS-1:0] members, drawn, detour;
  generate if (TRIGGER == dsv_pkg::TRIGGER_ALWAYS && DRAWS_AHEAD) begin : g_draw_known
    dsv_drawn_member #(.WIDTH(PORTS), .MOST(MOST)) draw_open (.members, .multiples, .one(drawn));
  end else if (TRIGGER == dsv_pkg::TRIGGER_ALWAYS && !SEVERAL) begin : g_draw_late
    // Its members wait for admission: the products of up to 16 of them are there before.
    dsv_draw #(.WIDTH(PORTS), .AHEAD(16)) draw_open (.members, .random(tap[31:16]), .one(drawn));
  end else if (ONE_EACH && TRIGGER != dsv_pkg::TRIGGER_ALWAYS) begin : g_no_draw
    assign drawn = members;
  end else if (ONE_COUNTED && TRIGGER != dsv_pkg::TRIGGER_ALWAYS) begin : g_draw_global
    // No packet has several minimal hops, and one that has to leave its group does so by a global port.
    logic [GLOBAL_W-1:0] one;
    if (DRAWS_AHEAD) begin : g_known
      dsv_drawn_member #(.WIDTH(GLOBAL_W), .MOST(MOST)) draw_open (.members(GLOBAL_W'(members >> FIRST_GLOBAL)), .multiples, .one);
    end else begin : g_at_once
      dsv_draw #(.WIDTH(GLOBAL_W)) draw_open (.members(GLOBAL_W'(members >> FIRST_GLOBAL)), .random(tap[31:16]), .one);
    end
    assign drawn = PORTS'(one) << FIRST_GLOBAL;
  end else begin : g_draw_any
    dsv_draw #(.WIDTH(PORTS)) draw_open (.members, .random(tap[31:16]), .one(drawn));
  end endgenerate

  generate
    if (TRIGGER == dsv_pkg::TRIGGER_ALWAYS) begin : g_always
      // Every candidate with room: at once, or one of them.
      logic unused_candidates;
      assign unused_candidates = &{1'b0, forced, drawn, detour};
      assign members = open != '0 ? open : minimal_ports != '0 ? minimal : global_ports | local_ports;
      assign request = SEVERAL ? members : drawn;
    end else if (ONE_WAY) begin : g_one_way
      logic unused_candidates;
      assign unused_candidates = &{1'b0, minimal_ports, global_ports, local_ports, forced, open, drawn, detour};
      assign members = '0;
      assign request = minimal;
    end else begin : g_one
      // A forced packet takes any open output, else waits for any; another one the minimal output, or where
      // several are minimal and its own has no room one that has.
      logic own_is_open;
      assign own_is_open = (minimal_open & minimal) != '0;
      assign members = !forced ? minimal_open
                     : open != '0 ? open : minimal_ports | global_ports | local_ports;
      always_comb begin
        if (forced) request = drawn;
        else if (minimal_ports == '0) request = '0;
        else if (detour != '0) request = detour;
        else if (own_is_open || minimal_open == '0) request = minimal;
        else request = drawn;
      end
    end

    if ((BY_OCCUPANCY || BY_COUNT || BY_QUEUE) && !ONE_WAY) begin : g_detour
      // Stage 3a. One misroute of each kind, drawn beside the choice of the kind. Where both kinds are
      // offered, the router to misroute from is drawn: the own one, or one of those behind the local ports;
      // the own one for certain where there are none.
      logic [LOCAL_W-1:0] local_members, local_one, drawn_own;
      logic [GLOBAL_W-1:0] global_members, global_one;
      logic [LOCAL_COUNT_W-1:0] local_count;
      logic from_here, is_global;
      logic [PORTS-1:0] candidate;
      assign local_members  = LOCAL_W'(local_ports >> NODES);
      assign global_members = GLOBAL_W'(global_ports >> FIRST_GLOBAL);
      if (ONE_EACH) begin : g_one_each
        logic unused_draws;
        assign unused_draws = &{1'b0, global_members, local_one, global_one, is_global};
        assign {local_one, global_one, drawn_own} = '0;
      end else if (DRAWS_AHEAD) begin : g_known
        dsv_drawn_member #(.WIDTH(LOCAL_W), .MOST(MOST)) draw_local (.members(local_members), .multiples, .one(local_one));
        dsv_drawn_member #(.WIDTH(GLOBAL_W), .MOST(MOST)) draw_global (.members(global_members), .multiples, .one(global_one));
        assign drawn_own = own_router;
      end else begin : g_at_once
        logic [MULTIPLES_W-1:0] unused_multiples;
        dsv_draw #(.WIDTH(LOCAL_W)) draw_local (.members(local_members), .random(tap[31:16]), .one(local_one));
        dsv_draw #(.WIDTH(GLOBAL_W)) draw_global (.members(global_members), .random(tap[31:16]), .one(global_one));
        dsv_draws #(.LOCAL_W(LOCAL_W), .MOST(MOST)) draws (.tap, .multiples(unused_multiples), .own_router(drawn_own));
      end
      always_comb begin
        local_count = LOCAL_COUNT_W'($countones(local_members));
        from_here = local_count == '0;
        for (int n = 1; n <= LOCALS; n++) from_here = from_here || (local_count == LOCAL_COUNT_W'(n) && drawn_own[n-1]);
      end
      assign is_global = global_ports != '0 && from_here;
      assign candidate = ONE_EACH ? global_ports : is_global ? PORTS'(global_one) << FIRST_GLOBAL : PORTS'(local_one) << NODES;

      // Stage 3b. What the counters say.
      logic valid_by_count;
      if (LISTENS) begin : g_by_group
        assign valid_by_count = ((contention_fires & minimal) != '0 || told) && (contention_allows & candidate) != '0;
      end else if (BY_COUNT) begin : g_by_count
        assign valid_by_count = (contention_fires & minimal) != '0 && (contention_allows & candidate) != '0;
      end else begin : g_not_by_count
        assign valid_by_count = 1'b0;
      end

      // Stage 3c. What the credits say.
      logic valid_by_occupancy;
      if (BY_OCCUPANCY) begin : g_by_occupancy
        logic occupancy_fires, occupancy_allows;
        logic minimal_is_local, minimal_is_global;
        logic [VCS-1:0] minimal_vcs, minimal_vc;
        assign minimal_is_global = (minimal >> FIRST_GLOBAL) != '0;
        assign minimal_is_local = LOCAL_W'(minimal >> NODES) != '0 && LOCALS > 0;
        dsv_set_at #(.PORTS(PORTS), .VCS(VCS), .SETS(SETS), .KINDS(KINDS), .KIND(MINIMAL)) minimal_set (
          .set_ports, .set_vcs, .port(minimal), .vcs(minimal_vcs)
        );
        assign minimal_vc = first_of(minimal_vcs & (minimal_is_global ? GLOBAL_MASK
                                                    : minimal_is_local ? LOCAL_MASK : NODE_MASK));

        // The places in use of the VC that would count at each port, before one of these is drawn.
        logic [PORTS*CREDIT_W-1:NODES*CREDIT_W] used_at;
        for (genvar p = NODES; p < PORTS; p++) begin : g_used_at
          localparam bit IS_GLOBAL = p >= FIRST_GLOBAL;
          localparam logic [PORTS-1:0] PORT = PORTS'(1) << p;
          logic [VCS-1:0] set_at, vc;
          dsv_set_at #(.PORTS(PORTS), .VCS(VCS), .SETS(SETS), .KINDS(KINDS), .KIND(IS_GLOBAL ? GLOBAL : LOCAL)) detour_set (
            .set_ports, .set_vcs, .port(PORT), .vcs(set_at)
          );
          assign vc = first_of(set_at & (IS_GLOBAL ? GLOBAL_MASK : LOCAL_MASK));
          always_comb begin
            used_at[p*CREDIT_W +: CREDIT_W] = '0;
            for (int c = 0; c < VCS; c++)
              used_at[p*CREDIT_W +: CREDIT_W] |= {CREDIT_W{vc[c]}} & used[(p*VCS + c)*CREDIT_W +: CREDIT_W];
          end
        end

        // The places in use of the minimal port's VCs, then of the one that counts.
        logic [PORT_USED_W-1:0] minimal_port_used;
        logic [CREDIT_W-1:0] minimal_used, detour_used;
        logic [PORT_SHARE_W-1:0] minimal_port_shares;
        logic [SHARE_W-1:0] minimal_share;
        logic [MEAN_W-1:0] mean;
        logic has_room, lifted;
        always_comb begin
          minimal_port_used = '0;
          minimal_port_shares = '0;
          detour_used = '0;
          for (int p = 0; p < PORTS; p++) begin
            minimal_port_used |= {PORT_USED_W{minimal[p]}} & used[p*PORT_USED_W +: PORT_USED_W];
            minimal_port_shares |= {PORT_SHARE_W{minimal[p]}} & shares[p*PORT_SHARE_W +: PORT_SHARE_W];
          end
          for (int p = NODES; p < PORTS; p++) detour_used |= {CREDIT_W{candidate[p]}} & used_at[p*CREDIT_W +: CREDIT_W];
        end
        always_comb begin
          minimal_used = '0;
          minimal_share = '0;
          has_room = 1'b0;
          lifted = 1'b0;
          mean = '0;
          for (int c = 0; c < VCS; c++) begin
            minimal_used |= {CREDIT_W{minimal_vc[c]}} & minimal_port_used[c*CREDIT_W +: CREDIT_W];
            minimal_share |= {SHARE_W{minimal_vc[c]}} & minimal_port_shares[c*SHARE_W +: SHARE_W];
            has_room |= minimal_vc[c] && (fits[c*PORTS +: PORTS] & accepts & minimal) != '0;
          end
          for (int c = 0; c < GLOBAL_VCS; c++) begin
            mean |= {MEAN_W{minimal_vc[c]}} & global_mean[c*MEAN_W +: MEAN_W];
            lifted |= minimal_vc[c] && (lifts[c*GLOBAL_W +: GLOBAL_W] & GLOBAL_W'(minimal >> FIRST_GLOBAL)) != '0;
          end
        end

        dsv_trigger_occupancy #(
          .NODE_FLITS(NODE_FLITS), .LOCAL_FLITS(LOCAL_FLITS), .GLOBAL_FLITS(GLOBAL_FLITS),
          .CREDIT_W(CREDIT_W), .SUM_W(SUM_W), .GLOBAL_COUNT_W(GLOBAL_COUNT_W), .SHORTEST(SHORTEST), .LONGEST(LONGEST),
          .LIFTED(LIFTED)
        ) trigger (
          .minimal_is_global, .minimal_is_local, .blocked(!has_room), .used(minimal_used), .share(minimal_share),
          .global_mean(mean), .global_count, .lifted, .length(CREDIT_W'(length)), .detour_is_global(is_global), .detour_used,
          .thresholds, .fires(occupancy_fires), .allows(occupancy_allows)
        );
        assign valid_by_occupancy = thresholds.occupancy_enable && occupancy_fires && occupancy_allows;
      end else begin : g_not_by_occupancy
        assign valid_by_occupancy = 1'b0;
      end

      // Stage 3d. What the queues say, and the hops behind them.
      logic valid_by_queue;
      if (BY_QUEUE) begin : g_by_queue
        logic is_better;
        dsv_trigger_ugal #(
          .PORTS(PORTS), .VCS(VCS), .UGAL_QUEUE(UGAL_QUEUE), .HOPS(HOPS), .COST_W(COST_W), .SETS(SETS), .KINDS(KINDS),
          .FIRST(ONE_EACH ? 0 : FIRST_GLOBAL), .DRAWN(!ONE_EACH)
        ) trigger (
          .set_ports, .set_vcs, .set_hops, .minimal, .detour(candidate), .queues, .bias(thresholds.ugal_bias), .is_better
        );
        assign valid_by_queue = is_better || told;
      end else begin : g_not_by_queue
        assign valid_by_queue = 1'b0;
      end

      assign detour = valid_by_occupancy || valid_by_count || valid_by_queue ? candidate & (open | {PORTS{WAITS}}) : '0;
    end else begin : g_no_detour
      assign detour = '0;
    end
  endgenerate
endmodule
