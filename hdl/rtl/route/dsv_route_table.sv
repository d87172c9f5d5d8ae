// Stage 2. The routes of a table (router-core/src/route/table.rs, multipath.rs, up_down.rs, up_down_star.rs, forwarding.rs, interval.rs).
// The table itself is the router's: `table_ports` and `table_vcs` are its rows for this packet (`dsv_table_lookup`). Where a port was drawn
// for each choice on the way, the header has them, that of the next choice lowest, and `dsv_onward` takes it off.
module dsv_route_table #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [dsv_pkg::PORT_BITS-1:0]   to_port,
  input  logic [dsv_pkg::VIA_BITS-1:0]    way,
  input  logic [PORTS-1:0] table_ports,
  input  logic [VCS-1:0]   table_vcs,
  output logic [PORTS-1:0] minimal_ports,
  output logic [VCS-1:0]   minimal_vcs
);
  logic [VCS-1:0] hop_vcs;
  dsv_hop_vcs #(.VCS(VCS), .HOP_VCS(HOP_VCS)) hop (.from_kind, .from_vc, .table_vcs, .vcs(hop_vcs));

  // Whether it is for a node, where the table knows. A router beyond the table has no rows.
  logic known;
  generate if (TABLE_NODES > 0) begin : g_nodes
    assign known = 32'(to_port) < TABLE_NODES;
  end else begin : g_any
    assign known = 1'b1;
  end endgenerate

  // Of several ports, the one that was drawn.
  logic [PORTS-1:0] ports;
  generate if (TABLE_BY == dsv_pkg::TABLE_BY_DRAWN) begin : g_drawn
    logic several;
    assign several = (table_ports & (table_ports - PORTS'(1))) != '0;
    assign ports = several ? table_ports & PORTS'(1) << way[dsv_pkg::PORT_BITS-1:0] : table_ports;
  end else begin : g_all
    assign ports = table_ports;
  end endgenerate

  logic unused;
  assign unused = &{1'b0, way};

  logic arrived;
  assign arrived = here_router == to_router;

  always_comb begin
    minimal_ports = !known ? '0 : arrived ? PORTS'(1) << to_port & wired : ports;
    minimal_vcs = arrived ? {VCS{1'b1}} : hop_vcs;
    if (minimal_ports == '0) minimal_vcs = '0;
  end
endmodule
