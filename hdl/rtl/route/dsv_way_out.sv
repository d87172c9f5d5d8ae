// Stage 2. The other group that a packet is leaving its own one for by its shortest way (router-core/src/route/in_transit.rs, `way_out`): a
// valid bit above the number of the group, or 0. Packets that came over a local link were counted where they came from; one for no group of the
// network has no route, and is not counted.
module dsv_way_out #(
  parameter  int unsigned GROUPS    = dsv_pkg::DEFAULT_GROUPS,
  parameter  int unsigned KIND      = dsv_pkg::PORT_KIND_NODE,
  localparam int unsigned GROUP_W   = GROUPS > 1 ? $clog2(GROUPS) : 1,
  localparam int unsigned LEAVING_W = GROUP_W + 1
) (
  input  dsv_pkg::address_t    here,
  input  dsv_pkg::header_t     header,
  output logic [LEAVING_W-1:0] leaving
);
  dsv_pkg::address_t to;
  logic leaves;
  assign to      = header.router;
  assign leaves  = KIND != dsv_pkg::PORT_KIND_LOCAL && to.group != here.group;
  assign leaving = leaves ? {1'b1, GROUP_W'(to.group)} : '0;

  logic unused;
  assign unused = &{1'b0, here, header, to};
endmodule
