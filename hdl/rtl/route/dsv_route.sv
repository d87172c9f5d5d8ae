// Stage 2. Routing: every legal candidate of a packet (router-core/src/route.rs, `Route::offer`),
// combinational. It knows the map and never a queue. Set k of the array is any of its ports by any of its VCs, sets in
// offer order; the kind of hop of each is a constant of the routing (`dsv_pkg::ROUTING_KINDS`). A set that is not offered
// has no port; one whose VC lies beyond VCS has ports and no VC.
module dsv_route #(
`include "dsv_route_config.svh"
  localparam int unsigned HOPS_W           = dsv_pkg::HOPS_BITS,
  localparam int unsigned SETS             = dsv_pkg::ROUTING_SETS[ROUTING*32 +: 32]
) (
  input  logic [dsv_pkg::ROUTER_BITS-1:0] here_router,
  input  logic [PORTS-1:0] wired,          // the connected ports
  input  logic [PORTS-1:0] exits,          // those to routers of this group with a connected global port
  input  logic [PORTS-1:0] from_port,      // the port the packet came by, one-hot
  input  logic [1:0]       from_kind,      // what lies there
  input  logic [VC_W-1:0]  from_vc,        // the VC it is in, in ascending order
  input  dsv_pkg::header_t header,
  input  logic [PORTS-1:0] table_ports,    // what the routing table has for it
  input  logic [VCS-1:0]   table_vcs,
  output logic [SETS*PORTS-1:0] set_ports,
  output logic [SETS*VCS-1:0]   set_vcs,
  output logic [SETS*HOPS_W-1:0] set_hops, // hops to the destination by each set; 0: not given
  output logic                  forced,    // a detour is due: no set is preferred
  output logic [PORTS-1:0]      passed_over // the shortest way on that it passes over; no port where that is offered, or not known, or nothing is
);
  logic [dsv_pkg::ROUTER_BITS-1:0] to_router;
  logic [dsv_pkg::PORT_BITS-1:0] to_port;
  assign to_router = header.router;
  assign to_port = header.port;

  // No routing reads all of it.
  logic unused;
  assign unused = &{1'b0, exits, from_port, from_kind, from_vc, table_ports, table_vcs, header, to_router, to_port};

  generate
    if (ROUTING != dsv_pkg::ROUTING_UGAL_DRAGONFLY) begin : g_no_hops
      assign set_hops = '0;
    end

    if (ROUTING == dsv_pkg::ROUTING_OLM) begin : g_olm
      logic [PORTS-1:0] minimal_ports, global_ports, local_ports;
      logic [VCS-1:0]   minimal_vcs, global_vcs, local_vcs;
      assign set_ports = {local_ports, global_ports, minimal_ports};
      assign set_vcs   = {local_vcs, global_vcs, minimal_vcs};
      dsv_route_olm #(
`include "dsv_route_config_pass.svh"
      ) olm (
        .here_router, .wired, .exits, .from_port, .from_kind, .from_vc,
        .to_router, .to_port, .progress(header.progress),
        .minimal_ports, .minimal_vcs, .global_ports, .global_vcs, .local_ports, .local_vcs, .forced,
        .passed_over
      );
    end else if (ROUTING == dsv_pkg::ROUTING_PAR || ROUTING == dsv_pkg::ROUTING_RLM) begin : g_in_transit
      logic [PORTS-1:0] minimal_ports, global_ports, local_ports;
      logic [VCS-1:0]   minimal_vcs, global_vcs, local_vcs;
      assign set_ports = {local_ports, global_ports, minimal_ports};
      assign set_vcs   = {local_vcs, global_vcs, minimal_vcs};
      dsv_route_in_transit #(
`include "dsv_route_config_pass.svh"
      ) in_transit (
        .here_router, .wired, .exits, .from_port, .from_kind, .from_vc,
        .to_router, .to_port, .progress(header.progress),
        .minimal_ports, .minimal_vcs, .global_ports, .global_vcs, .local_ports, .local_vcs, .forced,
        .passed_over
      );
    end else if (ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY) begin : g_ugal
      logic [PORTS-1:0] minimal_ports, detour_ports;
      logic [VCS-1:0]   minimal_vcs, detour_vcs;
      assign set_ports = {detour_ports, minimal_ports};
      assign set_vcs   = {detour_vcs, minimal_vcs};
      dsv_route_ugal #(
`include "dsv_route_config_pass.svh"
      ) ugal (
        .here_router, .wired, .from_kind, .from_vc, .header,
        .minimal_ports, .minimal_vcs, .detour_ports, .detour_vcs, .hops(set_hops), .forced
      );
      assign passed_over = '0;
    end else begin : g_minimal_hops
      assign forced = 1'b0;
      assign passed_over = '0;
      if (ROUTING == dsv_pkg::ROUTING_TABLE) begin : g_table
        dsv_route_table #(
`include "dsv_route_config_pass.svh"
        ) looked_up (
          .here_router, .wired, .from_kind, .from_vc, .to_router, .to_port, .way(header.via), .table_ports, .table_vcs,
          .minimal_ports(set_ports), .minimal_vcs(set_vcs)
        );
      end else if (ROUTING == dsv_pkg::ROUTING_SOURCE) begin : g_source
        dsv_route_source #(
`include "dsv_route_config_pass.svh"
        ) by_source (
          .here_router, .wired, .from_kind, .from_vc, .to_router, .to_port, .route(header.via),
          .minimal_ports(set_ports), .minimal_vcs(set_vcs)
        );
      end else if (ROUTING == dsv_pkg::ROUTING_VALIANT) begin : g_valiant
        logic ahead;
        dsv_via_ahead #(.INTERMEDIATE(INTERMEDIATE)) is_ahead (.here_router, .header, .ahead);
        dsv_route_valiant #(
`include "dsv_route_config_pass.svh"
        ) valiant (
          .here_router, .wired, .from_kind, .from_vc, .to_router, .to_port, .ahead, .via(header.via),
          .minimal_ports(set_ports), .minimal_vcs(set_vcs)
        );
      end else if (ROUTING == dsv_pkg::ROUTING_DUATO) begin : g_duato
        logic [PORTS-1:0] adaptive_ports, escape_ports;
        logic [VCS-1:0]   adaptive_vcs, escape_vcs;
        assign set_ports = {escape_ports, adaptive_ports};
        assign set_vcs   = {escape_vcs, adaptive_vcs};
        dsv_route_duato #(
`include "dsv_route_config_pass.svh"
        ) duato (
          .here_router, .wired, .to_router, .to_port, .adaptive_ports, .adaptive_vcs, .escape_ports, .escape_vcs
        );
      end else if (ROUTING == dsv_pkg::ROUTING_DIMENSION_ORDER) begin : g_dimension_order
        dsv_route_dimension_order #(
`include "dsv_route_config_pass.svh"
        ) dimension_order (
          .here_router, .wired, .from_port, .from_vc, .to_router, .to_port,
          .minimal_ports(set_ports), .minimal_vcs(set_vcs)
        );
      end else if (ROUTING == dsv_pkg::ROUTING_TURN_MODEL) begin : g_turn_model
        dsv_route_turn_model #(
`include "dsv_route_config_pass.svh"
        ) turn_model (
          .here_router, .wired, .to_router, .to_port, .minimal_ports(set_ports), .minimal_vcs(set_vcs)
        );
      end else if (ROUTING == dsv_pkg::ROUTING_ODD_EVEN) begin : g_odd_even
        dsv_route_odd_even #(
`include "dsv_route_config_pass.svh"
        ) odd_even (
          .here_router, .wired, .from_port, .to_router, .to_port,
          .minimal_ports(set_ports), .minimal_vcs(set_vcs)
        );
      end else begin : g_minimal
        dsv_route_minimal #(
`include "dsv_route_config_pass.svh"
        ) minimal (
          .here_router, .wired, .from_kind, .from_vc, .to_router, .to_port,
          .minimal_ports(set_ports), .minimal_vcs(set_vcs)
        );
      end
    end
  endgenerate
endmodule
