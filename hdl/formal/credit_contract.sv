// Formal: the credits of an output port, from reset on, for all flits that leave and all credits that come,
// legal or not. CREDIT-BOUND and CREDIT-NO-DEBT are those of the check that is bound to the credits,
// ROOM-EXACT that of the check of each bit beside them. CREDIT-TOLD is what each bit says.
//
// Assumed: the allocator sends only where there is a credit.
module credit_contract #(
  parameter int unsigned VCS = 3,
  parameter int unsigned DEPTH = 5,
  parameter int unsigned RESERVED = DEPTH,
  parameter int unsigned AHEAD = 0,
  parameter int unsigned SHORTEST = 2,
  parameter int unsigned LENGTHS = 2,
  localparam int unsigned ROOMS = LENGTHS > 0 ? LENGTHS : 1,
  localparam int unsigned CREDIT_W = $clog2(DEPTH + 1),
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input logic            clk,
  input logic            rst,
  input logic            take_valid,
  input logic [VC_W-1:0] take_vc,
  input logic            give_valid,
  input logic [VC_W-1:0] give_vc
);
  logic [VCS*CREDIT_W-1:0] left, used;
  logic [VCS-1:0] credited, credited_twice, credited_thrice;
  logic [ROOMS*VCS-1:0] rooms;
  logic overflow;
  dsv_credit #(.VCS(VCS), .DEPTH(DEPTH), .RESERVED(RESERVED), .CREDIT_W(CREDIT_W), .SHORTEST(SHORTEST), .LENGTHS(LENGTHS), .AHEAD(AHEAD)) dut (
    .clk, .rst, .take_valid, .take_vc, .give_valid, .give_vc, .left, .used, .credited, .credited_twice, .credited_thrice,
    .rooms, .overflow
  );

  logic has_begun;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) has_begun <= 1'b1;
  always_comb if (!has_begun) assume (rst);

  // Of the places that VCs share, those that flits are in which found the reserved ones of their VC in use.
  localparam int unsigned SHARED = DEPTH - RESERVED;
  logic [VCS*32-1:0] uses;
  logic [31:0]       lent;
  always_comb begin
    lent = 0;
    for (int v = 0; v < VCS; v++)
      if (uses[v*32 +: 32] > RESERVED) lent = lent + uses[v*32 +: 32] - RESERVED;
  end

  logic [VCS-1:0] takes, gives, is_empty, is_full, is_conserved, is_counted, is_told;
  generate
    for (genvar v = 0; v < VCS; v++) begin : g_vc
      // Places of the next router that are in use, counted with a bit to spare.
      logic [CREDIT_W:0] in_use, free;
      assign free = (CREDIT_W+1)'(left[v*CREDIT_W +: CREDIT_W]);
      assign takes[v] = take_valid && 32'(take_vc) == v;
      assign gives[v] = give_valid && 32'(give_vc) == v;
      // Reserved places that are free, and shared ones; and places for the first, the second and the third flit that are granted, where others
      // take one in each cycle in between.
      logic [31:0] own, spare, first, second, third;
      assign own    = 32'(in_use) < RESERVED ? RESERVED - 32'(in_use) : 0;
      assign spare  = lent <= SHARED ? SHARED - lent : 0;
      assign first  = spare > AHEAD ? own + spare - AHEAD : own;
      assign second = spare + 1 > AHEAD ? own + spare + 1 - (AHEAD > 0 ? AHEAD : 1) : own;
      assign third  = spare + 2 > AHEAD ? own + spare + 2 - (AHEAD > 1 ? AHEAD : 2) : own;
      assign is_empty[v] = own + spare == 0;
      assign is_full[v] = in_use == 0;
      always_ff @(posedge clk) begin
        if (rst) in_use <= '0;
        else in_use <= in_use + (CREDIT_W+1)'(takes[v]) - (CREDIT_W+1)'(gives[v] && !overflow);
      end
      assign is_counted[v] = in_use == (CREDIT_W+1)'(used[v*CREDIT_W +: CREDIT_W]);
      assign uses[v*32 +: 32] = 32'(in_use);
      assign is_conserved[v] = in_use <= DEPTH && 32'(free) == own + spare;
      logic [ROOMS-1:0] is_room_told;
      for (genvar n = 0; n < LENGTHS; n++) begin : g_length
        assign is_room_told[n] = rooms[n*VCS + v] == (own + spare >= SHORTEST + n && first > 0);
      end
      if (LENGTHS == 0) begin : g_any_length
        assign is_room_told = '1;
      end
      assign is_told[v] = credited[v] == (first > 0) && credited_twice[v] == (AHEAD > 0 && second > 1)
        && credited_thrice[v] == (AHEAD > 1 && third > 2) && &is_room_told;
    end
  endgenerate

  always_comb assume ((takes & is_empty) == '0);

  always_comb if (has_begun) begin
    INVARIANT_COUNTED: assert (&is_counted);
    CREDIT_CONSERVED: assert (&is_conserved);
    CREDIT_TOLD: assert (&is_told);
    // A credit too many is refused, and nothing else is.
    CREDIT_OVERFLOW: assert (overflow == ((gives & is_full & ~takes) != '0));
  end

  always_comb if (has_begun && !rst) begin
    EMPTY: cover (&is_empty);
    ALL_LENT: cover (lent == SHARED && (SHARED == 0 || uses[31:0] > RESERVED));
    TOO_MANY: cover (overflow);
    BOTH_AT_ONCE: cover ((takes & gives & is_full) != '0);
  end
endmodule
