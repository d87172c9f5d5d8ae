// How many packets have been discarded for each reason. Counters stay at their last value.
module dsv_discards #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned WIDTH = 16,
  localparam int unsigned REASONS = dsv_pkg::DISCARD_COUNT
) (
  input  logic                       clk,
  input  logic                       rst,
  // Per port: of the packet that arrived at the front of its VC, and of the one that came to it behind a tail.
  input  logic [PORTS*REASONS-1:0]   arrival_why,
  input  logic [PORTS*REASONS-1:0]   next_why,
  // Per VC of each port: where its front packet has waited for too long.
  input  logic [PORTS*VCS*PORTS-1:0] expired,
  output logic [REASONS*WIDTH-1:0]   discarded
);
  logic [PORTS*VCS-1:0] expires;
  generate for (genvar n = 0; n < PORTS * VCS; n++) begin : g_vc
    assign expires[n] = expired[n*PORTS +: PORTS] != '0;
  end endgenerate

  generate for (genvar k = 0; k < REASONS; k++) begin : g_reason
    if (k == dsv_pkg::DISCARD_LIFETIME) begin : g_lifetime
      dsv_event_count #(.EVENTS(PORTS * VCS), .WIDTH(WIDTH)) counter (.clk, .rst, .now(expires), .count(discarded[k*WIDTH +: WIDTH]));
    end else begin : g_table
      logic [2*PORTS-1:0] now;
      for (genvar p = 0; p < PORTS; p++) begin : g_port
        assign now[p]         = arrival_why[p*REASONS + k];
        assign now[PORTS + p] = next_why[p*REASONS + k];
      end
      dsv_event_count #(.EVENTS(2 * PORTS), .WIDTH(WIDTH)) counter (.clk, .rst, .now, .count(discarded[k*WIDTH +: WIDTH]));
    end
  end endgenerate
endmodule
