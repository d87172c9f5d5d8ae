// Formal: one direction of a link at the boundary of a router, flits one way and credits the other. What the neighbour does is assumed,
// what the router does is proven; an integrator proves the first of his own design, with the same module and the other SENDS.
//
// The sender: at most one flit in a cycle, with a credit, for a VC that there is; packets whole on each VC. The receiver: a credit only
// for a flit that it holds.
module link_contract #(
  parameter int unsigned VCS = 1,
  // Places of the buffer of each VC behind the link.
  parameter int unsigned DEPTH = 2,
  parameter int unsigned FLIT_WIDTH = dsv_pkg::HEADER_BITS,
  // Whether the design that is proven sends the flits, or the credits.
  parameter bit          SENDS = 1'b1,
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned HELD_W = $clog2(DEPTH + 1)
) (
  input  logic                    clk,
  input  logic                    rst,
  input  logic                    flit_valid,
  input  logic                    flit_head,
  input  logic                    flit_tail,
  input  logic [VC_W-1:0]         flit_vc,
  input  logic [FLIT_WIDTH-1:0]   flit_data,
  input  logic                    credit_valid,
  input  logic [VC_W-1:0]         credit_vc,
  // Per VC: flits that the receiver holds, and those that have yet to come of the packet on the wire.
  output logic [VCS*HELD_W-1:0]   held,
  output logic [VCS*LENGTH_W-1:0] to_come
);
  logic [VCS-1:0] has_credit, is_whole, is_held;
  generate for (genvar v = 0; v < VCS; v++) begin : g_vc
    logic              comes, goes;
    logic [HELD_W-1:0] count;
    assign comes = flit_valid && 32'(flit_vc) == v;
    assign goes  = credit_valid && 32'(credit_vc) == v;
    assign held[v*HELD_W +: HELD_W] = count;
    assign has_credit[v] = !comes || count < DEPTH;
    assign is_held[v]    = !goes || count != '0;
    always_ff @(posedge clk) count <= rst ? '0 : count + HELD_W'(comes) - HELD_W'(goes);
    packet_order order (
      .clk, .rst, .valid(comes), .head(flit_head), .tail(flit_tail), .length(flit_data[FLIT_WIDTH - 1 -: LENGTH_W]),
      .is_whole(is_whole[v]), .to_come(to_come[v*LENGTH_W +: LENGTH_W])
    );
  end endgenerate

  logic is_sent, is_sent_whole, is_credited;
  assign is_sent       = &has_credit && (!flit_valid || 32'(flit_vc) < VCS);
  assign is_sent_whole = &is_whole;
  assign is_credited   = &is_held && (!credit_valid || 32'(credit_vc) < VCS);
  generate if (SENDS) begin : g_sends
    always_comb if (!rst) assume (is_credited);
    dsv_property CREDIT_NO_DEBT (.holds(rst || is_sent));
    dsv_property FLIT_WHOLE (.holds(rst || is_sent_whole));
  end else begin : g_receives
    always_comb if (!rst) assume (is_sent && is_sent_whole);
    dsv_property CREDIT_BOUND (.holds(rst || is_credited));
  end endgenerate
endmodule
