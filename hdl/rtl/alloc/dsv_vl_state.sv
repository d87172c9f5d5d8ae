// Stage 5, allocation: the state of VL arbitration at one output. It moves when the head of a packet leaves, by the table that the
// packet is served from, and by nothing else.
module dsv_vl_state #(
  parameter  int unsigned VCS = dsv_pkg::DEFAULT_VCS,
  parameter  int unsigned MANAGEMENT_VCS = 0,
  localparam int unsigned TABLE_W = (dsv_pkg::VL_TABLES_BITS - dsv_pkg::VL_LIMIT_BITS) / 2,
  localparam int unsigned COUNT_W = dsv_pkg::VL_COUNT_BITS,
  localparam int unsigned PLACE_W = $clog2(dsv_pkg::VL_ENTRIES),
  localparam int unsigned WEIGHT_W = dsv_pkg::VL_ENTRY_WEIGHT_BITS,
  localparam int unsigned TURN_W = PLACE_W + WEIGHT_W,
  localparam int unsigned UNITS_W = 16
) (
  input  logic                                       clk,
  input  logic                                       rst,
  input  logic [2*TABLE_W+dsv_pkg::VL_LIMIT_BITS-1:0] tables,
  input  logic                                       sends,  // a head leaves,
  input  logic [VCS-1:0]                             vc,     // for this VC, one-hot,
  input  logic [UNITS_W-1:0]                         units,  // and its packet has so many units
  output logic [2*TURN_W+COUNT_W-1:0]                state
);
  logic [VCS-1:0]      granted;
  logic                from_high, from_low, is_spent;
  logic [TURN_W-1:0]   turn, charged;
  logic [UNITS_W:0]    spent, count;

  dsv_vl_pick #(.VCS(VCS), .MANAGEMENT_VCS(MANAGEMENT_VCS)) pick (
    .tables, .state, .request(vc), .grant(granted), .from_high, .from_low, .is_spent, .turn
  );
  logic unused;
  assign unused = &{1'b0, granted};

  // Both stay at their ends.
  assign spent   = (UNITS_W+1)'(turn[PLACE_W +: WEIGHT_W]) + (UNITS_W+1)'(units);
  assign charged = {spent >> WEIGHT_W != '0 ? {WEIGHT_W{1'b1}} : spent[WEIGHT_W-1:0], turn[0 +: PLACE_W]};
  assign count   = (is_spent ? '0 : (UNITS_W+1)'(state[2*TURN_W +: COUNT_W])) + (UNITS_W+1)'(units);

  always_ff @(posedge clk) begin
    if (rst) state <= '0;
    else if (sends && from_high) begin
      state[0 +: TURN_W]         <= charged;
      state[2*TURN_W +: COUNT_W] <= count >> COUNT_W != '0 ? {COUNT_W{1'b1}} : count[COUNT_W-1:0];
    end else if (sends && from_low) begin
      state[TURN_W +: TURN_W]    <= charged;
      state[2*TURN_W +: COUNT_W] <= '0;
    end
  end
endmodule
