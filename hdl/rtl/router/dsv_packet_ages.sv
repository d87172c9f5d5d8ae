// Stage 4. How many packets of a VC have seen one tick in the router, two, and so on, and whether the front one is too old for seeing all of them
// (router-core/src/lifetime.rs). Packets of a VC keep their order: those that have seen so many are the first of its queue.
module dsv_packet_ages #(
  parameter  int unsigned PLACES = 6,
  localparam int unsigned PACKETS_W = $clog2(PLACES + 1),
  localparam int unsigned TICKS = dsv_pkg::LIFETIME_TICKS
) (
  input  logic                 clk,
  input  logic                 rst,
  input  logic                 tick,
  // Packets in the buffer, and whether the front one leaves it.
  input  logic [PACKETS_W-1:0] packets,
  input  logic                 finish,
  output logic                 is_old
);
  logic [TICKS*PACKETS_W-1:0]     aged;
  logic [(TICKS+1)*PACKETS_W-1:0] from;
  assign from   = {aged, packets};
  assign is_old = aged[(TICKS-1)*PACKETS_W +: PACKETS_W] != '0;

  generate for (genvar k = 0; k < TICKS; k++) begin : g_tick
    logic [PACKETS_W-1:0] count;
    assign count = tick ? from[k*PACKETS_W +: PACKETS_W] : from[(k+1)*PACKETS_W +: PACKETS_W];
    always_ff @(posedge clk) begin
      if (rst) aged[k*PACKETS_W +: PACKETS_W] <= '0;
      else     aged[k*PACKETS_W +: PACKETS_W] <= count - PACKETS_W'(finish && count != '0);
    end
  end endgenerate
endmodule
