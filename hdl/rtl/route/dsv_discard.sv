// Stage 2. Why a packet is discarded, if it is (router-core/src/discard.rs): the four discards of an InfiniBand switch that are
// about its forwarding table. Combinational.
//
// `ports` are the outputs that the routing has for it: those of the table, of which at most one leads to another router, or, at the router
// of its destination, the port of its node. A row that names several ports names none. Port 0 of the table is the management of the
// router itself: nothing takes what comes for it on a VC for management, either.
module dsv_discard #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned NODES = 2,
  parameter  int unsigned PORT = 0,            // the port that it came by
  parameter  int unsigned DISCARDS = 0,
  parameter  int unsigned MANAGEMENT_VCS = 0,
  localparam int unsigned ROUTER_W = dsv_pkg::ROUTER_BITS,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned REASONS = dsv_pkg::DISCARD_COUNT
) (
  input  logic [ROUTER_W-1:0] here_router,
  input  logic [ROUTER_W-1:0] to_router,
  input  logic [VC_W-1:0]     from_vc,
  input  logic [PORTS-1:0]    wired,
  input  logic [PORTS-1:0]    ports,
  // One-hot; 0 for a packet that goes on.
  output logic [REASONS-1:0]  why
);
  logic               arrived, leads_on, to_management, is_management;
  logic [PORTS-1:0]   links;
  logic [REASONS-1:0] reasons;

  assign arrived       = here_router == to_router;
  assign links         = wired >> NODES << NODES;
  assign leads_on      = arrived || (ports & ~links) == '0;
  assign is_management = 1'(MANAGEMENT_VCS >> from_vc);
  assign to_management = ports == PORTS'(1) && !is_management;

  always_comb begin
    reasons = '0;
    if (ports == '0)        reasons[dsv_pkg::DISCARD_NOT_IN_TABLE] = 1'b1;
    else if (leads_on)      reasons[dsv_pkg::DISCARD_INPUT_PORT] = ports[PORT];
    else if (to_management) reasons[dsv_pkg::DISCARD_MANAGEMENT_PORT] = 1'b1;
    else                    reasons[dsv_pkg::DISCARD_INVALID_PORT] = 1'b1;
  end
  assign why = reasons & {REASONS{DISCARDS != 0}};
endmodule
