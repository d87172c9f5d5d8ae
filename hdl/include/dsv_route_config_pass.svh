// The parameters of `dsv_route_config.svh`, handed on to an instance.
// Written from hdl/switch.toml by `cargo xtask generate`: do not edit.
  .NODES(NODES),
  .LOCALS(LOCALS),
  .GLOBALS(GLOBALS),
  .GROUPS(GROUPS),
  .VCS(VCS),
  .TABLE_ROUTERS(TABLE_ROUTERS),
  .ROUTING(ROUTING),
  .ARRANGEMENT(ARRANGEMENT),
  .RULES(RULES),
  .POLICY(POLICY),
  .LOCAL_MISROUTING(LOCAL_MISROUTING),
  .LIMIT(LIMIT),
  .SCOPE(SCOPE)
