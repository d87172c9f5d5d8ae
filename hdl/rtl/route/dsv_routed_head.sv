// Stage 2. A head with its candidates, and the minimal output it will be counted at (router-core/src/route.rs, `Route::counted`): one of
// the minimal ports, of those that a detour which is due passes over, or of all where neither is known.
module dsv_routed_head #(
`include "dsv_route_config.svh"
  parameter  int unsigned KIND = dsv_pkg::PORT_KIND_NODE,
  parameter  int unsigned PORT = 0,
  // Whether there is never more than one candidate.
  parameter  bit          ONE_WAY = 1'b0,
  // Whether the shortest way on is always one port, and known.
  parameter  bit          ONE_COUNTED = 1'b0,
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS,
  localparam int unsigned SETS = dsv_pkg::ROUTING_SETS[ROUTING*32 +: 32]
) (
  input  logic [ROUTER_W-1:0]            here_router,
  input  logic [PORTS-1:0]               wired,
  input  logic [PORTS-1:0]               exits,
  input  logic [TABLE_ROUTERS*PORTS-1:0] rows,
  input  logic [VC_W-1:0]                from_vc,
  input  dsv_pkg::header_t               header,
  input  logic [15:0]                    random,
  output logic [SETS*PORTS-1:0]          set_ports,
  output logic [SETS*VCS-1:0]            set_vcs,
  output logic [SETS*dsv_pkg::HOPS_BITS-1:0] set_hops,
  output logic                           forced,
  output logic [PORTS-1:0]               minimal
);
  localparam logic [PORTS-1:0] FROM = PORTS'(1) << PORT;
  localparam logic [31:0] KINDS = dsv_pkg::ROUTING_KINDS[ROUTING*32 +: 32];

  logic [PORTS-1:0]    table_ports, minimal_ports, all_ports, passed_over, counted;
  logic [VCS-1:0]      table_vcs;
  logic [SETS*PORTS-1:0] routed_ports;
  logic [SETS*VCS-1:0] routed_vcs;

  dsv_table_lookup #(
    .PORT(PORT),
`include "dsv_route_config_pass.svh"
  ) lookup (
    .rows, .to_router(header.router), .to_port(header.port), .label(header.via), .ports(table_ports), .vcs(table_vcs)
  );

  dsv_route #(
`include "dsv_route_config_pass.svh"
  ) route (
    .here_router, .wired, .exits, .from_port(FROM), .from_kind(2'(KIND)), .from_vc, .header, .table_ports, .table_vcs,
    .set_ports(routed_ports), .set_vcs(routed_vcs), .set_hops, .forced, .passed_over
  );

  // By its service level a packet takes one of them.
  generate if (ROUTING == dsv_pkg::ROUTING_TABLE && HOP_VCS == dsv_pkg::HOP_VCS_LEVEL) begin : g_lane
    localparam int unsigned FIRST = TABLE_ROUTERS - (PORTS - PORT) * dsv_pkg::LANE_ROWS;
    logic [VCS-1:0] lane;
    logic           none;
    dsv_lane #(.PORTS(PORTS), .VCS(VCS)) of_level (
      .rows(rows[FIRST*PORTS +: dsv_pkg::LANE_ROWS*PORTS]), .level(header.service_level), .outputs(routed_ports), .vcs(lane), .none
    );
    assign set_ports = routed_ports & {PORTS{!none}};
    assign set_vcs   = routed_vcs & lane;
  end else begin : g_any_lane
    assign set_ports = routed_ports;
    assign set_vcs   = routed_vcs;
  end endgenerate

  always_comb begin
    minimal_ports = '0;
    all_ports     = '0;
    for (int k = 0; k < SETS; k++) begin
      all_ports = all_ports | set_ports[k*PORTS +: PORTS];
      if (KINDS[k*8 +: 8] == 8'(dsv_pkg::HOP_KIND_MINIMAL)) minimal_ports = minimal_ports | set_ports[k*PORTS +: PORTS];
    end
  end
  // What has no way on is not counted.
  always_comb begin
    counted = minimal_ports;
    if (minimal_ports == '0 && all_ports != '0) counted = passed_over != '0 ? passed_over : all_ports;
  end

  generate if (ONE_WAY) begin : g_one_way
    logic unused;
    assign unused = &{1'b0, random};
    assign minimal = counted;
  end else if (ONE_COUNTED) begin : g_one_counted
    logic unused;
    assign unused = &{1'b0, random, counted};
    assign minimal = minimal_ports | passed_over;
  end else begin : g_drawn
    dsv_draw #(.WIDTH(PORTS)) draw_minimal (.members(counted), .random, .one(minimal));
  end endgenerate
endmodule
