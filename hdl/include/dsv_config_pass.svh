// The parameters of `dsv_config.svh`, handed on to an instance, behind all others.
// Written from hdl/switch.toml by `cargo xtask generate`: do not edit.
  .NODE_FLITS(NODE_FLITS),
  .LOCAL_FLITS(LOCAL_FLITS),
  .GLOBAL_FLITS(GLOBAL_FLITS),
  .SHORTEST(SHORTEST),
  .OUTPUT_FLITS(OUTPUT_FLITS),
  .SPEEDUP(SPEEDUP),
  .FLIT_WIDTH(FLIT_WIDTH),
  .COUNTER_WIDTH(COUNTER_WIDTH),
  .FLOW(FLOW),
  .VC_ORDER(VC_ORDER),
  .COUNT_AT(COUNT_AT),
  .TRIGGER(TRIGGER),
  .ALLOCATOR(ALLOCATOR),
  .ARBITER(ARBITER),
  .ITERATIONS(ITERATIONS),
`include "dsv_route_config_pass.svh"
