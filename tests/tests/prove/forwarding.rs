//! Forwarding tables: those of a real OpenSM on a 4 x 4 torus, those that are computed, and those of other routings.

use super::{blueprint, grid, of};
use desvio_prove::check;
use desvio_prove::{Certificate, Proof, Verdict, prove};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::exported_tables;
use desvio_sim::run::run;
use desvio_sim::scenario::Scenario;
use std::path::Path;

/// The torus of `examples/infiniband`, routed by one of OpenSM's engines.
fn opensm(engine: &str, vcs: u32, has_levels: bool) -> Blueprint {
    fabric("torus", engine, vcs, has_levels)
}

fn fabric(topology: &str, engine: &str, vcs: u32, has_levels: bool) -> Blueprint {
    let levels = if has_levels { format!("service_levels = \"{engine}.paths\"\n") } else { String::new() };
    let text = format!(
        "[topology]\nkind = \"graph\"\nfile = \"{topology}.ibnetdiscover\"\n[router]\nvcs = {vcs}\nflow_control = \"wormhole\"\n\
         [routing]\nalgorithm = \"forwarding\"\ntables = \"{engine}.lfts\"\n{levels}[traffic]\nloads = [0.1]\n\
         [run]\nwarmup_cycles = 100\nmeasure_cycles = 300\n"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/infiniband");
    let scenario = Scenario::parse(&text, "torus.toml", &folder, &[]).expect("a scenario");
    Blueprint::new(scenario).unwrap_or_else(|error| panic!("{engine}: {error}"))
}

fn proof(blueprint: &Blueprint) -> Proof {
    prove(blueprint, blueprint.routing().expect("a routing"), &|| {}).expect("an answer")
}

/// The rank of the highest channel, where there is no cycle and the checker takes the certificate.
fn acyclic(proof: &Proof) -> u32 {
    assert!(proof.holds() && matches!(proof.verdict, Verdict::Acyclic(_)), "{proof}");
    let certificate = Certificate::of(proof).expect("a proof that holds");
    check(&certificate.to_json()).unwrap_or_else(|reason| panic!("{reason}: {proof}"));
    proof.ranks().expect("ranks").highest
}

/// Min-hop on a torus closes a ring on its one lane; up/down, LASH and DFSSSP do not. Each sends every packet by a shortest route but
/// up/down, whose routes may be longer.
#[test]
fn opensm_deadlocks_by_min_hop_only() {
    let min_hop = proof(&opensm("minhop", 1, false));
    assert!(!min_hop.holds() && matches!(min_hop.verdict, Verdict::Stuck(_)), "{min_hop}");
    assert_eq!(min_hop.reach.longest_route, Some(4));
    assert!(min_hop.to_string().contains("packets that can wait for each other for ever"), "{min_hop}");

    let up_down = proof(&opensm("updn", 1, false));
    assert!(acyclic(&up_down) > 4 && up_down.reach.longest_route >= Some(4), "{up_down}");

    for (engine, vcs) in [("lash", 2), ("dfsssp", 8)] {
        let layered = proof(&opensm(engine, vcs, true));
        acyclic(&layered);
        assert_eq!(layered.reach.longest_route, Some(4), "{engine}");
        // All packets on one lane are another matter.
        let one_lane = proof(&opensm(engine, 1, false));
        assert!(!one_lane.holds(), "{engine}: {one_lane}");
    }
}

/// torus-2QoS changes lanes on the way: what smpquery dumped says which. Without it every packet keeps the lane of its level, and levels are more.
#[test]
fn opensm_changes_lanes_by_its_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/infiniband");
    let files = [("tables", "lfts"), ("service_levels", "paths"), ("sl_to_vl", "sl2vl")];
    let sets = files.map(|(key, ending)| format!("routing.{key}=torus-2QoS.{ending}"));
    let network = |sets: &[String]| {
        let scenario = Scenario::load(&folder.join("torus.toml"), sets).expect("a scenario");
        proof(&Blueprint::new(scenario).expect("a network"))
    };
    let by_tables = network(&sets);
    acyclic(&by_tables);
    assert_eq!((by_tables.reach.nodes, by_tables.reach.longest_route), (16, Some(4)));
    let used = |proof: &Proof| proof.to_string().contains("channels   64 are used");
    assert!(used(&by_tables) && !used(&network(&sets[..2])), "{by_tables}");
}

/// DFSSSP gives the two nodes of a switch different lanes to the same node, so that a row of the switch's table has more than one.
#[test]
fn nodes_of_one_switch_have_lanes_of_their_own() {
    let pairs = fabric("pairs", "pairs", 8, true);
    let proof = proof(&pairs);
    acyclic(&proof);
    assert_eq!((proof.reach.nodes, proof.reach.longest_route), (18, Some(2)));
    let error = exported_tables::to_csv(&pairs).expect_err("no tables").to_string();
    assert!(error.contains("nor the same along all routes from a router"), "{error}");
}

/// LASH told of its lanes: 122 pairs on the first, 118 on the second.
#[test]
fn service_levels_are_those_that_opensm_reports() {
    let lash = opensm("lash", 2, true);
    let tables = exported_tables::to_csv(&lash).expect("tables");
    assert!(tables.starts_with("router,to_node,port,layer\n"), "{tables}");
    let layers = |layer: &str| tables.lines().filter(|line| line.ends_with(layer)).count();
    assert_eq!([layers(",0"), layers(",1")], [122, 118]);
}

/// Each hop of a run is by the tables: packets of a pattern without conflicts take as long as their routes.
#[test]
fn a_fabric_runs() {
    for (engine, vcs) in [("lash", 2), ("updn", 1)] {
        let blueprint = opensm(engine, vcs, engine == "lash");
        let outcome = run(&blueprint, 0.1, &|_| ()).unwrap_or_else(|error| panic!("{engine}: {error}"));
        assert!((0.08..0.12).contains(&outcome.summary.accepted), "{engine}: {:?}", outcome.summary);
    }
}

/// Routes are as short as those of the table of all shortest routes, on as few VCs as the layers need, and no layer has a cycle.
#[test]
fn layers_have_no_cycle_on_any_graph() {
    let networks = [
        "kind = \"torus\"\ndims = [4, 4]",
        "kind = \"torus\"\ndims = [5, 3]",
        "kind = \"random-regular\"\nrouters = 20\ndegree = 3",
        "kind = \"slim-fly\"\nq = 3",
        "kind = \"cube-connected-cycles\"\ndims = 3",
        "kind = \"dragonfly\"\np = 1\na = 4\nh = 2",
        "kind = \"fat-tree\"\nradix = 4\nlevels = 3",
        "kind = \"mesh\"\ndims = [4, 3]",
    ];
    for network in networks {
        let text = |routing: &str, vcs: u32| {
            format!(
                "[topology]\n{network}\n[router]\nvcs = {vcs}\nflow_control = \"wormhole\"\n\
                 [routing]\nalgorithm = \"{routing}\"\n[traffic]\nloads = [0.1]\n"
            )
        };
        let needed = blueprint(&text("layered", 8)).table_vcs();
        assert!((1..=3).contains(&needed), "{network}: {needed}");
        let layered = of(&text("layered", needed));
        acyclic(&layered);
        assert_eq!(layered.reach.longest_route, of(&text("multipath", 1)).reach.longest_route, "{network}");
    }
}

/// The tables of another routing give the same channels with the same ranks.
#[test]
fn tables_that_are_written_read_back_as_the_same_routing() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |text: &str, tables: &str| {
        std::fs::write(folder.path().join("t.csv"), tables).expect("a file");
        let scenario = Scenario::parse(text, "net.toml", folder.path(), &[]).expect("a scenario");
        Blueprint::new(scenario).expect("a network")
    };
    for (kind, dims, routing, head) in [
        ("mesh", "[4, 3]", "dimension-order", "router,to_node,port"),
        ("torus", "[4, 3]", "layered", "router,to_node,port,layer"),
    ] {
        let text = grid(kind, dims, 2, routing, "wormhole");
        let own = blueprint(&text);
        let tables = exported_tables::to_csv(&own).expect("tables");
        assert_eq!(tables.lines().next(), Some(head));
        let text = text.replace(&format!("\"{routing}\""), "\"forwarding\"\ntables = \"t.csv\"");
        let again = read(&text, &tables);
        assert_eq!(exported_tables::to_csv(&again).expect("tables"), tables);
        let (own, again) = (proof(&own), proof(&again));
        assert_eq!(acyclic(&own), acyclic(&again), "{kind}");
        assert_eq!(own.ranks(), again.ranks(), "{kind}");
        assert_eq!(own.reach.states, again.reach.states, "{kind}");
    }
    // One way round a ring; a dateline at router 0: the upper VC up to it, the lower one behind it.
    let rows = (0..5).flat_map(|here| (0..5).map(move |to| (here, to))).filter(|(here, to)| here != to);
    let rows = rows.map(|(here, to)| format!("{here},{to},1,{}\n", u8::from(to < here)));
    let tables = format!("router,to_node,port,vc\n{}", rows.collect::<String>());
    let ring = read(&grid("torus", "[5]", 2, "forwarding\"\ntables = \"t.csv", "wormhole"), &tables);
    assert_eq!(exported_tables::to_csv(&ring).expect("tables"), tables);
    // The injection, four links on the upper VC, which none leaves router 0 by, and four on the lower one.
    assert_eq!((acyclic(&proof(&ring)), proof(&ring).reach.longest_route), (9, Some(4)));
    let one = read(
        &grid("torus", "[5]", 2, "forwarding\"\ntables = \"t.csv", "wormhole"),
        &tables.replace(",1\n", ",0\n"),
    );
    assert!(!proof(&one).holds(), "no dateline");
}

#[test]
fn a_routing_without_tables_is_refused() {
    let refused = |routing: &str, vcs| {
        exported_tables::to_csv(&blueprint(&grid("torus", "[4, 3]", vcs, routing, "vct")))
            .expect_err("no tables")
            .to_string()
    };
    assert!(refused("multipath", 1).contains("the routing offers 2 ports at router"));
    assert!(refused("valiant-table", 6).contains("draw their way at random"));
    let line =
        exported_tables::to_csv(&blueprint(&grid("mesh", "[4]", 3, "table", "vct"))).expect_err("no tables");
    assert!(line.to_string().contains("VCs for node"), "{line}");
}

/// A ring whose packets take another lane behind one link, by their service level: where packets of all levels take one lane, or no level says
/// which, they wait for each other.
#[test]
fn lanes_by_service_level_open_a_ring() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/infiniband");
    let text = std::fs::read_to_string(folder.join("ring.toml")).expect("a file");
    let lanes = std::fs::read_to_string(folder.join("ring.lanes.csv")).expect("a file");
    let own = tempfile::tempdir().expect("a folder");
    for file in ["ring.csv", "ring.levels.csv"] {
        std::fs::copy(folder.join(file), own.path().join(file)).expect("a copy");
    }
    let with = |text: &str, lanes: &str| {
        std::fs::write(own.path().join("ring.lanes.csv"), lanes).expect("a file");
        let scenario = Scenario::parse(text, "ring.toml", own.path(), &[]).expect("a scenario");
        proof(&Blueprint::new(scenario).expect("a network"))
    };
    let by_level = with(&text, &lanes);
    acyclic(&by_level);
    assert_eq!(by_level.reach.longest_route, Some(2));

    let one_lane = lanes.replace(",0 1 ", ",0 0 ");
    assert_ne!(one_lane, lanes);
    let stuck = with(&text, &one_lane);
    assert!(!stuck.holds() && matches!(stuck.verdict, Verdict::Stuck(_)), "{stuck}");

    let levels = "service_levels = \"ring.levels.csv\"\n";
    assert!(text.contains(levels));
    let one_level = with(&text.replace(levels, ""), &lanes);
    assert!(!one_level.holds(), "{one_level}");
}
