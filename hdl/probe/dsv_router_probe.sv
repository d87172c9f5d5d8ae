// What lockstep sees of a router beside its VCs.
module dsv_router_probe #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned CREDIT_W = 9,
  parameter  int unsigned COUNTER_WIDTH = 8,
  parameter  int unsigned PHASE_W = 1,
  localparam int unsigned KINDS = dsv_pkg::PROTOCOL_ERROR_COUNT
) (
  input logic [PORTS*COUNTER_WIDTH-1:0] contention_count /*verilator public_flat_rd*/,
  input logic [PORTS*VCS*CREDIT_W-1:0]  credits /*verilator public_flat_rd*/,
  input logic [PORTS*VCS-1:0]           owned /*verilator public_flat_rd*/,
  input logic [KINDS*16-1:0]            error_count /*verilator public_flat_rd*/,
  input logic [PHASE_W-1:0]             phase /*verilator public_flat_rd*/
);
endmodule
