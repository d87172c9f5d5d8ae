// Stage 2. UGAL on a Dragonfly (router-core/src/route/ugal_dragonfly.rs): a shortest route or Valiant's. The first router offers both ways
// with their hops, unless the header says which of them the packet takes; all routers behind it offer what Valiant's routing does.
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
  localparam bit DECIDED = KNOWLEDGE == dsv_pkg::KNOWLEDGE_GROUP || KNOWLEDGE == dsv_pkg::KNOWLEDGE_ORACLE;
  localparam int unsigned LINK_W = GLOBALS > 1 ? $clog2(GLOBALS) : 1;

  dsv_pkg::progress_t progress;
  assign progress = header.progress;

  logic is_new, elsewhere, leaves, takes_detour;
  logic [LINK_W-1:0] link;
  logic [PORTS-1:0]  shortest_ports, around_ports;
  logic [VCS-1:0]    shortest_vcs, around_vcs;
  logic [HOPS_W-1:0] shortest_hops, around_hops;
  dsv_ways #(
`include "dsv_route_config_pass.svh"
  ) ways (
    .here_router, .wired, .from_kind, .from_vc, .header, .is_new, .elsewhere, .shortest_ports, .shortest_vcs, .shortest_hops,
    .leaves, .link, .around_ports, .around_vcs, .around_hops
  );
  logic unused;
  assign unused = &{1'b0, progress, leaves, link};

  assign takes_detour  = !DECIDED || progress.via_ahead;
  assign forced        = DECIDED && is_new && elsewhere && takes_detour && shortest_ports != '0;
  assign minimal_ports = forced ? '0 : shortest_ports;
  assign minimal_vcs   = forced ? '0 : shortest_vcs;
  assign detour_ports  = is_new && elsewhere && takes_detour ? around_ports : '0;
  assign detour_vcs    = is_new && elsewhere && takes_detour ? around_vcs : '0;
  assign hops = {detour_ports != '0 ? around_hops : '0, is_new && minimal_ports != '0 ? shortest_hops : '0};
endmodule
