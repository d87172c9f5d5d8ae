// One member of a set, each as likely as the others: the `n`-th from below, where `n` is the number of
// members times 16 random bits, shifted down by 16 (router-core/src/lfsr.rs, `Tap::below`; `PortSet::nth`).
// None of none.
module draw #(
  parameter int unsigned WIDTH = 7
) (
  input  logic [WIDTH-1:0] members,
  input  logic [15:0]      random,
  output logic [WIDTH-1:0] one
);
  localparam int unsigned COUNT_W = $clog2(WIDTH + 1);
  localparam int unsigned PRODUCT_W = 16 + COUNT_W;

  logic [COUNT_W-1:0] drawn;
  assign drawn = COUNT_W'((PRODUCT_W'($countones(members)) * PRODUCT_W'(random)) >> 16);

  // The members below each one are counted while the product is formed.
  always_comb begin
    logic [COUNT_W-1:0] below;
    below = '0;
    for (int k = 0; k < WIDTH; k++) begin
      one[k] = members[k] && below == drawn;
      below = below + COUNT_W'(members[k]);
    end
  end
endmodule
