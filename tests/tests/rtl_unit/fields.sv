// The fields of a header by their names in `dsv_pkg::header_t`, for a comparison with `router-core/src/header.rs`.
module fields (
  input  logic [dsv_pkg::HEADER_BITS-1:0] raw,
  output logic [17:0] to_router,
  output logic [5:0]  to_port,
  output logic [2:0]  local_misroutes,
  output logic        left_origin,
  output logic        must_leave,
  output logic        via_ahead,
  output logic        forward_mark,
  output logic        backward_mark,
  output logic [17:0] from_router,
  output logic [5:0]  from_port,
  output logic [7:0]  spare,
  output logic [17:0] via,
  output logic [3:0]  service_level,
  output logic [9:0]  packet_length
);
  dsv_pkg::header_t header;
  assign header = raw;
  assign to_router = header.router;
  assign to_port = header.port;
  assign local_misroutes = header.progress.local_misroutes;
  assign left_origin = header.progress.left_origin;
  assign must_leave = header.progress.must_leave;
  assign via_ahead = header.progress.via_ahead;
  assign forward_mark = header.marks.forward;
  assign backward_mark = header.marks.backward;
  assign from_router = header.source.router;
  assign from_port = header.source.port;
  assign spare = header.source.spare;
  assign via = header.via;
  assign service_level = header.service_level;
  assign packet_length = header.length;
endmodule
