// Stage 6. Credits of one output port: the right to send a flit to each VC of the next router. A credit that comes when
// all places are free is refused: `overflow`. One that is spent and one that comes may meet in the same
// cycle. Each VC has a bit for a place for an admitted flit, and one for each of LENGTHS lengths of packets
// from SHORTEST flits on. For one or two flits AHEAD of another, it has one for a second place, or a third.
// Places in use are counted beside the credits, and their last change is kept: products are formed of their
// number before it.
//
// Of the DEPTH places that a VC may use RESERVED are kept for it; the others are there once for all VCs. A flit that finds the reserved ones
// of its VC in use takes a shared one: a credit less for each VC. Flits of other VCs may take shared places, one in each cycle, in the AHEAD cycles
// between the admission of a flit and its leaving: of the shared places so many do not count for the flit. Behind flits of the same VC that are
// granted they are fewer. The length of a packet is compared with all free places: its later flits are admitted as the first one is.
module dsv_credit #(
  parameter  int unsigned VCS = 3,
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned RESERVED = DEPTH,
  parameter  int unsigned CREDIT_W = $clog2(DEPTH + 1),
  parameter  int unsigned SHORTEST = 8,
  parameter  int unsigned LENGTHS = 0,
  parameter  int unsigned AHEAD = 0,
  localparam int unsigned ROOMS = LENGTHS > 0 ? LENGTHS : 1,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned FREE_W = $clog2(DEPTH + 1)  // CREDIT_W is that of the deepest buffer of the router
) (
  input  logic                    clk,
  input  logic                    rst,
  input  logic                    take_valid,
  input  logic [VC_W-1:0]         take_vc,
  input  logic                    give_valid,
  input  logic [VC_W-1:0]         give_vc,
  output logic [VCS*CREDIT_W-1:0] left,
  output logic [VCS*CREDIT_W-1:0] used,
  output logic [VCS-1:0]          came,       // a place more is in use than in the cycle before
  output logic [VCS-1:0]          went,       // a place less
  output logic [VCS-1:0]          comes,      // a place more will be in use in the next cycle than in this one, or one less
  output logic [VCS-1:0]          goes,
  output logic [VCS-1:0]          credited,
  output logic [VCS-1:0]          credited_twice,
  output logic [VCS-1:0]          credited_thrice,
  output logic [ROOMS*VCS-1:0]    rooms,
  output logic                    overflow
);
  localparam bit          SHARES = RESERVED < DEPTH;
  localparam int unsigned SHARED = DEPTH - RESERVED;
  // Places, by how many shared ones do not count: 0 to AHEAD.
  localparam int unsigned LEVELS = SHARES ? AHEAD + 1 : 1;
  localparam int unsigned FIRST  = LEVELS - 1;
  localparam int unsigned SECOND = FIRST > 0 ? FIRST - 1 : 0;
  localparam int unsigned THIRD  = SECOND > 0 ? SECOND - 1 : 0;
  logic [VCS-1:0]           refused, borrows, brings_back;
  logic [FREE_W-1:0]        lent;   // shared places in use
  logic [LEVELS*FREE_W-1:0] spare;  // those that count
  logic [LEVELS-1:0]        loses, gains;
  assign overflow = |refused;

  generate if (SHARES) begin : g_lent
    // One is taken, or left, where not both happen.
    logic fewer, more;
    assign fewer = borrows != '0 && brings_back == '0;
    assign more  = brings_back != '0 && borrows == '0;
    always_ff @(posedge clk) begin
      if (rst)        lent <= '0;
      else if (fewer) lent <= lent + 1'b1;
      else if (more)  lent <= lent - 1'b1;
    end
    for (genvar k = 0; k < LEVELS; k++) begin : g_level
      if (k < SHARED) begin : g_some
        assign loses[k] = fewer && lent < FREE_W'(SHARED - k);
        assign gains[k] = more && lent <= FREE_W'(SHARED - k);
        assign spare[k*FREE_W +: FREE_W] = lent < FREE_W'(SHARED - k) ? FREE_W'(SHARED - k) - lent : '0;
      end else begin : g_none
        assign {loses[k], gains[k]} = '0;
        assign spare[k*FREE_W +: FREE_W] = '0;
      end
    end
  end else begin : g_own_places
    logic unused;
    assign unused = &{1'b0, borrows, brings_back, lent, spare, loses, gains};
    assign {lent, spare, loses, gains} = '0;
  end endgenerate

  generate for (genvar v = 0; v < VCS; v++) begin : g_vc
    logic [LEVELS*FREE_W-1:0] free;
    logic [LEVELS-1:0]        lowers, raises;
    logic [FREE_W-1:0]        occupied;
    logic take, give, is_full, falls, rises;
    assign take = take_valid && take_vc == VC_W'(v);
    assign give = give_valid && give_vc == VC_W'(v);
    assign is_full = SHARES ? occupied == '0 : free[0 +: FREE_W] == FREE_W'(DEPTH);
    assign refused[v] = give && is_full && !take;
    assign left[v*CREDIT_W +: CREDIT_W] = CREDIT_W'(free[0 +: FREE_W]);
    assign used[v*CREDIT_W +: CREDIT_W] = CREDIT_W'(occupied);

    assign falls = take && !give;
    assign rises = give && !take && !is_full;
    assign comes[v] = falls;
    assign goes[v]  = rises;
    if (SHARES) begin : g_shared
      // The places of this VC: what it does not use of its own, and what no VC uses of the shared ones.
      logic own_falls, own_rises;
      logic [FREE_W-1:0] own;
      assign own            = occupied < FREE_W'(RESERVED) ? FREE_W'(RESERVED) - occupied : '0;
      assign borrows[v]     = falls && occupied >= FREE_W'(RESERVED);
      assign brings_back[v] = rises && occupied > FREE_W'(RESERVED);
      assign own_falls      = falls && !borrows[v];
      assign own_rises      = rises && !brings_back[v];
      assign lowers         = {LEVELS{own_falls}} | loses;
      assign raises         = {LEVELS{own_rises}} | gains;
      for (genvar k = 0; k < LEVELS; k++) begin : g_level
        assign free[k*FREE_W +: FREE_W] = own + spare[k*FREE_W +: FREE_W];
      end
    end else begin : g_own
      logic [FREE_W-1:0] credits;
      assign {borrows[v], brings_back[v]} = '0;
      assign lowers = take;
      assign raises = give;
      assign free   = credits;
      always_ff @(posedge clk) begin
        if (rst)        credits <= FREE_W'(DEPTH);
        else if (falls) credits <= credits - 1'b1;
        else if (rises) credits <= credits + 1'b1;
      end
    end
    always_ff @(posedge clk) begin
      came[v] <= !rst && falls;
      went[v] <= !rst && rises;
      if (rst)        occupied <= '0;
      else if (falls) occupied <= occupied + 1'b1;
      else if (rises) occupied <= occupied - 1'b1;
    end

    dsv_room #(.DEPTH(DEPTH), .MOST(DEPTH - (FIRST < SHARED ? FIRST : SHARED)), .FLITS(1)) flit (
      .clk, .rst, .free(free[FIRST*FREE_W +: FREE_W]), .take(lowers[FIRST]), .give(raises[FIRST]), .room(credited[v])
    );
    if (AHEAD > 0) begin : g_twice
      dsv_room #(.DEPTH(DEPTH), .MOST(DEPTH - (SECOND < SHARED ? SECOND : SHARED)), .FLITS(2)) flits (
        .clk, .rst, .free(free[SECOND*FREE_W +: FREE_W]), .take(lowers[SECOND]), .give(raises[SECOND]), .room(credited_twice[v])
      );
    end else begin : g_once
      assign credited_twice[v] = 1'b0;
    end
    if (AHEAD > 1) begin : g_thrice
      dsv_room #(.DEPTH(DEPTH), .MOST(DEPTH - (THIRD < SHARED ? THIRD : SHARED)), .FLITS(3)) flits (
        .clk, .rst, .free(free[THIRD*FREE_W +: FREE_W]), .take(lowers[THIRD]), .give(raises[THIRD]), .room(credited_thrice[v])
      );
    end else begin : g_no_more
      assign credited_thrice[v] = 1'b0;
    end
    for (genvar n = 0; n < LENGTHS; n++) begin : g_length
      logic fits;
      dsv_room #(.DEPTH(DEPTH), .FLITS(SHORTEST + n)) packet (
        .clk, .rst, .free(free[0 +: FREE_W]), .take(lowers[0]), .give(raises[0]), .room(fits)
      );
      // Of more than AHEAD free places one is always left for the first flit.
      assign rooms[n*VCS + v] = SHARES && SHORTEST + n <= AHEAD ? fits && credited[v] : fits;
    end
    if (LENGTHS == 0) begin : g_any_length
      assign rooms[v] = 1'b0;
    end
  end endgenerate
endmodule
