// Checks are attached from outside, and see ports and names of one module only. Stages without a clock are checked at any time.
bind dsv_router dsv_router_check #(.PORTS(PORTS), .VCS(VCS), .COUNTER_WIDTH(COUNTER_WIDTH), .COUNT_AT(COUNT_AT)) check (
  .clk, .rst, .wired, .contention_count, .counted, .grant_vc, .grant_output, .leaves_head, .leaves_tail, .leaves_vc
);
bind dsv_router dsv_reset_check reset_check (
  .clk, .rst, .clear({flit_valid, flit_head, flit_tail, flit_vc, flit_data, credit_valid, credit_vc} == '0)
);
bind dsv_input_port dsv_input_port_check #(.PORTS(PORTS), .VCS(VCS)) check (
  .clk, .rst, .write, .waiting, .active, .finishing, .grant_vc, .grant_output, .global_misroutes, .misroutes_globally, .misroutes_locally
);
bind dsv_vc dsv_vc_check #(.PORTS(PORTS), .DEPTH(DEPTH), .PLACES(PLACES), .SETS(SETS), .DISCARDS(DISCARDS), .COUNT_AT(COUNT_AT)) check (
  .clk, .rst, .state, .first, .free, .flits, .packets, .ring_first, .ring_free, .ring_front, .waiting, .grant, .expires, .read, .grant_output, .set_ports, .minimal, .request, .chosen
);
bind dsv_vc dsv_reset_check reset_check (
  .clk, .rst, .clear({left, set_ports, set_vcs, forced, request, out_vc} == '0)
);
bind dsv_lifetime dsv_reset_check reset_check (.clk, .rst, .clear(age == '0));
bind dsv_vl_stalls dsv_reset_check reset_check (.clk, .rst, .clear({late_discards, stalled_for} == '0));
bind dsv_packet_ages dsv_reset_check reset_check (.clk, .rst, .clear(aged == '0));
bind dsv_admitted dsv_reset_check reset_check (.clk, .rst, .clear(want == '0));
bind dsv_granted dsv_reset_check reset_check (.clk, .rst, .clear({grant_vc, grant_output, grant_out_vc} == '0));
bind dsv_credit_return dsv_reset_check reset_check (.clk, .rst, .clear({credit_valid, credit_vc} == '0));
bind dsv_notices dsv_reset_check reset_check (.clk, .rst, .clear(!out_valid));
bind dsv_flags dsv_reset_check reset_check (.clk, .rst, .clear({out_valid, heard} == '0));
bind dsv_admit dsv_admit_check #(.PORTS(PORTS), .VCS(VCS), .FLOW(FLOW), .SETS(SETS), .SEVERAL(SEVERAL)) check (
  .occupied, .waiting, .active, .set_ports, .set_vcs, .request, .out_vc, .accepts, .free, .credited, .fits, .want, .want_out_vc
);
bind dsv_select dsv_select_check #(.PORTS(PORTS), .WAITS(WAITS), .ALWAYS(TRIGGER == dsv_pkg::TRIGGER_ALWAYS)) check (
  .forced, .minimal_ports, .minimal, .detour_ports(global_ports | local_ports), .open, .request
);
bind dsv_occupancy dsv_occupancy_check #(.VCS(VCS), .GLOBAL_VCS(GLOBAL_VCS), .MEAN_W(MEAN_W)) check (.global_mean);
bind dsv_queues dsv_queues_check #(
  .PORTS(PORTS), .VCS(VCS), .CREDIT_W(CREDIT_W), .COUNTER_WIDTH(COUNTER_WIDTH), .UGAL_QUEUE(UGAL_QUEUE), .QUEUES(QUEUES), .HOPS(HOPS), .COST_W(COST_W)
) check (
  .clk, .rst, .used, .counts, .queues
);
bind dsv_router dsv_products_check #(
  .NODES(NODES), .LOCALS(LOCALS), .GLOBALS(GLOBALS), .VCS(VCS), .GLOBAL_VCS(GLOBAL_VCS), .CREDIT_W(CREDIT_W), .SUM_W(SUM_W),
  .LENGTH(LIFTED ? SHORTEST : 0)
) products_check (
  .clk, .rst, .used, .wired, .restriction_factor(FLAGS ? 16'(PIGGYBACK_FACTOR) : thresholds.restriction_factor),
  .restriction_packets(thresholds.restriction_packets), .relative_threshold(thresholds.relative_threshold), .global_mean, .lifts, .shares
);
bind dsv_draw dsv_draw_check #(.WIDTH(WIDTH)) check (.members, .one);
bind dsv_arbiter_pick dsv_arbiter_pick_check #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) check (
  .state, .request, .grant
);
bind dsv_contention dsv_contention_check #(.PORTS(PORTS), .COUNTER_WIDTH(COUNTER_WIDTH), .TRIGGER(TRIGGER)) check (
  .clk, .rst, .count, .total
);
bind dsv_allocator dsv_allocator_check #(.PORTS(PORTS), .VCS(VCS), .SETS(SETS)) check (
  .clk, .rst, .want, .want_out_vc, .grant_vc, .grant_output, .grant_out_vc
);
bind dsv_credit dsv_credit_check #(.VCS(VCS), .DEPTH(DEPTH), .RESERVED(RESERVED), .CREDIT_W(CREDIT_W)) check (
  .clk, .rst, .take_valid, .take_vc, .left, .used, .lent
);
bind dsv_room dsv_room_check #(.DEPTH(DEPTH), .FLITS(FLITS)) check (.clk, .rst, .free, .room);
bind dsv_output_port dsv_output_port_check #(.VCS(VCS), .FLITS(FLITS), .FLIT_WIDTH(FLIT_WIDTH), .KEEPS(KEEPS)) check (
  .clk, .rst, .push, .push_head, .push_vc, .owned, .first, .free, .count, .accepts,
  .flit_valid, .flit_head, .flit_tail, .flit_vc, .flit_data
);
bind dsv_shared_flits dsv_shared_flits_check #(.VCS(VCS), .PLACES(PLACES)) check (.clk, .rst, .store, .fetch, .holds);
bind dsv_lfsr dsv_lfsr_check check (.clk, .rst, .value, .stepped);
bind dsv_spi_port dsv_spi_port_check check (
  .clk, .rst, .selected, .rises, .bit_in(data[1]), .request, .content
);
bind dsv_router dsv_routing_table_check #(.PORTS(PORTS), .ROWS(ROWS), .CONTROL(CONTROL)) table_check (
  .clk, .rst, .bank, .rows(all_rows)
);
bind dsv_switch dsv_switch_check #(.PORTS(PORTS), .ROWS(ROWS)) check (
  .clk, .rst, .router_rst, .config_load, .place({read_router, read_wired, read_exits}),
  .thresholds(read_thresholds), .table_bank, .staged(router.routing_table.g_two.staged), .declared_rows(control.declared_rows),
  .declared_checksum(control.declared_checksum)
);
