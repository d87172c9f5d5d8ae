// Stage 2. Which VC follows which hop (router-core/src/route/ladder.rs), as sets of one VC, in ascending
// order. A VC beyond VCS does not exist: its set is empty.
module dsv_ladder #(
  parameter  int unsigned VCS  = dsv_pkg::DEFAULT_VCS,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input  logic [1:0]      from_kind,
  input  logic [VC_W-1:0] from_vc,
  output logic [VCS-1:0]  to_local,   // an order-respecting hop by a local port
  output logic [VCS-1:0]  to_global,  // one by a global port
  output logic [VCS-1:0]  misroute    // a misroute inside a group: it does not climb
);
  localparam logic [VCS-1:0] FIRST = VCS'(1);

  logic injected, came_local;
  logic [VCS-1:0] same, up;
  assign injected = from_kind == 2'(dsv_pkg::PORT_KIND_NODE);
  assign came_local = from_kind == 2'(dsv_pkg::PORT_KIND_LOCAL);
  assign same = FIRST << from_vc;
  assign up = same << 1;

  // Two up to a port of the same kind, one up otherwise, where local VCs are 0, 2, 4 and global ones 1, 3.
  assign to_local = injected ? FIRST : up;
  assign to_global = injected ? FIRST : came_local ? same : up;
  assign misroute = injected ? FIRST : same;
endmodule
