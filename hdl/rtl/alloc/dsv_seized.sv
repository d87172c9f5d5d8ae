// Stage 5, beside allocation: the VCs behind one output that are granted in this cycle. Which VCs of inputs ask for each of them is known
// before the grants are, where requests are registered.
module dsv_seized #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  // For each VC of each input: whether it asks for this output, and for which VC behind it; and whether it is granted what it asks for.
  input  logic [PORTS*VCS-1:0]      want,
  input  logic [PORTS*VCS*VC_W-1:0] want_out_vc,
  input  logic [PORTS*VCS-1:0]      match_vc,
  output logic [VCS-1:0]            seized
);
  generate for (genvar c = 0; c < VCS; c++) begin : g_vc
    logic [PORTS*VCS-1:0] asks;
    for (genvar n = 0; n < PORTS * VCS; n++) begin : g_ask
      assign asks[n] = want[n] && want_out_vc[n*VC_W +: VC_W] == VC_W'(c);
    end
    assign seized[c] = (asks & match_vc) != '0;
  end endgenerate
endmodule
