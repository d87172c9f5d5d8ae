// LFSR-ALIVE: the source of chance never gets stuck at 0.
`include "dsv_check.svh"
module dsv_lfsr_check (
  input logic        clk,
  input logic        rst,
  input logic [31:0] value,
  input logic [31:0] stepped
);
  `DSV_CHECK(LFSR_ALIVE, value != '0 && stepped != '0,
    ("LFSR-ALIVE: the random register is 0, or the next one"))
endmodule
