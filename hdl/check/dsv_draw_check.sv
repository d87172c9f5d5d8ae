// One member of a set, drawn: any of them, but one.
module dsv_draw_check #(
  parameter int unsigned WIDTH = 7
) (
  input logic             clk,
  input logic             rst,
  input logic [WIDTH-1:0] members,
  input logic [WIDTH-1:0] one
);
  ONE_HOT: assert property (@(posedge clk) disable iff (rst)
    $onehot0(one) && (one & ~members) == '0 && (one != '0 || members == '0)
  ) else $error("ONE-HOT: of the members %b, %b is drawn", members, one);
endmodule
