// How often something occurred, at several places at once. It stays at its last value.
module dsv_event_count #(
  parameter int unsigned EVENTS = 14,
  parameter int unsigned WIDTH = 16
) (
  input  logic              clk,
  input  logic              rst,
  input  logic [EVENTS-1:0] now,
  output logic [WIDTH-1:0]  count
);
  logic [WIDTH:0] sum;

  always_comb begin
    sum = {1'b0, count};
    for (int n = 0; n < EVENTS; n++) sum = sum + (WIDTH+1)'(now[n]);
  end

  always_ff @(posedge clk) begin
    if (rst)               count <= '0;
    else if (now != '0)    count <= sum[WIDTH] ? '1 : sum[WIDTH-1:0];
  end
endmodule
