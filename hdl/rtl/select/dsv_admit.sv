// Stage 5, before allocation: which requests still hold against this cycle's credits, and the VC that each would take. Sets of ports
// behind VC c are planes: bits [c*PORTS +: PORTS].
module dsv_admit #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned FLOW = dsv_pkg::FLOW_VCT,
  // Sets of candidates, the kind of hop of each in a byte, and whether they may share a port; whether a packet requests several
  // outputs at once.
  parameter  int unsigned SETS = 3,
  parameter  logic [31:0] KINDS = 32'h020100,
  parameter  int unsigned OVERLAP = 0,
  parameter  bit          SEVERAL = 1'b0,
  parameter  int unsigned VC_RULE = dsv_pkg::VC_RULE_RANDOM,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  // The front packet of a VC.
  input  logic                  occupied,
  input  logic                  waiting,
  input  logic                  active,
  input  logic                  whole,
  input  logic [SETS*PORTS-1:0] set_ports,
  input  logic [SETS*VCS-1:0]   set_vcs,
  input  logic [PORTS-1:0]      request,
  input  logic [VC_W-1:0]       out_vc,
  input  logic [15:0]           random,
  // The outputs: FIFOs with room, VCs behind them that no packet holds, whether there is a credit, and room for all of the packet.
  input  logic [PORTS-1:0]      accepts,
  input  logic [VCS*PORTS-1:0]  free,
  input  logic [VCS*PORTS-1:0]  credited,
  input  logic [VCS*PORTS-1:0]  fits,
  // SEVERAL: where its head may leave.
  input  logic [VCS*PORTS-1:0]  open,
  // What it asks for, and the VC it would take there: at the first where it asks for several.
  output logic [PORTS-1:0]      want,
  output logic [VC_W-1:0]       want_out_vc
);
  logic [PORTS-1:0] streaming, admissible;
  logic [VCS-1:0]   open_vcs, members, drawn;
  logic [VC_W-1:0]  drawn_vc;

  generate
    if (SEVERAL) begin : g_several
      logic [PORTS-1:0] open_ports, first;
      always_comb begin
        open_ports = '0;
        for (int c = 0; c < VCS; c++) open_ports = open_ports | open[c*PORTS +: PORTS];
      end
      assign admissible = request & open_ports;
      assign first      = admissible & (~admissible + 1'b1);
      for (genvar c = 0; c < VCS; c++) begin : g_vc
        assign open_vcs[c] = (open[c*PORTS +: PORTS] & first) != '0;
      end
      logic unused;
      assign unused = &{1'b0, set_ports, set_vcs, free, fits};
    end else begin : g_one
      // The output is known, and so are its sets; what is known late is whether its VCs are open. Of sets that share it the first
      // that has an open one is taken. With wormhole a minimal hop needs room for one flit.
      logic [VCS-1:0] roomy, roomy_minimal, way;
      for (genvar c = 0; c < VCS; c++) begin : g_vc
        logic [PORTS-1:0] vacant;
        assign vacant           = request & accepts & free[c*PORTS +: PORTS];
        assign roomy[c]         = (vacant & fits[c*PORTS +: PORTS]) != '0;
        assign roomy_minimal[c] = FLOW == dsv_pkg::FLOW_WORMHOLE ? (vacant & credited[c*PORTS +: PORTS]) != '0 : roomy[c];
      end
      always_comb begin
        open_vcs = '0;
        for (int k = 0; k < SETS; k++) begin
          way = set_vcs[k*VCS +: VCS] & {VCS{(set_ports[k*PORTS +: PORTS] & request) != '0}}
              & (KINDS[k*8 +: 8] == 8'(dsv_pkg::HOP_KIND_MINIMAL) ? roomy_minimal : roomy);
          if (OVERLAP == 0 || open_vcs == '0) open_vcs = open_vcs | way;
        end
      end
      assign admissible = request & {PORTS{open_vcs != '0}};
      logic unused;
      assign unused = &{1'b0, open};
    end
  endgenerate

  // A packet that is leaving needs a credit for its next flit.
  assign streaming = request & accepts & credited[out_vc*PORTS +: PORTS];
  assign want      = !occupied ? '0 : active ? streaming
                   : waiting && (FLOW != dsv_pkg::FLOW_STORE_AND_FORWARD || whole) ? admissible : '0;

  // Of one member that one is drawn.
  assign members = VC_RULE == dsv_pkg::VC_RULE_FIRST ? open_vcs & (~open_vcs + 1'b1) : open_vcs;
  dsv_draw #(.WIDTH(VCS)) draw_vc (.members, .random(random), .one(drawn));

  always_comb begin
    drawn_vc = '0;
    for (int c = 0; c < VCS; c++) drawn_vc = drawn_vc | (drawn[c] ? VC_W'(c) : '0);
  end
  assign want_out_vc = active ? out_vc : drawn_vc;
endmodule
