// Probes are attached from outside: the design's ports stay clean.
bind dsv_vc dsv_vc_probe #(.PORTS(PORTS), .VCS(VCS), .DEPTH(DEPTH), .PLACES(PLACES), .SETS(SETS)) probe (
  .buffered({active ? out_vc : '0, expected, left, packets, flits, state}), .set_ports, .set_vcs, .forced,
  .asked({request, minimal})
);
bind dsv_lfsr dsv_lfsr_probe probe (.value(value));
bind dsv_allocator dsv_allocator_probe #(
  .INPUT_W(PORTS * VC_STATE_W), .OUT_VC_W(PORTS * VC_STATE_W), .INPUT_OF_OUT_VC_W(PORTS * VCS * PORT_STATE_W),
  .CHOICES_W(PORTS * PORT_W), .TURN_W(PORT_W)
) probe (
  .input_states(input_states), .out_vc_states(out_vc_states), .input_of_out_vc_states(input_of_out_vc_states),
  .choices(choices), .turn(turn)
);
bind dsv_router dsv_router_probe #(
  .PORTS(PORTS), .VCS(VCS), .CREDIT_W(CREDIT_W), .COUNTER_WIDTH(COUNTER_WIDTH), .PHASE_W(PHASE_W)
) probe (
  .contention_count(contention_count), .credits(credits), .owned(owned), .error_count(error_count), .phase(phase)
);
bind dsv_output_port dsv_output_port_probe #(.COUNT_W(COUNT_W)) probe (.count(count));
