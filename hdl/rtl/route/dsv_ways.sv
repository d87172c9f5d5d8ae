// Stage 2. The two ways of a new packet on a Dragonfly (router-core/src/route/ugal_dragonfly.rs): a shortest route, and Valiant's by the
// intermediate point in its header, each with its hops; and where the shortest one leaves the group. Behind the first router the shortest
// one is what Valiant's routing has.
module dsv_ways #(
`include "dsv_route_config.svh"
  localparam int unsigned HOPS_W = dsv_pkg::HOPS_BITS,
  localparam int unsigned LINK_W = GLOBALS > 1 ? $clog2(GLOBALS) : 1
) (
  input  logic [dsv_pkg::ROUTER_BITS-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  dsv_pkg::header_t header,
  output logic             is_new,         // the packet has come from its node, for another router
  output logic             elsewhere,      // its intermediate point is neither of its two ends
  output logic [PORTS-1:0] shortest_ports,
  output logic [VCS-1:0]   shortest_vcs,
  output logic [HOPS_W-1:0] shortest_hops,
  output logic             leaves,         // the shortest way leaves the group,
  output logic [LINK_W-1:0] link,          // by this one of the global links of the router that has it
  output logic [PORTS-1:0] around_ports,
  output logic [VCS-1:0]   around_vcs,
  output logic [HOPS_W-1:0] around_hops
);
  localparam bit BY_GROUP = INTERMEDIATE == dsv_pkg::INTERMEDIATE_GROUP;
  localparam int unsigned GROUP_BITS = dsv_pkg::ADDRESS_GROUP_BITS;

  dsv_pkg::address_t here, to, via;
  assign here = here_router;
  assign to = header.router;
  assign via = BY_GROUP ? {header.via[GROUP_BITS-1:0], dsv_pkg::ADDRESS_INDEX_BITS'(0)} : header.via;

  logic ahead;
  assign is_new = from_kind == 2'(dsv_pkg::PORT_KIND_NODE) && header.router != here_router;
  assign elsewhere = BY_GROUP ? header.via != dsv_pkg::VIA_BITS'(here.group) && header.via != dsv_pkg::VIA_BITS'(to.group)
                   : header.via != here_router && header.via != header.router;
  dsv_via_ahead #(.INTERMEDIATE(INTERMEDIATE)) is_ahead (.here_router, .header, .ahead);

  dsv_route_valiant #(
`include "dsv_route_config_pass.svh"
  ) shortest (
    .here_router, .wired, .from_kind, .from_vc, .to_router(header.router), .to_port(header.port), .ahead(ahead && !is_new),
    .via(header.via), .minimal_ports(shortest_ports), .minimal_vcs(shortest_vcs)
  );
  dsv_route_valiant #(
`include "dsv_route_config_pass.svh"
  ) around (
    .here_router, .wired, .from_kind, .from_vc, .to_router(header.router), .to_port(header.port), .ahead(1'b1),
    .via(header.via), .minimal_ports(around_ports), .minimal_vcs(around_vcs)
  );

  // Hops by either way: through a group, from where the link to it lands.
  localparam int unsigned INDEX_W = dsv_pkg::ADDRESS_INDEX_BITS;
  logic [1:0] shortest_length, out_length, back_length, shortest_exit, out_exit, back_exit;
  logic [INDEX_W-1:0] shortest_landing, out_landing, back_landing;
  logic [LINK_W-1:0] out_link, back_link;
  dsv_pkg::address_t point;
  assign point = BY_GROUP ? {via.group, out_landing} : via;
  dsv_leg #(
`include "dsv_route_config_pass.svh"
  ) leg_shortest (.from(here), .to, .hops(shortest_length), .link, .landing(shortest_landing), .exit(shortest_exit));
  dsv_leg #(
`include "dsv_route_config_pass.svh"
  ) leg_out (.from(here), .to(via), .hops(out_length), .link(out_link), .landing(out_landing), .exit(out_exit));
  dsv_leg #(
`include "dsv_route_config_pass.svh"
  ) leg_back (.from(point), .to, .hops(back_length), .link(back_link), .landing(back_landing), .exit(back_exit));
  logic unused;
  assign unused = &{1'b0, header, shortest_landing, shortest_exit, out_length, out_exit, out_landing, out_link, back_landing, back_exit,
                    back_link};

  assign leaves        = here.group != to.group;
  assign shortest_hops = HOPS_W'(shortest_length);
  assign around_hops   = (BY_GROUP ? HOPS_W'(out_exit) : HOPS_W'(out_length)) + HOPS_W'(back_length);
endmodule
