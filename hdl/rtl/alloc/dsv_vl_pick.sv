// Stage 5, allocation: the VC behind an output that sends its next packet, by InfiniBand's tables of weights. Combinational.
//
// Management before all others; then high priority, unless its limit is reached and low priority has a packet; then low priority; then
// VCs that no table has. What a table gives its winner is the same whatever that won against, so that `vl_state` asks again for
// the winner alone.
module dsv_vl_pick #(
  parameter  int unsigned VCS = dsv_pkg::DEFAULT_VCS,
  parameter  int unsigned MANAGEMENT_VCS = 0,
  localparam int unsigned TABLE_W = (dsv_pkg::VL_TABLES_BITS - dsv_pkg::VL_LIMIT_BITS) / 2,
  localparam int unsigned LIMIT_W = dsv_pkg::VL_LIMIT_BITS,
  localparam int unsigned COUNT_W = dsv_pkg::VL_COUNT_BITS,
  localparam int unsigned PLACE_W = $clog2(dsv_pkg::VL_ENTRIES),
  localparam int unsigned WEIGHT_W = dsv_pkg::VL_ENTRY_WEIGHT_BITS,
  localparam int unsigned TURN_W = PLACE_W + WEIGHT_W
) (
  input  logic [2*TABLE_W+LIMIT_W-1:0] tables,     // high priority, low priority, limit
  input  logic [2*TURN_W+COUNT_W-1:0]  state,      // turn of high priority, of low priority, units of high priority since the last of low
  input  logic [VCS-1:0]               request,
  output logic [VCS-1:0]               grant,      // one-hot or 0
  output logic                         from_high,  // the table that it is served from, if one is
  output logic                         from_low,
  output logic                         is_spent,   // the limit is reached
  output logic [TURN_W-1:0]            turn        // of that table, before this packet
);
  localparam logic [VCS-1:0] MANAGEMENT = VCS'(MANAGEMENT_VCS);

  logic [LIMIT_W-1:0] limit;
  logic [COUNT_W-1:0] count, most;
  assign limit = tables[2*TABLE_W +: LIMIT_W];
  assign count = state[2*TURN_W +: COUNT_W];
  // 4096 bytes are 64 units. A limit of 0 is one packet, which has a unit at least.
  assign most     = limit == '0 ? COUNT_W'(1) : {limit, 6'd0};
  assign is_spent = limit != '1 && count >= most;

  logic [VCS-1:0]    high, low, managed, others;
  logic [TURN_W-1:0] high_turn, low_turn;
  dsv_vl_turn #(.VCS(VCS)) high_table (
    .entries(tables[0 +: TABLE_W]), .entry(state[0 +: PLACE_W]), .spent(state[PLACE_W +: WEIGHT_W]), .request,
    .grant(high), .next_entry(high_turn[0 +: PLACE_W]), .next_spent(high_turn[PLACE_W +: WEIGHT_W])
  );
  dsv_vl_turn #(.VCS(VCS)) low_table (
    .entries(tables[TABLE_W +: TABLE_W]), .entry(state[TURN_W +: PLACE_W]), .spent(state[TURN_W + PLACE_W +: WEIGHT_W]), .request,
    .grant(low), .next_entry(low_turn[0 +: PLACE_W]), .next_spent(low_turn[PLACE_W +: WEIGHT_W])
  );

  assign managed   = request & MANAGEMENT;
  assign from_high = managed == '0 && high != '0 && !(is_spent && low != '0);
  assign from_low  = managed == '0 && !from_high && low != '0;
  assign others    = managed != '0 ? managed : request;
  assign grant     = from_high ? high : from_low ? low : others & ~(others - 1'b1);
  assign turn      = from_high ? high_turn : low_turn;
endmodule
