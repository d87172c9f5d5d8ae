//! `desvio prove`.

use super::Place;

#[test]
fn a_routing_is_proven_with_a_certificate() {
    let place = Place::new();
    let ended = place.succeed(&["prove", "scenarios/torus.toml", "--certificate", "torus.json", "--quiet"]);
    assert!(ended.out.contains("no cycle   in the channel dependency graph"), "{ended:#?}");
    assert!(ended.out.contains("routes     at most 8 hops"), "{ended:#?}");
    let file = place.read("torus.json");
    let certificate: serde_json::Value = serde_json::from_str(&file).expect("JSON");
    assert_eq!((&certificate["rule"], &certificate["routers"]), (&"acyclic".into(), &64.into()));
    assert!(certificate["ranks"].as_array().expect("ranks").len() > 960);
}

/// The ring of docs/prove.md has the ranks of its picture.
#[test]
fn the_picture_has_the_ranks() {
    let place = Place::new();
    let ring = ["prove", "scenarios/torus.toml", "--set", "topology.dims=[6]", "--set", "router.vcs=2"];
    place.succeed(&[&ring[..], &["--certificate", "ring.json", "--quiet"]].concat());
    let certificate: serde_json::Value = serde_json::from_str(&place.read("ring.json")).expect("JSON");
    // Router, input port, VC, rank; by port 2 come packets in the direction of the picture.
    let ranks: Vec<[u64; 4]> = serde_json::from_value(certificate["ranks"].clone()).expect("ranks");
    let ranks = ranks.into_iter().filter(|[_, port, ..]| *port == 2);
    let mut expected: Vec<_> =
        ranks.map(|[router, port, vc, rank]| (format!("{router}-{port}-{vc}"), rank.to_string())).collect();
    let picture = include_str!("../../../../docs/ranks.svg");
    let drawn = picture.split("<text id=\"").skip(1).map(|text| {
        let (channel, rest) = text.split_once('"').expect("a channel");
        let (_, rest) = rest.split_once('>').expect("a rank");
        (channel.to_owned(), rest.split_once('<').expect("a rank").0.to_owned())
    });
    let mut drawn: Vec<_> = drawn.collect();
    expected.sort();
    drawn.sort();
    assert_eq!(drawn, expected);
}

/// The packets that wait for each other, their routes, and a scenario whose run ends with status 1.
#[test]
fn a_deadlock_is_shown_and_provoked() {
    let place = Place::new();
    let multipath = ["--set", "routing.algorithm=multipath"];
    let prove = ["prove", "scenarios/torus.toml", "--routes", "--scenario", "stuck.toml"];
    let ended = place.desvio(&[&prove[..], &multipath].concat());
    assert_eq!(ended.status, Some(1), "{ended:#?}");
    for part in [
        "deadlock   32 packets",
        "waits for any of router 7, port 1, VCs 0, 1, 2, 3",
        "from node 1 to node 5:\n",
    ] {
        assert!(ended.out.contains(part), "{part}: {ended:#?}");
    }
    assert!(ended.out.contains("stuck.toml: deadlocks") && ended.err.contains("not proven"), "{ended:#?}");
    let run = place.desvio(&["run", "stuck.toml"]);
    assert_eq!(run.status, Some(1), "{run:#?}");
    assert!(run.err.contains("deadlock: nothing has moved"), "{run:#?}");
}

/// Trees of groups are judged beside the routes. A scenario that is refused with groups is not judged without them.
#[test]
fn groups_are_part_of_the_network() {
    let place = Place::new();
    let proven = place.succeed(&["prove", "scenarios/multicast.toml"]);
    assert!(proven.out.contains("multicast  the trees of 8 groups"), "{proven:#?}");
    let groups = "traffic.pattern={ multicast = { groups = 1, size = 64 } }";
    let mesh = ["prove", "scenarios/mesh.toml", "--set", groups];
    let set = |sets: &[&'static str]| place.desvio(&[&mesh[..], sets].concat());
    let refused = set(&["--set", "router.flow_control=wormhole"]);
    assert_eq!(refused.status, Some(2), "{refused:#?}");
    assert!(refused.err.contains("not with \"wormhole\""), "{refused:#?}");
    let turns = ["--set", "routing.algorithm=turn-model", "--set", "routing.turns=west-first", "--routes"];
    let shared = set(&[&turns[..], &["--set", "router.vcs=1"]].concat());
    assert_eq!(shared.status, Some(1), "{shared:#?}");
    assert!(shared.out.contains("to group 0:\n"), "{shared:#?}");
    assert_eq!(set(&turns).status, Some(0));
}

#[test]
fn bad_input_is_refused_before_the_search() {
    let place = Place::new();
    let refused = |arguments: &[&str]| {
        let ended = place.desvio(arguments);
        assert_eq!(ended.status, Some(2), "{ended:#?}");
        ended.err
    };
    assert!(refused(&["prove", "none.toml"]).contains("none.toml"));
    let duato = ["--set", "routing.algorithm=duato", "--set", "router.flow_control=wormhole"];
    assert!(refused(&[&["prove", "scenarios/mesh.toml"], &duato[..]].concat()).contains("wormhole"));
    let pairs = "traffic.pattern={ pairs = [[0, 1], [0, 2]] }";
    assert!(refused(&["run", "scenarios/mesh.toml", "--set", pairs]).contains("already the sender"));
    let far = "traffic.pattern={ pairs = [[0, 64]] }";
    assert!(refused(&["run", "scenarios/mesh.toml", "--set", far]).contains("a node from 0 to 63"));
    assert!(
        refused(&["prove", "scenarios/mesh.toml", "--certificate", "no/such/folder.json"])
            .contains("no/such/folder.json")
    );
}

/// A certificate holds for its scenario, also with other traffic; each way to tamper with it ends with status 1 and what does not hold.
#[test]
fn a_certificate_is_checked() {
    let place = Place::new();
    let small = ["--set", "topology.dims=[4, 3]"];
    place.succeed(&[&["prove", "scenarios/torus.toml", "--certificate", "torus.json"], &small[..]].concat());
    let check = |name: &str, sets: &[&str]| {
        place.desvio(&[&["prove", "scenarios/torus.toml", "--check", name], &small[..], sets].concat())
    };
    let ended = check("torus.json", &["--set", "traffic.pattern=tornado", "--set", "traffic.loads=[0.9]"]);
    assert_eq!(ended.status, Some(0), "{ended:#?}");
    assert!(ended.out.contains("torus.json: holds: "), "{ended:#?}");
    for (set, why) in [
        ("router.vcs=6", "is of another scenario: `"),
        ("routing.ties=up", "is of another scenario: `ties = "),
        ("traffic.packet_flits=2", "is of another scenario: `packet_flits = "),
    ] {
        let ended = check("torus.json", &["--set", set]);
        assert_eq!(ended.status, Some(1), "{ended:#?}");
        assert!(ended.err.contains(why), "{set}: {ended:#?}");
    }
    let file = place.read("torus.json");
    let line =
        |n: usize| file.lines().filter(|line| line.starts_with("    [")).nth(n).expect("a rank").to_owned();
    let raised = |line: &str| {
        let (before, rank) = line.trim_end_matches("],").rsplit_once(", ").expect("a rank");
        format!("{before}, {}],", rank.parse::<u32>().expect("a number") + 1000)
    };
    let first = line(20);
    let number = |key: &str| {
        let of = file.lines().find(|line| line.contains(&format!("\"{key}\"")));
        let line = of.expect("a claim").to_owned();
        (line.clone(), line.replace(": ", ": 9"))
    };
    let tampered = [
        (format!("{first}\n"), String::new(), "has no rank"),
        (first.clone(), format!("{first}\n{first}"), "a second one"),
        (first.clone(), first.replace("    [0, ", "    [99, ").replace("    [1, ", "    [99, "), "rank"),
        (first.clone(), raised(&first), "lower rank"),
        ("\"rule\": \"acyclic\"".to_owned(), "\"rule\": \"proven\"".to_owned(), "no certificate"),
        ("\"format\": 1".to_owned(), "\"format\": 2".to_owned(), "format 2 is unknown"),
        (number("states").0, number("states").1, " states, not 9"),
        (number("hops").0, number("hops").1, " hops, not 9"),
        (number("longest_route").0, number("longest_route").1, "longest route, not 9"),
        (number("routers").0, number("routers").1, "routers and "),
        (number("nodes").0, number("nodes").1, "nodes, not "),
        ("dims = [4, 3]".to_owned(), "dims = [3, 4]".to_owned(), "is of another scenario"),
        ("\"format\"".to_owned(), "\"signed\": 1, \"format\"".to_owned(), "unknown field"),
        ("{".to_owned(), String::new(), "no certificate"),
    ];
    for (from, to, why) in tampered {
        assert!(file.contains(&from), "{from}");
        place.write("tampered.json", file.replacen(&from, &to, 1));
        let ended = check("tampered.json", &[]);
        assert_eq!(ended.status, Some(1), "{from} to {to}: {ended:#?}");
        assert!(ended.err.contains(why) && ended.err.contains("not proven"), "{from} to {to}: {ended:#?}");
    }
    assert_eq!(check("none.json", &[]).status, Some(2));
}
