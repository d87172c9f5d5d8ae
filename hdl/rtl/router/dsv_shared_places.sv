// Stage 4. How many of the places that the VCs of an input port share are in use, and whether all of them are: but for one that is left in
// this cycle.
module dsv_shared_places #(
  parameter  int unsigned VCS = 3,
  parameter  int unsigned PLACES = 32,
  localparam int unsigned USED_W = $clog2(PLACES + 1)
) (
  input  logic           clk,
  input  logic           rst,
  input  logic [VCS-1:0] takes,
  input  logic [VCS-1:0] leaves,
  output logic           exhausted
);
  logic [USED_W-1:0] used;
  assign exhausted = used == USED_W'(PLACES) && leaves == '0;
  always_ff @(posedge clk) begin
    if (rst) used <= '0;
    else if ((takes != '0) != (leaves != '0)) used <= takes != '0 ? used + 1'b1 : used - 1'b1;
  end
endmodule
