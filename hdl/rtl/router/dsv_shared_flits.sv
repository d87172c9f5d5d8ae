// Stage 4. The flits of all VCs of an input port behind the first two of each, where its VCs share places.
// The memory is synchronous, as in dsv_flit_memory. Each VC has the places of its flits in a list of its own.
// Source: Tamir and Frazier, 1992 (dynamically allocated multi-queues). One VC at most stores a flit in a
// cycle, and one at most fetches one.
//
// Places that have been left wait in a ring for the next flits; before that, each is used once, in order. There is one place more than
// flits: a flit can come into a full memory in the cycle in which one leaves.
module dsv_shared_flits #(
  parameter  int unsigned VCS = 3,
  parameter  int unsigned PLACES = 64,
  parameter  int unsigned FLIT_WIDTH = dsv_pkg::DEFAULT_FLIT_WIDTH
) (
  input  logic                  clk,
  input  logic                  rst,
  input  logic [VCS-1:0]        store,
  input  logic [FLIT_WIDTH-1:0] flit,
  input  logic [VCS-1:0]        fetch,
  output logic [FLIT_WIDTH-1:0] fetched
);
  localparam int unsigned LAST = PLACES;
  localparam int unsigned AT_W = $clog2(PLACES + 1);

  (* ram_style = "block", no_rw_check *)
  logic [FLIT_WIDTH-1:0] flits [PLACES + 1];

  // Each VC's list: its first and its last place. What is behind a place is kept beside it.
  logic [AT_W-1:0] behind [PLACES + 1];
  logic [AT_W-1:0] left [PLACES + 1];
  logic [VCS*AT_W-1:0] firsts, lasts;
  logic [VCS-1:0]      holds;

  // The place of the next flit: one that has not been used, or the one that was left first.
  logic [AT_W-1:0] fresh_place, left_first, left_free, free_place;
  logic            all_used;
  assign free_place = all_used ? left[left_first] : fresh_place;

  logic [AT_W-1:0] fetch_place, last_place, second_place;
  logic            links;
  always_comb begin
    fetch_place = '0;
    last_place  = '0;
    for (int v = 0; v < VCS; v++) begin
      if (fetch[v]) fetch_place = fetch_place | firsts[v*AT_W +: AT_W];
      if (store[v]) last_place  = last_place | lasts[v*AT_W +: AT_W];
    end
  end
  assign second_place = behind[fetch_place];
  assign links        = (store & holds) != '0;

  always_ff @(posedge clk) begin
    if (store != '0) flits[free_place] <= flit;
    if (fetch != '0) fetched <= flits[fetch_place];
    if (links)       behind[last_place] <= free_place;
    if (fetch != '0) left[left_free] <= fetch_place;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      fresh_place <= '0;
      all_used     <= 1'b0;
      left_first   <= '0;
      left_free    <= '0;
    end else begin
      if (store != '0 && !all_used) begin
        fresh_place <= fresh_place + 1'b1;
        all_used     <= fresh_place == AT_W'(LAST);
      end
      if (store != '0 && all_used) left_first <= left_first == AT_W'(LAST) ? '0 : left_first + 1'b1;
      if (fetch != '0)             left_free  <= left_free == AT_W'(LAST) ? '0 : left_free + 1'b1;
    end
  end

  generate for (genvar v = 0; v < VCS; v++) begin : g_vc
    logic [AT_W-1:0] first, last;
    logic            is_only;
    assign is_only = first == last;
    assign firsts[v*AT_W +: AT_W] = first;
    assign lasts[v*AT_W +: AT_W]  = last;
    always_ff @(posedge clk) begin
      if (store[v] && (!holds[v] || fetch[v] && is_only)) first <= free_place;
      else if (fetch[v])                                  first <= second_place;
      if (store[v]) last <= free_place;
      holds[v] <= !rst && (store[v] || holds[v] && !(fetch[v] && is_only));
    end
  end endgenerate
endmodule
