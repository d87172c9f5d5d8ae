// Stage 5, between admission and allocation: what one VC of an input asks the allocator for, in the register of a pipeline of five
// (router-core/src/router/admitted.rs). A request is admitted in one cycle and allocated in the next; what the grants of its own cycle
// take away is withdrawn before it is registered, so that all that is allocated is legal. Grants are known last: nothing but selections
// depends on them. Sets of ports behind VC c are planes: bits [c*PORTS +: PORTS].
module dsv_admitted #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input  logic                 clk,
  input  logic                 rst,
  // What admission finds for the front packet, which waits or is leaving.
  input  logic                 waiting,
  input  logic [PORTS-1:0]     admitted,
  input  logic [VC_W-1:0]      admitted_out_vc,
  // This VC is granted what it wants. Whether a flit of the same packet is behind the one that leaves then; outputs that take a flit, and
  // VCs behind them with a credit more than one.
  input  logic                 grant,
  input  logic                 has_next,
  input  logic [PORTS-1:0]     accepts,
  input  logic [VCS*PORTS-1:0] credited_twice,
  // The VCs behind outputs that are granted in this cycle.
  input  logic [VCS*PORTS-1:0] seized,
  output logic [PORTS-1:0]     want,
  output logic [VC_W-1:0]      want_out_vc
);
  logic [PORTS-1:0] next, kept;
  logic             is_taken;

  // The next flit of a packet that is leaving: its VC has had a credit for this one, and needs another.
  assign next = want & accepts & credited_twice[want_out_vc*PORTS +: PORTS] & {PORTS{has_next}};

  // A head stays where no other one takes the VC.
  logic [VCS*PORTS-1:0] mine;
  generate for (genvar c = 0; c < VCS; c++) begin : g_vc
    assign mine[c*PORTS +: PORTS] = admitted & {PORTS{waiting && admitted_out_vc == VC_W'(c)}};
  end endgenerate
  assign is_taken = (mine & seized) != '0;
  assign kept     = admitted & {PORTS{!is_taken}};

  // The VC needs no reset: where no output is wanted, none is asked for it.
  always_ff @(posedge clk) begin
    want        <= rst ? '0 : grant ? next : kept;
    want_out_vc <= grant ? want_out_vc : admitted_out_vc;
  end
endmodule
