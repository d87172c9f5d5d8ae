// Formal: the credits of an output port, from reset on, for all flits that leave and all credits that come,
// legal or not. CREDIT-BOUND and CREDIT-NO-DEBT are those of the check that is bound to the credits,
// ROOM-EXACT that of the check of each bit beside them.
//
// Assumed: the allocator sends only where there is a credit, or a shared place that is kept.
module credit_contract #(
  parameter int unsigned VCS = 3,
  parameter int unsigned DEPTH = 5,
  parameter int unsigned RESERVED = DEPTH,
  parameter int unsigned AHEAD = 0,
  parameter int unsigned SHORTEST = 2,
  parameter int unsigned LENGTHS = 2,
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
  logic overflow;
  dsv_credit #(.VCS(VCS), .DEPTH(DEPTH), .RESERVED(RESERVED), .CREDIT_W(CREDIT_W), .SHORTEST(SHORTEST), .LENGTHS(LENGTHS), .AHEAD(AHEAD)) dut (
    .clk, .rst, .take_valid, .take_vc, .give_valid, .give_vc, .left, .used, .overflow
  );

  logic has_begun;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) has_begun <= 1'b1;
  always_comb if (!has_begun) assume (rst);

  // Of the places that VCs share, those that flits are in which found the reserved ones of their VC in use.
  localparam int unsigned SHARED = DEPTH - RESERVED;
  localparam int unsigned KEPT = SHARED > 0 ? AHEAD : 0;
  logic [VCS*32-1:0] uses;
  logic [31:0]       lent;
  always_comb begin
    lent = 0;
    for (int v = 0; v < VCS; v++)
      if (uses[v*32 +: 32] > RESERVED) lent = lent + uses[v*32 +: 32] - RESERVED;
  end

  logic [VCS-1:0] takes, gives, is_empty, is_full, is_conserved, is_counted;
  generate
    for (genvar v = 0; v < VCS; v++) begin : g_vc
      // Places of the next router that are in use, counted with a bit to spare.
      logic [CREDIT_W:0] in_use, free;
      assign free = (CREDIT_W+1)'(left[v*CREDIT_W +: CREDIT_W]);
      assign takes[v] = take_valid && 32'(take_vc) == v;
      assign gives[v] = give_valid && 32'(give_vc) == v;
      // What there is beside the reserved places that are in use, and what of it is a credit.
      logic [31:0] own, spare;
      assign own   = 32'(in_use) < RESERVED ? RESERVED - 32'(in_use) : 0;
      assign spare = lent + KEPT <= SHARED ? SHARED - lent - KEPT : 0;
      assign is_empty[v] = own + SHARED == lent;
      assign is_full[v] = in_use == 0;
      always_ff @(posedge clk) begin
        if (rst) in_use <= '0;
        else in_use <= in_use + (CREDIT_W+1)'(takes[v]) - (CREDIT_W+1)'(gives[v] && !overflow);
      end
      assign is_counted[v] = in_use == (CREDIT_W+1)'(used[v*CREDIT_W +: CREDIT_W]);
      assign uses[v*32 +: 32] = 32'(in_use);
      assign is_conserved[v] = in_use <= DEPTH && 32'(free) == own + spare;
    end
  endgenerate

  always_comb assume ((takes & is_empty) == '0);

  always_comb if (has_begun) begin
    INVARIANT_COUNTED: assert (&is_counted);
    CREDIT_CONSERVED: assert (&is_conserved);
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
