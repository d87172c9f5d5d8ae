// Stage 2. The rows of the routing table that a packet finds its way by: ports, and VCs where the table has them. A destination
// that has no row has neither. TABLE_BY and HOP_VCS say what the rows are for; by intervals it is the label in the header that counts.
// Rows from service levels to lanes come last (`dsv_lane`).
module dsv_table_lookup #(
`include "dsv_route_config.svh"
  parameter  int unsigned PORT = 0,            // the port that packets come by
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS,
  localparam int unsigned PORT_W = dsv_pkg::PORT_BITS
) (
  input  logic [TABLE_ROUTERS*PORTS-1:0] rows,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [PORT_W-1:0]   to_port,
  input  logic [dsv_pkg::VIA_BITS-1:0] label,
  output logic [PORTS-1:0]    ports,
  output logic [VCS-1:0]      vcs
);
  localparam bit LEGS  = TABLE_BY == dsv_pkg::TABLE_BY_LEG;
  localparam bit NODAL = TABLE_BY == dsv_pkg::TABLE_BY_NODE && TABLE_NODES > 0;
  localparam bit HAS_VCS = HOP_VCS == dsv_pkg::HOP_VCS_GIVEN || HOP_VCS == dsv_pkg::HOP_VCS_KEPT;
  // Rows of ports, for each leg where there are two; and how many of them each router has.
  localparam int unsigned LANES = HOP_VCS == dsv_pkg::HOP_VCS_LEVEL ? dsv_pkg::LANE_ROWS * PORTS : 0;
  localparam int unsigned ROWS = LEGS || HAS_VCS ? TABLE_ROUTERS / 2 : TABLE_ROUTERS - LANES;
  localparam int unsigned EACH = NODAL ? TABLE_NODES : 1;

  logic [ROWS-1:0] row_is;
  for (genvar row = 0; row < ROWS; row++) begin : g_row
    if (NODAL) begin : g_node
      assign row_is[row] = to_router == ROUTER_W'(row / EACH) && to_port == PORT_W'(row % EACH);
    end else begin : g_router
      assign row_is[row] = to_router == ROUTER_W'(row);
    end
  end

  // What comes from above has gone down; no port to a node leads up.
  logic gone_down;
  assign gone_down = LEGS && rows[(TABLE_ROUTERS-1)*PORTS + PORT];

  logic [PORTS-1:0] of_row;
  always_comb begin
    of_row = '0;
    vcs    = '0;
    for (int row = 0; row < ROWS; row++) begin
      of_row = of_row | (row_is[row] && !gone_down ? rows[row*PORTS +: PORTS] : '0);
      if (LEGS) of_row = of_row | (row_is[row] && gone_down ? rows[(ROWS+row)*PORTS +: PORTS] : '0);
      if (HAS_VCS) vcs = vcs | (row_is[row] ? VCS'(rows[(ROWS+row)*PORTS +: PORTS]) : '0);
    end
  end

  generate if (TABLE_BY == dsv_pkg::TABLE_BY_INTERVAL) begin : g_intervals
    dsv_interval_lookup #(.PORTS(PORTS), .LABELS(TABLE_LABELS)) intervals (.rows, .label, .ports);
  end else begin : g_rows
    assign ports = of_row;
  end endgenerate

  logic unused;
  assign unused = &{1'b0, rows, to_router, to_port, label, of_row};
endmodule
