//! Files whose parts do not fit together, and their neighbours that just do.

use super::{parse, refuses, refuses_set};

#[test]
fn a_routing_fits_its_topology() {
    let mesh = "[topology]\nkind = \"mesh\"\ndims = [4]\n";
    refuses(
        &format!("{mesh}[routing]\nalgorithm = ‸\"minimal\"\n"),
        "the routing \"minimal\" does not fit a mesh, expected one of \"dimension-order\", \"duato\", \"planar-adaptive\", \"negative-hop\", \"turn-model\", \"odd-even\", \"table\"",
    );
    refuses(
        "[topology]\nkind = \"graph\"\nfile = \"a\"\n[routing]\nalgorithm = ‸\"olm\"\n",
        "expected one of \"table\"",
    );
    refuses("[routing]\nalgorithm = ‸\"dimension-order\"\n", "\"minimal\", \"valiant\", \"olm\", \"table\"");
    parse(&format!("{mesh}[routing]\nalgorithm = \"table\"\n"));
    parse("[routing]\nalgorithm = \"table\"\n");
}

#[test]
fn a_routing_has_its_vcs() {
    refuses("[router]\nvcs = ‸2\n", "olm routing needs at least 3 local VCs, not 2");
    refuses("[router]\nvcs = { global = ‸1 }\n", "olm routing needs at least 2 global VCs, not 1");
    let minimal = "[routing]\nalgorithm = \"minimal\"\n[router]\n";
    refuses(
        &format!("{minimal}vcs = {{ local = ‸1 }}\n"),
        "minimal routing needs at least 2 local VCs, not 1",
    );
    parse(&format!("{minimal}vcs = {{ node = 1, local = 2, global = 1 }}\n"));
    let valiant = "[routing]\nalgorithm = \"valiant\"\n";
    refuses(&format!("{valiant}[router]\nvcs = {{ local = ‸2 }}\n"), "needs at least 3 local VCs");
    refuses(
        &format!("{valiant}intermediate = \"node\"\n[router]\nvcs = ‸3\n"),
        "through a node needs at least 4",
    );
    parse(&format!("{valiant}intermediate = \"node\"\n[router]\nvcs = 4\n"));
    refuses("[topology]\nkind = \"torus\"\ndims = [4]\n[router]\nvcs = ‸1\n", "needs at least 2 local VCs");
    parse("[topology]\nkind = \"mesh\"\ndims = [4]\n[router]\nvcs = 1\n");
}

#[test]
fn settings_of_other_schemes_may_stand_there_and_must_be_right() {
    let minimal = "[routing]\nalgorithm = \"minimal\"\n";
    let written =
        parse(&format!("{minimal}policy = \"CRG\"\nlocal_misroutes = 2\nintermediate = \"node\"\n"));
    assert_eq!(written, parse(minimal));
    refuses(&format!("{minimal}policy = ‸\"CGR\"\n"), "did you mean \"CRG\"?");
    refuses(&format!("{minimal}local_misroutes = ‸8\n"), "a whole number from 0 to 7, not 8");
    refuses(&format!("{minimal}‸local_misroute = 1\n"), "did you mean `local_misroutes`?");
    let never = "[selection]\ntrigger = \"never\"\n";
    assert_eq!(
        parse(&format!("{never}contention_threshold = 9\nglobal_restriction = false\n")),
        parse(never)
    );
    refuses(&format!("{never}contention_threshold = ‸0\n"), "from 1 to 255, not 0");
    refuses(&format!("{never}contention_factor = ‸16.5\n"), "a number from 0 to 16, not 16.5");
    refuses(&format!("{never}global_restriction = ‸7\n"), "{ factor = …, packets = … } or false, not 7");
    refuses(&format!("{never}global_restriction = {{ packets = ‸256 }}\n"), "from 0 to 255, not 256");
}

#[test]
fn a_packet_fits_where_it_must_wait_whole() {
    refuses(
        "[traffic]\nloads = [1]\npacket_flits = ‸33\n",
        "33 flits does not fit into a node buffer of 32 flits",
    );
    refuses("[router]\nbuffer_flits = ‸7\n", "a packet of 8 flits");
    refuses("[router]\nbuffer_flits = { global = ‸7 }\n", "a global buffer of 7 flits, as \"vct\" needs");
    refuses(
        "[router]\nbuffer_flits = { local = ‸7 }\nflow_control = \"store-and-forward\"\n",
        "\"store-and-forward\"",
    );
    refuses(
        "[router]\nbuffer_flits = ‸1\nflow_control = \"wormhole\"\n",
        "the local misroutes of \"olm\" need",
    );
    refuses(
        "[router]\nbuffer_flits = { global = ‸7 }\nflow_control = \"wormhole\"\n",
        "as the detours that \"olm\" insists on need",
    );
    parse("[traffic]\nloads = [1]\npacket_flits = 32\n");
    parse("[router]\nbuffer_flits = { node = 1 }\nflow_control = \"wormhole\"\n");
    parse("[router]\nbuffer_flits = 1\nflow_control = \"wormhole\"\n[routing]\nalgorithm = \"minimal\"\n");
    parse("[topology]\nkind = \"mesh\"\ndims = [4]\n[router]\nbuffer_flits = { global = 1 }\n");
    parse("[topology]\nkind = \"dragonfly\"\np = 1\na = 1\nh = 3\n[router]\nbuffer_flits = { local = 1 }\n");
}

/// Tables of VL arbitration: what they are, and what they need.
#[test]
fn an_output_with_tables_sees_all_that_request_it() {
    let router = |units: &str, tables: &str| {
        format!("[router]\nallocator = \"separable-output-first\"\n{units}vl_arbitration = {tables}\n")
    };
    let packets = "allocation_unit = \"packet\"\n";
    let refuse = |tables: &str, expected: &str| refuses(&router(packets, tables), expected);
    parse(&router(packets, "{ high = [], low = [[0, 1], [0, 255]], limit = 255, management = 2 }"));
    parse(&router("", "false"));
    let some = "{ low = [[0, 1]] }";
    refuses(&router("allocation_unit = ‸\"flit\"\n", some), "decides about packets, not flits");
    let first = "[router]\nallocator = ‸\"wavefront\"\nallocation_unit = \"packet\"\n";
    refuses(&format!("{first}vl_arbitration = {some}\n"), "does not show an output all VCs");
    refuse("‸7", "a table with `high` and `low`, or false, not 7");
    refuse("‸{ high = [[0, 0]] }", "has no entry with a weight above 0");
    refuse("{ low = [[0, ‸256]] }", "from 0 to 255, not 256");
    refuse("{ low = [[‸8, 1]] }", "from 0 to 7, not 8");
    refuse("{ low = [‸[0, 1, 2]] }", "a pair [VL, weight]");
    refuse(
        "{ low = ‸[[0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1]] }",
        "has 9 entries, at most 8",
    );
    refuse("‸{ low = [[3, 1]] }", "names VL 3, but a port has 3 VCs at most");
    refuse("{ low = [[0, 1]], ‸lanes = 3 }", "lanes");
    let tables = router(packets, "{ low = [[0, 1]], flit_bytes = ‸16 }");
    refuses(&format!("{tables}[infiniband]\nflit_bytes = 32\n"), "set the same");
    let read = parse(&format!("{}[infiniband]\nlanes = 4\n", router(packets, some)));
    assert_eq!(read.router.vl_arbitration.unwrap().flit_bytes, 32);
}

/// What is discarded: by forwarding tables alone, and not where heads are taken back.
#[test]
fn forwarding_tables_say_what_is_discarded() {
    refuses("[router]\ndiscards = ‸true\n", "is about forwarding tables that are given, not \"olm\"");
    let text = |router: &str| {
        format!(
            "[topology]\nkind = \"mesh\"\ndims = [3]\n[router]\ndiscards = ‸true\n{router}[routing]\nalgorithm = \"forwarding\"\ntables = \"t.csv\"\n"
        )
    };
    refuses(&text("flow_control = \"pipelined-circuit\"\n"), "which takes heads back");
    refuses(
        &text("ejection = \"any\"\n"),
        "compares the port of a node with the one that its packet came by",
    );
    refuses(&text("").replace("true", "1"), "true or false");
    let scenario = parse(&text("").replace('‸', ""));
    assert!(scenario.to_toml().contains("\ndiscards = true\n"));
    assert_eq!(parse(&scenario.to_toml()), scenario);
    assert!(scenario.differences().contains(&("router.discards".to_owned(), "true".to_owned())));
    let without = parse(&text("").replace("discards = ‸true\n", ""));
    assert!(!without.to_toml().contains("discards"), "a file without it is as it was");
}

/// For how long packets may be in a router: in cycles, four ticks, or as InfiniBand writes it.
#[test]
fn packet_lifetimes_are_cycles_or_lifetime_values() {
    let router = |keys: &str| format!("[router]\n{keys}\n");
    assert_eq!(parse(&router("packet_lifetime = 12")).router.options.packet_lifetime, 12);
    refuses(&router("packet_lifetime = ‸6"), "has to be a multiple of 4, not 6");
    refuses(&router("packet_lifetime = ‸268435456"), "from 0 to 268435452, not 268435456");
    refuses(&router("packet_lifetime = ‸4\nflow_control = \"circuit\""), "which takes heads back");
    refuses(&router("packet_lifetime = 4\nvl_stall_count = ‸1"), "since they waited too long, but none is");
    let read = |text: &str| parse(&format!("[infiniband]\n{text}\n")).router.options.packet_lifetime;
    // 2 Gbit/s: a flit of 32 bytes takes 128 ns, 4.096 µs are 32 cycles; a flit of 48 takes 192 ns.
    let lives = ["lifetime_value = 0", "lifetime_value = 19", "lifetime_value = 20"].map(read);
    assert_eq!(lives, [32, 32 << 19, 0]);
    assert_eq!(read("lifetime_value = 0\nflit_bytes = 48"), 20, "of 21");
    assert_eq!(read("lifetime_value = 0\nflit_bytes = 4096"), 4, "a cycle is 16 µs");
    refuses("[infiniband]\nlifetime_value = ‸32\n", "from 0 to 31, not 32");
    refuses("[router]\npacket_lifetime = 4\n[infiniband]\nlifetime_value = ‸1\n", "set the same");
    let scenario = parse(&router("packet_lifetime = 8"));
    assert_eq!(parse(&scenario.to_toml()), scenario);
    assert!(scenario.differences().contains(&("router.packet_lifetime".to_owned(), "8".to_owned())));
}

/// For how long packets wait: in cycles, or as InfiniBand writes it.
#[test]
fn lifetimes_are_cycles_or_hoq_lives() {
    let router = |keys: &str| format!("[router]\n{keys}\n");
    let limits = parse(&router("head_lifetime = { node = 5, global = 70 }\nvl_stall_count = 7")).router;
    assert_eq!(limits.head_lifetime.as_slice(), [5, 0, 70]);
    assert_eq!(limits.vl_stall_count.as_slice(), [7, 7, 7]);
    refuses(&router("head_lifetime = ‸268435456"), "from 0 to 268435455, not 268435456");
    refuses(&router("head_lifetime = 1\nvl_stall_count = ‸8"), "from 0 to 7, not 8");
    refuses(
        &router("vl_stall_count = ‸1"),
        "counts packets that are discarded since they waited too long, but none is",
    );
    refuses(&router("head_lifetime = ‸1\nflow_control = \"circuit\""), "which takes heads back");
    // 2 Gbit/s: a flit of 32 bytes takes 128 ns, 4.096 µs are 32 cycles.
    let life = |life: &str| format!("[infiniband]\nhoq_life = {life}\n");
    let read = |text: &str| parse(text).router.head_lifetime.as_slice().to_vec();
    assert_eq!(read(&life("{ node = 0, local = 3, global = 20 }")), [32, 256, 0]);
    assert_eq!(read(&life("{ node = 19 }")), [32 << 19, 0, 0]);
    assert_eq!(read(&format!("{}lanes = 4\nflit_bytes = 64\n", life("1"))), [128; 3]);
    refuses(&life("‸32"), "from 0 to 31, not 32");
    refuses(
        "[infiniband]\nhoq_life = ‸19\nlanes = 16\nlane_gbaud = 1000\n",
        "cycles, at most 268435455 are possible",
    );
    refuses("[router]\nhead_lifetime = 1\n[infiniband]\nhoq_life = ‸1\n", "set the same");
    let scenario = parse(&router("head_lifetime = 9"));
    assert_eq!(parse(&scenario.to_toml()), scenario);
    assert!(
        scenario
            .differences()
            .contains(&("router.head_lifetime".to_owned(), "{ node = 9, local = 9, global = 9 }".to_owned()))
    );
    let without = parse("").to_toml();
    assert!(!without.contains("lifetime") && !without.contains("stall"), "a file without them is as it was");
}

#[test]
fn a_packet_that_holds_a_link_does_not_wait() {
    let refused = "one that waits would hold its link before all VCs";
    refuses("[router]\nallocation_unit = ‸\"packet\"\nflow_control = \"wormhole\"\n", refused);
    parse("[router]\nallocation_unit = \"packet\"\nflow_control = \"store-and-forward\"\n");
    parse("[router]\npriority = \"transit\"\nflow_control = \"wormhole\"\n");
}

#[test]
fn lengths_and_replies_fit_too() {
    let traffic = |keys: &str| format!("[traffic]\nloads = [1]\n{keys}\n");
    let two = |flits: &str, share: &str| {
        traffic(&format!(
            "packet_flits = [{{ flits = 1, share = 0.5 }}, {{ flits = {flits}, share = {share} }}]"
        ))
    };
    refuses(
        &traffic("packet_flits = ‸[{ flits = 33, share = 1 }]"),
        "33 flits does not fit into a node buffer",
    );
    refuses(&traffic("reply_flits = ‸33"), "33 flits does not fit into a node buffer");
    refuses(&traffic("packet_flits = ‸[{ flits = 1, share = 0.5 }]"), "must add up to 1, not to 0.5");
    refuses(&two("‸1024", "0.5"), "`traffic.packet_flits[1].flits` must be a whole number from 1 to 1023");
    refuses(&two("2", "‸0"), "`traffic.packet_flits[1].share` must be a share above 0 and at most 1, not 0");
    refuses(&two("2, ‸shape = 1", "0.5"), "unknown key `shape`");
    refuses(&traffic("packet_flits = ‸\"8\""), "or a list such as [{ flits = 1, share = 0.5 }");
    refuses(&traffic("packet_flits = ‸[]"), "or a list such as [{ flits = 1, share = 0.5 }");
    parse(&two("32", "0.5"));
}

#[test]
fn links_go_down_one_by_one() {
    let down = |text: &str| format!("[links]\ndown = {text}\n");
    let links = parse("[[links.down]]\nrouter = 1\nport = 3\nat = 4000\n").links;
    assert_eq!(links.down, [super::super::LinkDown { router: 1, port: 3, at: 4000, discards: false }]);
    assert_eq!(parse(&down("[]")).links.down, []);
    refuses(&down("‸7"), "a list of tables { router = …, port = …, at = … }, not 7");
    refuses(&down("[‸{ router = 1, port = 3 }]"), "`links.down[0].at` is missing");
    refuses(&down("[{ router = 1, port = ‸64, at = 1 }]"), "from 0 to 63, not 64");
}

#[test]
fn links_that_go_down_exist() {
    let down = |router: &str, port: &str| {
        let link =
            format!("router = 0\nport = 2\nat = 1\n[[links.down]]\nrouter = {router}\nport = {port}\nat = 1");
        format!("[[links.down]]\n{link}\n")
    };
    parse(&down("35", "6"));
    refuses(&down("‸36", "2"), "`links.down[1].router` must be one of the 36 routers, from 0 to 35, not 36");
    refuses(
        &down("1", "‸7"),
        "`links.down[1].port` must be one of the 7 ports of a router, from 0 to 6, not 7",
    );
    refuses(&down("1", "‸0"), "port 0 of router 1 leads to node 2, not to another router");
    refuses(&down("1", "‸0"), "links to other routers are at ports 2, 3, 4, 5, 6");
    let line = "[topology]\nkind = \"mesh\"\ndims = [4]\n";
    refuses(&format!("{line}{}", down("1", "‸0").replace("port = 2", "port = 1")), "leads to node 1, not to");
    refuses(
        &format!("{line}{}", down("3", "‸1").replace("port = 2", "port = 1")),
        "port 1 of router 3 is not connected",
    );
    refuses_set("links.down=[{ router = ‸99, port = 0, at = 1 }]", "one of the 36 routers, from 0 to 35");
}

#[test]
fn a_window_needs_replies() {
    refuses("[injection]\ncontrol = ‸\"window\"\n", "opened by replies, but no packet has one");
    refuses("[injection]\ncontrol = ‸\"widow\"\n", "did you mean \"window\"?");
    refuses("[injection]\nwindow = ‸0\n", "from 1 to 65535, not 0");
    parse("[injection]\ncontrol = \"window\"\n[traffic]\nloads = [1]\nreply_flits = 1\n");
}

#[test]
fn a_static_rate_has_queues_by_destination() {
    let table = |text: &str| {
        format!("[injection]\nstatic_rate = ‸true\n{text}\n[traffic]\nloads = [1]\nreply_flits = 1\n")
    };
    refuses(&table("control = \"window\""), "but a window counts the packets to all destinations");
    refuses(
        &table("control = \"congestion-control\""),
        "a notification holds back all destinations of a node",
    );
    parse(
        "[injection]\nstatic_rate = true\ncontrol = \"congestion-control\"\n[congestion]\nscope = \"destination\"\n",
    );
    parse("[injection]\nstatic_rate = true\n");
    refuses("[injection]\nstatic_rate = ‸1\n", "must be true or false, not 1");
}

#[test]
fn congestion_control_is_checked() {
    let table = |text: &str| format!("[congestion]\n{text}\n");
    refuses(&table("threshold = ‸16"), "`congestion.threshold` must be a whole number from 0 to 15, not 16");
    refuses(
        &table("threshold = { local = 3, spine = ‸4 }").replace("spine = ‸", "‸spine = "),
        "unknown key `spine`",
    );
    refuses(&table("victim_mask = ‸1"), "`congestion.victim_mask` must be true or false, not 1");
    refuses(&table("scope = ‸\"nodes\""), "did you mean \"node\"?");
    refuses(&table("marking_rate = ‸65536"), "from 0 to 65535, not 65536");
    refuses(&table("ccti_increase = ‸256"), "from 0 to 255, not 256");
    refuses(&table("cct_step = ‸-0.5"), "from 0 to 255, not -0.5");
    refuses(&table("tresh‸old = 1").replace("tresh‸old", "‸treshold"), "did you mean `threshold`?");
    refuses(
        &table("ccti_limit = 3\nccti_min = ‸4"),
        "`congestion.ccti_min` must not be above `congestion.ccti_limit`, but 4 > 3",
    );
    refuses(
        "[injection]\ncontrol = ‸\"congestion\"\n",
        "expected one of \"free\", \"window\", \"congestion-control\"",
    );
    // A notification is a packet: it fits into buffers where it must wait whole, if there is one at all.
    let long = table("notification_flits = ‸33");
    let on = "[injection]\ncontrol = \"congestion-control\"\n";
    refuses(&format!("{on}{long}"), "a packet of 33 flits does not fit into a node buffer of 32 flits");
    parse(&long.replace('‸', ""));
    let replies = "[traffic]\nloads = [1]\nreply_flits = 1\n";
    parse(&format!("{on}{}{replies}", long.replace('‸', "")));
}

#[test]
fn notifications_count_as_packets() {
    let scenario =
        parse("[injection]\ncontrol = \"congestion-control\"\n[congestion]\nnotification_flits = 12\n");
    assert_eq!((scenario.shortest_packet(), scenario.longest_packet()), (8, 12));
    let scenario = parse("[congestion]\nnotification_flits = 12\n");
    assert_eq!((scenario.shortest_packet(), scenario.longest_packet()), (8, 8));
    let table = |step: f64| {
        let mut congestion = scenario.congestion.clone();
        congestion.cct_step = step;
        let table = congestion.table();
        [0, 1, 5, 127, 128].map(|index| table.entry(index).delay(8))
    };
    assert_eq!(table(0.25), [0, 2, 10, 254, 254]);
    assert_eq!(table(255.0), [0, 2040, 10_200, 8 * 16_383, 8 * 16_383]);
}

#[test]
fn an_output_keeps_up_with_the_crossbar() {
    refuses(
        "[router]\noutput_flits = ‸1\n",
        "`router.output_flits` must be at least `router.speedup`, but 1 < 2",
    );
    parse("[router]\noutput_flits = 1\nspeedup = 1\n");
}

#[test]
fn flags_that_packets_heed_need_the_trigger_that_compares_queues() {
    let heeds = "[routing]\nalgorithm = \"ugal-dragonfly\"\nknowledge = \"group-each-cycle\"\n";
    parse(heeds);
    refuses(&format!("{heeds}[selection]\ntrigger = ‸\"occupancy\"\n"), "\"occupancy\" does not");
    refuses(&format!("{heeds}[selection]\ntrigger = ‸\"ectn\"\n"), "\"ectn\" does not");
}

#[test]
fn a_pipeline_of_five_registers_requests_for_one_flit() {
    let five = |keys: &str| format!("[router]\npipeline = 5\n{keys}\n");
    refuses(&five("allocation_unit = ‸\"packet\""), "allocates flits, not packets");
    refuses(&five("output_flits = ‸2"), "must be at least `router.speedup` + 1, but 2 < 2 + 1");
    refuses(&five("[selection]\ntrigger = ‸\"ectn\""), "the notices of \"ectn\"");
    refuses(&five("flow_control = ‸\"circuit\"\nbuffer_flits = 300"), "which takes heads back");
    refuses("[router]\npipeline = ‸7\n", "from 4 to 6");
    parse(&five("[selection]\ntrigger = \"ectn\"\nectn_counters_per_flit = 0"));
    parse(&five("[selection]\ntrigger = \"always\""));
    parse(&five("output_flits = 3"));
    parse(&five("output_flits = 1\nspeedup = 1"));
    let six = |keys: &str| format!("[router]\npipeline = 6\n{keys}\n");
    refuses(&six("allocation_unit = ‸\"packet\""), "a pipeline of 6 allocates flits, not packets");
    refuses(&six("output_flits = ‸3"), "must be at least `router.speedup` + 2, but 3 < 2 + 2");
    refuses(&six("head_lifetime = ‸9"), "when the time of a packet may be up");
    refuses(&six("packet_lifetime = ‸8"), "when the time of a packet may be up");
    parse(&six("output_flits = 4"));
    parse(&six("output_flits = 1\nspeedup = 1"));
}

#[test]
fn some_turns_are_those_of_two_dimensions() {
    let mesh = |dims: &str, routing: &str| {
        format!("[topology]\nkind = \"mesh\"\ndims = {dims}\n[routing]\nalgorithm = {routing}\n")
    };
    parse(&mesh("[4, 3]", "\"odd-even\""));
    parse(&mesh("[4, 3]", "\"turn-model\"\nturns = \"north-last\""));
    parse(&mesh("[4, 3, 2]", "\"turn-model\""));
    parse(&mesh("[4]", "\"turn-model\"\nturns = \"negative-first\""));
    refuses(&mesh("[4, 3, 2]", "‸\"odd-even\""), "odd-even routing is for 2 dimensions, not 3");
    refuses(
        &mesh("[4, 3, 2]", "\"turn-model\"\nturns = ‸\"west-first\""),
        "turn-model routing with \"west-first\" is for 2 dimensions, not 3",
    );
    refuses(
        &mesh("[4]", "\"turn-model\"\nturns = ‸\"north-last\""),
        "`topology.dims` must be a list of 2 sizes",
    );
    refuses(&mesh("[4]", "\"turn-model\"\nturns = ‸\"south-last\""), "\"negative-first\"");
    refuses(
        "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[routing]\nalgorithm = ‸\"odd-even\"\n",
        "does not fit a torus",
    );
}
