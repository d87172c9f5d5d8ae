// Stage 3. The occupancy trigger: whether the buffer behind the minimal output makes a detour worth
// considering, and whether one is empty enough (router-core/src/select/occupancy.rs). Occupancies of buffers
// of different depth are compared as shares of their depth, without divisions. Both sides are multiplied out,
// by depths without their common divisor. The 8 fractional bits of the factors are dropped where the other
// side has none.
module dsv_trigger_occupancy #(
  parameter int unsigned NODE_FLITS     = dsv_pkg::DEFAULT_NODE_FLITS,
  parameter int unsigned LOCAL_FLITS    = dsv_pkg::DEFAULT_LOCAL_FLITS,
  parameter int unsigned GLOBAL_FLITS   = dsv_pkg::DEFAULT_GLOBAL_FLITS,
  parameter int unsigned CREDIT_W       = $clog2(GLOBAL_FLITS + 1),
  parameter int unsigned SUM_W          = CREDIT_W + 1,
  parameter int unsigned GLOBAL_COUNT_W = 2,
  parameter int unsigned SHORTEST       = dsv_pkg::DEFAULT_SHORTEST,
  parameter int unsigned LONGEST        = dsv_pkg::DEFAULT_LONGEST,
  // Whether what exceeds the mean is known.
  parameter bit          LIFTED         = 1'b0
) (
  // The minimal output: what lies there, whether it takes the packet now, places in use of its VC, and the
  // VC's occupancy at all global outputs.
  input  logic                      minimal_is_global,
  input  logic                      minimal_is_local,
  input  logic                      blocked,
  input  logic [CREDIT_W-1:0]       used,
  input  logic [CREDIT_W+15:0]      share,             // relative_threshold times that
  input  logic [SUM_W+7:0]          global_mean,       // restriction_factor times the sum
  input  logic [GLOBAL_COUNT_W-1:0] global_count,
  input  logic                      lifted,
  input  logic [CREDIT_W-1:0]       length,
  // The detour that was drawn.
  input  logic                      detour_is_global,
  input  logic [CREDIT_W-1:0]       detour_used,
  input  dsv_pkg::thresholds_t      thresholds,
  output logic                      fires,
  output logic                      allows
);
  localparam int unsigned SHARE_W = CREDIT_W + 16;
  localparam int unsigned SLACK_W = 2 * CREDIT_W;
  localparam int unsigned SPARE_W = CREDIT_W + GLOBAL_COUNT_W;
  localparam int unsigned MEAN_W = SUM_W + 8 > SPARE_W ? SUM_W + 8 : SPARE_W;
  localparam int unsigned LIMIT_W = 2 * CREDIT_W + 16;

  function automatic int unsigned common_divisor(input int unsigned one, input int unsigned other);
    int unsigned rest;
    for (int step = 0; step < 64; step++) begin
      rest = other == 0 ? 0 : one % other;
      one = other == 0 ? one : other;
      other = rest;
    end
    common_divisor = one;
  endfunction
  localparam int unsigned UNIT = common_divisor(common_divisor(NODE_FLITS, LOCAL_FLITS), GLOBAL_FLITS);
  localparam int unsigned NODE_PART = NODE_FLITS / UNIT;
  localparam int unsigned LOCAL_PART = LOCAL_FLITS / UNIT;
  localparam int unsigned GLOBAL_PART = GLOBAL_FLITS / UNIT;

  // Counters have thresholds of their own.
  logic unused;
  assign unused = &{1'b0, thresholds, lifted};

  // How many flits in use make the minimal output's VC full enough.
  logic [SHARE_W-1:0] floor_flits;
  always_comb begin
    floor_flits = SHARE_W'(thresholds.minimal_occupancy) * SHARE_W'(NODE_FLITS) >> 15;
    if (minimal_is_local) floor_flits = SHARE_W'(thresholds.minimal_occupancy) * SHARE_W'(LOCAL_FLITS) >> 15;
    if (minimal_is_global) floor_flits = SHARE_W'(thresholds.minimal_occupancy) * SHARE_W'(GLOBAL_FLITS) >> 15;
  end

  // Where all packets are as long, the product of packets and length is one of a constant.
  logic [CREDIT_W-1:0] flits;
  assign flits = SHORTEST == LONGEST ? CREDIT_W'(SHORTEST) : length;

  // A global minimal output has to exceed factor * mean + packets * length, itself included in the mean.
  // Where packets is more than a buffer can hold, no buffer does: length is never 0. Length is no more where a
  // detour is open, which has room for the whole packet.
  logic [SLACK_W-1:0] slack;
  logic [SLACK_W:0] rest;
  logic [CREDIT_W-1:0] above;
  logic [SPARE_W-1:0] spare;
  logic too_much, lifts;
  assign too_much = thresholds.restriction_packets >> CREDIT_W != '0;
  assign slack = SLACK_W'(CREDIT_W'(thresholds.restriction_packets)) * SLACK_W'(flits);
  assign rest = (SLACK_W + 1)'(used) - (SLACK_W + 1)'(slack);
  assign above = CREDIT_W'(rest);
  assign spare = SPARE_W'(above) * SPARE_W'(global_count);
  assign lifts = LIFTED ? lifted : !too_much && !rest[SLACK_W] && MEAN_W'(spare) > MEAN_W'(global_mean);

  assign fires = blocked && SHARE_W'(used) >= floor_flits && (!minimal_is_global || !thresholds.restriction || lifts);

  // The detour's share of its depth is at most relative_threshold times the minimal output's.
  logic [LIMIT_W-1:0] limit, scaled;
  always_comb begin
    limit = LIMIT_W'(share) * LIMIT_W'(LOCAL_PART) >> 8;
    if (detour_is_global) limit = LIMIT_W'(share) * LIMIT_W'(GLOBAL_PART) >> 8;
  end

  always_comb begin
    scaled = LIMIT_W'(detour_used) * LIMIT_W'(NODE_PART);
    if (minimal_is_local) scaled = LIMIT_W'(detour_used) * LIMIT_W'(LOCAL_PART);
    if (minimal_is_global) scaled = LIMIT_W'(detour_used) * LIMIT_W'(GLOBAL_PART);
  end
  assign allows = scaled <= limit;
endmodule
