// Common part of the lifetime limits of all inputs: the stalled VCs behind outputs, where packets may wait
// for too long, and the tick by which packets grow old, where they may be in the router for too long.
module dsv_lifetimes #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned NODES = 2,
  parameter  int unsigned LOCALS = 3,
  parameter  int unsigned NODE_VCS = 3,
  parameter  int unsigned LOCAL_VCS = 3,
  parameter  int unsigned GLOBAL_VCS = 3,
  parameter  int unsigned LIFETIME = 0,
  parameter  int unsigned PACKET_LIFETIME = 0,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned LIMIT_W = LIFETIME + dsv_pkg::VL_STALL_BITS
) (
  input  logic                       clk,
  input  logic                       rst,
  input  logic                       opens_next,
  input  logic [PORTS*LIMIT_W-1:0]   lifetimes,
  input  logic [PORTS*VCS*PORTS-1:0] late,
  input  logic [PORTS-1:0]           sends,
  input  logic [PORTS*VC_W-1:0]      sends_vc,
  output logic [VCS*PORTS-1:0]       stalled,
  output logic                       tick
);
  generate if (LIFETIME != 0) begin : g_heads
    dsv_vl_stalls #(
      .PORTS(PORTS), .VCS(VCS), .NODES(NODES), .LOCALS(LOCALS), .NODE_VCS(NODE_VCS), .LOCAL_VCS(LOCAL_VCS), .GLOBAL_VCS(GLOBAL_VCS),
      .LIFETIME(LIFETIME)
    ) stalls (.clk, .rst, .opens_next, .lifetimes, .late, .sends, .sends_vc, .stalled);
  end else begin : g_no_heads
    logic unused;
    assign unused  = &{1'b0, lifetimes, late, sends, sends_vc};
    assign stalled = '0;
  end endgenerate

  generate if (PACKET_LIFETIME != 0) begin : g_packets
    dsv_lifetime_tick #(.PACKET_LIFETIME(PACKET_LIFETIME)) lifetime_tick (.clk, .rst, .opens_next, .tick);
  end else begin : g_no_packets
    assign tick = 1'b0;
  end endgenerate

  logic unused_clock;
  assign unused_clock = &{1'b0, clk, rst, opens_next};
endmodule
