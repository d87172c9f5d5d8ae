// What lockstep sees of the random register.
module dsv_lfsr_probe (
  input logic [31:0] value /*verilator public_flat_rd*/
);
endmodule
