// What the rows of the routing table behind those of the routing say: what is marked where it meets congestion, and then the tables of VL
// arbitration, and lifetime limits (router-core/src/mark.rs, router-core/src/alloc/vl_arbiter.rs, router-core/src/lifetime.rs). Nothing but
// wires.
module dsv_table_settings #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  // Rows of the routing, and all.
  parameter  int unsigned TABLE_ROUTERS = 1,
  parameter  int unsigned ROWS = 1,
  parameter  int unsigned MARKING = 0,
  parameter  int unsigned VL_ARBITRATION = 0,
  parameter  int unsigned LIFETIME = 0,
  localparam int unsigned WEIGHT_W = dsv_pkg::MARK_WEIGHT_BITS,
  localparam int unsigned VL_TABLES_W = dsv_pkg::VL_TABLES_BITS,
  localparam int unsigned LIMIT_W = LIFETIME + dsv_pkg::VL_STALL_BITS
) (
  input  logic [ROWS*PORTS-1:0]              all_rows,
  // The threshold of each VC of each output, the outputs that mark victims, and what all have in common.
  output logic [PORTS*VCS*WEIGHT_W-1:0]      mark_weights,
  output logic [PORTS-1:0]                   mark_victims,
  output logic [dsv_pkg::LENGTH_BITS-1:0]    mark_size,
  output logic [dsv_pkg::MARK_RATE_BITS-1:0] mark_rate,
  // Of each output.
  output logic [PORTS*VL_TABLES_W-1:0]       vl_tables,
  output logic [PORTS*LIMIT_W-1:0]           lifetimes
);
  localparam int unsigned MARK_ROWS = MARKING != 0 ? dsv_pkg::MARK_ROWS : 0;
  localparam int unsigned VL_ROWS = VL_ARBITRATION != 0 ? VL_TABLES_W : 0;
  localparam int unsigned VICTIMS_AT = TABLE_ROUTERS + 8 * WEIGHT_W;
  localparam int unsigned PADDED_W = (ROWS + dsv_pkg::MARK_ROWS + VL_TABLES_W + LIMIT_W) * PORTS;

  // Behind the last row are zeros: what a router has not is found in other rows or there, and read by nothing.
  logic [PADDED_W-1:0] padded;
  assign padded       = PADDED_W'(all_rows);
  assign mark_victims = padded[VICTIMS_AT*PORTS +: PORTS];
  generate
    for (genvar n = 0; n < PORTS * VCS * WEIGHT_W; n++) begin : g_weight
      assign mark_weights[n] = padded[(TABLE_ROUTERS + n / WEIGHT_W % VCS * WEIGHT_W + n % WEIGHT_W)*PORTS + n / (VCS * WEIGHT_W)];
    end
    for (genvar b = 0; b < dsv_pkg::LENGTH_BITS; b++) begin : g_size
      assign mark_size[b] = padded[(VICTIMS_AT + 1 + b)*PORTS];
    end
    for (genvar b = 0; b < dsv_pkg::MARK_RATE_BITS; b++) begin : g_rate
      assign mark_rate[b] = padded[(VICTIMS_AT + 1 + dsv_pkg::LENGTH_BITS + b)*PORTS];
    end
    // The bit of each output in each of their rows.
    for (genvar o = 0; o < PORTS; o++) begin : g_output
      for (genvar k = 0; k < VL_TABLES_W; k++) begin : g_table
        assign vl_tables[o*VL_TABLES_W + k] = padded[(TABLE_ROUTERS + MARK_ROWS + k)*PORTS + o];
      end
      for (genvar k = 0; k < LIMIT_W; k++) begin : g_limit
        assign lifetimes[o*LIMIT_W + k] = padded[(TABLE_ROUTERS + MARK_ROWS + VL_ROWS + k)*PORTS + o];
      end
    end
  endgenerate

  logic unused;
  assign unused = &{1'b0, padded};
endmodule
