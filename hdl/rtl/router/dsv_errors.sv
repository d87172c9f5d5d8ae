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
    logic [WIDTH:0]     sum;

    for (genvar p = 0; p < PORTS; p++) begin : g_port
      assign now[p] = flit_error[p*KINDS + k];
    end
    assign now[2*PORTS-1:PORTS] = k == dsv_pkg::PROTOCOL_ERROR_NO_SUCH_VC ? credit_to_no_vc
                                : k == dsv_pkg::PROTOCOL_ERROR_CREDIT_OVERFLOW ? credit_overflow
                                : k == dsv_pkg::PROTOCOL_ERROR_NO_ROUTE ? next_has_no_route : '0;

    always_comb begin
      sum = {1'b0, count[k*WIDTH +: WIDTH]};
      for (int n = 0; n < 2 * PORTS; n++) sum = sum + (WIDTH+1)'(now[n]);
    end

    always_ff @(posedge clk) begin
      if (rst)               count[k*WIDTH +: WIDTH] <= '0;
      else if (now != '0)    count[k*WIDTH +: WIDTH] <= sum[WIDTH] ? '1 : sum[WIDTH-1:0];
    end
  end endgenerate
endmodule
