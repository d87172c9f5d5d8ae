//! Links that lose packets: the example of docs/infiniband.md.

use super::Place;
use super::lockstep::place;
use std::fs;
use std::path::Path;

fn example(place: &Place) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/infiniband/loss.toml");
    fs::copy(from, place.path("loss.toml")).unwrap();
}

#[test]
fn what_is_lost_is_made_good_by_absolute_credits_alone() {
    let place = Place::new();
    example(&place);
    let ended = place.succeed(&["run", "loss.toml", "--out", "absolute", "--quiet"]);
    let last = ended.out.lines().last().unwrap();
    assert!(
        last.starts_with(" 0.300  0.2944 ") && last.ends_with("fixed, 5672 flits lost by links"),
        "{last}"
    );
    let ended =
        place.desvio(&["run", "loss.toml", "--set", "links.credits=pulse", "--out", "pulse", "--quiet"]);
    assert_eq!(ended.status, Some(1), "{ended:?}");
    let last = ended.out.lines().last().unwrap();
    assert!(
        last.starts_with(" 0.300  0.1907 ") && last.ends_with("losses, 2224 flits lost by links"),
        "{last}"
    );
    assert!(ended.err.contains("waits for places that were lost with packets or credits"), "{ended:?}");
    let scenario = place.read("absolute/scenario.toml");
    assert!(
        scenario.contains("credits = \"absolute\"\ncredit_period = 64\npacket_loss = 0.01\n"),
        "{scenario}"
    );
}

/// The slow half of the tests.
mod slow {
    use super::*;

    /// The router is the same: in SystemVerilog it is given the same credits, those of links that lose them, and those that have a latency of their own.
    #[test]
    fn routers_in_systemverilog_have_the_same_links() {
        let Some(place) = place() else { return };
        example(&place);
        let run = |links: &[&str], more: &[&str], out: &str| {
            let short = ["run.measure_cycles=2000", "run.warmup_cycles=0", "traffic.loads=[0.3]"];
            let sets: Vec<_> = short.iter().chain(links).flat_map(|set| ["--set", set]).collect();
            place.desvio(&[&["run", "loss.toml", "--quiet", "--out", out][..], &sets, more].concat())
        };
        let plain = ["links.credits=pulse", "links.packet_loss=0"];
        let late = [&plain[..], &["links.credit_latency={ local = 40 }"]].concat();
        for (links, name) in [(&["links.credit_loss=0.2"][..], "lossy"), (&late, "late")] {
            let (alone, both) = (format!("{name}-alone"), format!("{name}-both"));
            let ended = run(links, &[], &alone);
            assert_eq!(ended.out.contains(" flits lost by links"), name == "lossy", "{ended:?}");
            assert_eq!(run(links, &["--rtl", "2"], &both).status, Some(0), "{name}");
            let summary = |of: &str| place.read(&format!("{of}/summary.csv"));
            assert_eq!(summary(&alone), summary(&both));
        }
        let whole = [&plain[..], &["links.credit_flits=2", "traffic.packet_flits=8"]].concat();
        let ended = run(&whole, &["--rtl", "2"], "whole");
        assert_eq!(ended.status, Some(2), "{ended:?}");
        assert!(
            ended.err.contains("links.credit_flits: a router in SystemVerilog takes a pulse for each flit"),
            "{ended:?}"
        );
    }
}
