// One member of a set, each as likely as the others: the `n`-th from below, where `n` is the number of
// members times 16 random bits, shifted down by 16 (router-core/src/lfsr.rs, `Tap::below`; `PortSet::nth`).
// None of none.
module dsv_draw #(
  parameter int unsigned WIDTH = 7,
  // Members that the product is formed of ahead, at most.
  parameter int unsigned AHEAD = dsv_pkg::DRAWS_AHEAD
) (
  input  logic [WIDTH-1:0] members,
  input  logic [15:0]      random,
  output logic [WIDTH-1:0] one
);
  localparam int unsigned COUNT_W = $clog2(WIDTH + 1);
  localparam int unsigned PRODUCT_W = 16 + COUNT_W;

  // Of few members the product is formed for each number of them, before they are known; of more it takes fewer gates, and longer,
  // to multiply.
  generate
    if (WIDTH <= AHEAD) begin : g_early
      logic [WIDTH*COUNT_W-1:0] multiples;
      dsv_multiples #(.MOST(WIDTH)) of_each_number (.random, .multiples);
      dsv_drawn_member #(.WIDTH(WIDTH)) member (.members, .multiples, .one);
    end else begin : g_late
      // The product, a bit of the narrow factor at a time: smaller than what a multiplication sign is made into.
      logic [COUNT_W-1:0]   count;
      logic [PRODUCT_W-1:0] product;
      assign count = COUNT_W'($countones(members));
      always_comb begin
        product = '0;
        for (int b = 0; b < COUNT_W; b++) product = product + (count[b] ? PRODUCT_W'(random) << b : '0);
      end
      // The members below each one are counted while the product is formed.
      dsv_nth_member #(.WIDTH(WIDTH)) nth (.members, .n(COUNT_W'(product >> 16)), .one);
    end
  endgenerate
endmodule
