// Stage 3, a cycle ahead: what the random bits of a VC make of the draws of its selection. Which one is drawn of each number of outputs
// (dsv_multiples), and whether the own router is, of itself and each number of others: 16 random bits times n + 1, shifted down by 16,
// are 0.
module dsv_draws #(
  parameter  int unsigned LOCAL_W = 3,
  // Members that are drawn from at most.
  parameter  int unsigned MOST = 3,
  localparam int unsigned MULTIPLES_W = MOST * $clog2(MOST + 1)
) (
  input  logic [31:0]            tap,
  output logic [MULTIPLES_W-1:0] multiples,
  // Of itself and n others at place n - 1.
  output logic [LOCAL_W-1:0]     own_router
);
  dsv_multiples #(.MOST(MOST)) misroutes (.random(tap[31:16]), .multiples);

  always_comb for (int n = 1; n <= LOCAL_W; n++) own_router[n-1] = tap[15:0] <= 16'(65535 / (n + 1));
endmodule
