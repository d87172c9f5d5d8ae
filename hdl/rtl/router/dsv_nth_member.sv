// The n-th member of a set, from below and from 0 (router-core/src/units.rs, `PortSet::nth`); none where there are not so many.
module dsv_nth_member #(
  parameter  int unsigned WIDTH = 7,
  localparam int unsigned COUNT_W = $clog2(WIDTH + 1)
) (
  input  logic [WIDTH-1:0]   members,
  input  logic [COUNT_W-1:0] n,
  output logic [WIDTH-1:0]   one
);
  always_comb begin
    logic [COUNT_W-1:0] below;
    below = '0;
    one   = '0;
    for (int k = 0; k < WIDTH; k++) begin
      one   = one | (WIDTH'(members[k] && below == n) << k);
      below = below + COUNT_W'(members[k]);
    end
  end
endmodule
