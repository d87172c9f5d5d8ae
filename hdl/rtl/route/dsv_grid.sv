// Stage 2. The map of a mesh (router-core/src/map/grid.rs): where a packet's destination lies from here, and by which ports it is
// reached. Local port 2d leads up in dimension d, local port 2d + 1 down. An address packs the coordinates, the first dimension
// lowest; bits above the last coordinate are not looked at.
module dsv_grid #(
`include "dsv_route_config.svh"
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [ROUTER_W-1:0] to_router,
  output logic                known,    // no coordinate that differs lies beyond the mesh
  output logic                arrived,  // its router is this one
  output logic [PORTS-1:0]    closer    // the port that leads closer, in each dimension that differs
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

  logic [DIMENSIONS-1:0] differs, up, beyond;
  generate for (genvar d = 0; d < DIMENSIONS; d++) begin : g_dimension
    localparam logic [ROUTER_W-1:0] MASK = mask_of(d);
    logic [ROUTER_W-1:0] from, to;
    assign from = here_router & MASK;
    assign to = to_router & MASK;
    assign differs[d] = from != to;
    assign up[d] = to > from;
    assign beyond[d] = to > (LAST & MASK);
  end endgenerate

  assign arrived = differs == '0;
  assign known = (differs & beyond) == '0;
  always_comb begin
    closer = '0;
    for (int d = 0; d < DIMENSIONS; d++) begin
      closer[NODES + 2*d]     = differs[d] && up[d];
      closer[NODES + 2*d + 1] = differs[d] && !up[d];
    end
  end
endmodule
