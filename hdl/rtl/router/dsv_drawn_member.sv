// The member that is drawn of a set, where it is known which one that is of a set of each number of members (dsv_multiples). None of none.
module dsv_drawn_member #(
  parameter  int unsigned WIDTH = 7,
  // Members that `multiples` is of, at least WIDTH.
  parameter  int unsigned MOST = WIDTH,
  localparam int unsigned COUNT_W = $clog2(WIDTH + 1),
  localparam int unsigned MOST_W = $clog2(MOST + 1)
) (
  input  logic [WIDTH-1:0]       members,
  input  logic [MOST*MOST_W-1:0] multiples,
  output logic [WIDTH-1:0]       one
);
  logic [COUNT_W-1:0] count, drawn;
  assign count = COUNT_W'($countones(members));

  always_comb begin
    drawn = '0;
    for (int n = 1; n <= WIDTH; n++)
      drawn = drawn | (COUNT_W'(multiples[(n-1)*MOST_W +: MOST_W]) & {COUNT_W{count == COUNT_W'(n)}});
  end

  dsv_nth_member #(.WIDTH(WIDTH)) nth (.members, .n(drawn), .one);

  logic unused;
  assign unused = &{1'b0, multiples};
endmodule
