// Sets of candidates that share ports, which no routing of the RTL offers: by which a head may leave, and which stands for minimal
// hops at a port.
module sets_bench #(
  localparam int unsigned PORTS = 3,
  localparam int unsigned VCS = 2,
  localparam int unsigned SETS = 4,
  localparam logic [31:0] KINDS = {8'(dsv_pkg::HOP_KIND_MINIMAL), 8'(dsv_pkg::HOP_KIND_LOCAL_MISROUTE),
                                   8'(dsv_pkg::HOP_KIND_MINIMAL), 8'(dsv_pkg::HOP_KIND_GLOBAL_MISROUTE)}
) (
  input  logic                  clk,
  input  logic                  rst,
  input  logic [15:0]           mutant,
  input  logic [SETS*PORTS-1:0] set_ports,
  input  logic [SETS*VCS-1:0]   set_vcs,
  input  logic [PORTS-1:0]      accepts,
  input  logic [VCS*PORTS-1:0]  free,
  input  logic [VCS*PORTS-1:0]  credited,
  input  logic [VCS*PORTS-1:0]  fits,
  input  logic [PORTS-1:0]      port,
  output logic [VCS*PORTS-1:0]  open,
  output logic [PORTS-1:0]      minimal_open,
  output logic [PORTS-1:0]      global_misroutes,
  output logic [PORTS-1:0]      local_misroutes,
  output logic [PORTS-1:0]      lowest,
  output logic [VCS-1:0]        vcs
);
  always_ff @(posedge clk) if (rst) mutation::chosen <= mutant;

  dsv_feasible #(
    .PORTS(PORTS), .VCS(VCS), .FLOW(dsv_pkg::FLOW_WORMHOLE), .SETS(SETS), .KINDS(KINDS), .OVERLAP(1)
  ) feasible (
    .set_ports, .set_vcs, .accepts, .free, .credited, .fits, .open, .minimal_open, .global_misroutes, .local_misroutes
  );
  logic [VCS*PORTS-1:0] unused_open;
  logic [PORTS-1:0]     unused_global, unused_local;
  dsv_feasible #(
    .PORTS(PORTS), .VCS(VCS), .FLOW(dsv_pkg::FLOW_WORMHOLE), .SETS(SETS), .KINDS(KINDS), .OVERLAP(1),
    .PORT_RULE(dsv_pkg::PORT_RULE_LOWEST_DIMENSION)
  ) preferred (
    .set_ports, .set_vcs, .accepts, .free, .credited, .fits, .open(unused_open), .minimal_open(lowest), .global_misroutes(unused_global),
    .local_misroutes(unused_local)
  );
  dsv_set_at #(.PORTS(PORTS), .VCS(VCS), .SETS(SETS), .KINDS(KINDS), .KIND(8'(dsv_pkg::HOP_KIND_MINIMAL))) set_at (
    .set_ports, .set_vcs, .port, .vcs
  );
endmodule
