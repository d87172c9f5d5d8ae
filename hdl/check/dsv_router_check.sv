// The router as a whole: contention counters, and the packets that hold the VCs behind its outputs.
`include "dsv_check.svh"
module dsv_router_check #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned COUNTER_WIDTH = 8,
  parameter  int unsigned COUNT_AT = dsv_pkg::COUNT_AT_HEAD,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input logic                           clk,
  input logic                           rst,
  input logic [PORTS-1:0]               wired,
  input logic [PORTS*COUNTER_WIDTH-1:0] contention_count,
  // Which port each front packet is counted at; none where there is no packet.
  input logic [PORTS*VCS*PORTS-1:0]     counted,
  input logic [PORTS*VCS-1:0]           grant_vc,
  input logic [PORTS*PORTS-1:0]         grant_output,
  input logic [PORTS-1:0]               leaves_head,
  input logic [PORTS-1:0]               leaves_tail,
  input logic [PORTS*VC_W-1:0]          leaves_vc
);
  generate if (COUNT_AT == dsv_pkg::COUNT_AT_HEAD) begin : g_head
    for (genvar o = 0; o < PORTS; o++) begin : g_output
      logic [PORTS*VCS-1:0]     here;
      logic [COUNTER_WIDTH-1:0] count;
      for (genvar n = 0; n < PORTS * VCS; n++) begin : g_packet
        assign here[n] = counted[n*PORTS + o];
      end
      assign count = contention_count[o*COUNTER_WIDTH +: COUNTER_WIDTH];
      `DSV_CHECK(CONTENTION_EXACT, count == COUNTER_WIDTH'($countones(here)),
        ("CONTENTION-EXACT: output %0d is counted %0d times, for %b", o, count, here))
    end
  end else begin : g_arrival
    logic unused;
    assign unused = &{1'b0, contention_count, counted};
  end endgenerate

  // Per output and VC behind it: the input and its VC whose packet holds it; none where it is free.
  generate for (genvar o = 0; o < PORTS; o++) begin : g_output
    logic [PORTS-1:0] granted;
    for (genvar i = 0; i < PORTS; i++) begin : g_granted
      assign granted[i] = grant_output[i*PORTS + o];
    end
    // So an unconnected output keeps all its credits.
    `DSV_CHECK(CREDIT_NO_DEBT, granted == '0 || wired[o],
      ("CREDIT-NO-DEBT: a flit leaves by output %0d, which is not connected", o))

    for (genvar c = 0; c < VCS; c++) begin : g_vc
      logic [PORTS*VCS-1:0] holder, source;
      logic [PORTS-1:0]     from;
      for (genvar i = 0; i < PORTS; i++) begin : g_input
        assign from[i] = grant_output[i*PORTS + o] && leaves_vc[i*VC_W +: VC_W] == VC_W'(c);
        assign source[i*VCS +: VCS] = grant_vc[i*VCS +: VCS] & {VCS{from[i]}};
      end
      always_ff @(posedge clk) begin
        if (rst) holder <= '0;
        else if (source != '0) holder <= (from & leaves_tail) != '0 ? '0 : source;
      end
      `DSV_CHECK(VC_OWNED, source == '0 || holder == ((from & leaves_head) != '0 ? '0 : source),
        ("VC-OWNED: VC %0d of output %0d is held by %b, and a flit comes from %b", c, o, holder, source))
    end
  end endgenerate
endmodule
