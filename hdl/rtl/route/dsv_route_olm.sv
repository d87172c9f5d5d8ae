// Stage 2. On-the-fly local misrouting on a Dragonfly (router-core/src/route/olm.rs, docs/olm.md): the
// minimal hops, and the misroutes that rules and policy allow at this point of the route.
module dsv_route_olm #(
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
  localparam logic [VCS-1:0] FIRST = VCS'(1);
  localparam logic [PORTS-1:0] ALL_LOCALS = ~({PORTS{1'b1}} << LOCALS) << NODES;
  localparam logic [PORTS-1:0] ALL_GLOBALS = {PORTS{1'b1}} << (NODES + LOCALS);
  // Bit n: n local misroutes leave room for one more.
  localparam logic [7:0] MORE = LOCAL_MISROUTING != 0 ? ~(8'hff << LIMIT) : '0;
  // What the policy offers at injection, and in transit through the origin group.
  localparam bit IS_FREE = RULES == dsv_pkg::RULES_FREE;
  localparam bit IS_RRG = POLICY == dsv_pkg::POLICY_RRG;
  localparam bit IS_CRG = POLICY == dsv_pkg::POLICY_CRG;
  localparam bit IS_NRG = POLICY == dsv_pkg::POLICY_NRG;
  localparam bit GLOBAL_INJECTED = !IS_NRG;
  localparam bit GLOBAL_TRANSIT = IS_RRG || IS_CRG;
  localparam bit LOCAL_INJECTED = IS_FREE && (IS_RRG || IS_NRG);
  localparam bit LOCAL_TRANSIT = !IS_CRG;

  logic known, arrived, same_group;
  logic [PORTS-1:0] own_links, exit_ports;
  dsv_dragonfly #(
`include "dsv_route_config_pass.svh"
  ) map (
    .here_router, .to_router, .to_port, .known, .arrived, .same_group, .own_links,
    .local_ports(exit_ports)
  );

  logic [VCS-1:0] to_local, to_global, misroute;
  dsv_ladder #(.VCS(VCS)) ladder (.from_kind, .from_vc, .to_local, .to_global, .misroute);

  logic unused;
  assign unused = &{1'b0, progress};

  // Where the packet is on its route.
  logic injected, inter_group, owns_link, at_origin, leaving;
  assign injected = from_kind == 2'(dsv_pkg::PORT_KIND_NODE);
  assign inter_group = known && !same_group;
  assign owns_link = |own_links && !same_group;
  assign at_origin = inter_group && !progress.left_origin && !progress.must_leave;
  assign leaving = inter_group && progress.must_leave;
  assign forced = leaving;

  // The minimal hops: a packet that has to leave does so by a link or not at all.
  logic [PORTS-1:0] towards;
  assign passed_over = leaving && !owns_link && (ALL_GLOBALS & wired) != '0 ? exit_ports : '0;
  assign towards = owns_link ? own_links : exit_ports;
  always_comb begin
    minimal_ports = towards;
    if (leaving && !owns_link) minimal_ports = '0;
    if (arrived) minimal_ports = PORTS'(1) << to_port & wired;
    if (!known) minimal_ports = '0;
    minimal_vcs = arrived ? '1 : owns_link ? to_global : to_local;
    if (minimal_ports == '0) minimal_vcs = '0;
  end

  // Global misroutes, in the origin group only: where they are legal by rules g to l and the policy offers
  // them, or by any link out of the group that the packet has to leave.
  logic global_at_origin;
  assign global_at_origin = at_origin
                         && (injected ? GLOBAL_INJECTED : GLOBAL_TRANSIT && (IS_FREE || !owns_link));
  always_comb begin
    global_ports = ALL_GLOBALS & wired & ~minimal_ports;
    if (!global_at_origin && !leaving) global_ports = '0;
    global_vcs = global_ports != '0 ? FIRST : '0;
  end

  // Local misroutes: to a router that can leave the origin group, or anywhere else within the limit (rules m
  // and n).
  logic local_at_origin, local_later;
  assign local_at_origin = at_origin && (injected ? LOCAL_INJECTED : LOCAL_TRANSIT && owns_link);
  assign local_later = MORE[progress.local_misroutes] && known && !arrived
                     && (same_group || !progress.must_leave && progress.left_origin && !owns_link);
  always_comb begin
    local_ports = ALL_LOCALS & wired & ~towards & ~from_port;
    if (local_at_origin) local_ports &= exits;
    if (!local_at_origin && !local_later) local_ports = '0;
    local_vcs = local_ports == '0 ? '0 : local_at_origin ? FIRST : misroute;
  end
endmodule
