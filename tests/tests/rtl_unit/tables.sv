// Routings by table and by the route in the header, side by side, for the unit lockstep of `table_lookup`, `interval_lookup`, `drawn_hop`, `hop_vcs`,
// `route_table`, `route_source` and `onward`: a router of one node and three links in a network of three routers. Each fills one 64-bit place of
// `offered`, packed as in the probes of lockstep.
module tables #(
  localparam int unsigned PORTS    = 4,
  localparam int unsigned VCS      = 3,
  localparam int unsigned VC_W     = 2,
  localparam int unsigned ROWS     = 7,
  localparam int unsigned VARIANTS = 11
) (
  input  logic [17:0]      here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [PORTS-1:0] from_port,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [dsv_pkg::HEADER_BITS-1:0] header,
  input  logic [ROWS*PORTS-1:0] rows,
  output logic [VARIANTS*64-1:0] offered,
  input  logic             drawn,
  output logic [dsv_pkg::HEADER_BITS-1:0] onward_header,
  output logic [dsv_pkg::HEADER_BITS-1:0] drawn_header,
  output logic             drawn_hop
);
  dsv_pkg::header_t head;
  assign head = header;

  generate
    for (genvar k = 0; k < VARIANTS; k++) begin : g_variant
      localparam int unsigned TABLE_BY = k == 2 ? dsv_pkg::TABLE_BY_LEG : k == 3 ? dsv_pkg::TABLE_BY_NODE
        : k == 9 ? dsv_pkg::TABLE_BY_DRAWN : k == 10 ? dsv_pkg::TABLE_BY_INTERVAL : dsv_pkg::TABLE_BY_ROUTER;
      localparam int unsigned HOP_VCS = k == 0 || k == 7 ? dsv_pkg::HOP_VCS_RISING
        : k == 5 ? dsv_pkg::HOP_VCS_GIVEN : k == 6 ? dsv_pkg::HOP_VCS_KEPT : dsv_pkg::HOP_VCS_ANY;
      localparam int unsigned TABLE_NODES = k == 3 || k == 4 || k == 9 ? 2 : 0;
      localparam int unsigned TABLE_ROUTERS = k == 2 ? 7 : k == 3 || k == 5 || k == 6 ? 6 : 3;
      localparam int unsigned ROUTING = k < 7 || k > 8 ? dsv_pkg::ROUTING_TABLE : dsv_pkg::ROUTING_SOURCE;
      logic [PORTS*PORTS-1:0] each_ports;
      logic [PORTS*VCS-1:0] each_vcs;
      logic [PORTS-1:0] table_ports, set_ports;
      logic [VCS-1:0] table_vcs, set_vcs;
      logic [PORTS+VCS:0] candidates;
      logic forced;

      // One for each port that a packet may come by.
      for (genvar p = 0; p < PORTS; p++) begin : g_port
        dsv_table_lookup #(
          .NODES(1), .LOCALS(3), .GLOBALS(0), .VCS(VCS), .TABLE_BY(TABLE_BY), .TABLE_NODES(TABLE_NODES), .HOP_VCS(HOP_VCS),
          .TABLE_ROUTERS(TABLE_ROUTERS), .TABLE_LABELS(3), .PORT(p)
        ) lookup (
          .rows(rows[TABLE_ROUTERS*PORTS-1:0]), .to_router(head.router), .to_port(head.port), .label(head.via),
          .ports(each_ports[p*PORTS +: PORTS]), .vcs(each_vcs[p*VCS +: VCS])
        );
      end
      always_comb begin
        table_ports = '0;
        table_vcs   = '0;
        for (int p = 0; p < PORTS; p++) begin
          table_ports = table_ports | (from_port[p] ? each_ports[p*PORTS +: PORTS] : '0);
          table_vcs   = table_vcs | (from_port[p] ? each_vcs[p*VCS +: VCS] : '0);
        end
      end

      logic [1*dsv_pkg::HOPS_BITS-1:0] set_hops;
      dsv_route #(
        .NODES(1), .LOCALS(3), .GLOBALS(0), .GROUPS(1), .VCS(VCS), .LOCAL_VCS(VCS), .ROUTING(ROUTING),
        .TABLE_BY(TABLE_BY), .TABLE_NODES(TABLE_NODES), .HOP_VCS(HOP_VCS), .TABLE_ROUTERS(TABLE_ROUTERS)
      ) one (
        .here_router, .wired, .exits('0), .from_port, .from_kind, .from_vc, .header, .table_ports, .table_vcs,
        .set_ports, .set_vcs, .set_hops, .forced, .passed_over
      );
      logic [PORTS-1:0] passed_over;
      logic unused;
      assign unused = &{1'b0, set_hops, passed_over};
      dsv_packed_candidates #(.PORTS(PORTS), .VCS(VCS), .SETS(1)) packing (.set_ports, .set_vcs, .forced, .candidates);
      assign offered[k*64 +: 64] = 64'(candidates);
    end
  endgenerate

  dsv_onward #(.PORTS(PORTS), .ROUTING(dsv_pkg::ROUTING_SOURCE)) onward (
    .header, .here(here_router), .out_is_global(1'b0), .hop('0), .drawn, .onward_header
  );
  dsv_onward #(.PORTS(PORTS), .ROUTING(dsv_pkg::ROUTING_TABLE)) onward_by_draws (
    .header, .here(here_router), .out_is_global(1'b0), .hop('0), .drawn, .onward_header(drawn_header)
  );

  dsv_drawn_hop #(
    .NODES(1), .LOCALS(3), .GLOBALS(0), .VCS(VCS), .ROUTING(dsv_pkg::ROUTING_TABLE), .TABLE_BY(dsv_pkg::TABLE_BY_DRAWN), .TABLE_NODES(2),
    .HOP_VCS(dsv_pkg::HOP_VCS_ANY), .TABLE_ROUTERS(3)
  ) hop_by_draws (.rows(rows[3*PORTS-1:0]), .header, .drawn(drawn_hop));
endmodule
