//! Files that are right.

use std::fs;
use std::path::Path;

use router_core::fixed::U8F8;
use router_core::map::MapKind;
use router_core::route::olm::Policy;
use router_core::select::occupancy::GlobalRestriction;
use router_core::settings::Choice;
use router_core::units::PortClass;

use super::super::*;
use super::{DRAGONFLY, complete, parse, read, refuses};
use crate::topology::{Dragonfly, FatTree, Graph, Grid, Mesh, NodesPerRouter};
use crate::traffic::Adversarial;

#[test]
fn the_defaults_of_a_dragonfly_are_the_published_setup() {
    let scenario = parse("");
    assert_eq!(
        scenario.topology,
        Dragonfly { p: 2, group_sizes: vec![4; 9], h: 2, local_links: 1, arrangement: Arrangement::Palmtree }
            .into()
    );
    let router = &scenario.router;
    assert_eq!(router.options.flow_control, FlowControl::Vct);
    assert_eq!(router.vcs, PerClass::new(&[3, 3, 2]));
    assert_eq!(router.buffer_flits, PerClass::new(&[32, 32, 256]));
    assert_eq!((router.options.speedup, router.options.output_flits, router.options.iterations), (2, 32, 2));
    assert_eq!(scenario.links.latency, PerClass::new(&[1, 10, 100]));
    let RoutingScheme::Olm(olm) = scenario.routing.scheme else { panic!("{:?}", scenario.routing) };
    assert_eq!((olm.policy, olm.local_misrouting, olm.limit), (Policy::Mm, true, 1));
    let Selection::Occupancy(trigger) = scenario.selection.trigger else {
        panic!("{:?}", scenario.selection)
    };
    let restriction = GlobalRestriction { factor: U8F8::ratio(3, 2), packets: 5 };
    assert_eq!(trigger.global_restriction, Some(restriction));
    assert_eq!(trigger.relative_threshold, U8F8::nearest(0.7));
    assert_eq!(scenario.traffic.loads, Loads::List(vec![0.1]));
    assert_eq!((scenario.run.warmup_cycles, scenario.run.limit_cycles), (None, None));
    assert_eq!(scenario.differences(), topology_of_dragonfly());
}

fn topology_of_dragonfly() -> Vec<(String, String)> {
    [
        ("kind", "\"dragonfly\""),
        ("p", "2"),
        ("a", "4"),
        ("h", "2"),
        ("groups", "9"),
        ("arrangement", "\"palmtree\""),
    ]
    .map(|(key, value)| (format!("topology.{key}"), value.to_owned()))
    .to_vec()
}

#[test]
fn other_defaults_follow_from_what_is_written() {
    let torus = parse("[topology]\nkind = \"torus\"\ndims = [4, 4]\n");
    assert_eq!(torus.routing.scheme.word(), "dimension-order");
    assert_eq!(torus.router.vcs, PerClass::new(&[4, 4, 4]));
    assert_eq!(torus.links.latency, PerClass::new(&[1, 1, 1]));
    assert_eq!(torus.selection.trigger, Selection::NEVER);
    let graph = parse("[topology]\nkind = \"graph\"\nfile = \"net.txt\"\n");
    assert_eq!(graph.routing.scheme.word(), "table");
    let through_node = parse("[routing]\nalgorithm = \"valiant\"\nintermediate = \"node\"\n");
    assert_eq!(through_node.router.vcs, PerClass::new(&[3, 4, 2]));
    assert_eq!(through_node.selection.trigger, Selection::NEVER);
}

#[test]
fn one_number_stands_for_every_kind_and_a_table_for_some() {
    let scenario = parse("[router]\nvcs = 5\nbuffer_flits = { local = 64 }\n");
    assert_eq!(scenario.router.vcs, PerClass::new(&[5, 5, 5]));
    assert_eq!(scenario.router.buffer_flits, PerClass::new(&[32, 64, 256]));
}

#[test]
fn the_virtual_channels_of_a_class_may_differ_in_depth() {
    let worms = "[router]\nflow_control = \"wormhole\"\n[traffic]\nloads = [1]\n";
    let of = |depths: &str| {
        let text = worms.replace("[traffic]", &format!("buffer_flits = {depths}\n[traffic]"));
        let router = parse(&text).router;
        let each =
            [PortClass::LOCAL, PortClass::GLOBAL].map(|class| router.depths(class).collect::<Vec<_>>());
        let shown = parse(&text).to_toml();
        let line = shown.lines().find_map(|line| line.strip_prefix("buffer_flits = ")).unwrap().to_owned();
        assert_eq!(parse(&shown).router, router);
        (router.buffer_flits, each, line)
    };
    let (deepest, each, line) = of("{ local = [9, 4, 8], global = [16, 8] }");
    assert_eq!(deepest, PerClass::new(&[32, 9, 16]));
    assert_eq!(each, [vec![9, 4, 8], vec![16, 8]]);
    assert_eq!(line, "{ node = 32, local = [9, 4, 8], global = [16, 8] }");
    let (deepest, each, line) = of("{ local = [9, 9, 9] }");
    assert_eq!((deepest, each), (PerClass::new(&[32, 9, 256]), [vec![9; 3], vec![256; 2]]));
    assert_eq!(line, "{ node = 32, local = 9, global = 256 }");
}

#[test]
fn what_is_reserved_of_a_buffer_is_said_for_links_between_routers_alone() {
    for (text, kept) in [
        ("reserved_flits = 16", [32, 16, 16]),
        ("reserved_flits = { global = 16 }", [32, 32, 16]),
        ("reserved_flits = { local = 16, global = 256 }", [32, 16, 256]),
        ("", [32, 32, 256]),
    ] {
        let router = parse(&format!("[routing]\nalgorithm = \"minimal\"\n[router]\n{text}\n")).router;
        let found =
            [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL].map(|class| router.kept_flits(class));
        assert_eq!(found, kept, "{text}");
    }
}

#[test]
fn packets_may_have_several_lengths_and_replies() {
    let lengths = "[{ flits = 9, share = 0.25 }, { flits = 1, share = 0.75 }]";
    let scenario = parse(&format!("[traffic]\nloads = [1]\npacket_flits = {lengths}\nreply_flits = 20\n"));
    let traffic = &scenario.traffic;
    assert_eq!((traffic.packet_flits.mean(), traffic.shortest(), traffic.longest()), (3.0, 1, 20));
    assert_eq!(parse("").traffic.packet_flits, PacketFlits::Same(8));
    assert_eq!((parse("").traffic.shortest(), parse("").traffic.longest()), (8, 8));
    let injection =
        parse("[traffic]\nloads = [1]\nreply_flits = 1\n[injection]\ncontrol = \"window\"\n").injection;
    assert_eq!(injection, InjectionSettings { control: ControlKind::Window, window: 16, static_rate: false });
}

#[test]
fn bytes_and_metres_become_flits_and_cycles() {
    let text = "[infiniband]\nlanes = 4\nmtu_bytes = 1000\ncable_metres = 30\nccti_timer_units = 150\n";
    let scenario = parse(text);
    // 8 Gbit/s: 32 ns for each flit of 32 bytes.
    assert_eq!(scenario.traffic.packet_flits, PacketFlits::Same(32));
    assert_eq!(scenario.links.latency, PerClass::new(&[5, 5, 5]));
    assert_eq!(scenario.congestion.adapter.timer, 4800);
    assert_eq!(parse(&scenario.to_toml()), scenario);
    assert_eq!(parse("[infiniband]\n"), parse(""));
    refuses(
        "[links]\nlatency = 3\n[infiniband]\ncable_metres = ‸5\n",
        "`infiniband.cable_metres` and `links.latency` set the same",
    );
    refuses("[infiniband]\nflit_bytes = 1\nmtu_bytes = ‸2048\n", "is 2048 flits, at most 1023 are possible");
    refuses("[infiniband]\nencoding = ‸\"8b10b\"\n", "expected one of \"8b/10b\", \"64b/66b\"");
    refuses("[infiniband]\n‸width = 4\n", "unknown key `width` in [infiniband]");
    refuses(
        "[infiniband]\nmtu_bytes = ‸4096\n",
        "a packet of 128 flits does not fit into a node buffer of 32 flits",
    );
}

#[test]
fn sets_replace_what_the_file_says() {
    let sets = [
        "routing.algorithm=olm",
        "router.vcs.local = 4",
        "traffic.loads=[0.1, 1]",
        "traffic.pattern={adversarial=1}",
        "routing.policy=CRG+L",
        "run.warmup_cycles=auto",
        "run.seed=7",
        "run.seed=8",
    ];
    let scenario = read(&complete("[run]\nwarmup_cycles = 100\n"), &sets).unwrap();
    let RoutingScheme::Olm(olm) = scenario.routing.scheme else { panic!("{:?}", scenario.routing) };
    assert_eq!((olm.policy, olm.local_misrouting), (Policy::Crg, true));
    assert_eq!(scenario.router.vcs, PerClass::new(&[3, 4, 2]));
    assert_eq!(scenario.traffic.loads, Loads::List(vec![0.1, 1.0]));
    assert_eq!(scenario.traffic.pattern, Adversarial(1).into());
    assert_eq!((scenario.run.warmup_cycles, scenario.run.seed), (None, 8));
}

#[test]
fn sets_alone_can_make_a_scenario() {
    let scenario = read("", &["topology={kind='mesh', dims=[3]}", "traffic.loads=saturation"]).unwrap();
    assert_eq!(scenario.topology, Mesh(Grid { dims: vec![3], nodes_per_router: 1 }).into());
    assert_eq!(scenario.traffic.loads, Loads::Saturation);
}

#[test]
fn differences_name_what_was_chosen() {
    let text = "[router]\nspeedup = 1\niterations = 2\n[routing]\nalgorithm = \"minimal\"\n\
                [selection]\ntrigger = \"occupancy\"\nglobal_restriction = false\n[run]\nseed = 1\n";
    let mut expected = topology_of_dragonfly();
    for (key, value) in [
        ("router.speedup", "1"),
        ("routing.algorithm", "\"minimal\""),
        ("selection.trigger", "\"occupancy\""),
        ("selection.global_restriction", "false"),
    ] {
        expected.push((key.to_owned(), value.to_owned()));
    }
    assert_eq!(parse(text).differences(), expected);
}

#[test]
fn the_file_of_a_graph_is_found_from_the_scenario() {
    let graph = parse("[topology]\nkind = \"graph\"\nfile = \"nets/a.txt\"\n");
    let file = Path::new("/networks/nets/a.txt").to_path_buf();
    assert_eq!(graph.topology, Graph::new(file, NodesPerRouter::Same(1)).into());
    assert_eq!(graph.differences()[1], ("topology.file".to_owned(), "\"a.txt\"".to_owned()));
    let again = Scenario::parse(&graph.to_toml(), "", Path::new("elsewhere"), &[]).unwrap();
    assert_eq!(again, graph);
}

#[test]
fn a_file_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.toml");
    std::fs::write(&file, complete("")).unwrap();
    assert_eq!(Scenario::load(&file, &[]).unwrap(), parse(""));
}

#[test]
fn every_key_of_every_table_is_written() {
    let mut scenarios = vec![
        parse(""),
        parse("[topology]\nkind = \"graph\"\nfile = \"f\"\n"),
        parse("[topology]\nkind = \"fat-tree\"\nradix = 4\n"),
        parse("[topology]\nkind = \"ring\"\nrouters = 5\nchords = [2]\n"),
        parse("[topology]\nkind = \"star\"\nleaves = 5\n"),
        parse("[topology]\nkind = \"illiac\"\nside = 3\n"),
        parse("[topology]\nkind = \"barrel-shifter\"\nbits = 3\n"),
        parse("[topology]\nkind = \"slim-fly\"\nq = 5\n"),
        parse("[topology]\nkind = \"random-regular\"\nrouters = 8\ndegree = 3\n"),
        parse("[topology]\nkind = \"xgft\"\nchildren = [2, 4]\nparents = [1, 2]\n"),
        parse("[topology]\nkind = \"butterfly\"\nk = 2\nstages = 3\n"),
        parse("[topology]\nkind = \"random-folded-clos\"\nsizes = [4, 2]\nup = [2]\nnodes_per_router = 1\n"),
        parse("[topology]\nkind = \"star-graph\"\nsymbols = 3\n"),
        parse("[topology]\nkind = \"dragonfly-plus\"\np = 1\nleaves = 2\nspines = 2\nh = 2\n"),
    ];
    let mesh = "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n";
    let torus = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n";
    let plane = "[topology]\nkind = \"orthogonal-fat-tree\"\nq = 2\n";
    for (kind, topology) in
        [(MapKind::Dragonfly, ""), (MapKind::Mesh, mesh), (MapKind::Torus, torus), (MapKind::Levels, plane)]
    {
        let own = RoutingScheme::all().filter(|scheme| scheme.map(kind).is_some());
        let files = "tables = \"t\"\nservice_levels = \"s\"\nsl_to_vl = \"l\"\nupdates = [{ at = 2, tables = \"u\" }]";
        let texts =
            own.map(|scheme| format!("{topology}[routing]\nalgorithm = \"{}\"\n{files}\n", scheme.word()));
        scenarios.extend(texts.map(|text| parse(&text)));
    }
    let discards = "[router]\ndiscards = true\nhead_lifetime = 64\npacket_lifetime = 64\nvl_stall_count = 2\n[routing]\nalgorithm = \"forwarding\"\ntables = \"t\"\n";
    scenarios.push(parse(&format!("{mesh}{discards}")));
    scenarios.push(parse("[topology]\nkind = \"graph\"\nfile = \"g\"\nplane = 1\n"));
    scenarios.push(parse("[router]\nselect_ahead = false\nsynchronous_buffers = true\n"));
    scenarios.push(parse("[router]\nreserved_flits = { global = 8 }\n"));
    scenarios.push(parse("[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\nlocal_links = 2\n"));
    scenarios.push(parse("[injection]\nstatic_rate = true\n"));
    scenarios.push(parse("[congestion]\nscope = \"destination\"\n"));
    scenarios.push(parse("[run]\nwarmup_packets = 5\nmeasure_packets = 9\n"));
    scenarios.push(parse("[selection]\nports = \"lowest-dimension\"\nvcs = \"first\"\n"));
    scenarios.push(parse("[links]\ncredit_latency = 3\ncredit_flits = 8\n"));
    scenarios.push(parse("[links]\nrate = { local = \"1/4\" }\n"));
    scenarios.push(parse("[links]\ncredits = \"absolute\"\npacket_loss = 0.5\ncredit_loss = 0.25\n"));
    scenarios.extend(Selection::all().map(|t| parse(&format!("[selection]\ntrigger = \"{}\"\n", t.word()))));
    let texts: String = scenarios.iter().map(Scenario::to_toml).collect();
    for section in super::super::word::SECTIONS {
        assert!(texts.contains(&format!("[{section}]\n")));
        for key in super::super::word::keys(section) {
            assert!(texts.contains(&format!("\n{key} = ")), "{section}.{key} is never written");
        }
    }
}

#[test]
fn the_written_file_reads_well() {
    let text = parse("").to_toml();
    assert!(
        text.starts_with(&format!("{DRAGONFLY}groups = 9\narrangement = \"palmtree\"\n\n[router]\n")),
        "{text}"
    );
    assert!(text.contains("\nvcs = { node = 3, local = 3, global = 2 }\n"), "{text}");
}

#[test]
fn classes_have_the_names_that_the_topology_gives_them() {
    let tree = "[topology]\nkind = \"fat-tree\"\nradix = 8\nlevels = 3\n";
    let scenario = parse(&format!("{tree}[router]\nvcs = {{ level2 = 2 }}\n[links]\nlatency = 7\n"));
    assert_eq!(scenario.topology, FatTree { radix: 8, levels: 3 }.into());
    assert_eq!(scenario.router.vcs, PerClass::new(&[4, 4, 2]));
    assert_eq!(scenario.links.latency, PerClass::new(&[7, 7, 7]));
    assert!(scenario.to_toml().contains("vcs = { node = 4, level1 = 4, level2 = 2 }\n"));
    let routing = scenario.routing.scheme.word();
    assert_eq!(routing, "up-down");
    refuses(
        &format!("{tree}[router]\nvcs = {{ ‸local = 2 }}\n"),
        "expected one of `node`, `level1`, `level2`",
    );
    refuses(&format!("{tree}[router]\nvcs = {{ ‸levle2 = 2 }}\n"), "did you mean `level2`?");
    refuses(&format!("{tree}[links]\nlatency = ‸[1]\n"), "{ node = …, level1 = …, level2 = … }, not a list");
    refuses(
        &format!("{tree}[traffic]\nloads = [1]\npacket_flits = ‸33\n"),
        "does not fit into a node buffer",
    );
}

#[test]
fn nodes_per_router_may_be_a_list() {
    let graph =
        |nodes: &str| format!("[topology]\nkind = \"graph\"\nfile = \"f\"\nnodes_per_router = {nodes}\n");
    let scenario = parse(&graph("[2, 2, 0]"));
    assert_eq!(scenario.topology.nodes(), Some(4));
    assert!(scenario.to_toml().contains("nodes_per_router = [2, 2, 0]\n"));
    refuses(&graph("‸0"), "`topology.nodes_per_router` must be a whole number from 1 to 254, not 0");
    refuses(
        &graph("[2, ‸255]"),
        "`topology.nodes_per_router[1]` must be a whole number from 0 to 254, not 255",
    );
    refuses(&graph("‸[]"), "a whole number from 1 to 254 or a list of them, one per router");
}

#[test]
fn those_for_comparisons_are_legal() {
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let folders = ["peers", "large"].map(|folder| fs::read_dir(scenarios.join(folder)).unwrap());
    let files: Vec<_> = folders.into_iter().flatten().map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 8);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let scenario = Scenario::parse(&text, &file.display().to_string(), &scenarios, &[]);
        assert!(scenario.is_ok(), "{}", scenario.unwrap_err());
    }
}
