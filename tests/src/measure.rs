//! Scenarios in a line, and runs that must go well.

use desvio_sim::blueprint::Blueprint;
use desvio_sim::campaign::Observer;
use desvio_sim::run::{Outcome, Progress, run};
use desvio_sim::scenario::Scenario;
use desvio_sim::summary::Summary;
use std::path::Path;

/// Builds the scenario `text` with some keys set.
///
/// # Panics
/// When the scenario is refused.
#[must_use]
pub fn blueprint(text: &str, sets: &[&str]) -> Blueprint {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let scenario = Scenario::parse(text, "test.toml", Path::new(""), &sets)
        .unwrap_or_else(|error| panic!("{sets:?} of\n{text}\n{error}"));
    Blueprint::new(scenario).unwrap_or_else(|error| panic!("{sets:?} of\n{text}\n{error}"))
}

/// Of several loads, each must go well.
pub struct Sound;

impl Observer for Sound {
    fn progress(&self, _: f64, _: Progress) {}
    fn finished(&self, outcome: &Outcome) {
        assert_eq!(outcome.violation, None);
        assert_eq!(outcome.summary.packets_lost, 0);
    }
}

/// The balanced Dragonfly of the papers: `h` nodes and global links per router, `2h` routers per group. Everything
/// else as published, unless set.
#[must_use]
pub fn dragonfly(h: u32, sets: &[&str]) -> Blueprint {
    let text = format!(
        "topology = {{ kind = \"dragonfly\", p = {h}, a = {}, h = {h} }}\ntraffic = {{ loads = [1.0] }}",
        2 * h
    );
    blueprint(&text, sets)
}

/// Runs one load, whatever comes of it.
///
/// # Panics
/// When the load cannot be run.
#[must_use]
pub fn outcome(blueprint: &Blueprint, load: f64) -> Outcome {
    run(blueprint, load, &|_| ()).unwrap_or_else(|error| panic!("load {load}: {error}"))
}

/// The longest mean wait for a link between routers, in cycles, of a run with `run.details`.
///
/// # Panics
/// Without details.
#[must_use]
pub fn longest_wait(summary: &Summary) -> f64 {
    let links = &summary.details.as_ref().expect("run.details").links;
    links.iter().filter(|link| link.class != "node").map(|link| link.wait_mean).fold(0.0, f64::max)
}

/// Runs one load that must go well.
///
/// # Panics
/// When an invariant breaks, a packet is lost or none is delivered.
#[must_use]
pub fn measure(blueprint: &Blueprint, load: f64) -> Summary {
    let outcome = outcome(blueprint, load);
    if let Some(violation) = outcome.violation {
        panic!("load {load} of {:#?}\n{violation}", blueprint.scenario());
    }
    assert_eq!(outcome.summary.packets_lost, 0, "load {load} of {:#?}", blueprint.scenario());
    assert_ne!(outcome.summary.packets_measured, 0, "nothing was delivered at load {load}");
    outcome.summary
}

/// The four patterns of the papers' tables on a Dragonfly with `h` global links per router, and what they are called.
#[must_use]
pub fn patterns(h: u32) -> [(&'static str, String); 4] {
    let adversarial = |n| format!("traffic.pattern={{adversarial={n}}}");
    [
        ("UN", "traffic.pattern=\"uniform\"".to_owned()),
        ("ADV+1", adversarial(1)),
        ("ADV+h", adversarial(h)),
        ("ADVL+1", "traffic.pattern={adversarial-local=1}".to_owned()),
    ]
}
