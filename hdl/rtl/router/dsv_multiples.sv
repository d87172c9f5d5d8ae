// Which member is drawn of a set of each number of members: n times 16 random bits, shifted down by 16 (router-core/src/lfsr.rs,
// `Tap::below`). Formed for each n up to MOST, before the members are known.
module dsv_multiples #(
  parameter  int unsigned MOST = 7,
  localparam int unsigned COUNT_W = $clog2(MOST + 1)
) (
  input  logic [15:0]             random,
  // Of n members at place n - 1.
  output logic [MOST*COUNT_W-1:0] multiples
);
  localparam int unsigned PRODUCT_W = 16 + COUNT_W;

  // An even multiple is that of half as many, shifted; an odd one adds one to the even one below.
  generate for (genvar n = 1; n <= MOST; n++) begin : g_multiple
    logic [PRODUCT_W-1:0] product;
    if (n == 1) begin : g_one
      assign product = PRODUCT_W'(random);
    end else begin : g_more
      assign product = n % 2 == 0 ? g_multiple[n/2].product << 1 : g_multiple[n-1].product + PRODUCT_W'(random);
    end
    assign multiples[(n-1)*COUNT_W +: COUNT_W] = product[16 +: COUNT_W];
    logic unused;
    assign unused = &{1'b0, product[15:0]};
  end endgenerate
endmodule
