// What a packet asks the allocator for: only what it may take in this cycle.
`include "dsv_check.svh"
module dsv_admit_check #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned FLOW = dsv_pkg::FLOW_VCT,
  parameter  int unsigned SETS = 3,
  parameter  bit          SEVERAL = 1'b0,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input logic                  occupied,
  input logic                  waiting,
  input logic                  active,
  input logic [SETS*PORTS-1:0] set_ports,
  input logic [SETS*VCS-1:0]   set_vcs,
  input logic [PORTS-1:0]      request,
  input logic [VC_W-1:0]       out_vc,
  input logic [PORTS-1:0]      accepts,
  input logic [VCS*PORTS-1:0]  free,
  input logic [VCS*PORTS-1:0]  credited,
  input logic [VCS*PORTS-1:0]  fits,
  input logic [PORTS-1:0]      want,
  input logic [VC_W-1:0]       want_out_vc
);
  // By which ports a flit of the packet may go on, and a head begin: behind the VC that is shown to the allocator, and behind any.
  logic [PORTS-1:0] onward, ways, offered, shown, any, first;
  assign first = want & (~want + 1'b1);
  always_comb begin
    onward = '0;
    shown  = '0;
    any    = '0;
    for (int c = 0; c < VCS; c++) begin
      offered = '0;
      for (int k = 0; k < SETS; k++) offered = offered | (set_ports[k*PORTS +: PORTS] & {PORTS{set_vcs[k*VCS + c]}});
      ways = offered & free[c*PORTS +: PORTS]
           & (fits[c*PORTS +: PORTS] | (FLOW == dsv_pkg::FLOW_WORMHOLE ? credited[c*PORTS +: PORTS] : '0));
      any = any | ways;
      if (want_out_vc == VC_W'(c)) shown = ways;
      if (out_vc == VC_W'(c)) onward = credited[c*PORTS +: PORTS];
    end
    if (32'(out_vc) >= VCS) onward = '1;  // before the first reset
  end

  // Before the first reset a packet may request several outputs in any router.
  logic is_legal;
  assign is_legal = SEVERAL || (request & (request - 1'b1)) == '0;

  `DSV_CHECK_ALWAYS(ADMIT_OUTPUT, !is_legal || (want & ~(request & accepts)) == '0 && (want == '0 || occupied && (waiting || active)),
    ("OUTPUT-FIFO: a packet that requests %b asks for %b of the outputs %b that take a flit", request, want, accepts))

  `DSV_CHECK_ALWAYS(ADMIT_CREDIT, !active || ((want & ~onward) == '0 && want_out_vc == out_vc),
    ("CREDIT-NO-DEBT: a packet on VC %0d asks for the outputs %b, and has a credit at %b", out_vc, want, onward))

  `DSV_CHECK_ALWAYS(ADMIT_VC, active || !is_legal || ((want & ~any) == '0 && (first & ~shown) == '0),
    ("VC-OWNED: a head asks for the outputs %b, may leave by %b, and by %b on VC %0d", want, any, shown, want_out_vc))
endmodule
