// Stage 2. Misrouting in transit on a Dragonfly, in mixed mode (router-core/src/route/in_transit.rs).
// Progressive adaptive routing (par.rs) has a VC for each hop of the longest route. Restricted local
// misrouting (rlm.rs) has a VC for each group and few pairs of local hops that may follow each other.
module dsv_route_in_transit #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [PORTS-1:0] exits,
  input  logic [PORTS-1:0] from_port,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0]   to_port,
  input  dsv_pkg::progress_t progress,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs,
  output logic [PORTS-1:0] global_ports,
  output logic [VCS-1:0]   global_vcs,
  output logic [PORTS-1:0] local_ports,
  output logic [VCS-1:0]   local_vcs,
  output logic             forced,
  output logic [PORTS-1:0] passed_over
);
  localparam bit IS_RESTRICTED = ROUTING == dsv_pkg::ROUTING_RLM;
  localparam bit INTERMEDIATE_TOO = IS_RESTRICTED || LOCAL_MISROUTING != 0;
  localparam bit DESTINATION_TOO = IS_RESTRICTED || LOCAL_MISROUTING == 1;
  localparam logic [VCS-1:0] FIRST = VCS'(1);
  localparam logic [PORTS-1:0] ALL_LOCALS = ~({PORTS{1'b1}} << LOCALS) << NODES;
  localparam logic [PORTS-1:0] ALL_GLOBALS = {PORTS{1'b1}} << (NODES + LOCALS);

  logic known, arrived, same_group;
  logic [PORTS-1:0] own_links, goals;
  dsv_dragonfly #(
`include "dsv_route_config_pass.svh"
  ) map (
    .here_router, .to_router, .to_port, .known, .arrived, .same_group, .own_links, .local_ports(goals)
  );

  // Where the packet is on its route.
  logic injected, came_local, inter_group, owns_link;
  assign injected = from_kind == 2'(dsv_pkg::PORT_KIND_NODE);
  assign came_local = from_kind == 2'(dsv_pkg::PORT_KIND_LOCAL);
  assign inter_group = known && !same_group;
  assign owns_link = |own_links && !same_group;
  assign forced = inter_group && progress.must_leave;

  // VCs: one for each global link of a route, and one for each of its local hops, or for those of each group.
  logic [VCS-1:0] next_local, next_global, same, local_vc, global_vc;
  dsv_ladder #(.VCS(VCS)) ladder (.from_kind, .from_vc, .to_local(next_local), .to_global(next_global), .misroute(same));
  logic unused;
  assign unused = &{1'b0, progress, next_global, same};
  assign global_vc = progress.left_origin ? FIRST << 1 : FIRST;
  generate
    if (IS_RESTRICTED) begin : g_vc_of_group
      assign local_vc = came_local ? same : next_local;
    end else begin : g_vc_of_hop
      localparam int unsigned LAST_GROUP = LOCAL_MISROUTING != 0 ? 4 : 3;
      assign local_vc = injected || came_local ? next_local : from_vc == '0 ? FIRST << 2 : FIRST << LAST_GROUP;
    end
  endgenerate

  // The local ports that may follow the hop that brought the packet, and those behind which it may go on to a goal.
  logic [PORTS-1:0] may_follow, may_lead;
  generate
    if (IS_RESTRICTED && LOCALS > 0) begin : g_pairs
      logic [LOCALS-1:0] follow, lead;
      dsv_parity_sign #(.LOCALS(LOCALS)) pairs (
        .here_index(here_router[dsv_pkg::ADDRESS_INDEX_BITS-1:0]), .came_local, .from_local(from_port[NODES +: LOCALS]),
        .goals(goals[NODES +: LOCALS]), .may_follow(follow), .may_lead(lead)
      );
      assign may_follow = PORTS'(follow) << NODES;
      assign may_lead = PORTS'(lead) << NODES;
    end else begin : g_any
      assign {may_follow, may_lead} = '1;
    end
  endgenerate

  // The minimal hops: a packet that has to leave its group does so by a link or not at all.
  assign passed_over = forced && !owns_link && (ALL_GLOBALS & wired) != '0 ? goals : '0;
  always_comb begin
    minimal_ports = owns_link ? own_links : forced ? '0 : goals & may_follow;
    if (arrived) minimal_ports = PORTS'(1) << to_port & wired;
    if (!known) minimal_ports = '0;
    minimal_vcs = arrived ? '1 : owns_link ? global_vc : local_vc;
    if (minimal_ports == '0) minimal_vcs = '0;
  end

  // Global misroutes: where the packet is injected for another group, and where it has to leave.
  always_comb begin
    global_ports = ALL_GLOBALS & wired;
    if (owns_link) global_ports &= ~own_links;
    if (!forced && !(inter_group && injected && !progress.left_origin)) global_ports = '0;
    global_vcs = global_ports == '0 ? '0 : forced ? global_vc : FIRST;
  end

  // Local misroutes: from the owner of the minimal link to a router that can leave the origin group, or as the first hop in a later one.
  logic at_owner, enters, later;
  assign at_owner = inter_group && owns_link && !forced && !progress.left_origin && !injected;
  assign enters = known && !arrived && !came_local;
  assign later = enters && (same_group ? DESTINATION_TOO
                                       : INTERMEDIATE_TOO && !owns_link && !forced && progress.left_origin);
  always_comb begin
    local_ports = ALL_LOCALS & wired & ~from_port;
    if (at_owner) local_ports &= exits & may_follow;
    else local_ports &= ~goals & may_lead;
    if (!at_owner && !later) local_ports = '0;
    local_vcs = local_ports != '0 ? local_vc : '0;
  end
endmodule
