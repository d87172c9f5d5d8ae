// What lockstep sees of a virtual channel: registers side by side, so that few signals have to be read in each cycle.
module dsv_vc_probe #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned PLACES = 6,
  parameter  int unsigned SETS = 3,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned FLITS_W = $clog2(DEPTH + 1),
  localparam int unsigned PACKETS_W = $clog2(PLACES + 1),
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS,
  localparam int unsigned BUFFERED_W = VC_W + 2 * LENGTH_W + PACKETS_W + FLITS_W + 2
) (
  // {out_vc, expected, left, packets, flits, state}
  input logic [BUFFERED_W-1:0]  buffered /*verilator public_flat_rd*/,
  input logic [SETS*PORTS-1:0]  set_ports,
  input logic [SETS*VCS-1:0]    set_vcs,
  input logic                   forced,
  // {request, minimal}
  input logic [2*PORTS-1:0]     asked /*verilator public_flat_rd*/
);
  logic [SETS*(PORTS+VCS):0] candidates /*verilator public_flat_rd*/;
  dsv_packed_candidates #(.PORTS(PORTS), .VCS(VCS), .SETS(SETS)) packing (.set_ports, .set_vcs, .forced, .candidates);
endmodule
