//! Files that are right.

use std::path::Path;

use fixed::types::U8F8;
use router_core::map::MapKind;
use router_core::route::olm::Policy;
use router_core::select::occupancy::GlobalRestriction;
use router_core::settings::Choice;

use super::super::*;
use super::{DRAGONFLY, complete, parse, read};

#[test]
fn the_defaults_of_a_dragonfly_are_the_published_setup() {
    let scenario = parse("");
    assert_eq!(
        scenario.topology,
        Topology::Dragonfly { p: 2, group_sizes: vec![4; 9], h: 2, arrangement: Arrangement::Palmtree }
    );
    let router = &scenario.router;
    assert_eq!(router.flow_control, FlowControl::Vct);
    assert_eq!(router.vcs, PerKind { node: 3, local: 3, global: 2 });
    assert_eq!(router.buffer_flits, PerKind { node: 32, local: 32, global: 256 });
    assert_eq!((router.speedup, router.output_flits, router.iterations), (2, 32, 2));
    assert_eq!(scenario.links.latency, PerKind { node: 1, local: 10, global: 100 });
    let RoutingScheme::Olm(olm) = scenario.routing.scheme else { panic!("{:?}", scenario.routing) };
    assert_eq!((olm.policy, olm.local_misrouting, olm.limit), (Policy::Mm, true, 1));
    let Selection::Occupancy(trigger) = scenario.selection.trigger else {
        panic!("{:?}", scenario.selection)
    };
    let restriction = GlobalRestriction { factor: U8F8::lit("1.5"), packets: 5 };
    assert_eq!(trigger.global_restriction, Some(restriction));
    assert_eq!(trigger.relative_threshold, U8F8::saturating_from_num(0.7));
    assert_eq!(scenario.traffic.loads, Loads::List(vec![0.1]));
    assert_eq!((scenario.run.warmup_cycles, scenario.run.limit_cycles), (None, 50_000));
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
    assert_eq!(torus.router.vcs, PerKind { node: 4, local: 4, global: 4 });
    assert_eq!(torus.links.latency, PerKind { node: 1, local: 1, global: 1 });
    assert_eq!(torus.selection.trigger, Selection::NEVER);
    let graph = parse("[topology]\nkind = \"graph\"\nfile = \"net.txt\"\n");
    assert_eq!(graph.routing.scheme.word(), "table");
    let through_node = parse("[routing]\nalgorithm = \"valiant\"\nintermediate = \"node\"\n");
    assert_eq!(through_node.router.vcs, PerKind { node: 3, local: 4, global: 2 });
    assert_eq!(through_node.selection.trigger, Selection::NEVER);
}

#[test]
fn one_number_stands_for_every_kind_and_a_table_for_some() {
    let scenario = parse("[router]\nvcs = 5\nbuffer_flits = { local = 64 }\n");
    assert_eq!(scenario.router.vcs, PerKind { node: 5, local: 5, global: 5 });
    assert_eq!(scenario.router.buffer_flits, PerKind { node: 32, local: 64, global: 256 });
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
    assert_eq!(scenario.router.vcs, PerKind { node: 3, local: 4, global: 2 });
    assert_eq!(scenario.traffic.loads, Loads::List(vec![0.1, 1.0]));
    assert_eq!(scenario.traffic.pattern, Pattern::Adversarial(1));
    assert_eq!((scenario.run.warmup_cycles, scenario.run.seed), (None, 8));
}

#[test]
fn sets_alone_can_make_a_scenario() {
    let scenario = read("", &["topology={kind='mesh', dims=[3]}", "traffic.loads=saturation"]).unwrap();
    assert_eq!(scenario.topology, Topology::Mesh { dims: vec![3], nodes_per_router: 1 });
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
    assert_eq!(graph.topology, Topology::Graph { file, nodes_per_router: 1 });
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
        parse("[topology]\nkind = \"mesh\"\ndims = [4]\n"),
        parse("[topology]\nkind = \"graph\"\nfile = \"f\"\n"),
    ];
    let own: Vec<_> =
        RoutingScheme::all().filter(|scheme| scheme.map(MapKind::Dragonfly).is_some()).collect();
    scenarios.extend(own.iter().map(|s| parse(&format!("[routing]\nalgorithm = \"{}\"\n", s.word()))));
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
