// Stage 2. The VCs of a hop between routers, by HOP_VCS: the next one with each hop
// (router-core/src/route/table.rs), any, those of the table, or those of the table on the first hop and kept
// from then on (router-core/src/map/forwarding.rs). By service level any, of which `dsv_lane` takes one.
module dsv_hop_vcs #(
  parameter  int unsigned VCS     = dsv_pkg::DEFAULT_VCS,
  parameter  int unsigned HOP_VCS = dsv_pkg::DEFAULT_HOP_VCS,
  localparam int unsigned VC_W    = VCS > 1 ? $clog2(VCS) : 1
) (
  input  logic [1:0]      from_kind,
  input  logic [VC_W-1:0] from_vc,
  input  logic [VCS-1:0]  table_vcs,
  output logic [VCS-1:0]  vcs
);
  // One up with each hop, from 0: what the ladder gives a hop by a local port.
  logic [VCS-1:0] to_local, to_global, misroute, same;
  logic           first;
  dsv_ladder #(.VCS(VCS)) ladder (.from_kind, .from_vc, .to_local, .to_global, .misroute);
  assign same  = VCS'(1) << from_vc;
  assign first = from_kind == 2'(dsv_pkg::PORT_KIND_NODE);

  logic unused;
  assign unused = &{1'b0, to_local, to_global, misroute, same, first, table_vcs};

  generate
    if (HOP_VCS == dsv_pkg::HOP_VCS_RISING) begin : g_rising
      assign vcs = to_local;
    end else if (HOP_VCS == dsv_pkg::HOP_VCS_GIVEN) begin : g_given
      assign vcs = table_vcs;
    end else if (HOP_VCS == dsv_pkg::HOP_VCS_KEPT) begin : g_kept
      assign vcs = first ? table_vcs : same;
    end else begin : g_any
      assign vcs = {VCS{1'b1}};
    end
  endgenerate
endmodule
