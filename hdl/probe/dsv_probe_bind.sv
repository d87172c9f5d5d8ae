// Written from router-core/src/state.rs by `cargo xtask generate`: do not edit.
// Probes are attached from outside: the design's ports stay clean.
bind dsv_vc dsv_probe #(.WIDTH($bits({active ? out_vc : '0, expected, left, packets, flits, state})))
  buffered_probe (.value({active ? out_vc : '0, expected, left, packets, flits, state}));
bind dsv_vc dsv_probe #(.WIDTH($bits({request, minimal})))
  asked_probe (.value({request, minimal}));
bind dsv_router dsv_probe #(.WIDTH($bits(contention_count)))
  contention_count_probe (.value(contention_count));
bind dsv_router dsv_probe #(.WIDTH($bits(credits)))
  credits_probe (.value(credits));
bind dsv_router dsv_probe #(.WIDTH($bits(owned)))
  owned_probe (.value(owned));
bind dsv_output_port dsv_probe #(.WIDTH($bits(count)))
  count_probe (.value(count));
bind dsv_router dsv_probe #(.WIDTH($bits(error_count)))
  error_count_probe (.value(error_count));
bind dsv_allocator dsv_probe #(.WIDTH($bits(input_states)))
  input_states_probe (.value(input_states));
bind dsv_allocator dsv_probe #(.WIDTH($bits(out_vc_states)))
  out_vc_states_probe (.value(out_vc_states));
bind dsv_allocator dsv_probe #(.WIDTH($bits(choices)))
  choices_probe (.value(choices));
bind dsv_allocator dsv_probe #(.WIDTH($bits(input_of_out_vc_states)))
  input_of_out_vc_states_probe (.value(input_of_out_vc_states));
bind dsv_lfsr dsv_probe #(.WIDTH($bits(value)))
  value_probe (.value(value));
bind dsv_router dsv_probe #(.WIDTH($bits(phase)))
  phase_probe (.value(phase));
bind dsv_vc dsv_probe #(.WIDTH($bits(leaving)))
  leaving_probe (.value(leaving));
bind dsv_notices dsv_probe #(.WIDTH($bits(heard)))
  heard_probe (.value(heard));
bind dsv_router dsv_probe #(.WIDTH($bits(contended_groups)))
  contended_groups_probe (.value(contended_groups));
bind dsv_notices dsv_probe #(.WIDTH($bits(left)))
  left_probe (.value(left));
bind dsv_notices dsv_probe #(.WIDTH($bits(out_valid)))
  out_valid_probe (.value(out_valid));
bind dsv_vc dsv_probe #(.WIDTH($bits(fresh)))
  fresh_probe (.value(fresh));
bind dsv_discards dsv_probe #(.WIDTH($bits(discarded)))
  discarded_probe (.value(discarded));
bind dsv_lifetime dsv_probe #(.WIDTH($bits(age)))
  age_probe (.value(age));
bind dsv_vl_stalls dsv_probe #(.WIDTH($bits(late_discards)))
  late_discards_probe (.value(late_discards));
bind dsv_vl_stalls dsv_probe #(.WIDTH($bits(stalled_for)))
  stalled_for_probe (.value(stalled_for));
bind dsv_lifetime_tick dsv_probe #(.WIDTH($bits(place)))
  place_probe (.value(place));
bind dsv_packet_ages dsv_probe #(.WIDTH($bits(aged)))
  aged_probe (.value(aged));
bind dsv_allocator dsv_probe #(.WIDTH($bits(turn)))
  turn_probe (.value(turn));
bind dsv_router dsv_probe #(.WIDTH($bits(PIPELINE > 4 ? want : '0)))
  want_probe (.value(PIPELINE > 4 ? want : '0));
bind dsv_router dsv_probe #(.WIDTH($bits(PIPELINE > 5 ? grant_vc : '0)))
  grant_vc_probe (.value(PIPELINE > 5 ? grant_vc : '0));
bind dsv_router dsv_probe #(.WIDTH($bits(PIPELINE > 5 ? grant_output : '0)))
  grant_output_probe (.value(PIPELINE > 5 ? grant_output : '0));
bind dsv_vc dsv_probe #(.WIDTH($bits(set_hops)))
  set_hops_probe (.value(set_hops));
bind dsv_allocator dsv_probe #(.WIDTH($bits(vl_states)))
  vl_states_probe (.value(vl_states));
bind dsv_flags dsv_probe #(.WIDTH($bits(heard)))
  heard_probe (.value(heard));
