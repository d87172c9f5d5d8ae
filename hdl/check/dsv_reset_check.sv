// Registers of a module that a reset clears.
`include "dsv_check.svh"
module dsv_reset_check (
  input logic clk,
  input logic rst,
  input logic clear
);
  logic was_reset;
  always_ff @(posedge clk) was_reset <= rst;

  `DSV_CHECK(RESET_CLEARS, !was_reset || clear, ("RESET-CLEARS: a register is not 0 behind the reset"))
endmodule
