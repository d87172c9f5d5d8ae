// What lockstep sees of sets of candidates: one number.
module dsv_candidates_probe #(
  parameter int unsigned PORTS = 7,
  parameter int unsigned VCS = 3,
  parameter int unsigned SETS = 3
) (
  input logic [SETS*PORTS-1:0] set_ports,
  input logic [SETS*VCS-1:0]   set_vcs,
  input logic                  forced
);
  logic [SETS*(PORTS+VCS):0] value /*verilator public_flat_rd*/;
  dsv_packed_candidates #(.PORTS(PORTS), .VCS(VCS), .SETS(SETS)) packing (
    .set_ports, .set_vcs, .forced, .candidates(value)
  );
endmodule

bind dsv_vc dsv_candidates_probe #(.PORTS(PORTS), .VCS(VCS), .SETS(SETS)) candidates_probe (.set_ports, .set_vcs, .forced);
