// The router's one source of chance: a 32-bit register of full period (Marsaglia, Xorshift RNGs, 2003, triple 13, 17, 5).
// It steps in each cycle in which the router holds a flit, and `word` is what it steps to: what all draws of the cycle see. What it
// would step to is kept beside it, so that draws begin with a register.
module dsv_lfsr (
  input  logic        clk,
  input  logic        rst,
  input  logic [31:0] seed,
  input  logic        advance,
  output logic [31:0] word,
  // The same in each cycle in which it steps, and what that becomes when it moves.
  output logic [31:0] stepped,
  output logic        moves,
  output logic [31:0] following
);
  logic [31:0] value, next, left, right;

  assign word      = advance ? stepped : value;
  assign moves     = rst || advance;
  assign next      = rst ? seed : stepped;
  assign left      = next ^ (next << 13);
  assign right     = left ^ (left >> 17);
  assign following = right ^ (right << 5);

  always_ff @(posedge clk) begin
    if (moves) value   <= next;
    if (moves) stepped <= following;
  end
endmodule
