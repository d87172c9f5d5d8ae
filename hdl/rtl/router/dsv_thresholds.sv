// What software sets of the triggers: taken over while `load` is high. What it will be in the next cycle is for products that are formed a
// cycle ahead.
module dsv_thresholds #(
  parameter int unsigned COUNTER_WIDTH = dsv_pkg::DEFAULT_COUNTER_WIDTH
) (
  input  logic                     clk,
  input  logic                     load,
  input  logic [COUNTER_WIDTH-1:0] config_contention_threshold,
  input  logic [15:0]              config_contention_factor,
  input  logic [15:0]              config_combined_threshold,
  input  logic [15:0]              config_ugal_bias,
  input  logic [15:0]              config_minimal_occupancy,
  input  logic [15:0]              config_relative_threshold,
  input  logic                     config_restriction,
  input  logic [15:0]              config_restriction_factor,
  input  logic [15:0]              config_restriction_packets,
  input  logic                     config_occupancy_enable,
  input  logic                     config_contention_enable,
  output dsv_pkg::thresholds_t     thresholds,
  output logic [15:0]              next_relative_threshold,
  output logic [15:0]              next_restriction_factor
);
  dsv_pkg::thresholds_t next_thresholds;
  always_comb begin
    next_thresholds = thresholds;
    if (load) begin
      next_thresholds.contention_threshold = 16'(config_contention_threshold);
      next_thresholds.contention_factor    = config_contention_factor;
      next_thresholds.combined_threshold   = config_combined_threshold;
      next_thresholds.ugal_bias            = config_ugal_bias;
      next_thresholds.minimal_occupancy    = config_minimal_occupancy;
      next_thresholds.relative_threshold   = config_relative_threshold;
      next_thresholds.restriction          = config_restriction;
      next_thresholds.restriction_factor   = config_restriction_factor;
      next_thresholds.restriction_packets  = config_restriction_packets;
      next_thresholds.occupancy_enable     = config_occupancy_enable;
      next_thresholds.contention_enable    = config_contention_enable;
    end
  end

  always_ff @(posedge clk) thresholds <= next_thresholds;
  assign next_relative_threshold = next_thresholds.relative_threshold;
  assign next_restriction_factor = next_thresholds.restriction_factor;
endmodule
