// Stage 5, between allocation and the crossbar: the grants of a cycle, which are carried out in the next where they are REGISTERED, in a
// pipeline of six. Everything behind the allocator follows them: the crossbar, credits, the VCs and those that hold them.
module dsv_granted #(
  parameter int unsigned PORTS = 7,
  parameter int unsigned VCS = 3,
  parameter bit          REGISTERED = 1'b0
) (
  input  logic                   clk,
  input  logic                   rst,
  // Per input, one-hot or 0, VC and output, and per output, the VC behind it: as the allocator decides,
  input  logic [PORTS*VCS-1:0]   match_vc,
  input  logic [PORTS*PORTS-1:0] match_output,
  input  logic [PORTS*VCS-1:0]   match_out_vc,
  // and as it is carried out.
  output logic [PORTS*VCS-1:0]   grant_vc,
  output logic [PORTS*PORTS-1:0] grant_output,
  output logic [PORTS*VCS-1:0]   grant_out_vc
);
  generate if (REGISTERED) begin : g_registered
    always_ff @(posedge clk) begin
      grant_vc     <= rst ? '0 : match_vc;
      grant_output <= rst ? '0 : match_output;
      grant_out_vc <= rst ? '0 : match_out_vc;
    end
  end else begin : g_at_once
    logic unused;
    assign unused = &{1'b0, clk, rst};
    assign grant_vc     = match_vc;
    assign grant_output = match_output;
    assign grant_out_vc = match_out_vc;
  end endgenerate
endmodule
