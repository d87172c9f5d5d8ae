// Stage 1. The fields of a header that a routing reads, of which any pattern may arrive; `legal` when they mean
// something (router-core/src/header.rs, `Header::parse`). Source, class, marks and the spare byte are not read by a
// switch; `dsv_onward` passes them on. Wires only, but for `legal`.
module dsv_header (
  input  logic [dsv_pkg::HEADER_BITS-1:0] raw,
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
  localparam int unsigned MISROUTES_AT = PROGRESS_AT + dsv_pkg::PROGRESS_LOCAL_MISROUTES_AT;

  assign to_router = raw[dsv_pkg::ROUTER_AT +: dsv_pkg::ROUTER_BITS];
  assign to_port = raw[dsv_pkg::PORT_AT +: dsv_pkg::PORT_BITS];
  assign via = raw[dsv_pkg::VIA_AT +: dsv_pkg::VIA_BITS];
  assign length = raw[dsv_pkg::LENGTH_AT +: dsv_pkg::LENGTH_BITS];
  assign local_misroutes = raw[MISROUTES_AT +: dsv_pkg::PROGRESS_LOCAL_MISROUTES_BITS];
  assign left_origin = raw[PROGRESS_AT + dsv_pkg::PROGRESS_LEFT_ORIGIN_AT];
  assign must_leave = raw[PROGRESS_AT + dsv_pkg::PROGRESS_MUST_LEAVE_AT];
  assign via_ahead = raw[PROGRESS_AT + dsv_pkg::PROGRESS_VIA_AHEAD_AT];

  // A packet has at least one flit.
  assign legal = length != '0;

  // Fields that no routing reads.
  logic unused;
  assign unused = &{1'b0, raw};
endmodule
