// Stage 5, between admission and allocation: what one VC of an input asks the allocator for, in the register of a pipeline of five or six
// (router-core/src/router/admitted.rs). A request is admitted in one cycle and allocated in the next; what the grants of its own cycle
// take away is withdrawn before it is registered, so that all that is allocated is legal. Grants are known last: nothing but selections
// depends on them. In a pipeline of six there are those of the cycle before, too, which are carried out now. Sets of ports behind VC c are
// planes: bits [c*PORTS +: PORTS].
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
  // This VC is granted what it wants. It was granted an output in the cycle before, where grants are registered.
  input  logic                 match,
  input  logic                 granted,
  input  logic [PORTS-1:0]     grant_output,
  // Whether a flit of the same packet is behind the first, and another one behind that; outputs that take a flit, and VCs behind them with
  // a place for the second and for the third flit.
  input  logic                 has_next,
  input  logic                 has_third,
  input  logic [PORTS-1:0]     accepts,
  input  logic [VCS*PORTS-1:0] credited_twice,
  input  logic [VCS*PORTS-1:0] credited_thrice,
  // The VCs behind outputs that are granted in this cycle.
  input  logic [VCS*PORTS-1:0] seized,
  output logic [PORTS-1:0]     want,
  output logic [VC_W-1:0]      want_out_vc
);
  logic [PORTS-1:0] way, second, third, kept;
  logic             is_taken;

  // The next flit of a packet that is leaving: its VC has a place behind those of the flits that have been granted.
  assign way    = granted ? grant_output : want;
  assign second = way & accepts & credited_twice[want_out_vc*PORTS +: PORTS] & {PORTS{has_next}};
  assign third  = want & accepts & credited_thrice[want_out_vc*PORTS +: PORTS] & {PORTS{has_third}};

  // A head stays where no other one takes the VC.
  logic [VCS*PORTS-1:0] mine;
  generate for (genvar c = 0; c < VCS; c++) begin : g_vc
    assign mine[c*PORTS +: PORTS] = admitted & {PORTS{waiting && admitted_out_vc == VC_W'(c)}};
  end endgenerate
  assign is_taken = (mine & seized) != '0;
  assign kept     = admitted & {PORTS{!is_taken}};

  // The VC needs no reset: where no output is wanted, none is asked for it.
  always_ff @(posedge clk) begin
    want        <= rst ? '0 : match ? (granted ? third : second) : granted ? second : kept;
    want_out_vc <= match || granted ? want_out_vc : admitted_out_vc;
  end
endmodule
