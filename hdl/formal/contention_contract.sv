// Formal: contention counters from reset on, for all packets that come and go. CONTENTION-EXACT: a counter equals the packets that are
// counted at its port; the sum of all is that of the check that is bound to the counters.
//
// Assumed of the router: in each cycle an input counts at most one packet that arrives and one that moves up behind a tail.
module contention_contract #(
  parameter int unsigned PORTS = 2,
  parameter int unsigned VCS = 2,
  parameter int unsigned COUNTER_WIDTH = 3,
  parameter int unsigned TRIGGER = dsv_pkg::TRIGGER_CONTENTION_AVERAGE
) (
  input logic                       clk,
  input logic                       rst,
  // Per input and VC: whether a packet leaves; where the one is counted that comes to the front behind it, or arrives in an empty VC.
  input logic [PORTS*VCS-1:0]       leaves,
  input logic [PORTS*VCS*PORTS-1:0] comes,
  input logic [COUNTER_WIDTH-1:0]   threshold,
  input logic [15:0]                factor,
  input logic [PORTS-1:0]           wired
);
  logic [2*PORTS*PORTS-1:0]       rise;
  logic [PORTS*PORTS-1:0]         fall;
  logic [PORTS*COUNTER_WIDTH-1:0] count;
  logic [PORTS-1:0]               fires, contended;
  dsv_contention #(.PORTS(PORTS), .COUNTER_WIDTH(COUNTER_WIDTH), .TRIGGER(TRIGGER), .RISES(2 * PORTS)) dut (.*);

  logic has_begun;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) has_begun <= 1'b1;
  always_comb if (!has_begun) assume (rst);

  // Where the packet at the front of each VC is counted; nowhere where there is none.
  logic [PORTS*VCS*PORTS-1:0] counted;
  logic [PORTS*VCS-1:0]       arrives, moves_up;
  generate
    for (genvar n = 0; n < PORTS * VCS; n++) begin : g_vc
      logic [PORTS-1:0] here, next;
      assign here = counted[n*PORTS +: PORTS];
      assign next = comes[n*PORTS +: PORTS];
      assign arrives[n]  = next != '0 && !leaves[n];
      assign moves_up[n] = next != '0 && leaves[n];
      always_ff @(posedge clk) begin
        if (rst) counted[n*PORTS +: PORTS] <= '0;
        else if (leaves[n] || arrives[n]) counted[n*PORTS +: PORTS] <= next;
      end
      always_comb begin
        assume ((next & (next - 1'b1)) == '0);
        assume (!leaves[n] || here != '0);
        assume (!arrives[n] || here == '0);
      end
    end
    for (genvar i = 0; i < PORTS; i++) begin : g_input
      logic [VCS-1:0] arrive, move, leave;
      assign arrive = arrives[i*VCS +: VCS];
      assign move   = moves_up[i*VCS +: VCS];
      assign leave  = leaves[i*VCS +: VCS];
      always_comb begin
        assume ((arrive & (arrive - 1'b1)) == '0);
        assume ((leave & (leave - 1'b1)) == '0);
        rise[2*i*PORTS +: PORTS]     = '0;
        rise[(2*i+1)*PORTS +: PORTS] = '0;
        fall[i*PORTS +: PORTS]       = '0;
        for (int v = 0; v < VCS; v++) begin
          if (arrive[v]) rise[2*i*PORTS +: PORTS] = comes[(i*VCS + v)*PORTS +: PORTS];
          if (move[v]) rise[(2*i+1)*PORTS +: PORTS] = comes[(i*VCS + v)*PORTS +: PORTS];
          if (leave[v]) fall[i*PORTS +: PORTS] = counted[(i*VCS + v)*PORTS +: PORTS];
        end
      end
    end
  endgenerate

  logic [PORTS-1:0]     is_exact, is_one;
  logic [PORTS*VCS-1:0] at;
  generate
    for (genvar p = 0; p < PORTS; p++) begin : g_port
      logic [PORTS*VCS-1:0] here;
      for (genvar n = 0; n < PORTS * VCS; n++) begin : g_packet
        assign here[n] = counted[n*PORTS + p];
      end
      assign is_exact[p] = count[p*COUNTER_WIDTH +: COUNTER_WIDTH] == COUNTER_WIDTH'($countones(here));
      assign is_one[p] = &here;
    end
    for (genvar n = 0; n < PORTS * VCS; n++) begin : g_at
      logic [PORTS-1:0] port;
      assign port = counted[n*PORTS +: PORTS];
      assign at[n] = (port & (port - 1'b1)) == '0;
    end
  endgenerate

  always_comb if (has_begun && !rst) begin
    INVARIANT_ONE_PORT: assert (&at);
    CONTENTION_EXACT: assert (&is_exact);
  end

  // Not vacuous: every packet is counted at one port; one leaves as another one moves up and a third one arrives.
  always_comb if (has_begun && !rst) begin
    ALL_AT_LAST: cover (is_one[PORTS-1]);
    ALL_AT_ONCE: cover (moves_up != '0 && arrives != '0 && count[0 +: COUNTER_WIDTH] != '0);
  end
endmodule
