//! Words that are nearly right, and keys where they do not belong.

use super::{Ended, Place};

#[test]
fn what_was_probably_meant_is_told() {
    let place = Place::new();
    for (scenario, set, told) in [
        ("dragonfly", "routing.algorithm=ugal-l", "did you mean \"ugal-dragonfly\"?"),
        ("dragonfly", "routing.algorithm=valian", "did you mean \"valiant\"?"),
        ("mesh", "topology.kind=dragonfy", "did you mean \"dragonfly\"?"),
        ("mesh", "router.allocatr=wavefront", "did you mean `allocator`?"),
        ("dragonfly", "traffic.pattern=advers", "did you mean \"adversarial\"?"),
        ("dragonfly", "traffic.pattern=ADV+1", "did you mean { adversarial = 1 }?"),
        ("dragonfly", "traffic.pattern=advl+2", "did you mean { adversarial-local = 2 }?"),
        ("mesh", "traffic.loads=[0.1,0.2,0.1]", "the load 0.1 is given twice"),
        ("mesh", "traffic.loads={from=0.1,to=0.2,step=0.1}", "belongs in a campaign, as the axis `load`"),
        (
            "petersen",
            "traffic.pattern={pairs=[[0,99]]}",
            "the pattern `pairs` names node 99, but there are 20 nodes",
        ),
    ] {
        let file = format!("scenarios/{scenario}.toml");
        let Ended { status, err, .. } = place.desvio(&["run", &file, "--set", set, "--show"]);
        let err = if status == Some(0) { place.desvio(&["run", &file, "--set", set]).err } else { err };
        assert!(err.contains(told), "{set}: {err}");
    }
}

/// On a mesh, `olm` is no help.
#[test]
fn only_routings_that_fit_the_topology_are_named() {
    let place = Place::new();
    let ended = place.desvio(&["run", "scenarios/mesh.toml", "--set", "routing.algorithm=nothing"]);
    assert!(ended.err.contains("\"odd-even\"") && !ended.err.contains("\"olm\""), "{}", ended.err);
}

#[test]
fn what_is_asked_of_the_wrong_place_is_told_the_right_one() {
    let place = Place::new();
    place.succeed(&["run", "small.toml", "--out", "r", "--quiet"]);
    place.write("twice.toml", "[topology]\nkind = = \"mesh\"\n");
    let vary = ["compare", "small.toml", "--vary", "load=0.1,0.2"];
    for (arguments, told) in [
        (&["run", "r"][..], "error: r is a folder; its scenario is r/scenario.toml"),
        (&["report", "nowhere"], "error: nowhere: there is no such folder"),
        (&vary, "in a campaign `load` is an axis"),
        (&["run", "twice.toml"], "one `=` too many, expected key = value"),
    ] {
        let Ended { status, err, .. } = place.desvio(arguments);
        assert!(status == Some(2) && err.contains(told), "{arguments:?}: {err}");
    }
}

/// The engine is in the version and in the provenance of each command that runs, and nothing that differs from run to run.
#[test]
fn the_engine_is_named_alike_everywhere() {
    let place = Place::new();
    let version = place.succeed(&["--version"]).out;
    assert!(version.starts_with("desvio ") && version.contains(", sources "), "{version}");
    let engine = |name: &str| {
        let file: serde_json::Value = serde_json::from_str(&place.read(name)).unwrap();
        format!("{}\n", file["engine"].as_str().unwrap())
    };
    place.succeed(&["run", "small.toml", "--out", "r", "--quiet"]);
    place.succeed(&["compare", "small.toml", "--vary", "router.vcs=1,2", "--out", "c", "--quiet"]);
    assert_eq!((engine("r/provenance.json"), engine("c/provenance.json")), (version.clone(), version));
}

#[test]
#[cfg(unix)]
fn an_argument_that_is_no_text_is_named() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::new();
    let mut command = place.command(super::DESVIO, &["run", "small.toml", "--set"]);
    command.arg(std::ffi::OsStr::from_bytes(b"run.seed=\xff"));
    let Ended { status, err, .. } = super::end(command);
    assert_eq!((status, err.as_str()), (Some(2), "error: the argument \"run.seed=\\xFF\" is not UTF-8\n"));
}
