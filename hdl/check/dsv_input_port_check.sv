// One input port: a flit goes into one VC, if into any, and one leaves.
module dsv_input_port_check #(
  parameter int unsigned VCS = 3
) (
  input logic           clk,
  input logic           rst,
  input logic [VCS-1:0] write,
  input logic [VCS-1:0] waiting,
  input logic [VCS-1:0] active,
  input logic [VCS-1:0] finishing,
  input logic           misroutes_globally,
  input logic           misroutes_locally
);
  ONE_HOT: assert property (@(posedge clk) disable iff (rst)
    $onehot0(write) && $onehot0(finishing) && (waiting & active) == '0 && !(misroutes_globally && misroutes_locally)
  ) else $error("ONE-HOT: written %b, finishing %b, waiting %b, active %b, misroutes globally %b and locally %b",
                write, finishing, waiting, active, misroutes_globally, misroutes_locally);
endmodule
