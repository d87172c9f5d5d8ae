//! Packets that wait at the head of a queue for too long: the example of docs/infiniband.md, and what OpenSM tells of it.

use super::fabric::has_opensm;
use super::lockstep::place;
use super::{Ended, Place};
use std::fs;
use std::path::Path;

/// The ring of five switches.
fn ring(place: &Place) {
    for file in ["lifetime.toml", "ring.csv"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/infiniband").join(file);
        fs::copy(from, place.path(file)).unwrap();
    }
}

fn line<'a>(ended: &'a Ended, begins: &str) -> &'a str {
    ended
        .out
        .lines()
        .find(|line| line.trim_start().starts_with(begins))
        .unwrap_or_else(|| panic!("{ended:?}"))
}

#[test]
fn a_ring_that_deadlocks_goes_on() {
    let place = Place::new();
    ring(&place);
    let ended = place.desvio(&["prove", "lifetime.toml"]);
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(ended.out.contains("deadlock   5 packets that can wait for each other for ever"), "{ended:?}");
    let ended = place.desvio(&["run", "lifetime.toml", "--set", "infiniband.hoq_life=20", "--out", "off"]);
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(line(&ended, "0.600").ends_with("deadlock"), "{ended:?}");
    assert!(!place.read("off/summary.csv").contains("discarded"));
    let ended = place.succeed(&["run", "lifetime.toml", "--out", "on"]);
    assert!(line(&ended, "0.600").ends_with("saturated, 45 discarded (45 lifetime)"), "{ended:?}");
    assert!(line(&ended, "0.300").ends_with("fixed"), "{ended:?}");
    let summary = place.read("on/summary.csv");
    assert!(summary.contains(",discarded_management_port,discarded_lifetime,discarded_flits"), "{summary}");
    assert!(summary.lines().any(|line| line.starts_with("0.6,") && line.ends_with(",45,360")), "{summary}");
    assert!(
        place.read("on/scenario.toml").contains("head_lifetime = { node = 64, local = 64, global = 64 }")
    );
    for (count, packets) in [(1, 693), (7, 45)] {
        let set = format!("router.vl_stall_count={count}");
        let ended = place.succeed(&["run", "lifetime.toml", "--set", &set, "--out", &set]);
        let expected = format!("{packets} discarded ({packets} lifetime)");
        assert!(line(&ended, "0.600").ends_with(&expected), "{expected}: {ended:?}");
    }
}

/// What OpenSM writes into the switches' ports is what they do in the run.
#[test]
fn a_fabric_has_the_limits_of_its_manager() {
    if !has_opensm() {
        return;
    }
    let place = Place::new();
    let ended =
        place.succeed(&["fabric", "scenarios/fabric.toml", "--lifetimes", "--no-run", "--out", "own"]);
    let expected = "lifetimes  to nodes HOQLife 16, VLStallCount 7; between switches HOQLife 18, VLStallCount 7; in switches LifeTimeValue 18";
    assert_eq!(line(&ended, "lifetimes"), expected);
    place.write(
        "opensm.conf",
        "head_of_queue_lifetime 0x0\nleaf_head_of_queue_lifetime 0x1\nvl_stall_count 0x3\nleaf_vl_stall_count 0x4\npacket_life_time 0x2\n",
    );
    let sets = [
        "router.buffer_flits=8",
        "traffic.loads=[0.4]",
        "infiniband.lanes=4",
        "infiniband.flit_bytes=64",
        "run.warmup_cycles=2000",
        "run.measure_cycles=8000",
    ];
    let sets: Vec<_> = sets.into_iter().flat_map(|set| ["--set", set]).collect();
    let fabric = |more: &[&str], out: &str| {
        let conf = place.path("opensm.conf").display().to_string();
        let own = ["fabric", "scenarios/fabric.toml", "--out", out, "--quiet"];
        place.desvio(&[&own[..], more, &sets, &["--", "-F", &conf]].concat())
    };
    let off = fabric(&[], "off");
    assert_eq!(off.status, Some(1), "{off:?}");
    assert!(line(&off, "0.400").ends_with("deadlock"), "{off:?}");
    let on = fabric(&["--lifetimes"], "on");
    assert_eq!(on.status, Some(0), "{on:?}");
    assert!(line(&on, "0.400").contains(" discarded ("), "{on:?}");
    let told = "lifetimes  to nodes HOQLife 1, VLStallCount 4; between switches HOQLife 0, VLStallCount 3; in switches LifeTimeValue 2";
    assert_eq!(line(&on, "lifetimes"), told);
    let scenario = place.read("on/scenario.toml");
    assert!(scenario.contains("head_lifetime = { node = 128, local = 64, global = 64 }"), "{scenario}");
    assert!(scenario.contains("packet_lifetime = 256"), "{scenario}");
    assert!(scenario.contains("vl_stall_count = { node = 4, local = 3, global = 3 }"), "{scenario}");
    place.succeed(&["run", "on/scenario.toml", "--out", "again", "--quiet"]);
    assert_eq!(place.rows("on/summary.csv"), place.rows("again/summary.csv"));
}

/// The slow half of the tests.
mod slow {
    use super::*;

    /// At a router by itself and in the network; a limit that is a cycle longer differs.
    #[test]
    fn lifetimes_are_in_lockstep() {
        let Some(place) = place() else { return };
        ring(&place);
        let lockstep = ["lockstep", "lifetime.toml", "--set", "router.vl_stall_count=2", "--cycles", "60000"];
        let ended = place.desvio(&lockstep);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        assert!(ended.out.starts_with("no difference: 60"), "{}", ended.out);
        for case in ["never: lifetime.", "discard.lifetime", "vc.waiting-to-discarding"] {
            assert!(!ended.out.contains(case), "{case}: {}", ended.out);
        }
        let short = ["--set", "run.measure_cycles=5000", "--set", "traffic.loads=[0.9]"];
        let alone = place.succeed(&[&["run", "lifetime.toml", "--out", "alone"][..], &short].concat());
        let both =
            place.succeed(&[&["run", "lifetime.toml", "--rtl", "2", "--out", "both"][..], &short].concat());
        assert!(alone.out.contains(" lifetime)") && both.out.starts_with(alone.out.lines().next().unwrap()));
        assert_eq!(place.read("alone/summary.csv"), place.read("both/summary.csv"));
        let path = place.path("hdl/rtl/router/dsv_lifetime.sv");
        let text = fs::read_to_string(&path).unwrap();
        let planted = text.replace("age >= AGE_W'(limit)", "age > AGE_W'(limit)");
        assert_ne!(text, planted);
        fs::write(path, planted).unwrap();
        let ended = place.desvio(&[&lockstep[..], &["--hdl", "hdl", "--out", "found"]].concat());
        assert_eq!(ended.status, Some(1), "{ended:?}");
        assert!(ended.err.contains("mismatch in cycle "), "{}", ended.err);
    }

    /// Packets that may be in a switch for 4.096 µs, and wait for as long as they like: in the network, at a router by itself, and in both.
    #[test]
    fn packets_grow_old_in_a_switch() {
        let Some(place) = place() else { return };
        ring(&place);
        let limit = ["--set", "infiniband.hoq_life=20", "--set", "infiniband.lifetime_value=0"];
        let alone = place.succeed(&[&["run", "lifetime.toml", "--out", "alone"][..], &limit].concat());
        assert!(line(&alone, "0.600").ends_with(" lifetime)"), "{alone:?}");
        assert!(place.read("alone/scenario.toml").contains("packet_lifetime = 64\n"));
        let ended = place.desvio(
            &[
                &["lockstep", "lifetime.toml", "--cycles", "60000", "--set", "router.buffer_flits=24"][..],
                &limit,
            ]
            .concat(),
        );
        assert_eq!(ended.status, Some(0), "{ended:?}");
        assert!(ended.out.starts_with("no difference: 60"), "{}", ended.out);
        for case in ["never: lifetime.", "discard.lifetime", "vc.waiting-to-discarding"] {
            assert!(!ended.out.contains(case), "{case}: {}", ended.out);
        }
        let short = ["--set", "run.measure_cycles=5000", "--set", "traffic.loads=[0.9]"];
        let run = |more: &[&str], out: &str| {
            let own = ["run", "lifetime.toml", "--out", out];
            place.succeed(&[&own[..], &limit, &short, more].concat())
        };
        let (alone, both) = (run(&[], "short"), run(&["--rtl", "2"], "both"));
        assert!(alone.out.contains(" lifetime)") && both.out.starts_with(alone.out.lines().next().unwrap()));
        assert_eq!(place.read("short/summary.csv"), place.read("both/summary.csv"));
    }
}
