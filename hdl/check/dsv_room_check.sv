// The bit beside the credits that it follows.
`include "dsv_check.svh"
module dsv_room_check #(
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned FLITS = 1,
  localparam int unsigned FREE_W = $clog2(DEPTH + 1)
) (
  input logic              clk,
  input logic              rst,
  input logic [FREE_W-1:0] free,
  input logic              room
);
  `DSV_CHECK(ROOM_EXACT, room == (32'(free) >= FLITS),
    ("ROOM-EXACT: with %0d credits there is room for a packet of %0d flits: %b", free, FLITS, room))
endmodule
