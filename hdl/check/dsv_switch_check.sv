// What comes into use, when, and after which look at it.
`include "dsv_check.svh"
module dsv_switch_check #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned ROWS = 1,
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input logic                                 clk,
  input logic                                 rst,
  input logic                                 router_rst,
  input logic                                 config_load,
  input logic [ROUTER_W+2*PORTS-1:0]          place,
  input dsv_pkg::thresholds_t                 thresholds,
  input logic                                 table_bank,
  input logic [ROWS*PORTS-1:0]                staged,
  input logic [14:0]                          declared_rows,
  input logic [15:0]                          declared_checksum
);
  // All staged rows at once, row 0 first.
  logic [ROWS*PORTS-1:0] in_order;
  logic [15:0]           sum;
  generate for (genvar row = 0; row < ROWS; row++) begin : g_row
    assign in_order[(ROWS-1-row)*PORTS +: PORTS] = staged[row*PORTS +: PORTS];
  end endgenerate
  dsv_checksum #(.BITS(ROWS * PORTS)) whole (.so_far(dsv_registers_pkg::FRAME_INITIAL), .bits(in_order), .next(sum));

  logic                              loads_before, rests_before, bank_before, is_declared_before;
  logic [ROUTER_W+2*PORTS-1:0]       place_before;
  dsv_pkg::thresholds_t              thresholds_before;
  always_ff @(posedge clk) begin
    loads_before       <= rst || router_rst || config_load;
    rests_before       <= rst || router_rst;
    bank_before        <= table_bank;
    is_declared_before <= rst || declared_rows == 15'(ROWS) && declared_checksum == sum;
    place_before       <= place;
    thresholds_before  <= thresholds;
  end

  `DSV_CHECK(TABLE_ATOMIC, table_bank == bank_before || is_declared_before,
    ("TABLE-ATOMIC: bank %0d comes into use, and its rows are not those that were declared", table_bank))

  `DSV_CHECK(THRESHOLDS_ATOMIC, (thresholds == thresholds_before || loads_before) && (place == place_before || rests_before),
    ("THRESHOLDS-ATOMIC: the configuration in use changes, and no commit puts it to use"))
endmodule
