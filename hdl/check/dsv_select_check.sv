// ESCAPE-REQUESTED: a packet without a forced detour requests a misroute only while its head may leave by it; as
// long as it may not, the packet requests a minimal hop. One that waits for detours may request one of those, too, as both ways respect the
// order, and always requests one of its ways. One without a minimal hop requests any of its ways where a detour needs no trigger (ALWAYS).
`include "dsv_check.svh"
module dsv_select_check #(
  parameter int unsigned PORTS = 7,
  parameter bit          WAITS = 1'b0,
  parameter bit          ALWAYS = 1'b0
) (
  input logic             forced,
  input logic [PORTS-1:0] minimal_ports,
  input logic [PORTS-1:0] minimal,
  input logic [PORTS-1:0] detour_ports,
  input logic [PORTS-1:0] open,
  input logic [PORTS-1:0] request
);
  logic [PORTS-1:0] ways;
  assign ways = minimal_ports | minimal | (detour_ports & {PORTS{WAITS}});
  `DSV_CHECK_ALWAYS(ESCAPE_REQUESTED, forced || (ALWAYS && minimal_ports == '0 && (request & ~detour_ports) == '0) || (request & ways) != '0 || (WAITS ? minimal_ports == '0 || minimal == '0 : (request & ~open) == '0),
    ("ESCAPE-REQUESTED: minimal by %b, open by %b, asked for %b", minimal_ports, open, request))
endmodule
