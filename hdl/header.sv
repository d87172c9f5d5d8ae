// Stage 1. The fields of a head flit's 64 bits, any pattern of which may arrive; `legal` when they mean
// something (router-core/src/header.rs, `Header::parse`). Wires only, but for `legal`.
module header (
  input  logic [63:0] raw,
  output logic [desvio_pkg::ROUTER_BITS-1:0] to_router,
  output logic [desvio_pkg::PORT_BITS-1:0]   to_port,
  output logic [desvio_pkg::VIA_BITS-1:0]    via,
  output logic [desvio_pkg::LENGTH_BITS-1:0] length,
  output logic [desvio_pkg::PROGRESS_LOCAL_MISROUTES_BITS-1:0] local_misroutes,
  output logic left_origin,
  output logic must_leave,
  output logic via_ahead,
  output logic legal
);
  localparam int unsigned PROGRESS_AT = desvio_pkg::PROGRESS_AT;
  localparam int unsigned PROGRESS_W = desvio_pkg::PROGRESS_BITS;
  localparam int unsigned MISROUTES_AT = PROGRESS_AT + desvio_pkg::PROGRESS_LOCAL_MISROUTES_AT;
  localparam int unsigned SPARE_AT = desvio_pkg::PROGRESS_VIA_AHEAD_AT + desvio_pkg::PROGRESS_VIA_AHEAD_BITS;

  assign to_router = raw[desvio_pkg::ROUTER_AT +: desvio_pkg::ROUTER_BITS];
  assign to_port = raw[desvio_pkg::PORT_AT +: desvio_pkg::PORT_BITS];
  assign via = raw[desvio_pkg::VIA_AT +: desvio_pkg::VIA_BITS];
  assign length = raw[desvio_pkg::LENGTH_AT +: desvio_pkg::LENGTH_BITS];
  assign local_misroutes = raw[MISROUTES_AT +: desvio_pkg::PROGRESS_LOCAL_MISROUTES_BITS];
  assign left_origin = raw[PROGRESS_AT + desvio_pkg::PROGRESS_LEFT_ORIGIN_AT];
  assign must_leave = raw[PROGRESS_AT + desvio_pkg::PROGRESS_MUST_LEAVE_AT];
  assign via_ahead = raw[PROGRESS_AT + desvio_pkg::PROGRESS_VIA_AHEAD_AT];

  // A packet has at least one flit; the lowest bits, and the highest of its progress, are reserved.
  logic reserved;
  assign reserved = |raw[desvio_pkg::RESERVED_AT +: desvio_pkg::RESERVED_BITS]
                 || |raw[PROGRESS_AT + SPARE_AT +: PROGRESS_W - SPARE_AT];
  assign legal = |length && !reserved;
endmodule
