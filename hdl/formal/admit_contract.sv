// Formal: admission, for every packet and every state of the outputs. A packet requests only outputs that
// take a flit, with a credit, and a head only a VC that no packet holds and that its route offers. Those are
// the properties of the check bound to it.
//
// Room for a packet is what makes an output open: where that is read for the room, a head asks for the same.
//
// Assumed of the router: a VC that has room for a packet has a credit, and a VC is not in two states. A
// packet requests one output, unless SEVERAL, which no pipeline has that takes VCs later. A port is in one
// set, unless OVERLAP.
module admit_contract #(
  parameter int unsigned PORTS = 3,
  parameter int unsigned VCS = 2,
  parameter int unsigned FLOW = dsv_pkg::FLOW_VCT,
  parameter int unsigned SETS = 3,
  parameter int unsigned KINDS = 32'h020100,
  parameter int unsigned OVERLAP = 0,
  parameter bit          SEVERAL = 1'b0,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input logic                          clk,
  input logic                          occupied,
  input logic                          waiting,
  input logic                          active,
  input logic                          whole,
  input logic [SETS*PORTS-1:0]         set_ports,
  input logic [SETS*VCS-1:0]           set_vcs,
  input logic [PORTS-1:0]              request,
  input logic [VC_W-1:0]               out_vc,
  input logic [15:0]                   random,
  input logic [PORTS-1:0]              accepts,
  input logic [VCS*PORTS-1:0]          free,
  // VCs that a grant is about to take.
  input logic [VCS*PORTS-1:0]          taken,
  input logic [VCS*PORTS-1:0]          credited,
  input logic [VCS*PORTS-1:0]          fits
);
  logic [VCS*PORTS-1:0] open, vacant;
  assign vacant = free & ~taken;
  logic [PORTS-1:0]     minimal_open, global_misroutes, local_misroutes, want;
  logic [VC_W-1:0]      want_out_vc;
  dsv_feasible #(.PORTS(PORTS), .VCS(VCS), .FLOW(FLOW), .SETS(SETS), .KINDS(KINDS), .OVERLAP(OVERLAP)) feasible (
    .set_ports, .set_vcs, .accepts, .free, .credited, .fits, .open, .minimal_open, .global_misroutes, .local_misroutes
  );
  dsv_admit #(.PORTS(PORTS), .VCS(VCS), .FLOW(FLOW), .SETS(SETS), .KINDS(KINDS), .OVERLAP(OVERLAP), .SEVERAL(SEVERAL)) dut (
    .occupied, .waiting, .active, .whole, .set_ports, .set_vcs, .request, .out_vc, .random, .accepts, .free(vacant), .credited, .fits, .open,
    .want, .want_out_vc
  );

  logic [PORTS-1:0] want_by_open, in_set, in_several;
  logic [VC_W-1:0]  want_out_vc_by_open;
  dsv_admit #(.PORTS(PORTS), .VCS(VCS), .FLOW(FLOW), .SETS(SETS), .KINDS(KINDS), .OVERLAP(OVERLAP), .SEVERAL(SEVERAL)) by_open (
    .occupied, .waiting, .active, .whole, .set_ports, .set_vcs, .request, .out_vc, .random, .accepts, .free(vacant), .credited,
    .fits(open), .open, .want(want_by_open), .want_out_vc(want_out_vc_by_open)
  );

  always_comb begin
    in_set     = '0;
    in_several = '0;
    for (int k = 0; k < SETS; k++) begin
      in_several = in_several | (in_set & set_ports[k*PORTS +: PORTS]);
      in_set     = in_set | set_ports[k*PORTS +: PORTS];
    end
  end

  always_comb begin
    assume (OVERLAP != 0 || in_several == '0);
    assume (!SEVERAL || taken == '0);
    assume ((fits & ~credited) == '0);
    assume (SEVERAL || (request & (request - 1'b1)) == '0);
    assume (!(waiting && active));
    assume (32'(out_vc) < VCS);
  end

  // The VC that the allocator is shown, at the first of the outputs.
  logic [PORTS-1:0] first;
  assign first = want & (~want + 1'b1);
  always_comb begin
    CREDIT_NO_DEBT: assert (32'(want_out_vc) < VCS && (first & ~credited[want_out_vc*PORTS +: PORTS]) == '0);
    VC_OWNED: assert (!waiting || (first & ~vacant[want_out_vc*PORTS +: PORTS]) == '0);
    // The first of overlapping sets that has an open VC may have none that is vacant.
    ROOM_IS_OPEN: assert ((OVERLAP != 0 && taken != '0) || (want == want_by_open && want_out_vc == want_out_vc_by_open));
  end

  // The solver needs a register.
  logic has_begun;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) has_begun <= 1'b1;

  // Not vacuous: a head takes the last VC; a body goes on; an output is requested alone, or all at once.
  always_comb if (has_begun) begin
    HEAD_ON_LAST_VC: cover (waiting && want != '0 && want_out_vc == VC_W'(VCS - 1));
    BODY: cover (active && want != '0);
    ALL_OUTPUTS: cover (waiting && (SEVERAL ? &want : want[PORTS-1]));
  end
endmodule
