// The routing table: the ports on shortest routes to each router; a router beyond it has no ports. Like a memory, it is not
// reset but written, row by row, best while the rest of the router is held in reset.
module routing_table #(
  parameter  int unsigned PORTS = 4,
  parameter  int unsigned ROWS = 10,
  localparam int unsigned ROUTER_W = desvio_pkg::ROUTER_BITS
) (
  input  logic                  clk,
  input  logic                  write,
  input  logic [ROUTER_W-1:0]   write_row,
  input  logic [PORTS-1:0]      write_ports,
  output logic [ROWS*PORTS-1:0] rows
);
  generate for (genvar row = 0; row < ROWS; row++) begin : g_row
    always_ff @(posedge clk) begin
      if (write && write_row == ROUTER_W'(row)) rows[row*PORTS +: PORTS] <= write_ports;
    end
  end endgenerate
endmodule
