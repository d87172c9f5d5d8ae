// Formal: the flits of two VCs that share places come out in the order in which they came. IN-ORDER: what is fetched is the first flit of
// its VC that has not been fetched.
//
// Assumed of the VCs around the memory: one flit at most is stored and one fetched in a cycle, none of a VC
// that has none. There are no more than places, but for one that comes as another leaves.
module shared_flits_contract #(
  parameter int unsigned PLACES = 3,
  localparam int unsigned VCS = 2,
  localparam int unsigned WIDTH = 2,
  localparam int unsigned SLOTS = PLACES + 1,
  localparam int unsigned AT_W = $clog2(SLOTS)
) (
  input logic             clk,
  input logic             rst,
  input logic [VCS-1:0]   store,
  input logic [VCS-1:0]   fetch,
  input logic [WIDTH-1:0] flit
);
  logic has_begun;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) has_begun <= 1'b1;
  always_comb if (!has_begun) assume (rst);

  // By the proof's script.
  logic [SLOTS*WIDTH-1:0] slots;
  logic [SLOTS*AT_W-1:0]  behind, left;
  logic [VCS*AT_W-1:0]    firsts, lasts;
  logic [VCS-1:0]         holds;
  logic [AT_W-1:0]        fresh_place, left_first, left_free;
  logic                   all_used;
  logic [$clog2(PLACES+2)-1:0] counted;

  logic [WIDTH-1:0] fetched;
  dsv_shared_flits #(.VCS(VCS), .PLACES(PLACES), .FLIT_WIDTH(WIDTH)) memory (.clk, .rst, .store, .flit, .fetch, .fetched);

  // The queues of both VCs, the first flit in the lowest bits.
  logic [VCS*32-1:0]           counts;
  logic [VCS*PLACES*WIDTH-1:0] queues;
  logic [31:0]                 all;
  assign all = counts[31:0] + counts[63:32];
  generate for (genvar v = 0; v < VCS; v++) begin : g_vc
    logic [2:0]              count;
    logic [PLACES*WIDTH-1:0] queue, moved;
    assign counts[v*32 +: 32] = 32'(count);
    assign queues[v*PLACES*WIDTH +: PLACES*WIDTH] = queue;
    assign moved = fetch[v] ? queue >> WIDTH : queue;
    always_ff @(posedge clk) begin
      count <= rst ? '0 : count + 3'(store[v]) - 3'(fetch[v]);
      queue <= moved;
      for (int k = 0; k < PLACES; k++)
        if (store[v] && 32'(count) - 32'(fetch[v]) == k) queue[k*WIDTH +: WIDTH] <= flit;
    end
    always_comb assume (!fetch[v] || count != '0);
  end endgenerate
  always_comb begin
    assume (store != '1);
    assume (fetch != '1);
    assume (store == '0 || all < PLACES || fetch != '0);
    assume (!rst || store == '0 && fetch == '0);
  end

  // Each list from its first place on; then the ring, and what has not been used: each place is in one of them.
  logic [SLOTS-1:0] taken;
  logic [AT_W-1:0]  at;
  logic [31:0]      fresh, rest;
  logic             is_list, is_free;
  always_comb begin
    is_list = all <= PLACES && 32'(counted) == all;
    taken   = '0;
    for (int v = 0; v < VCS; v++) begin
      at = firsts[v*AT_W +: AT_W];
      is_list = is_list && counts[v*32 +: 32] <= PLACES && holds[v] == (counts[v*32 +: 32] != 0);
      for (int k = 0; k < PLACES; k++)
        if (k < counts[v*32 +: 32]) begin
          is_list = is_list && 32'(at) < SLOTS && !taken[at]
            && slots[at*WIDTH +: WIDTH] == queues[(v*PLACES + k)*WIDTH +: WIDTH]
            && (k + 1 != counts[v*32 +: 32] || lasts[v*AT_W +: AT_W] == at);
          taken[at] = 1'b1;
          at = behind[at*AT_W +: AT_W];
        end
    end
    fresh   = all_used ? 0 : SLOTS - 32'(fresh_place);
    rest    = SLOTS - all - fresh;
    is_free = 32'(fresh_place) < SLOTS && 32'(left_first) < SLOTS && 32'(left_free) < SLOTS && all + fresh <= SLOTS
      && (32'(left_first) + rest == 32'(left_free) || 32'(left_first) + rest == 32'(left_free) + SLOTS)
      && (all_used || left_first == '0);
    for (int p = 0; p < SLOTS; p++)
      if (!all_used && p >= 32'(fresh_place)) begin
        is_free  = is_free && !taken[p];
        taken[p] = 1'b1;
      end
    for (int k = 0; k < SLOTS; k++)
      if (k < rest) begin
        at = 32'(left_first) + k < SLOTS ? left[(32'(left_first) + k)*AT_W +: AT_W] : left[(32'(left_first) + k - SLOTS)*AT_W +: AT_W];
        is_free   = is_free && 32'(at) < SLOTS && !taken[at];
        taken[at] = 1'b1;
      end
  end

  logic             was_fetched, is_fetched;
  logic [WIDTH-1:0] expected;
  always_ff @(posedge clk) begin
    was_fetched <= !rst && fetch != '0;
    expected    <= fetch[0] ? queues[WIDTH-1:0] : queues[PLACES*WIDTH +: WIDTH];
  end
  assign is_fetched = !was_fetched || fetched == expected;

  always_comb if (has_begun && !rst) begin
    INVARIANT_LISTS: assert (is_list);
    INVARIANT_PLACES: assert (is_free);
    IN_ORDER: assert (is_fetched);
  end

  // Not vacuous: both VCs have flits, in places that are used again.
  always_comb if (has_begun && !rst) USED_AGAIN: cover (all_used && left_first != '0 && holds == '1 && was_fetched);
endmodule
