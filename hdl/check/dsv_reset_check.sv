// Registers of a module that a reset clears: its first cycle does, however long it lasts.
`include "dsv_check.svh"
module dsv_reset_check (
  input logic clk,
  input logic rst,
  input logic clear
);
  logic was_reset;
  initial was_reset = 1'b0;
  always_ff @(posedge clk) was_reset <= rst;

  `DSV_CHECK_ALWAYS(RESET_CLEARS, !was_reset || clear, ("RESET-CLEARS: a register is not 0 behind the reset"))
endmodule
