// Formal: one output port from reset on, for all flits that it may be given. OUTPUT-FIFO and FLIT-WHOLE are those of the check that is
// bound to it: packets are whole on each VC of the wire, whatever is between their flits.
//
// Assumed of the router: it gives a flit only where the port accepts one. Where the port keeps places, it
// accepted so many cycles before. Packets are whole on each VC. Their VC on the wire is the one that they
// hold, or counted downwards.
module output_port_contract #(
  parameter int unsigned VCS = 2,
  parameter int unsigned FLITS = 3,
  parameter int unsigned KEEPS = 0,
  localparam int unsigned FLIT_WIDTH = dsv_pkg::HEADER_BITS,
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned WIDTH = FLIT_WIDTH + VC_W + 2,
  localparam int unsigned PLACE_W = FLITS > 1 ? $clog2(FLITS) : 1,
  localparam int unsigned COUNT_W = $clog2(FLITS + 1)
) (
  input logic                  clk,
  input logic                  rst,
  input logic                  opens_next,
  input logic                  push,
  input logic                  push_head,
  input logic                  push_tail,
  input logic [VC_W-1:0]       push_vc,
  input logic [FLIT_WIDTH-1:0] push_data,
  input logic                  descends
);
  logic                  opens, accepts, flit_valid, flit_head, flit_tail;
  logic [VCS-1:0]        owned;
  logic [VC_W-1:0]       push_label, flit_vc;
  logic [FLIT_WIDTH-1:0] flit_data;
  assign push_label = descends ? VC_W'(VCS - 1) - push_vc : push_vc;
  logic [COUNT_W-1:0] rest;

  dsv_output_port #(.VCS(VCS), .FLITS(FLITS), .FLIT_WIDTH(FLIT_WIDTH), .KEEPS(KEEPS)) dut (.*);

  always_ff @(posedge clk) opens <= rst || opens_next;

  // Registers of `dut` and of its check, by the proof's script.
  logic [PLACE_W-1:0]       first, free;
  logic [COUNT_W-1:0]       count;
  logic [FLITS*WIDTH-1:0]   places;
  logic [VCS*LENGTH_W-1:0]  on_wire;

  logic has_begun, always_descends;
  logic [KEEPS:0] has_accepted;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) begin
    has_begun <= 1'b1;
    always_descends <= descends;
    has_accepted <= rst ? '0 : has_accepted << 1 | (KEEPS+1)'(accepts);
  end
  always_comb if (!has_begun) assume (rst);
  always_comb if (has_begun) assume (descends == always_descends);

  // Packets as they are given, and as they are on the wire, by their VC there.
  logic [VCS-1:0]          is_whole, is_owned, is_queue;
  logic [VCS*LENGTH_W-1:0] given;
  generate for (genvar v = 0; v < VCS; v++) begin : g_vc
    packet_order order (
      .clk, .rst, .valid(push && 32'(push_vc) == v), .head(push_head), .tail(push_tail),
      .length(push_data[FLIT_WIDTH - 1 -: LENGTH_W]), .is_whole(is_whole[v]), .to_come(given[v*LENGTH_W +: LENGTH_W])
    );
    assign is_owned[v] = owned[v] == (given[v*LENGTH_W +: LENGTH_W] != '0);
    queue_order #(.VCS(VCS), .FLITS(FLITS), .VC(v)) queue (
      .first, .count, .places, .on_wire(on_wire[v*LENGTH_W +: LENGTH_W]),
      .given(descends ? given[(VCS-1-v)*LENGTH_W +: LENGTH_W] : given[v*LENGTH_W +: LENGTH_W]), .is_queue(is_queue[v])
    );
  end endgenerate

  always_comb if (!rst) begin
    assume (!push || (KEEPS > 0 ? has_accepted[KEEPS > 0 ? KEEPS-1 : 0] : accepts) && 32'(push_vc) < VCS);
    assume (&is_whole);
  end

  // A port that accepted a flit some cycles before has a place for it, and for one in each of the cycles to come.
  logic [KEEPS:0] is_kept;
  assign is_kept[KEEPS] = 1'b1;
  generate for (genvar k = 0; k < KEEPS; k++) begin : g_kept
    assign is_kept[k] = !has_accepted[k] || 32'(count) - 32'(flit_valid) <= FLITS - KEEPS + k;
  end endgenerate

  always_comb if (has_begun && !rst) begin
    INVARIANT_KEPT: assert (&is_kept);
    INVARIANT_OWNED: assert (&is_owned);
    INVARIANT_QUEUE: assert (&is_queue && first < FLITS && free < FLITS);
  end

  // Not vacuous: a full FIFO takes a flit and sends one; two packets are on the wire, flit by flit; a packet of one flit.
  logic [VCS-1:0] inside;
  generate for (genvar v = 0; v < VCS; v++) begin : g_inside
    assign inside[v] = on_wire[v*LENGTH_W +: LENGTH_W] != '0;
  end endgenerate
  always_comb if (has_begun && !rst) begin
    FULL_AND_MOVING: cover (push && flit_valid && 32'(count) == FLITS - KEEPS);
    INTERLEAVED: cover (&inside);
    ONE_FLIT: cover (flit_valid && flit_head && flit_tail);
  end
endmodule
