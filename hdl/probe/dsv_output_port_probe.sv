// What lockstep sees of an output port.
module dsv_output_port_probe #(
  parameter int unsigned COUNT_W = 6
) (
  input logic [COUNT_W-1:0] count /*verilator public_flat_rd*/
);
endmodule
