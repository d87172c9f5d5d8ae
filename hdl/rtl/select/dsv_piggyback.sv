// Stage 3. Piggybacking (router-core/src/router/piggyback.rs, `Router::takes_detour`): whether a new packet, whose head is on the wire of its node,
// takes a detour. It does in two cases: the global link of its shortest way in this group is flagged, by this
// router or by another; or the queue here, times the hops, is longer than the detour's by more than the bias.
module dsv_piggyback #(
`include "dsv_route_config.svh"
  parameter  int unsigned UGAL_QUEUE    = dsv_pkg::DEFAULT_UGAL_QUEUE,
  // Most hops of a way, and the bits of a queue times hops.
  parameter  int unsigned HOPS          = 6,
  parameter  int unsigned COST_W        = 14,
  localparam int unsigned QUEUES        = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_VC ? VCS : 1,
  localparam int unsigned OTHERS        = LOCALS > 0 ? LOCALS : 1,
  localparam int unsigned FLAGS_W       = GLOBALS > 0 ? GLOBALS * GLOBAL_VCS : 1
) (
  input  logic [dsv_pkg::ROUTER_BITS-1:0] here_router,
  input  logic [PORTS-1:0]               wired,
  input  dsv_pkg::header_t               header,
  input  logic [PORTS*QUEUES*HOPS*COST_W-1:0] queues,
  input  logic [15:0]                    bias,
  // The flags of this router, and above them those of the routers behind its local ports.
  input  logic [(OTHERS+1)*FLAGS_W-1:0]  known,
  // The header with the way that the packet takes.
  output dsv_pkg::header_t               decided
);
  localparam int unsigned HOPS_W = dsv_pkg::HOPS_BITS;
  localparam int unsigned LINK_W = GLOBALS > 1 ? $clog2(GLOBALS) : 1;
  localparam logic [31:0] KINDS = dsv_pkg::ROUTING_KINDS[dsv_pkg::ROUTING_UGAL_DRAGONFLY*32 +: 32];
  // The VC behind the first global link of a shortest way: through a router that is of the second half of the route.
  localparam int unsigned EXIT_VC = INTERMEDIATE == dsv_pkg::INTERMEDIATE_GROUP ? 0 : 1;

  logic is_new, elsewhere, leaves, is_shorter, takes_detour;
  logic [LINK_W-1:0] link;
  logic [PORTS-1:0]  shortest_ports, around_ports;
  logic [VCS-1:0]    shortest_vcs, around_vcs;
  logic [HOPS_W-1:0] shortest_hops, around_hops;
  dsv_ways #(
`include "dsv_route_config_pass.svh"
  ) ways (
    .here_router, .wired, .from_kind(2'(dsv_pkg::PORT_KIND_NODE)), .from_vc(VC_W'(0)), .header, .is_new, .elsewhere,
    .shortest_ports, .shortest_vcs, .shortest_hops, .leaves, .link, .around_ports, .around_vcs, .around_hops
  );

  // The flags of the router that has the link.
  logic [FLAGS_W-1:0] flags;
  logic [GLOBALS-1:0] flagged;
  always_comb begin
    flags = known[FLAGS_W-1:0] & {FLAGS_W{shortest_ports[PORTS-1 -: GLOBALS] != '0}};
    for (int n = 0; n < OTHERS; n++)
      flags = flags | (known[(n+1)*FLAGS_W +: FLAGS_W] & {FLAGS_W{shortest_ports[NODES+n]}});
    for (int k = 0; k < GLOBALS; k++) flagged[k] = flags[k*GLOBAL_VCS+EXIT_VC] && link == LINK_W'(k);
  end

  dsv_trigger_ugal #(
    .PORTS(PORTS), .VCS(VCS), .UGAL_QUEUE(UGAL_QUEUE), .HOPS(HOPS), .COST_W(COST_W), .SETS(2), .KINDS(KINDS),
    .DRAWN(1'b0), .COUNTED(1'b0)
  ) trigger (
    .set_ports({around_ports, shortest_ports}), .set_vcs({around_vcs, shortest_vcs}), .set_hops({around_hops, shortest_hops}),
    .minimal(shortest_ports), .detour(around_ports), .queues, .bias, .is_better(is_shorter)
  );

  dsv_pkg::progress_t progress;
  always_comb begin
    progress = header.progress;
    progress.via_ahead = takes_detour;
    decided = header;
    decided.progress = progress;
  end
  assign takes_detour = is_new && elsewhere && around_ports != '0 && (leaves && flagged != '0 || is_shorter);
endmodule
