// Stage 2. Valiant's routing on a Dragonfly (router-core/src/route/valiant.rs): shortest hops to the intermediate group or router that the
// source has written into the header, and from there to the destination.
module dsv_route_valiant #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0]   to_port,
  input  logic             ahead,        // the intermediate point is ahead
  input  logic [dsv_pkg::VIA_BITS-1:0] via,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs
);
  localparam bit BY_GROUP = INTERMEDIATE == dsv_pkg::INTERMEDIATE_GROUP;
  localparam int unsigned GROUP_BITS = dsv_pkg::ADDRESS_GROUP_BITS;
  localparam logic [VCS-1:0] FIRST = VCS'(1);

  logic unused;

  logic known, arrived, destination_in_group;
  logic [PORTS-1:0] destination_links, destination_locals;
  dsv_dragonfly #(
`include "dsv_route_config_pass.svh"
  ) destination (
    .here_router, .to_router, .to_port, .known, .arrived, .same_group(destination_in_group),
    .own_links(destination_links), .local_ports(destination_locals)
  );

  // Where the packet is going now. A group is as well reached by any router of it.
  logic [ROUTER_W-1:0] via_router, target;
  logic via_exists;
  generate
    if (BY_GROUP) begin : g_group
      assign via_router = {via[GROUP_BITS-1:0], {dsv_pkg::ADDRESS_INDEX_BITS{1'b0}}};
      assign via_exists = via >> GROUP_BITS == '0;
    end else begin : g_router
      assign via_router = via;
      assign via_exists = 1'b1;
    end
  endgenerate
  assign target = ahead ? via_router : to_router;

  logic target_known, target_arrived, in_group;
  logic [PORTS-1:0] own_links, local_ports;
  dsv_dragonfly #(
`include "dsv_route_config_pass.svh"
  ) map (
    .here_router, .to_router(target), .to_port(dsv_pkg::PORT_BITS'(0)), .known(target_known), .arrived(target_arrived),
    .same_group(in_group), .own_links, .local_ports
  );
  assign unused = &{1'b0, destination_in_group, destination_links, destination_locals, target_arrived};

  // Through a group each hop takes the next VC. Through a router the two halves of the route have VCs of
  // their own: local 0 and 1, global 0, then local 2 and 3, global 1. After the global hop of a half it takes
  // the second of the local ones.
  logic [VCS-1:0] to_local, to_global;
  generate
    if (BY_GROUP) begin : g_rising
      logic [VCS-1:0] misroute;
      dsv_ladder #(.VCS(VCS)) ladder (.from_kind, .from_vc, .to_local, .to_global, .misroute);
      logic unused_vc;
      assign unused_vc = &{1'b0, misroute};
    end else begin : g_halves
      logic crossed;
      assign crossed = from_kind == 2'(dsv_pkg::PORT_KIND_GLOBAL) && 32'(from_vc) == 32'(!ahead);
      assign to_local = FIRST << {!ahead, crossed};
      assign to_global = FIRST << !ahead;
    end
  endgenerate

  logic owns_link;
  assign owns_link = |own_links && !in_group;

  always_comb begin
    minimal_ports = owns_link ? own_links : local_ports;
    minimal_vcs = owns_link ? to_global : to_local;
    if (ahead ? !target_known || !via_exists : arrived) begin
      minimal_ports = ahead ? '0 : PORTS'(1) << to_port & wired;
      minimal_vcs = '1;
    end
    if (!known) minimal_ports = '0;
    if (minimal_ports == '0) minimal_vcs = '0;
  end
endmodule
