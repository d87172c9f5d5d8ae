// Stage 2. UGAL on a Dragonfly (router-core/src/route/ugal_dragonfly.rs): a shortest route or Valiant's. The first router offers both ways
// with their hops, unless headers come with the way that their packets take; all routers behind it offer what Valiant's routing does.
module dsv_route_ugal #(
`include "dsv_route_config.svh"
  localparam int unsigned HOPS_W = dsv_pkg::HOPS_BITS
) (
  input  logic [dsv_pkg::ROUTER_BITS-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  dsv_pkg::header_t header,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs,
  output logic [PORTS-1:0] detour_ports,
  output logic [VCS-1:0]   detour_vcs,
  output logic [2*HOPS_W-1:0] hops,
  output logic             forced
);
  localparam bit BY_GROUP = INTERMEDIATE == dsv_pkg::INTERMEDIATE_GROUP;
  localparam int unsigned GROUP_BITS = dsv_pkg::ADDRESS_GROUP_BITS;

  dsv_pkg::address_t here, to, via;
  dsv_pkg::progress_t progress;
  assign here = here_router;
  assign to = header.router;
  assign via = BY_GROUP ? {header.via[GROUP_BITS-1:0], dsv_pkg::ADDRESS_INDEX_BITS'(0)} : header.via;
  assign progress = header.progress;

  // A packet that has come from its node, for another router; a detour is a way by something else than its two ends.
  logic is_new, elsewhere, ahead, takes_detour;
  assign is_new = from_kind == 2'(dsv_pkg::PORT_KIND_NODE) && header.router != here_router;
  assign elsewhere = BY_GROUP ? header.via != dsv_pkg::VIA_BITS'(here.group) && header.via != dsv_pkg::VIA_BITS'(to.group)
                   : header.via != here_router && header.via != header.router;
  dsv_via_ahead #(.INTERMEDIATE(INTERMEDIATE)) is_ahead (.here_router, .header, .ahead);

  logic [PORTS-1:0] shortest_ports, around_ports;
  logic [VCS-1:0]   shortest_vcs, around_vcs;
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

  assign takes_detour  = DECIDED == 0 || progress.via_ahead;
  assign forced        = DECIDED != 0 && is_new && elsewhere && takes_detour && shortest_ports != '0;
  assign minimal_ports = forced ? '0 : shortest_ports;
  assign minimal_vcs   = forced ? '0 : shortest_vcs;
  assign detour_ports  = is_new && elsewhere && takes_detour ? around_ports : '0;
  assign detour_vcs    = is_new && elsewhere && takes_detour ? around_vcs : '0;

  // Hops by either way: through a group, from where the link to it lands.
  localparam int unsigned INDEX_W = dsv_pkg::ADDRESS_INDEX_BITS;
  logic [1:0] shortest_length, out_length, back_length, shortest_exit, out_exit, back_exit;
  logic [INDEX_W-1:0] shortest_landing, out_landing, back_landing;
  dsv_pkg::address_t point;
  assign point = BY_GROUP ? {via.group, out_landing} : via;
  dsv_leg #(
`include "dsv_route_config_pass.svh"
  ) leg_shortest (.from(here), .to, .hops(shortest_length), .landing(shortest_landing), .exit(shortest_exit));
  dsv_leg #(
`include "dsv_route_config_pass.svh"
  ) leg_out (.from(here), .to(via), .hops(out_length), .landing(out_landing), .exit(out_exit));
  dsv_leg #(
`include "dsv_route_config_pass.svh"
  ) leg_back (.from(point), .to, .hops(back_length), .landing(back_landing), .exit(back_exit));
  logic unused;
  assign unused = &{1'b0, progress, header, shortest_landing, shortest_exit, out_length, out_exit, out_landing, back_landing, back_exit};

  logic [HOPS_W-1:0] out;
  assign out = BY_GROUP ? HOPS_W'(out_exit) : HOPS_W'(out_length);
  assign hops = {detour_ports != '0 ? out + HOPS_W'(back_length) : '0,
                 is_new && minimal_ports != '0 ? HOPS_W'(shortest_length) : '0};
endmodule
