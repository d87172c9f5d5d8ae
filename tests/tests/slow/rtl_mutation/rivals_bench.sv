// Rivals of OLM, side by side (tests/rtl_unit/rivals.sv).
module rivals_bench #(
  parameter  int unsigned NODES    = 1,
  parameter  int unsigned LOCALS   = 4,
  parameter  int unsigned GLOBALS  = 2,
  parameter  int unsigned GROUPS   = 6,
  parameter  int unsigned ARRANGEMENT = 0,
  localparam int unsigned PORTS    = NODES + LOCALS + GLOBALS,
  localparam int unsigned VC_W     = 3,
  localparam bit          ONE_LINK = (LOCALS + 1) * GLOBALS + 1 == GROUPS,
  localparam int unsigned VARIANTS = ONE_LINK ? 10 : 6,
  localparam int unsigned WAYS     = ONE_LINK ? 2 : 1,
  localparam int unsigned HEADER_W = dsv_pkg::HEADER_BITS
) (
  input  logic             clk,
  input  logic             rst,
  input  logic [15:0]      mutant,
  input  logic [17:0]      here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [PORTS-1:0] exits,
  input  logic [PORTS-1:0] from_port,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [HEADER_W-1:0] header,
  input  logic             out_is_global,
  input  logic [1:0]       hop,
  output logic [VARIANTS*64-1:0] offered,
  output logic [VARIANTS*64-1:0] passed_over,
  output logic [VARIANTS*HEADER_W-1:0] onward_headers,
  output logic [WAYS*64-1:0] ways
);
  always_ff @(posedge clk) if (rst) mutation::chosen <= mutant;

  rivals #(.NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .GROUPS(GROUPS), .ARRANGEMENT(ARRANGEMENT)) all (
    .here_router, .wired, .exits, .from_port, .from_kind, .from_vc, .header, .out_is_global, .hop, .offered, .passed_over,
    .onward_headers, .ways
  );
endmodule
