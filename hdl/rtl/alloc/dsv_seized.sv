// Stage 5, allocation: the VCs behind the outputs that are granted, where an allocator does not pick them by themselves. Combinational.
module dsv_seized #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input  logic [PORTS*VCS*PORTS-1:0] want,          // per input and VC: any one of these outputs,
  input  logic [PORTS*VCS*VC_W-1:0]  want_out_vc,   // and this VC behind it
  input  logic [PORTS*VCS-1:0]       grant_vc,      // per input
  output logic [PORTS*VCS-1:0]       grant_out_vc   // per output
);
  // Which VCs of inputs ask for each VC behind an output is known before the grants are.
  generate for (genvar o = 0; o < PORTS; o++) begin : g_output
    for (genvar c = 0; c < VCS; c++) begin : g_vc
      logic [PORTS*VCS-1:0] asks;
      for (genvar n = 0; n < PORTS * VCS; n++) begin : g_ask
        assign asks[n] = want[n*PORTS + o] && want_out_vc[n*VC_W +: VC_W] == VC_W'(c);
      end
      assign grant_out_vc[o*VCS + c] = (asks & grant_vc) != '0;
    end
  end endgenerate
endmodule
