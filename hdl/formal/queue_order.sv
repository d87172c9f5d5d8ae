// Formal: the meaning of the registers of an output FIFO for one VC of the wire. It covers the flits that
// have yet to come of the packet `on_wire`, those in the FIFO, and those that have yet to be `given`.
module queue_order #(
  parameter int unsigned VCS = 2,
  parameter int unsigned FLITS = 3,
  parameter int unsigned VC = 0,
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned WIDTH = dsv_pkg::HEADER_BITS + VC_W + 2,
  localparam int unsigned PLACE_W = FLITS > 1 ? $clog2(FLITS) : 1,
  localparam int unsigned COUNT_W = $clog2(FLITS + 1)
) (
  input  logic [PLACE_W-1:0]     first,
  input  logic [COUNT_W-1:0]     count,
  input  logic [FLITS*WIDTH-1:0] places,
  input  logic [LENGTH_W-1:0]    on_wire,
  input  logic [LENGTH_W-1:0]    given,
  output logic                   is_queue,
  // How many flits of this VC are in it.
  output logic [COUNT_W-1:0]     flits
);
  logic [LENGTH_W-1:0] to_come, length;
  logic                head, tail, fits;
  logic [VC_W-1:0]     vc;
  always_comb begin
    to_come = on_wire;
    fits = 1'b1;
    flits = '0;
    for (int k = 0; k < FLITS; k++) begin
      {head, tail, vc, length} = '0;
      for (int p = 0; p < FLITS; p++) begin
        if (32'(first) + k == p || 32'(first) + k == p + FLITS)
          {head, tail, vc, length} = places[p*WIDTH + WIDTH - 1 -: 2 + VC_W + LENGTH_W];
      end
      if (k < count) fits = fits && 32'(vc) < VCS;
      if (k < count && 32'(vc) == VC) begin
        fits = fits && head == (to_come == '0) && (!head || length != '0);
        to_come = (head ? length : to_come) - 1'b1;
        fits = fits && tail == (to_come == '0);
        flits = flits + 1'b1;
      end
    end
    is_queue = fits && to_come == given;
  end
endmodule
