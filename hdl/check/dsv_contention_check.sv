// The contention counters together.
`include "dsv_check.svh"
module dsv_contention_check #(
  parameter int unsigned PORTS = 7,
  parameter int unsigned COUNTER_WIDTH = 8,
  parameter int unsigned TRIGGER = dsv_pkg::TRIGGER_HYBRID,
  localparam int unsigned TOTAL_W = COUNTER_WIDTH + $clog2(PORTS + 1)
) (
  input logic                           clk,
  input logic                           rst,
  input logic [PORTS*COUNTER_WIDTH-1:0] count,
  input logic [TOTAL_W-1:0]             total
);
  generate if (TRIGGER == dsv_pkg::TRIGGER_CONTENTION_AVERAGE) begin : g_average
    logic [31:0] sum;
    always_comb begin
      sum = '0;
      for (int p = 0; p < PORTS; p++) sum = sum + 32'(count[p*COUNTER_WIDTH +: COUNTER_WIDTH]);
    end
    `DSV_CHECK(CONTENTION_TOTAL, 32'(total) == sum,
      ("CONTENTION-EXACT: all outputs together are counted %0d times, and not %0d", total, sum))
  end else begin : g_no_total
    logic unused;
    assign unused = &{1'b0, clk, rst, count, total};
  end endgenerate
endmodule
