// Stage 2. The header as it leaves by an output (router-core/src/route.rs, `Route::onward`). Only on-the-fly
// local misrouting writes: it notes what a packet has done on its way.
module dsv_onward #(
  parameter int unsigned ROUTING = dsv_pkg::DEFAULT_ROUTING,
  parameter int unsigned SCOPE   = dsv_pkg::DEFAULT_SCOPE
) (
  input  logic [dsv_pkg::HEADER_BITS-1:0] header,
  input  logic [dsv_pkg::ROUTER_BITS-1:0] here_router,
  input  logic        out_is_global,
  input  logic [1:0]  hop,
  output logic [dsv_pkg::HEADER_BITS-1:0] onward_header
);
  localparam int unsigned MISROUTES_W = dsv_pkg::PROGRESS_LOCAL_MISROUTES_BITS;
  localparam bit FORGETS = SCOPE == dsv_pkg::SCOPE_GROUP;

  logic [dsv_pkg::ROUTER_BITS-1:0] to_router;
  logic [dsv_pkg::PORT_BITS-1:0] to_port;
  logic [dsv_pkg::VIA_BITS-1:0] via;
  logic [dsv_pkg::LENGTH_BITS-1:0] length;
  logic [MISROUTES_W-1:0] misroutes;
  logic left_origin, must_leave, via_ahead, legal;
  dsv_header fields (
    .raw(header), .to_router, .to_port, .via, .length, .local_misroutes(misroutes), .left_origin, .must_leave,
    .via_ahead, .legal
  );

  logic unused;
  assign unused = &{1'b0, here_router, out_is_global, hop, to_router, to_port, via, length, via_ahead, legal};

  logic [MISROUTES_W-1:0] misroutes_next;
  logic left_origin_next, must_leave_next;
  generate
    if (ROUTING == dsv_pkg::ROUTING_OLM) begin : g_olm
      logic misrouted, abroad;
      assign misrouted = hop == 2'(dsv_pkg::HOP_KIND_LOCAL_MISROUTE);
      assign abroad = (here_router ^ to_router) >> dsv_pkg::ADDRESS_GROUP_AT != '0;

      // The count stays at its highest value; a global link begins it anew where it is kept for each group.
      assign misroutes_next = out_is_global && FORGETS ? '0
                            : misroutes + MISROUTES_W'(misrouted && !(&misroutes));
      // A local misroute in the origin group has to be followed by a global hop, which takes the duty away.
      assign must_leave_next = !out_is_global && (must_leave || misrouted && abroad && !left_origin);
      assign left_origin_next = left_origin || out_is_global;
    end else begin : g_untouched
      assign misroutes_next = misroutes;
      assign left_origin_next = left_origin;
      assign must_leave_next = must_leave;
    end
  endgenerate

  always_comb begin
    onward_header = header;
    onward_header[dsv_pkg::PROGRESS_AT + dsv_pkg::PROGRESS_LOCAL_MISROUTES_AT +: MISROUTES_W]
      = misroutes_next;
    onward_header[dsv_pkg::PROGRESS_AT + dsv_pkg::PROGRESS_LEFT_ORIGIN_AT] = left_origin_next;
    onward_header[dsv_pkg::PROGRESS_AT + dsv_pkg::PROGRESS_MUST_LEAVE_AT] = must_leave_next;
  end
endmodule
