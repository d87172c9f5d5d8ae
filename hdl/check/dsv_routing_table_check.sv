// The bank of the routing table in use is not written as long as the router uses it.
`include "dsv_check.svh"
module dsv_routing_table_check #(
  parameter int unsigned PORTS = 4,
  parameter int unsigned ROWS = 10,
  parameter bit          CONTROL = 1'b0
) (
  input logic                  clk,
  input logic                  rst,
  input logic                  bank,
  input logic [ROWS*PORTS-1:0] rows
);
  logic                  bank_before;
  logic [ROWS*PORTS-1:0] rows_before;
  always_ff @(posedge clk) begin
    bank_before <= bank;
    rows_before <= rows;
  end

  // With one bank (no CONTROL), the writer must keep all packets out of the router meanwhile.
  `DSV_CHECK(TABLE_ATOMIC, !CONTROL || bank != bank_before || rows == rows_before,
    ("TABLE-ATOMIC: bank %0d is written while it is in use", bank))
endmodule
