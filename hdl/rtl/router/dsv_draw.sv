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
      for (genvar n = 0; n <= WIDTH; n++) begin : g_multiple
        logic [PRODUCT_W-1:0] product;
        logic [COUNT_W-1:0]   up_to;
        if (n == 0) begin : g_none
          assign product = '0;
          assign up_to   = '0;
        end else begin : g_some
          assign product = n % 2 == 0 ? g_multiple[n/2].product << 1 : g_multiple[n-1].product + PRODUCT_W'(random);
          assign up_to   = g_multiple[n-1].up_to | (product[16 +: COUNT_W] & {COUNT_W{count == COUNT_W'(n)}});
        end
        logic unused;
        assign unused = &{1'b0, product[15:0]};
      end
      assign drawn = g_multiple[WIDTH].up_to;
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
    one   = '0;
    for (int k = 0; k < WIDTH; k++) begin
      one   = one | (WIDTH'(members[k] && below == drawn) << k);
      below = below + COUNT_W'(members[k]);
    end
  end
endmodule
