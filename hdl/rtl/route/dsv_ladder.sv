// Stage 2. Which VC follows which hop (router-core/src/route/ladder.rs), as sets of one VC, in ascending
// order. A VC beyond VCS does not exist: its set is empty. Behind the last of MOST_VCS comes the first again, as in the
// model, whose sets have a bit for each of them (router-core/src/units.rs): what has a hop to go there came against the protocol.
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
  localparam int unsigned MOST_VCS = 8;

  logic injected, came_local;
  logic [VCS-1:0] same, up;
  assign injected = from_kind == 2'(dsv_pkg::PORT_KIND_NODE);
  assign came_local = from_kind == 2'(dsv_pkg::PORT_KIND_LOCAL);
  assign same = FIRST << from_vc;
  generate
    if (VCS == MOST_VCS) begin : g_first_again
      assign up = {same[VCS-2:0], same[VCS-1]};
    end else begin : g_none
      assign up = same << 1;
    end
  endgenerate

  // Two up to a port of the same kind, one up otherwise, where local VCs are 0, 2, 4 and global ones 1, 3.
  assign to_local = injected ? FIRST : up;
  assign to_global = injected ? FIRST : came_local ? same : up;
  assign misroute = injected ? FIRST : same;
endmodule
