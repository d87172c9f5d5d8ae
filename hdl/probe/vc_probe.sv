// What lockstep sees of a virtual channel.
module vc_probe #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned PLACES = 6,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned FLITS_W = $clog2(DEPTH + 1),
  localparam int unsigned PACKETS_W = $clog2(PLACES + 1),
  localparam int unsigned LENGTH_W = desvio_pkg::LENGTH_BITS
) (
  input logic [1:0]             state /*verilator public_flat_rd*/,
  input logic [FLITS_W-1:0]           flits /*verilator public_flat_rd*/,
  input logic [PACKETS_W-1:0]         packets /*verilator public_flat_rd*/,
  input logic [LENGTH_W-1:0]          left /*verilator public_flat_rd*/,
  input logic [LENGTH_W-1:0]          expected /*verilator public_flat_rd*/,
  input logic [3*(PORTS+VCS):0]       candidates /*verilator public_flat_rd*/,
  input logic [PORTS-1:0]             minimal /*verilator public_flat_rd*/,
  input logic [PORTS-1:0]             request /*verilator public_flat_rd*/,
  input logic [VC_W-1:0]              out_vc /*verilator public_flat_rd*/
);
endmodule
