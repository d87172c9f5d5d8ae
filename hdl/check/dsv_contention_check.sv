// The contention counters together.
module dsv_contention_check #(
  parameter int unsigned PORTS = 7,
  parameter int unsigned COUNTER_WIDTH = 8,
  parameter int unsigned TRIGGER = dsv_pkg::TRIGGER_HYBRID
) (
  input logic                           clk,
  input logic                           rst,
  input logic [PORTS*COUNTER_WIDTH-1:0] count
);
  generate if (TRIGGER == dsv_pkg::TRIGGER_CONTENTION_AVERAGE) begin : g_average
    logic [31:0] sum;
    always_comb begin
      sum = '0;
      for (int p = 0; p < PORTS; p++) sum = sum + 32'(count[p*COUNTER_WIDTH +: COUNTER_WIDTH]);
    end
    CONTENTION_TOTAL: assert property (@(posedge clk) disable iff (rst) 32'(dsv_contention.g_average.total) == sum)
    else $error("CONTENTION-EXACT: all outputs together are counted %0d times, and not %0d", dsv_contention.g_average.total, sum);
  end else begin : g_no_total
    logic unused;
    assign unused = &{1'b0, clk, rst, count};
  end endgenerate
endmodule
