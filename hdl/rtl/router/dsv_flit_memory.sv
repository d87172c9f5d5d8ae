// Stage 4. The flits of all VCs of an input port behind the first two of each. The memory is synchronous,
// with one write port and one read port, as block RAM and compiled memories have them. What is fetched in a
// cycle is there in the next. One VC at most stores a flit in a cycle, and one at most fetches one.
module dsv_flit_memory #(
  parameter  int unsigned VCS = 3,
  parameter  int unsigned VCS_HERE = 3,
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned FLIT_WIDTH = dsv_pkg::DEFAULT_FLIT_WIDTH,
  localparam int unsigned PLACE_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
  input  logic                   clk,
  input  logic [VCS-1:0]         store,
  input  logic [VCS*PLACE_W-1:0] store_places,
  input  logic [FLIT_WIDTH-1:0]  flit,
  input  logic [VCS-1:0]         fetch,
  input  logic [VCS*PLACE_W-1:0] fetch_places,
  output logic [FLIT_WIDTH-1:0]  fetched
);
  localparam int unsigned VC_W = VCS_HERE > 1 ? $clog2(VCS_HERE) : 1;
  localparam int unsigned AT_W = VC_W + PLACE_W;

  (* ram_style = "block", no_rw_check *)
  logic [FLIT_WIDTH-1:0] flits [2**AT_W];
  logic [AT_W-1:0]       store_at, fetch_at;

  always_comb begin
    store_at = '0;
    fetch_at = '0;
    for (int v = 0; v < VCS_HERE; v++) begin
      if (store[v]) store_at = store_at | {VC_W'(v), store_places[v*PLACE_W +: PLACE_W]};
      if (fetch[v]) fetch_at = fetch_at | {VC_W'(v), fetch_places[v*PLACE_W +: PLACE_W]};
    end
  end

  always_ff @(posedge clk) begin
    if (store != '0) flits[store_at] <= flit;
    if (fetch != '0) fetched <= flits[fetch_at];
  end
endmodule
