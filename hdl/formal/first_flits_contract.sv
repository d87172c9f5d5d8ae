// Formal: the first flits of two VCs before one memory hold what an array would hold that is read at two places at once. FIRST-FLITS:
// where a VC has a flit its first one is that of the array, and where it has two the second one is, marks included. ONE-PLACE: no place is read
// in the cycle in which it is written.
//
// Assumed of the VCs around them: pointers go round, and one flit at most is taken and one leaves in a cycle.
// None leaves an empty VC, and none enters a full one of which none leaves. A marked flit was taken in the
// cycle before.
module first_flits_contract #(
  parameter int unsigned DEPTH = 3,
  parameter int unsigned MARKING = 1,
  localparam int unsigned VCS = 2,
  localparam int unsigned WIDTH = dsv_pkg::HEADER_BITS,
  localparam int unsigned MARK_AT = dsv_pkg::MARKS_AT + dsv_pkg::MARKS_FORWARD_AT,
  localparam int unsigned PLACE_W = $clog2(DEPTH),
  localparam int unsigned FLITS_W = $clog2(DEPTH + 1)
) (
  input logic             clk,
  input logic             rst,
  input logic [VCS-1:0]   accept,
  input logic [VCS-1:0]   read,
  input logic [VCS-1:0]   marks,
  input logic [WIDTH-1:0] write_data
);
  logic has_begun;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) has_begun <= 1'b1;
  always_comb if (!has_begun) assume (rst);

  // By the proof's script: the places of the memory, a power of two for each VC, and their marks.
  logic [VCS*2**PLACE_W*WIDTH-1:0] places;
  logic [VCS*DEPTH-1:0]            marked;
  generate if (MARKING == 0) assign marked = '0; endgenerate

  logic [VCS-1:0]         store, fetch, is_order, is_first, is_far, is_one_place, from_far;
  logic [VCS*PLACE_W-1:0] store_places, fetch_places;
  logic [WIDTH-1:0]       fetched;
  dsv_flit_memory #(.VCS(VCS), .VCS_HERE(VCS), .DEPTH(DEPTH), .FLIT_WIDTH(WIDTH)) memory (
    .clk, .store, .store_places, .flit(write_data), .fetch, .fetch_places, .fetched
  );

  always_comb begin
    assume ((accept & (accept - 1'b1)) == '0);
    assume ((read & (read - 1'b1)) == '0);
  end

  generate for (genvar v = 0; v < VCS; v++) begin : g_vc
    logic [PLACE_W-1:0]     first, second, free, newest;
    logic [FLITS_W-1:0]     flits;
    logic [DEPTH*WIDTH-1:0] array;
    logic [WIDTH-1:0]       first_flit, second_flit;
    logic                   fresh, was_far;

    assign second = first == PLACE_W'(DEPTH - 1) ? '0 : first + 1'b1;
    dsv_first_flits #(.DEPTH(DEPTH), .FLIT_WIDTH(WIDTH), .MARKING(MARKING)) first_flits (
      .clk, .rst, .flits, .read(read[v]), .accept(accept[v]), .free, .write_data, .marks(marks[v]), .newest, .second_place(second),
      .fetch(fetch[v]), .fetch_place(fetch_places[v*PLACE_W +: PLACE_W]), .fetched, .store(store[v]), .first(first_flit), .second(second_flit)
    );
    assign store_places[v*PLACE_W +: PLACE_W] = free;

    always_comb begin
      assume (!read[v] || flits != '0);
      assume (!accept[v] || flits != FLITS_W'(DEPTH) || read[v]);
      assume (!marks[v] || MARKING != 0 && fresh);
    end

    always_ff @(posedge clk) begin
      fresh <= !rst && accept[v];
      if (accept[v]) newest <= free;
      for (int p = 0; p < DEPTH; p++) begin
        if (accept[v] && free == PLACE_W'(p)) array[p*WIDTH +: WIDTH] <= write_data;
        else if (marks[v] && newest == PLACE_W'(p)) array[p*WIDTH + MARK_AT] <= 1'b1;
      end
      if (rst) begin
        first <= '0;
        free  <= '0;
        flits <= '0;
      end else begin
        if (read[v])   first <= second;
        if (accept[v]) free  <= free == PLACE_W'(DEPTH - 1) ? '0 : free + 1'b1;
        flits <= flits + FLITS_W'(accept[v]) - FLITS_W'(read[v]);
      end
    end

    // Flit by flit from the front on.
    logic [WIDTH-1:0] expected, there;
    always_comb begin
      is_first[v] = 1'b1;
      is_far[v]   = 1'b1;
      expected    = '0;
      there       = '0;
      for (int k = 0; k < DEPTH; k++)
        for (int p = 0; p < DEPTH; p++)
          if (k < flits && (32'(first) + k == p || 32'(first) + k == p + DEPTH)) begin
            expected = array[p*WIDTH +: WIDTH];
            there    = places[(v*2**PLACE_W + p)*WIDTH +: WIDTH];
            if (MARKING != 0 && marked[v*DEPTH + p]) there[MARK_AT] = 1'b1;
            if (k == 0) is_first[v] = is_first[v] && first_flit == expected;
            else if (k == 1) is_first[v] = is_first[v] && second_flit == expected;
            else is_far[v] = is_far[v] && there == expected;
          end
    end
    assign is_order[v] = first < DEPTH && free < DEPTH && flits <= DEPTH
      && (32'(first) + flits == free || 32'(first) + flits == free + DEPTH)
      && (!fresh || flits != '0 && newest < DEPTH && (newest == PLACE_W'(DEPTH - 1) ? free == '0 : free == newest + 1'b1));
    assign is_one_place[v] = !(store[v] && fetch[v] && free == fetch_places[v*PLACE_W +: PLACE_W]);

    // A flit that was marked in the memory, and came out of it.
    always_ff @(posedge clk) was_far <= !rst && (was_far || marks[v] && 32'(flits) > 2);
    assign from_far[v] = MARKING == 0 || was_far;
  end endgenerate

  always_comb if (has_begun && !rst) begin
    INVARIANT_ORDER: assert (is_order == '1);
    INVARIANT_FAR: assert (is_far == '1);
    FIRST_FLITS: assert (is_first == '1);
    ONE_PLACE: assert (is_one_place == '1);
  end

  // Not vacuous: in successive cycles one VC fetches, then the other one, which is full.
  logic [VCS-1:0] fetched_for;
  always_ff @(posedge clk) fetched_for <= rst ? '0 : fetch;
  always_comb if (has_begun && !rst) BOTH_FETCH: cover (fetched_for[0] && fetch[1] && from_far[0]);
endmodule
