// ESCAPE-REQUESTED: a packet without a forced detour requests a misroute only while its head may leave by it; as
// long as it may not, the packet requests a minimal hop.
module dsv_select_check #(
  parameter int unsigned PORTS = 7
) (
  input logic             clk,
  input logic             rst,
  input logic             forced,
  input logic [PORTS-1:0] minimal_ports,
  input logic [PORTS-1:0] minimal,
  input logic [PORTS-1:0] open,
  input logic [PORTS-1:0] request
);
  ESCAPE_REQUESTED: assert property (@(posedge clk) disable iff (rst)
    forced || (request & (minimal_ports | minimal)) != '0 || (request & ~open) == '0
  ) else $error("ESCAPE-REQUESTED: minimal by %b, open by %b, asked for %b", minimal_ports, open, request);
endmodule
