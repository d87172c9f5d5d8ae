// Stage 2. The VC of a hop by its service level: the tables from service levels to virtual lanes of an input port
// (router-core/src/map/sl_to_vl.rs). Combinational.
//
// Row n*LANE_BITS + b of `rows` has bit b of the lane of level n at each output. From lane 8 on it is none: no router has so many VCs. Of
// several outputs, which a row for a packet that is discarded has, the lowest one counts.
module dsv_lane #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  localparam int unsigned LEVEL_W = dsv_pkg::SERVICE_LEVEL_BITS,
  localparam int unsigned LANE_W = dsv_pkg::LANE_BITS
) (
  input  logic [dsv_pkg::LANE_ROWS*PORTS-1:0] rows,
  input  logic [LEVEL_W-1:0]                  level,
  input  logic [PORTS-1:0]                    outputs,
  output logic [VCS-1:0]                      vcs,
  output logic                                none
);
  logic [PORTS-1:0]        lowest;
  logic [LANE_W*PORTS-1:0] bits;
  logic [LANE_W-1:0]       lane;
  assign lowest = outputs & (~outputs + 1'b1);
  assign bits = rows[32'(level)*LANE_W*PORTS +: LANE_W*PORTS];

  generate
    for (genvar b = 0; b < LANE_W; b++) begin : g_bit
      assign lane[b] = (bits[b*PORTS +: PORTS] & lowest) != '0;
    end
    for (genvar c = 0; c < VCS; c++) begin : g_vc
      assign vcs[c] = lane == LANE_W'(c);
    end
  endgenerate
  assign none = lane[LANE_W-1];
endmodule
