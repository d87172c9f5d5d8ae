// ALLOCATE-MATCH: each grant answers a request, no input and no output is granted twice, and as long as there is
// a request there is a grant.
`include "dsv_check.svh"
module dsv_allocator_check #(
  parameter int unsigned PORTS = 5,
  parameter int unsigned VCS = 3,
  parameter int unsigned SETS = 1,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input logic                       clk,
  input logic                       rst,
  input logic [PORTS*VCS*PORTS-1:0] want,
  input logic [PORTS*VCS*VC_W-1:0]  want_out_vc,
  input logic [PORTS*VCS-1:0]       grant_vc,
  input logic [PORTS*PORTS-1:0]     grant_output,
  input logic [PORTS*VCS-1:0]       grant_out_vc
);
  generate for (genvar p = 0; p < PORTS; p++) begin : g_port
    logic [VCS-1:0]   vc;
    logic [PORTS-1:0] asked, row, column;
    assign vc  = grant_vc[p*VCS +: VCS];
    assign row = grant_output[p*PORTS +: PORTS];
    for (genvar i = 0; i < PORTS; i++) begin : g_input
      assign column[i] = grant_output[i*PORTS + p];
    end
    // What the granted VC asks for.
    always_comb begin
      asked = '0;
      for (int v = 0; v < VCS; v++) asked = asked | (want[(p*VCS + v)*PORTS +: PORTS] & {PORTS{vc[v]}});
    end

    `DSV_CHECK(ALLOCATE_MATCH_ANSWER, (row & ~asked) == '0 && (row == '0) == (vc == '0),
      ("ALLOCATE-MATCH: VCs %b of input %0d get outputs %b, having asked for %b", vc, p, row, asked))

    `DSV_CHECK(ALLOCATE_MATCH_INPUT, $onehot0(vc) && $onehot0(row),
      ("ALLOCATE-MATCH: input %0d is granted twice: VCs %b, outputs %b", p, vc, row))

    `DSV_CHECK(ALLOCATE_MATCH_OUTPUT, $onehot0(column),
      ("ALLOCATE-MATCH: output %0d is granted to inputs %b", p, column))
  end endgenerate

  generate if (SETS == 0) begin : g_one
    for (genvar n = 0; n < PORTS * VCS; n++) begin : g_vc
      `DSV_CHECK(ALLOCATE_MATCH_ONE, $onehot0(want[n*PORTS +: PORTS]),
        ("ALLOCATE-MATCH: VC %0d of input %0d asks for outputs %b, and the allocator is not built for that",
         n % VCS, n / VCS, want[n*PORTS +: PORTS]))
    end
  end endgenerate

  // The VC behind each output is that for which the granted VC asks.
  logic [PORTS*VCS-1:0] asked_out_vc;
  always_comb begin
    asked_out_vc = '0;
    for (int o = 0; o < PORTS; o++)
      for (int n = 0; n < PORTS * VCS; n++)
        if (grant_output[n / VCS * PORTS + o] && grant_vc[n])
          asked_out_vc[o*VCS +: VCS] = VCS'(1) << want_out_vc[n*VC_W +: VC_W];
  end
  `DSV_CHECK(ALLOCATE_MATCH_OUT_VC, SETS != 0 || grant_out_vc == asked_out_vc,
    ("ALLOCATE-MATCH: VCs %b behind outputs are granted, and %b are asked for", grant_out_vc, asked_out_vc))

  `DSV_CHECK(ALLOCATE_MATCH_SOME, want == '0 || grant_vc != '0,
    ("ALLOCATE-MATCH: there are requests and no grant"))
endmodule
