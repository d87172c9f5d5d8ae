// Routings side by side on grids of one size, for the unit lockstep of `route`: dimension order on the mesh,
// on the torus and on the torus whose links lead up alone, the turn model, negative first. In two dimensions
// there are also the turn model, west first and north last, and the odd-even turn model. Each fills one
// 64-bit place of `offered`, packed as in the probes of lockstep.
module grids #(
  parameter  int unsigned NODES       = 2,
  parameter  int unsigned LOCALS      = 4,
  parameter  int unsigned VCS         = 3,
  parameter  int unsigned LOCAL_VCS   = 3,
  parameter  int unsigned GRID_STARTS = 'b101,
  parameter  int unsigned GRID_LAST   = 'b1110,
  localparam int unsigned PORTS       = NODES + LOCALS,
  localparam int unsigned VC_W        = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned VARIANTS    = LOCALS == 4 ? 7 : 4
) (
  input  logic [17:0]      here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [PORTS-1:0] from_port,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [dsv_pkg::HEADER_BITS-1:0] header,
  output logic [VARIANTS*64-1:0] offered
);
  generate
    for (genvar k = 0; k < VARIANTS; k++) begin : g_variant
      logic [PORTS-1:0] set_ports;
      logic [VCS-1:0] set_vcs;
      logic [PORTS+VCS:0] candidates;
      logic forced;
      logic [1*dsv_pkg::HOPS_BITS-1:0] set_hops;
      dsv_route #(
        .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(0), .GROUPS(1), .VCS(VCS), .LOCAL_VCS(LOCAL_VCS),
        .GRID_STARTS(GRID_STARTS), .GRID_LAST(GRID_LAST), .GRID_WRAPS(k < 3 ? k : 0),
        .ROUTING(k < 3 ? dsv_pkg::ROUTING_DIMENSION_ORDER : k < 6 ? dsv_pkg::ROUTING_TURN_MODEL : dsv_pkg::ROUTING_ODD_EVEN),
        .TURNS(k == 4 ? dsv_pkg::TURNS_WEST_FIRST : k == 5 ? dsv_pkg::TURNS_NORTH_LAST : dsv_pkg::TURNS_NEGATIVE_FIRST)
      ) one (
        .here_router, .wired, .exits('0), .from_port, .from_kind, .from_vc, .header, .table_ports('0), .table_vcs('0),
        .set_ports, .set_vcs, .set_hops, .forced, .passed_over
      );
      logic [PORTS-1:0] passed_over;
      logic unused;
      assign unused = &{1'b0, set_hops, passed_over};
      dsv_packed_candidates #(.PORTS(PORTS), .VCS(VCS), .SETS(1)) packing (.set_ports, .set_vcs, .forced, .candidates);
      assign offered[k*64 +: 64] = 64'(candidates);
    end
  endgenerate
endmodule
