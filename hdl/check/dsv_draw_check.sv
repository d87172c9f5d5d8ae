// One member of a set, drawn: any of them, but one.
`include "dsv_check.svh"
module dsv_draw_check #(
  parameter int unsigned WIDTH = 7
) (
  input logic [WIDTH-1:0] members,
  input logic [WIDTH-1:0] one
);
  `DSV_CHECK_ALWAYS(ONE_HOT, $onehot0(one) && (one & ~members) == '0 && (one != '0 || members == '0),
    ("ONE-HOT: of the members %b, %b is drawn", members, one))
endmodule
