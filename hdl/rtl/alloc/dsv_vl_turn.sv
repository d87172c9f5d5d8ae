// Stage 5, allocation: whose turn it is in one table of VL arbitration. Combinational.
//
// An entry goes on while it has sent fewer units than its weight and its VL requests. Otherwise the next entry with a weight whose VL
// requests begins, round the table; the same one again if there is no other.
module dsv_vl_turn #(
  parameter  int unsigned VCS = dsv_pkg::DEFAULT_VCS,
  localparam int unsigned ENTRIES = dsv_pkg::VL_ENTRIES,
  localparam int unsigned ENTRY_W = dsv_pkg::VL_ENTRY_VL_BITS + dsv_pkg::VL_ENTRY_WEIGHT_BITS,
  localparam int unsigned WEIGHT_W = dsv_pkg::VL_ENTRY_WEIGHT_BITS,
  localparam int unsigned PLACE_W = $clog2(ENTRIES)
) (
  input  logic [ENTRIES*ENTRY_W-1:0] entries,
  input  logic [PLACE_W-1:0]         entry,       // that sent last,
  input  logic [WEIGHT_W-1:0]        spent,       // and how many units in its turn
  input  logic [VCS-1:0]             request,
  output logic [VCS-1:0]             grant,       // one-hot, or 0 where no entry is for a VC that requests
  output logic [PLACE_W-1:0]         next_entry,  // the same as they are when it sends
  output logic [WEIGHT_W-1:0]        next_spent
);
  logic [ENTRIES-1:0]     has, later, wanted, chosen;
  logic [ENTRIES*VCS-1:0] vcs;
  logic [ENTRIES-1:0]     now;
  logic [WEIGHT_W-1:0]    weight;
  logic                   stays;

  generate for (genvar e = 0; e < ENTRIES; e++) begin : g_entry
    // A VL that the router does not have is no VC.
    logic [7:0] lanes;
    assign lanes = 8'd1 << entries[e*ENTRY_W + dsv_pkg::VL_ENTRY_VL_AT +: dsv_pkg::VL_ENTRY_VL_BITS];
    assign vcs[e*VCS +: VCS] = lanes[VCS-1:0];
    assign has[e] = entries[e*ENTRY_W + dsv_pkg::VL_ENTRY_WEIGHT_AT +: WEIGHT_W] != '0 && (request & lanes[VCS-1:0]) != '0;
    assign now[e] = entry == PLACE_W'(e);
    if (VCS < 8) begin : g_absent
      logic unused;
      assign unused = &{1'b0, lanes[7:VCS]};
    end
  end endgenerate

  always_comb begin
    weight = '0;
    for (int e = 0; e < ENTRIES; e++)
      weight = weight | (entries[e*ENTRY_W + dsv_pkg::VL_ENTRY_WEIGHT_AT +: WEIGHT_W] & {WEIGHT_W{now[e]}});
  end

  assign stays  = spent < weight && (has & now) != '0;
  assign later  = has & ~(now | (now - 1'b1));
  assign wanted = later != '0 ? later : has;
  assign chosen = stays ? now : wanted & ~(wanted - 1'b1);

  always_comb begin
    grant      = '0;
    next_entry = '0;
    for (int e = 0; e < ENTRIES; e++) begin
      grant      = grant | (vcs[e*VCS +: VCS] & {VCS{chosen[e]}});
      next_entry = next_entry | (PLACE_W'(e) & {PLACE_W{chosen[e]}});
    end
  end
  assign next_spent = stays ? spent : '0;
endmodule
