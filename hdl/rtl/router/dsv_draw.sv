// One member of a set, each as likely as the others: the `n`-th from below, where `n` is the number of
// members times 16 random bits, shifted down by 16 (router-core/src/lfsr.rs, `Tap::below`; `PortSet::nth`).
// None of none.
module dsv_draw #(
  parameter int unsigned WIDTH = 7
) (
  input  logic [WIDTH-1:0] members,
  input  logic [15:0]      random,
  output logic [WIDTH-1:0] one
);
  localparam int unsigned COUNT_W = $clog2(WIDTH + 1);
  localparam int unsigned PRODUCT_W = 16 + COUNT_W;
  // Up to so many members what is drawn is formed for each number of them, before they are known; beyond that it takes fewer
  // gates, and longer, to multiply.
  localparam int unsigned EARLY = 8;

  logic [COUNT_W-1:0] count, drawn;
  assign count = COUNT_W'($countones(members));

  generate
    if (WIDTH <= EARLY) begin : g_early
      // An even multiple is that of half as many, shifted; an odd one adds one to the even one below.
      logic [(WIDTH+1)*PRODUCT_W-1:0] multiples;
      always_comb begin
        multiples = '0;
        for (int n = 1; n <= WIDTH; n++) begin
          multiples[n*PRODUCT_W +: PRODUCT_W] = n % 2 == 0 ? multiples[n/2*PRODUCT_W +: PRODUCT_W] << 1
                                              : multiples[(n-1)*PRODUCT_W +: PRODUCT_W] + PRODUCT_W'(random);
        end
      end
      always_comb begin
        drawn = '0;
        for (int n = 2; n <= WIDTH; n++) begin
          drawn = drawn | (multiples[n*PRODUCT_W + 16 +: COUNT_W] & {COUNT_W{count == COUNT_W'(n)}});
        end
      end
    end else begin : g_late
      // The product, a bit of the narrow factor at a time: smaller than what a multiplication sign is made into.
      logic [PRODUCT_W-1:0] product;
      always_comb begin
        product = '0;
        for (int b = 0; b < COUNT_W; b++) product = product + (count[b] ? PRODUCT_W'(random) << b : '0);
      end
      assign drawn = COUNT_W'(product >> 16);
    end
  endgenerate

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
