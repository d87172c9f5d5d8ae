// Stage 2. The header as it leaves by an output (router-core/src/route.rs, `Route::onward`). Routings that
// misroute in transit note the hops of a packet. Valiant's notes whether its intermediate point is behind.
// Source routing takes off the output that has been read, and a drawn way the port of a choice that has been
// made. Source, class, marks and the spare byte pass as they are.
module dsv_onward #(
  parameter int unsigned PORTS        = 7,
  parameter int unsigned ROUTING      = dsv_pkg::DEFAULT_ROUTING,
  parameter int unsigned SCOPE        = dsv_pkg::DEFAULT_SCOPE,
  parameter int unsigned INTERMEDIATE = dsv_pkg::DEFAULT_INTERMEDIATE
) (
  input  dsv_pkg::header_t  header,
  input  dsv_pkg::address_t here,
  input  logic              out_is_global,
  input  logic [1:0]        hop,
  input  logic              drawn,     // by a port that was drawn
  output dsv_pkg::header_t  onward_header
);
  localparam int unsigned MISROUTES_W = dsv_pkg::PROGRESS_LOCAL_MISROUTES_BITS;
  // On-the-fly local misrouting counts its local misroutes.
  localparam bit COUNTS = ROUTING == dsv_pkg::ROUTING_OLM;
  localparam bit FORGETS = COUNTS && SCOPE == dsv_pkg::SCOPE_GROUP;
  localparam bit MISROUTES = COUNTS || ROUTING == dsv_pkg::ROUTING_PAR || ROUTING == dsv_pkg::ROUTING_RLM;

  dsv_pkg::address_t to;
  dsv_pkg::progress_t progress;
  assign to = header.router;
  assign progress = header.progress;

  logic unused;
  assign unused = &{1'b0, here, to, progress, out_is_global, hop, drawn, taken};

  dsv_pkg::progress_t next;
  logic [dsv_pkg::VIA_BITS-1:0] next_via;

  // UGAL takes its detour with the hop that is one, unless it has been given it.
  localparam bit DECIDES = ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY;
  dsv_pkg::header_t   taken;
  dsv_pkg::progress_t taken_progress;
  always_comb begin
    taken_progress = progress;
    if (DECIDES && hop == 2'(dsv_pkg::HOP_KIND_GLOBAL_MISROUTE)) taken_progress.via_ahead = 1'b1;
    taken = header;
    taken.progress = taken_progress;
  end
  generate
    if (ROUTING == dsv_pkg::ROUTING_SOURCE) begin : g_route
      assign {next, next_via} = {progress, header.via} >> $clog2(PORTS);
    end else if (ROUTING == dsv_pkg::ROUTING_TABLE) begin : g_drawn
      assign next_via = drawn ? header.via >> dsv_pkg::PORT_BITS : header.via;
    end else begin : g_via
      assign next_via = header.via;
    end

    if (MISROUTES) begin : g_misroutes
      logic misrouted, abroad;
      assign misrouted = hop == 2'(dsv_pkg::HOP_KIND_LOCAL_MISROUTE);
      assign abroad = here.group != to.group;

      always_comb begin
        next = progress;
        // The count stays at its highest value; a global link begins it anew where it is kept for each group.
        next.local_misroutes = out_is_global && FORGETS ? '0
                             : progress.local_misroutes + MISROUTES_W'(COUNTS && misrouted && !(&progress.local_misroutes));
        // A local misroute in the origin group has to be followed by a global hop, which takes the duty away.
        next.must_leave = !out_is_global && (progress.must_leave || misrouted && abroad && !progress.left_origin);
        next.left_origin = progress.left_origin || out_is_global;
      end
    end else if (ROUTING == dsv_pkg::ROUTING_VALIANT || ROUTING == dsv_pkg::ROUTING_UGAL_DRAGONFLY) begin : g_valiant
      logic ahead;
      dsv_via_ahead #(.INTERMEDIATE(INTERMEDIATE)) is_ahead (.here_router(here), .header(taken), .ahead);
      always_comb begin
        next = progress;
        next.via_ahead = ahead;
      end
    end else if (ROUTING != dsv_pkg::ROUTING_SOURCE) begin : g_untouched
      assign next = progress;
    end
  endgenerate

  always_comb begin
    onward_header = header;
    onward_header.progress = next;
    onward_header.via = next_via;
  end
endmodule
