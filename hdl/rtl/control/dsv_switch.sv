// The switch: a router with a control plane. It only wires the serial register port, the registers and the router.
//
// A switch has at most 32 ports with at most 8 VCs each, and a routing table of at most 16,384 rows: what the map of the
// registers has room for.
module dsv_switch #(
`include "dsv_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS,
  localparam int unsigned KINDS = dsv_pkg::PROTOCOL_ERROR_COUNT,
  // Of the routing table, and behind it those of marks and of VL arbitration.
  localparam int unsigned ROWS = TABLE_ROUTERS + (MARKING != 0 ? dsv_pkg::MARK_ROWS : 0)
    + (VL_ARBITRATION != 0 ? dsv_pkg::VL_TABLES_BITS : 0) + (LIFETIME != 0 ? LIFETIME + dsv_pkg::VL_STALL_BITS : 0),
  localparam int unsigned DEEPER = LOCAL_FLITS > NODE_FLITS ? LOCAL_FLITS : NODE_FLITS,
  localparam int unsigned DEEPEST = GLOBAL_FLITS > DEEPER ? GLOBAL_FLITS : DEEPER,
  localparam int unsigned CREDIT_W = $clog2(DEEPEST + 1),
  localparam int unsigned OTHERS = LOCALS > 0 ? LOCALS : 1,
  localparam int unsigned NOTICE_W = GROUPS * $clog2(NODES * NODE_VCS + GLOBALS * GLOBAL_VCS + 1)
) (
  input  logic                        clk,
  input  logic                        rst,
  // The serial register port.
  input  logic                        spi_sck,
  input  logic                        spi_cs_n,
  input  logic                        spi_mosi,
  output logic                        spi_miso,
  // High while an event that software asked for has not been seen by it.
  output logic                        irq,
  // The links, as the module `router` has them.
  input  logic [PORTS-1:0]            flit_in_valid,
  input  logic [PORTS-1:0]            flit_in_head,
  input  logic [PORTS-1:0]            flit_in_tail,
  input  logic [PORTS*VC_W-1:0]       flit_in_vc,
  input  logic [PORTS*FLIT_WIDTH-1:0] flit_in_data,
  input  logic [PORTS-1:0]            credit_in_valid,
  input  logic [PORTS*VC_W-1:0]       credit_in_vc,
  output logic [PORTS-1:0]            flit_out_valid,
  output logic [PORTS-1:0]            flit_out_head,
  output logic [PORTS-1:0]            flit_out_tail,
  output logic [PORTS*VC_W-1:0]       flit_out_vc,
  output logic [PORTS*FLIT_WIDTH-1:0] flit_out_data,
  output logic [PORTS-1:0]            credit_out_valid,
  output logic [PORTS*VC_W-1:0]       credit_out_vc
);
  // Requests and answers.
  logic        request, corrupt, short_frame;
  logic [7:0]  request_command, answer_status;
  logic [15:0] request_address;
  logic [31:0] request_data, answer_data;

  // Between registers and router.
  logic router_rst;
  logic [ROUTER_W-1:0] config_router, table_row, read_router, table_read_row;
  logic [PORTS-1:0] config_wired, config_exits, table_ports, read_wired, read_exits, table_read_in_use,
    table_read_staged;
  logic [31:0] config_seed;
  logic [COUNTER_WIDTH-1:0] config_contention_threshold;
  logic [15:0] config_contention_factor, config_minimal_occupancy, config_relative_threshold,
    config_restriction_factor, config_restriction_packets;
  logic config_restriction, config_occupancy_enable, config_contention_enable, config_load, table_bank, table_write;
  dsv_pkg::thresholds_t read_thresholds;
  logic [PORTS*COUNTER_WIDTH-1:0] read_contention;
  logic [PORTS*VCS*CREDIT_W-1:0] read_credits;
  logic [KINDS*16-1:0] read_errors;
  logic notice_out_valid;
  logic [NOTICE_W-1:0] notice_out_counts;

  dsv_spi_port spi_port (
    .clk, .rst, .sck(spi_sck), .cs_n(spi_cs_n), .mosi(spi_mosi), .miso(spi_miso),
    .request, .request_command, .request_address, .request_data, .answer_status, .answer_data, .corrupt, .short_frame
  );

  dsv_control #(
    .PORTS(PORTS), .VCS(VCS), .CREDIT_W(CREDIT_W), .COUNTER_WIDTH(COUNTER_WIDTH), .ROWS(ROWS), .ROUTING(ROUTING),
    .TRIGGER(TRIGGER)
  ) control (
    .clk, .rst, .request, .request_command, .request_address, .request_data, .answer_status, .answer_data, .corrupt,
    .short_frame, .irq, .router_rst,
    .config_router, .config_wired, .config_exits, .config_seed, .config_contention_threshold,
    .config_contention_factor, .config_minimal_occupancy, .config_relative_threshold, .config_restriction,
    .config_restriction_factor, .config_restriction_packets, .config_occupancy_enable, .config_contention_enable,
    .config_load, .table_bank, .table_write, .table_row, .table_ports, .read_router, .read_wired, .read_exits,
    .read_thresholds, .read_contention, .read_credits, .read_errors, .table_read_row, .table_read_in_use,
    .table_read_staged
  );

  dsv_router #(
    .CONTROL(1'b1),
`include "dsv_config_pass.svh"
  ) router (
    .clk, .rst(rst || router_rst),
    .config_combined_threshold(16'd0), .config_ugal_bias(16'd0), .notice_in_valid(OTHERS'(0)), .notice_in_counts((OTHERS * NOTICE_W)'(0)),
    .notice_out_valid, .notice_out_counts,
    .config_router, .config_wired, .config_exits, .config_seed, .config_contention_threshold,
    .config_contention_factor, .config_minimal_occupancy, .config_relative_threshold, .config_restriction,
    .config_restriction_factor, .config_restriction_packets, .config_occupancy_enable, .config_contention_enable,
    .config_load, .table_bank, .table_write, .table_row, .table_ports, .read_router, .read_wired, .read_exits,
    .read_thresholds, .read_contention, .read_credits, .read_errors, .table_read_row, .table_read_in_use,
    .table_read_staged,
    .flit_in_valid, .flit_in_head, .flit_in_tail, .flit_in_vc, .flit_in_data, .credit_in_valid, .credit_in_vc,
    .flit_out_valid, .flit_out_head, .flit_out_tail, .flit_out_vc, .flit_out_data, .credit_out_valid, .credit_out_vc
  );

  // The map has no registers for TRIGGER_ECTN and TRIGGER_UGAL, which the router refuses here as it does KNOWLEDGE_GROUP.
  logic unused;
  assign unused = &{1'b0, notice_out_valid, notice_out_counts};

  // What the map has no room for is refused when the design is read.
  generate if (PORTS > 32 || VCS > 8 || COUNTER_WIDTH > 16 || CREDIT_W > 16 || ROWS > 16384) begin : g_too_large
    $error("the register map has no room for a switch of this size");
  end endgenerate
endmodule
