// How often each protocol error occurred. Counters stay at their last value.
module dsv_errors #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned WIDTH = 16,
  localparam int unsigned KINDS = dsv_pkg::PROTOCOL_ERROR_COUNT
) (
  input  logic                   clk,
  input  logic                   rst,
  // Per port: of the arriving flit, of the credit that came, and no route for the packet that came to the front.
  input  logic [PORTS*KINDS-1:0] flit_error,
  input  logic [PORTS-1:0]       credit_to_no_vc,
  input  logic [PORTS-1:0]       credit_overflow,
  input  logic [PORTS-1:0]       next_has_no_route,
  output logic [KINDS*WIDTH-1:0] count
);
  generate for (genvar k = 0; k < KINDS; k++) begin : g_kind
    logic [2*PORTS-1:0] now;

    for (genvar p = 0; p < PORTS; p++) begin : g_port
      assign now[p] = flit_error[p*KINDS + k];
    end
    assign now[2*PORTS-1:PORTS] = k == dsv_pkg::PROTOCOL_ERROR_NO_SUCH_VC ? credit_to_no_vc
                                : k == dsv_pkg::PROTOCOL_ERROR_CREDIT_OVERFLOW ? credit_overflow
                                : k == dsv_pkg::PROTOCOL_ERROR_NO_ROUTE ? next_has_no_route : '0;

    dsv_event_count #(.EVENTS(2 * PORTS), .WIDTH(WIDTH)) counter (.clk, .rst, .now, .count(count[k*WIDTH +: WIDTH]));
  end endgenerate
endmodule
