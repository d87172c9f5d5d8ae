// The routing table: the ports on shortest routes to each router; a router beyond it has no ports. Like a memory, it is not
// reset but written, row by row.
//
// Without CONTROL there is one bank, best written while the rest of the router is held in reset. With it there are two: one
// is in use, only the other one is written (TABLE-ATOMIC), and both can be read.
module dsv_routing_table #(
  parameter  int unsigned PORTS = 4,
  parameter  int unsigned ROWS = 10,
  parameter  bit          CONTROL = 1'b0,
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic                  clk,
  input  logic                  bank,          // the one in use
  input  logic                  write,
  input  logic [ROUTER_W-1:0]   write_row,
  input  logic [PORTS-1:0]      write_ports,
  output logic [ROWS*PORTS-1:0] rows,          // in use
  input  logic [ROUTER_W-1:0]   read_row,
  output logic [PORTS-1:0]      read_in_use,   // one cycle later; of a row beyond the table, 0
  output logic [PORTS-1:0]      read_staged
);
  generate if (CONTROL) begin : g_two
    logic [ROWS*PORTS-1:0] first, second, staged;
    assign rows   = bank ? second : first;
    assign staged = bank ? first : second;
    for (genvar row = 0; row < ROWS; row++) begin : g_row
      always_ff @(posedge clk) begin
        if (write && bank && write_row == ROUTER_W'(row))  first[row*PORTS +: PORTS]  <= write_ports;
        if (write && !bank && write_row == ROUTER_W'(row)) second[row*PORTS +: PORTS] <= write_ports;
      end
    end

    logic [PORTS-1:0] row_in_use, row_staged;
    always_comb begin
      row_in_use = '0;
      row_staged = '0;
      for (int row = 0; row < ROWS; row++) begin
        row_in_use = row_in_use | (rows[row*PORTS +: PORTS] & {PORTS{read_row == ROUTER_W'(row)}});
        row_staged = row_staged | (staged[row*PORTS +: PORTS] & {PORTS{read_row == ROUTER_W'(row)}});
      end
    end
    always_ff @(posedge clk) begin
      read_in_use <= row_in_use;
      read_staged <= row_staged;
    end
  end else begin : g_one
    for (genvar row = 0; row < ROWS; row++) begin : g_row
      always_ff @(posedge clk) begin
        if (write && write_row == ROUTER_W'(row)) rows[row*PORTS +: PORTS] <= write_ports;
      end
    end
    logic unused;
    assign unused      = &{1'b0, bank, read_row};
    assign read_in_use = '0;
    assign read_staged = '0;
  end endgenerate
endmodule
