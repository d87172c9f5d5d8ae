// One input port: a flit goes into one VC, if into any, and one leaves.
`include "dsv_check.svh"
module dsv_input_port_check #(
  parameter int unsigned PORTS = 7,
  parameter int unsigned VCS   = 3
) (
  input logic           clk,
  input logic           rst,
  input logic [VCS-1:0] write,
  input logic [VCS-1:0] waiting,
  input logic [VCS-1:0] active,
  input logic [VCS-1:0] finishing,
  input logic [VCS-1:0] grant_vc,
  input logic [PORTS-1:0] grant_output,
  input logic [VCS*PORTS-1:0] global_misroutes,
  input logic           misroutes_globally,
  input logic           misroutes_locally
);
  // Of the granted VC alone.
  logic [PORTS-1:0] granted;
  always_comb begin
    granted = '0;
    for (int v = 0; v < VCS; v++) granted = granted | (global_misroutes[v*PORTS +: PORTS] & {PORTS{grant_vc[v]}});
  end

  `DSV_CHECK(ONE_HOT,
    $onehot0(write) && $onehot0(finishing) && (waiting & active) == '0 && !(misroutes_globally && misroutes_locally)
    && misroutes_globally == ((granted & grant_output) != '0),
    ("ONE-HOT: written %b, finishing %b, waiting %b, active %b, misroutes globally %b and locally %b",
     write, finishing, waiting, active, misroutes_globally, misroutes_locally))
endmodule
