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
