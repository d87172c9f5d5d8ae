// Stage 4. The flits of an input port behind the first two of each VC, in one synchronous memory. Each VC has
// places of its own, or VCs share them. There are none where each VC has an array of its own (SYNCHRONOUS =
// 0).
module dsv_buffer_memory #(
  parameter  int unsigned VCS = 3,
  parameter  int unsigned VCS_HERE = 3,
  // Flits that a VC holds at most, and those that are kept for it.
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned RESERVED = DEPTH,
  parameter  int unsigned FLIT_WIDTH = 96,
  parameter  bit          SYNCHRONOUS = 1'b0,
  localparam int unsigned PLACE_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
  input  logic                   clk,
  input  logic                   rst,
  // The flit that is stored for one of the VCs, and the VC of which one is fetched; their places where each VC has its own.
  input  logic [VCS-1:0]         store,
  input  logic [VCS*PLACE_W-1:0] store_places,
  input  logic [FLIT_WIDTH-1:0]  flit,
  input  logic [VCS-1:0]         fetch,
  input  logic [VCS*PLACE_W-1:0] fetch_places,
  // A cycle later.
  output logic [FLIT_WIDTH-1:0]  fetched,
  // Flits that come to and leave shared places, and whether all of these are in use.
  input  logic [VCS-1:0]         takes_shared,
  input  logic [VCS-1:0]         leaves_shared,
  output logic                   exhausted
);
  generate if (RESERVED < DEPTH) begin : g_shared
    localparam int unsigned SHARED = DEPTH - RESERVED;
    dsv_shared_places #(.VCS(VCS), .PLACES(SHARED)) shared_places (
      .clk, .rst, .takes(takes_shared), .leaves(leaves_shared), .exhausted
    );
    dsv_shared_flits #(
      .VCS(VCS_HERE), .PLACES(SHARED + (RESERVED > 2 ? VCS_HERE * (RESERVED - 2) : 0)), .FLIT_WIDTH(FLIT_WIDTH)
    ) memory (.clk, .rst, .store(store[VCS_HERE-1:0]), .flit, .fetch(fetch[VCS_HERE-1:0]), .fetched);
    logic unused;
    assign unused = &{1'b0, store, fetch, store_places, fetch_places};
  end else begin : g_own
    if (SYNCHRONOUS) begin : g_memory
      dsv_flit_memory #(.VCS(VCS), .VCS_HERE(VCS_HERE), .DEPTH(DEPTH), .FLIT_WIDTH(FLIT_WIDTH)) memory (
        .clk, .store, .store_places, .flit, .fetch, .fetch_places, .fetched
      );
    end else begin : g_none
      logic unused;
      assign unused = &{1'b0, clk, store, fetch, store_places, fetch_places, flit};
      assign fetched = '0;
    end
    logic unused_shared;
    assign unused_shared = &{1'b0, rst, takes_shared, leaves_shared};
    assign exhausted = 1'b0;
  end endgenerate
endmodule
