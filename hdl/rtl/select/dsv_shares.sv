// Stage 3. Places in use of each VC behind each output, times the relative threshold: what the occupancy trigger compares a detour's
// occupancy with (router-core/src/select/occupancy.rs). Once for the whole router, and before it is known which output is a packet's
// minimal one: a product takes longer than to choose among products. Its widths are those of the ports' own buffers. Products are formed in
// the cycle before, of what was in use then and of a place more and less; what came or went since picks one.
module dsv_shares #(
  parameter  int unsigned NODES        = dsv_pkg::DEFAULT_NODES,
  parameter  int unsigned LOCALS       = dsv_pkg::DEFAULT_LOCALS,
  parameter  int unsigned GLOBALS      = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned VCS          = dsv_pkg::DEFAULT_VCS,
  parameter  int unsigned NODE_VCS     = dsv_pkg::DEFAULT_NODE_VCS,
  parameter  int unsigned LOCAL_VCS    = dsv_pkg::DEFAULT_LOCAL_VCS,
  parameter  int unsigned GLOBAL_VCS   = dsv_pkg::DEFAULT_GLOBAL_VCS,
  parameter  int unsigned NODE_FLITS   = dsv_pkg::DEFAULT_NODE_FLITS,
  parameter  int unsigned LOCAL_FLITS  = dsv_pkg::DEFAULT_LOCAL_FLITS,
  parameter  int unsigned GLOBAL_FLITS = dsv_pkg::DEFAULT_GLOBAL_FLITS,
  parameter  int unsigned CREDIT_W     = $clog2(GLOBAL_FLITS + 1),
  // Whether the threshold stays as it is while a packet is in the router: then a product follows what comes and goes, and nothing is
  // multiplied.
  parameter  bit          STEADY       = 1'b0,
  localparam int unsigned PORTS        = NODES + LOCALS + GLOBALS,
  localparam int unsigned SHARE_W      = CREDIT_W + 16
) (
  input  logic                          clk,
  input  logic                          rst,
  input  logic [PORTS*VCS*CREDIT_W-1:0] used,
  input  logic [PORTS*VCS-1:0]          came,                // a place more is in use than in the cycle before, or one less
  input  logic [PORTS*VCS-1:0]          went,
  input  logic [15:0]                   next_threshold,      // U8F8, in the next cycle
  output logic [PORTS*VCS*SHARE_W-1:0]  shares
);
  logic unused;
  assign unused = &{1'b0, used, came, went};

  generate for (genvar p = 0; p < PORTS; p++) begin : g_port
    localparam int unsigned HERE = p < NODES ? NODE_VCS : p < NODES + LOCALS ? LOCAL_VCS : GLOBAL_VCS;
    localparam int unsigned FLITS = p < NODES ? NODE_FLITS : p < NODES + LOCALS ? LOCAL_FLITS : GLOBAL_FLITS;
    localparam int unsigned USED_W = $clog2(FLITS + 1);
    logic [HERE*SHARE_W-1:0] here;
    for (genvar c = 0; c < HERE; c++) begin : g_vc
      // Of the cycle before: the product of as many places, of one more and of one less.
      logic [USED_W+15:0] share, next_share, same, up, down;
      assign share      = came[p*VCS + c] ? up : went[p*VCS + c] ? down : same;
      if (STEADY) begin : g_follows
        assign next_share = share;
      end else begin : g_anew
        assign next_share = (USED_W + 16)'(next_threshold) * (USED_W + 16)'(used[(p*VCS + c)*CREDIT_W +: USED_W]);
      end
      always_ff @(posedge clk) begin
        same <= rst ? '0 : next_share;
        up   <= rst ? '0 : next_share + (USED_W + 16)'(next_threshold);
        down <= rst ? '0 : next_share - (USED_W + 16)'(next_threshold);
      end
      assign here[c*SHARE_W +: SHARE_W] = SHARE_W'(share);
    end
    assign shares[p*VCS*SHARE_W +: VCS*SHARE_W] = (VCS*SHARE_W)'(here);
  end endgenerate
endmodule
