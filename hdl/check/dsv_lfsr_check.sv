// LFSR-ALIVE: the source of chance never gets stuck at 0.
module dsv_lfsr_check (
  input logic        clk,
  input logic        rst,
  input logic [31:0] value
);
  LFSR_ALIVE: assert property (@(posedge clk) disable iff (rst) value != '0)
  else $error("LFSR-ALIVE: the random register is 0");
endmodule
