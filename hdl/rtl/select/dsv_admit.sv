// Stage 5, before allocation: which requests still hold against this cycle's credits, and by which ports a waiting head may
// leave. Sets of ports behind VC c are planes: bits [c*PORTS +: PORTS].
module dsv_admit #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned CREDIT_W = 9,
  parameter  int unsigned FLOW = dsv_pkg::FLOW_VCT,
  // Sets of candidates, the kind of hop of each in a byte, and whether they may share a port.
  parameter  int unsigned SETS = 3,
  parameter  logic [31:0] KINDS = 32'h020100,
  parameter  int unsigned OVERLAP = 0,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS
) (
  // The front packet of a VC.
  input  logic                          occupied,
  input  logic                          waiting,
  input  logic                          active,
  input  logic                          whole,
  input  logic [SETS*PORTS-1:0]         set_ports,
  input  logic [SETS*VCS-1:0]           set_vcs,
  input  logic [PORTS-1:0]              request,
  input  logic [VC_W-1:0]               out_vc,
  input  logic [LENGTH_W-1:0]           length,
  input  logic [15:0]                   random,
  // The outputs: FIFOs with room, VCs behind them that no packet holds, their credits, and whether there is one.
  input  logic [PORTS-1:0]              accepts,
  input  logic [VCS*PORTS-1:0]          free,
  input  logic [PORTS*VCS*CREDIT_W-1:0] credits,
  input  logic [VCS*PORTS-1:0]          credited,
  // Where there is room for all of it, where its head may leave, and on a minimal hop; the ports where that would be a misroute;
  // what it asks for, and the VC it would take there: at the first where it asks for several.
  output logic [VCS*PORTS-1:0]          fits,
  output logic [VCS*PORTS-1:0]          open,
  output logic [PORTS-1:0]              minimal_open,
  output logic [PORTS-1:0]              global_misroutes,
  output logic [PORTS-1:0]              local_misroutes,
  output logic [PORTS-1:0]              want,
  output logic [VC_W-1:0]               want_out_vc
);
  logic [PORTS-1:0]     streaming, admissible, open_ports, first;
  logic [VCS-1:0]       first_open, drawn;
  logic [VC_W-1:0]      drawn_vc;

  generate for (genvar c = 0; c < VCS; c++) begin : g_vc
    for (genvar p = 0; p < PORTS; p++) begin : g_port
      assign fits[c*PORTS + p] = 32'(credits[(p*VCS + c)*CREDIT_W +: CREDIT_W]) >= 32'(length);
    end
    assign first_open[c] = (open[c*PORTS +: PORTS] & first) != '0;
  end endgenerate

  dsv_feasible #(.PORTS(PORTS), .VCS(VCS), .FLOW(FLOW), .SETS(SETS), .KINDS(KINDS), .OVERLAP(OVERLAP)) feasible (
    .set_ports, .set_vcs, .accepts, .free, .credited, .fits, .open, .minimal_open, .global_misroutes, .local_misroutes
  );

  always_comb begin
    open_ports = '0;
    for (int c = 0; c < VCS; c++) open_ports = open_ports | open[c*PORTS +: PORTS];
  end

  // A packet that is leaving needs a credit for its next flit.
  assign streaming  = request & accepts & credited[out_vc*PORTS +: PORTS];
  assign admissible = FLOW == dsv_pkg::FLOW_STORE_AND_FORWARD && !whole ? '0 : request & open_ports;
  assign want       = !occupied ? '0 : active ? streaming : waiting ? admissible : '0;

  assign first = admissible & (~admissible + 1'b1);
  dsv_draw #(.WIDTH(VCS)) draw_vc (.members(first_open), .random(random), .one(drawn));

  always_comb begin
    drawn_vc = '0;
    for (int c = 0; c < VCS; c++) drawn_vc = drawn_vc | (drawn[c] ? VC_W'(c) : '0);
  end
  assign want_out_vc = active ? out_vc : drawn_vc;
endmodule
