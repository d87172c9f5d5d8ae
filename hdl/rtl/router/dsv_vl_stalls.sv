// The VCs behind all outputs that are stalled: so many packets for one have been discarded in succession, since their time was up, as its
// output has for a stall count (router-core/src/lifetime.rs). For eight lifetime limits.
module dsv_vl_stalls #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned NODES = 2,
  parameter  int unsigned LOCALS = 3,
  parameter  int unsigned NODE_VCS = 3,
  parameter  int unsigned LOCAL_VCS = 3,
  parameter  int unsigned GLOBAL_VCS = 3,
  parameter  int unsigned LIFETIME = 1,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned COUNT_W = dsv_pkg::VL_STALL_BITS,
  localparam int unsigned LIMIT_W = LIFETIME + COUNT_W
) (
  input  logic                       clk,
  input  logic                       rst,
  // The next internal cycle is the first of a link cycle.
  input  logic                       opens_next,
  // Per output, the limit in link cycles, below the stall count.
  input  logic [PORTS*LIMIT_W-1:0]   lifetimes,
  // Per input, the VCs for which a packet is discarded, since its time is up: VC c of all outputs in [c*PORTS +: PORTS].
  input  logic [PORTS*VCS*PORTS-1:0] late,
  // Per output: a head leaves, into this VC.
  input  logic [PORTS-1:0]           sends,
  input  logic [PORTS*VC_W-1:0]      sends_vc,
  // And those that an output has not.
  output logic [VCS*PORTS-1:0]       stalled
);
  localparam int unsigned STALLED_W = LIFETIME + $clog2(dsv_pkg::VL_STALL_LIMITS);

  // Per output and VC behind it: cycles in succession in which one has been discarded, and link cycles for which it is still stalled.
  logic [PORTS*VCS*COUNT_W-1:0]   late_discards;
  logic [PORTS*VCS*STALLED_W-1:0] stalled_for;

  generate for (genvar o = 0; o < PORTS; o++) begin : g_output
    localparam int unsigned HERE = o < NODES ? NODE_VCS : o < NODES + LOCALS ? LOCAL_VCS : GLOBAL_VCS;
    logic [LIFETIME-1:0] limit;
    logic [COUNT_W-1:0]  stall_count;
    assign {stall_count, limit} = lifetimes[o*LIMIT_W +: LIMIT_W];

    for (genvar c = 0; c < VCS; c++) begin : g_vc
      if (c < HERE) begin : g_here
        logic [PORTS-1:0]     late_from;
        logic [COUNT_W-1:0]   count, discards;
        logic [STALLED_W-1:0] left;
        logic                 is_late, passes;
        for (genvar i = 0; i < PORTS; i++) begin : g_input
          assign late_from[i] = late[(i*VCS + c)*PORTS + o];
        end
        assign is_late = late_from != '0 && stall_count != '0;
        assign passes  = sends[o] && sends_vc[o*VC_W +: VC_W] == VC_W'(c);
        assign count   = (passes ? '0 : discards) + 1'b1;

        always_ff @(posedge clk) begin
          if (rst) begin
            discards <= '0;
            left     <= '0;
          end else if (left != '0) begin
            left     <= left - STALLED_W'(opens_next);
          end else if (is_late && count >= stall_count) begin
            discards <= '0;
            left     <= STALLED_W'(limit) * STALLED_W'(dsv_pkg::VL_STALL_LIMITS) - STALLED_W'(opens_next);
          end else if (is_late || passes) begin
            discards <= is_late ? count : '0;
          end
        end
        assign stalled[c*PORTS + o] = left != '0;
        assign late_discards[(o*VCS + c)*COUNT_W +: COUNT_W]   = discards;
        assign stalled_for[(o*VCS + c)*STALLED_W +: STALLED_W] = left;
      end else begin : g_absent
        assign stalled[c*PORTS + o] = 1'b1;
        assign late_discards[(o*VCS + c)*COUNT_W +: COUNT_W]   = '0;
        assign stalled_for[(o*VCS + c)*STALLED_W +: STALLED_W] = '0;
      end
    end
  end endgenerate

  logic unused;
  assign unused = &{1'b0, late, late_discards, stalled_for};
endmodule
