// Stage 2. Whether a packet has its intermediate point ahead (router-core/src/route/valiant.rs, `Valiant::via_ahead`): a group is reached in
// any of its routers.
module dsv_via_ahead #(
  parameter int unsigned INTERMEDIATE = dsv_pkg::DEFAULT_INTERMEDIATE
) (
  input  logic [dsv_pkg::ROUTER_BITS-1:0] here_router,
  input  dsv_pkg::header_t header,
  output logic ahead
);
  dsv_pkg::address_t here;
  dsv_pkg::progress_t progress;
  logic [dsv_pkg::ROUTER_BITS-1:0] point;
  assign here = here_router;
  assign progress = header.progress;
  assign point = INTERMEDIATE == dsv_pkg::INTERMEDIATE_GROUP ? dsv_pkg::ROUTER_BITS'(here.group) : here_router;
  assign ahead = progress.via_ahead && header.via != point;

  logic unused;
  assign unused = &{1'b0, here, header, progress};
endmodule
