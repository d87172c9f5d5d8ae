// Stage 6. Whether a VC of the next router has room for a packet of FLITS flits. The bit follows the credits that are taken and
// given, and is in each cycle what a comparison with `free` would say: a grant, which comes late in a cycle, moves it by one credit.
module dsv_room #(
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned MOST = DEPTH,   // credits at reset, and at most
  parameter  int unsigned FLITS = 1,
  localparam int unsigned FREE_W = $clog2(DEPTH + 1)
) (
  input  logic              clk,
  input  logic              rst,
  input  logic [FREE_W-1:0] free,
  input  logic              take,
  input  logic              give,
  output logic              room
);
  generate if (FLITS > MOST) begin : g_never
    logic unused;
    assign unused = &{1'b0, clk, rst, free, take, give};
    assign room = 1'b0;
  end else begin : g_bit
    logic is_last, is_next;
    assign is_last = free == FREE_W'(FLITS);
    assign is_next = free == FREE_W'(FLITS - 1);
    always_ff @(posedge clk) begin
      if (rst)                room <= 1'b1;
      else if (take && !give) room <= room && !is_last;
      else if (give && !take) room <= room || is_next;
    end
  end endgenerate
endmodule
