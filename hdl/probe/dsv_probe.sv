// What lockstep sees of a module: registers side by side, so that few signals have to be read in each cycle.
module dsv_probe #(
  parameter int unsigned WIDTH = 1
) (
  input logic [WIDTH-1:0] value /*verilator public_flat_rd*/
);
endmodule
