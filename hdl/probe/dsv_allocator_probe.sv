// What lockstep sees of an allocator.
module dsv_allocator_probe #(
  parameter int unsigned INPUT_W = 1,
  parameter int unsigned OUT_VC_W = 1,
  parameter int unsigned INPUT_OF_OUT_VC_W = 1,
  parameter int unsigned CHOICES_W = 1,
  parameter int unsigned TURN_W = 1
) (
  input logic [INPUT_W-1:0]           input_states /*verilator public_flat_rd*/,
  input logic [OUT_VC_W-1:0]          out_vc_states /*verilator public_flat_rd*/,
  input logic [INPUT_OF_OUT_VC_W-1:0] input_of_out_vc_states /*verilator public_flat_rd*/,
  input logic [CHOICES_W-1:0]         choices /*verilator public_flat_rd*/,
  input logic [TURN_W-1:0]            turn /*verilator public_flat_rd*/
);
endmodule
