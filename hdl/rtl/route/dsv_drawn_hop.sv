// Stage 2. Whether a packet leaves by a port that was drawn where it started, because there are several (router-core/src/route/up_down.rs):
// then `dsv_onward` takes that port off its header. The table is looked up once more, since routing keeps the chosen port alone.
module dsv_drawn_hop #(
`include "dsv_route_config.svh"
  parameter  int unsigned PORT = 0   // the port that packets come by
) (
  input  logic [TABLE_ROUTERS*PORTS-1:0] rows,
  input  dsv_pkg::header_t               header,
  output logic                           drawn
);
  generate if (ROUTING == dsv_pkg::ROUTING_TABLE && TABLE_BY == dsv_pkg::TABLE_BY_DRAWN) begin : g_draws
    logic [PORTS-1:0] ports;
    logic [VCS-1:0]   vcs;
    logic             unused;
    dsv_table_lookup #(
      .PORT(PORT),
`include "dsv_route_config_pass.svh"
    ) lookup (
      .rows, .to_router(header.router), .to_port(header.port), .label(header.via), .ports, .vcs
    );
    assign unused = &{1'b0, header, vcs};
    assign drawn = !$onehot0(ports);
  end else begin : g_no_draws
    logic unused;
    assign unused = &{1'b0, rows, header};
    assign drawn = 1'b0;
  end endgenerate
endmodule
