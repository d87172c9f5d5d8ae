// ESCAPE-REQUESTED: a packet that is not told to leave asks for a misroute only while the head may leave by it; as
// long as it cannot, it asks for a minimal hop.
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
