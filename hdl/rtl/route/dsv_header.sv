// Stage 1. The fields of a head flit's 64 bits, any pattern of which may arrive; `legal` when they mean
// something (router-core/src/header.rs, `Header::parse`). Wires only, but for `legal`.
module dsv_header (
  input  logic [63:0] raw,
  output logic [dsv_pkg::ROUTER_BITS-1:0] to_router,
  output logic [dsv_pkg::PORT_BITS-1:0]   to_port,
  output logic [dsv_pkg::VIA_BITS-1:0]    via,
  output logic [dsv_pkg::LENGTH_BITS-1:0] length,
  output logic [dsv_pkg::PROGRESS_LOCAL_MISROUTES_BITS-1:0] local_misroutes,
  output logic left_origin,
  output logic must_leave,
  output logic via_ahead,
  output logic legal
);
  localparam int unsigned PROGRESS_AT = dsv_pkg::PROGRESS_AT;
  localparam int unsigned PROGRESS_W = dsv_pkg::PROGRESS_BITS;
  localparam int unsigned MISROUTES_AT = PROGRESS_AT + dsv_pkg::PROGRESS_LOCAL_MISROUTES_AT;
  localparam int unsigned SPARE_AT = dsv_pkg::PROGRESS_VIA_AHEAD_AT + dsv_pkg::PROGRESS_VIA_AHEAD_BITS;

  assign to_router = raw[dsv_pkg::ROUTER_AT +: dsv_pkg::ROUTER_BITS];
  assign to_port = raw[dsv_pkg::PORT_AT +: dsv_pkg::PORT_BITS];
  assign via = raw[dsv_pkg::VIA_AT +: dsv_pkg::VIA_BITS];
  assign length = raw[dsv_pkg::LENGTH_AT +: dsv_pkg::LENGTH_BITS];
  assign local_misroutes = raw[MISROUTES_AT +: dsv_pkg::PROGRESS_LOCAL_MISROUTES_BITS];
  assign left_origin = raw[PROGRESS_AT + dsv_pkg::PROGRESS_LEFT_ORIGIN_AT];
  assign must_leave = raw[PROGRESS_AT + dsv_pkg::PROGRESS_MUST_LEAVE_AT];
  assign via_ahead = raw[PROGRESS_AT + dsv_pkg::PROGRESS_VIA_AHEAD_AT];

  // A packet has at least one flit; the lowest bits, and the highest of its progress, are reserved.
  logic reserved;
  assign reserved = |raw[dsv_pkg::RESERVED_AT +: dsv_pkg::RESERVED_BITS]
                 || |raw[PROGRESS_AT + SPARE_AT +: PROGRESS_W - SPARE_AT];
  assign legal = |length && !reserved;
endmodule
