// The clock by which packets in the router grow old: it ticks LIFETIME_TICKS times in PACKET_LIFETIME link cycles (router-core/src/lifetime.rs).
module dsv_lifetime_tick #(
  parameter int unsigned PACKET_LIFETIME = 4
) (
  input  logic clk,
  input  logic rst,
  // The next internal cycle is the first of a link cycle.
  input  logic opens_next,
  // The link cycle that begins with it is the first behind a tick.
  output logic tick
);
  localparam int unsigned CYCLES = PACKET_LIFETIME / dsv_pkg::LIFETIME_TICKS;
  localparam int unsigned PLACE_W = CYCLES > 1 ? $clog2(CYCLES) : 1;

  // The place between two ticks of the link cycle to come.
  logic [PLACE_W-1:0] place;
  assign tick = opens_next && place == PLACE_W'(CYCLES - 1);

  always_ff @(posedge clk) begin
    if (rst) place <= PLACE_W'(1 % CYCLES);
    else if (opens_next) place <= tick ? '0 : place + 1'b1;
  end
endmodule
