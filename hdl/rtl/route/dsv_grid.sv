// Stage 2. The map of a mesh or torus (router-core/src/map/grid.rs): where a packet's destination lies from here, and by which ports
// it is reached. Local port 2d leads up in dimension d, local port 2d + 1 down. An address packs the coordinates, the first dimension
// lowest; bits above the last coordinate are not looked at.
module dsv_grid #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [ROUTER_W-1:0] to_router,
  output logic                arrived,  // its router is this one
  output logic [PORTS-1:0]    closer,   // the port that leads closer, in each dimension that differs
  output logic [PORTS-1:0]    outside,  // those of them whose coordinate lies beyond the grid
  output logic [PORTS-1:0]    ahead,    // those of them with the wrap-around link on the way
  output logic [PORTS-1:0]    behind,   // those of them that lead on from the end of the wrap-around link
  output logic [PORTS-1:0]    single    // those of them in rings of so few routers that each packet takes one hop at most
);
  localparam int unsigned DIMENSIONS = LOCALS / 2;
  localparam logic [ROUTER_W-1:0] STARTS = ROUTER_W'(GRID_STARTS);
  localparam logic [ROUTER_W-1:0] LAST = ROUTER_W'(GRID_LAST);

  // The bits of a coordinate. The highest coordinate of each dimension has its highest bit set.
  function automatic logic [ROUTER_W-1:0] mask_of(input int unsigned dimension);
    int unsigned begun;
    begun = 0;
    for (int unsigned b = 0; b < ROUTER_W; b++) begin
      begun = begun + 32'(STARTS[b]);
      mask_of[b] = begun == dimension + 1 && LAST >> b != '0;
    end
  endfunction

  logic [DIMENSIONS-1:0] differs, above, up, beyond, at_first, at_last, is_short;
  generate for (genvar d = 0; d < DIMENSIONS; d++) begin : g_dimension
    localparam logic [ROUTER_W-1:0] MASK = mask_of(d);
    logic [ROUTER_W-1:0] from, to;
    assign from = here_router & MASK;
    assign to = to_router & MASK;
    assign differs[d] = from != to;
    assign above[d] = to > from;
    assign beyond[d] = to > (LAST & MASK);
    assign at_first[d] = from == '0;
    assign at_last[d] = from == (LAST & MASK);
    assign is_short[d] = (LAST & MASK) <= (STARTS & MASK) << (GRID_WRAPS == 2 ? 0 : 1);
    if (GRID_WRAPS == 2) begin : g_one_way
      assign up[d] = 1'b1;
    end else if (GRID_WRAPS != 0) begin : g_ring
      // The shorter way round; half-way round, even coordinates go up.
      localparam logic [ROUTER_W:0] SIZE = {1'b0, LAST & MASK} + {1'b0, STARTS & MASK};
      logic [ROUTER_W:0] hops_up, round;
      assign hops_up = {1'b0, to} - {1'b0, from} + (above[d] ? '0 : SIZE);
      assign round = hops_up << 1;
      assign up[d] = round < SIZE || round == SIZE && (from & STARTS) == '0;
    end else begin : g_line
      assign up[d] = above[d];
    end
  end endgenerate

  assign arrived = differs == '0;
  always_comb begin
    closer  = '0;
    outside = '0;
    ahead   = '0;
    behind  = '0;
    single  = '0;
    for (int d = 0; d < DIMENSIONS; d++) begin
      closer[NODES + 2*d +: 2]  = {2{differs[d]}} & {!up[d], up[d]};
      outside[NODES + 2*d +: 2] = closer[NODES + 2*d +: 2] & {2{beyond[d]}};
      ahead[NODES + 2*d +: 2]   = closer[NODES + 2*d +: 2] & {above[d], !above[d]};
      behind[NODES + 2*d +: 2]  = closer[NODES + 2*d +: 2] & {at_last[d], at_first[d]};
      single[NODES + 2*d +: 2]  = closer[NODES + 2*d +: 2] & {2{is_short[d]}};
    end
  end
endmodule
