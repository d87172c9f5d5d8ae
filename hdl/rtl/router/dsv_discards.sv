// How many packets have been discarded for each reason. Counters stay at their last value.
module dsv_discards #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned WIDTH = 16,
  localparam int unsigned REASONS = dsv_pkg::DISCARD_COUNT
) (
  input  logic                     clk,
  input  logic                     rst,
  // Per port: of the packet that arrived at the front of its VC, and of the one that came to it behind a tail.
  input  logic [PORTS*REASONS-1:0] arrival_why,
  input  logic [PORTS*REASONS-1:0] next_why,
  output logic [REASONS*WIDTH-1:0] discarded
);
  generate for (genvar k = 0; k < REASONS; k++) begin : g_reason
    logic [WIDTH:0] sum;

    always_comb begin
      sum = {1'b0, discarded[k*WIDTH +: WIDTH]};
      for (int p = 0; p < PORTS; p++) sum = sum + (WIDTH+1)'(arrival_why[p*REASONS + k]) + (WIDTH+1)'(next_why[p*REASONS + k]);
    end

    always_ff @(posedge clk) begin
      if (rst) discarded[k*WIDTH +: WIDTH] <= '0;
      else     discarded[k*WIDTH +: WIDTH] <= sum[WIDTH] ? '1 : sum[WIDTH-1:0];
    end
  end endgenerate
endmodule
