// The memory of an input port whose VCs share places.
`include "dsv_check.svh"
module dsv_shared_flits_check #(
  parameter  int unsigned VCS = 3,
  parameter  int unsigned PLACES = 64,
  localparam int unsigned FLITS_W = $clog2(PLACES + 2)
) (
  input logic           clk,
  input logic           rst,
  input logic [VCS-1:0] store,
  input logic [VCS-1:0] fetch,
  input logic [VCS-1:0] holds
);
  logic [FLITS_W-1:0] flits;
  always_ff @(posedge clk) flits <= rst ? '0 : flits + FLITS_W'(store != '0) - FLITS_W'(fetch != '0);

  // There is always a place for the next flit: one comes into a full memory only as another leaves.
  `DSV_CHECK(SHARED_BOUND, store == '0 || fetch != '0 || 32'(flits) < PLACES,
    ("SHARED-BOUND: a flit for VCs %b comes to %0d others, in %0d places", store, flits, PLACES))

  `DSV_CHECK(SHARED_ONE, (store & (store - 1'b1)) == '0 && (fetch & (fetch - 1'b1)) == '0 && (fetch & ~holds) == '0,
    ("ONE-HOT: stored for VCs %b, fetched for %b, of which %b have flits here", store, fetch, holds))
endmodule
