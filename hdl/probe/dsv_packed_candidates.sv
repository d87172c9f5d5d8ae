// Sets of candidates as one number (router-core/src/route/candidates.rs, `Packing`): whether a detour is due in bit 0, then VCs and
// ports of each set, in offer order.
module dsv_packed_candidates #(
  parameter int unsigned PORTS = 7,
  parameter int unsigned VCS = 3,
  parameter int unsigned SETS = 3
) (
  input  logic [SETS*PORTS-1:0]     set_ports,
  input  logic [SETS*VCS-1:0]       set_vcs,
  input  logic                      forced,
  output logic [SETS*(PORTS+VCS):0] candidates
);
  always_comb begin
    candidates[0] = forced;
    for (int k = 0; k < SETS; k++) begin
      candidates[1 + k*(PORTS+VCS) +: VCS]         = set_vcs[k*VCS +: VCS];
      candidates[1 + k*(PORTS+VCS) + VCS +: PORTS] = set_ports[k*PORTS +: PORTS];
    end
  end
endmodule
