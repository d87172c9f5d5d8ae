// The routings of grids, side by side on a mesh and a torus of 3 × 4 routers (tests/rtl_unit/grids.sv).
module grids_bench #(
  localparam int unsigned PORTS = 5,
  localparam int unsigned VC_W  = 2,
  localparam int unsigned VARIANTS = 7
) (
  input  logic             clk,
  input  logic             rst,
  input  logic [15:0]      mutant,
  input  logic [17:0]      here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [PORTS-1:0] from_port,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [dsv_pkg::HEADER_BITS-1:0] header,
  output logic [VARIANTS*64-1:0] offered
);
  always_ff @(posedge clk) if (rst) mutation::chosen <= mutant;

  grids #(.NODES(1), .LOCALS(4), .VCS(3), .LOCAL_VCS(2), .GRID_STARTS('b0101), .GRID_LAST('b1110)) all (
    .here_router, .wired, .from_port, .from_kind, .from_vc, .header, .offered
  );
endmodule
