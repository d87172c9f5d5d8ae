// Stage 4. The first two flits of a VC, in registers, where its other flits are in the memory of its input port (dsv_flit_memory). As the
// first one leaves the third is fetched, which is the second in the next cycle: from the memory in that cycle, from a register after it.
//
// A flit that finds fewer than two others here goes to a register. No place is read in the cycle in which it is written: a flit that is
// fetched has come before.
module dsv_first_flits #(
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned FLIT_WIDTH = dsv_pkg::DEFAULT_FLIT_WIDTH,
  parameter  int unsigned MARKING = 0,
  localparam int unsigned PLACE_W = DEPTH > 1 ? $clog2(DEPTH) : 1,
  localparam int unsigned FLITS_W = $clog2(DEPTH + 1)
) (
  input  logic                  clk,
  input  logic                  rst,
  // Flits of the VC; the one that leaves, and the one that is taken, which goes to this place.
  input  logic [FLITS_W-1:0]    flits,
  input  logic                  read,
  input  logic                  accept,
  input  logic [PLACE_W-1:0]    free,
  input  logic [FLIT_WIDTH-1:0] write_data,
  // The newest one, a head, is marked.
  input  logic                  marks,
  input  logic [PLACE_W-1:0]    newest,
  // The third one, to be fetched; what was fetched in the cycle before; and whether the one that is taken goes to the memory.
  input  logic [PLACE_W-1:0]    second_place,
  output logic                  fetch,
  output logic [PLACE_W-1:0]    fetch_place,
  input  logic [FLIT_WIDTH-1:0] fetched,
  output logic                  store,
  output logic [FLIT_WIDTH-1:0] first,
  output logic [FLIT_WIDTH-1:0] second
);
  localparam int unsigned MARK_AT = FLIT_WIDTH - dsv_pkg::HEADER_BITS + dsv_pkg::MARKS_AT + dsv_pkg::MARKS_FORWARD_AT;

  logic [FLIT_WIDTH-1:0] kept, first_now, second_now;
  logic                  was_fetched, was_marked, is_alone, are_two, to_first, to_second;

  assign is_alone    = flits == FLITS_W'(1);
  assign are_two     = 32'(flits) == 2;
  assign to_first    = accept && (read ? is_alone : flits == '0);
  assign to_second   = accept && (read ? are_two : is_alone);
  assign store       = accept && (read ? 32'(flits) > 2 : 32'(flits) > 1);
  assign fetch       = read && 32'(flits) > 2;
  assign fetch_place = second_place == PLACE_W'(DEPTH - 1) ? '0 : second_place + 1'b1;

  always_comb begin
    second = was_fetched ? fetched : kept;
    if (was_fetched && was_marked) second[MARK_AT] = 1'b1;
    first_now  = first;
    second_now = second;
    if (marks && is_alone) first_now[MARK_AT] = 1'b1;
    if (marks && are_two)  second_now[MARK_AT] = 1'b1;
  end

  always_ff @(posedge clk) begin
    first <= to_first ? write_data : read ? second_now : first_now;
    kept  <= to_second ? write_data : second_now;
  end
  always_ff @(posedge clk) was_fetched <= !rst && fetch;

  // What is in the memory is marked beside it.
  generate if (MARKING != 0) begin : g_marks
    logic [DEPTH-1:0] marked;
    logic             meets;
    assign meets = marks && newest == fetch_place;
    always_ff @(posedge clk) begin
      was_marked <= meets || 1'(marked >> fetch_place);
      for (int p = 0; p < DEPTH; p++) begin
        if (store && free == PLACE_W'(p)) marked[p] <= 1'b0;
        else if (marks && newest == PLACE_W'(p)) marked[p] <= 1'b1;
      end
    end
  end else begin : g_no_marks
    logic unused;
    assign unused = &{1'b0, free, newest};
    assign was_marked = 1'b0;
  end endgenerate
endmodule
