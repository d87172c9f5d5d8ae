// Requests: each is passed on once, is 72 bits of one frame, and has the right checksum.
`include "dsv_check.svh"
module dsv_spi_port_check (
  input logic        clk,
  input logic        rst,
  input logic        selected,
  input logic        rises,
  input logic        bit_in,
  input logic        request,
  input logic [55:0] content
);
  // The frame, kept apart from the port's own registers.
  logic [71:0] frame;
  logic [15:0] sum;
  logic [7:0]  seen;
  logic        passed_on;
  always_ff @(posedge clk) begin
    if (rst || !selected) begin
      frame     <= '0;
      seen      <= '0;
      passed_on <= 1'b0;
    end else begin
      if (rises && seen < 8'd100) seen <= seen + 1'b1;
      if (rises && seen < 8'd72) frame <= {frame[70:0], bit_in};
      if (request) passed_on <= 1'b1;
    end
  end
  dsv_checksum #(.BITS(56)) whole (.so_far(dsv_registers_pkg::FRAME_INITIAL), .bits(frame[71:16]), .next(sum));

  `DSV_CHECK(FRAME_CHECKED, !request || (seen == 8'd72 && !passed_on && sum == frame[15:0] && content == frame[71:16]),
    ("FRAME-CHECKED: %0d bits, %h, are passed on as the request %h", seen, frame, content))
endmodule
