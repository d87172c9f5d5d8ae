//! Every example scenario can be loaded and run.

use super::{Place, examples};
use std::fs;

fn names() -> Vec<String> {
    let names =
        fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".toml")).collect();
    names.sort();
    names
}

#[test]
fn every_example_runs() {
    let place = Place::new();
    let quick = ["--set", "run.warmup_cycles=200", "--set", "run.measure_cycles=300", "--quiet"];
    assert!(names().len() >= 7);
    for name in names() {
        let file = format!("scenarios/{name}");
        let ended = place.succeed(&[&["run", &file][..], &quick].concat());
        let stem = name.trim_end_matches(".toml");
        let rows = place.rows(&format!("results/{stem}/summary.csv"));
        assert_eq!(ended.out.lines().count(), rows.len() + 2, "{name}: {}", ended.out);
        assert!(
            !rows.is_empty() && rows.iter().all(|row| row.contains(",0,fixed,") || row.contains(",0,s")),
            "{rows:?}"
        );
        place.succeed(&["topology", &file]);
    }
}

#[test]
fn every_example_is_in_the_list() {
    let list = fs::read_to_string(examples().join("README")).unwrap();
    for name in names() {
        assert!(list.contains(&name), "{name}");
    }
}

#[test]
fn the_traffic_that_switches_has_a_series() {
    let place = Place::new();
    let quick = ["--set", "run.warmup_cycles=4800", "--set", "run.measure_cycles=600", "--quiet"];
    place.succeed(&[&["run", "scenarios/transient.toml"][..], &quick].concat());
    let rows = place.rows("results/transient/series.csv");
    assert!(
        rows.iter().any(|row| row.starts_with("0.2,-5000,"))
            && rows.iter().any(|row| row.starts_with("0.2,0,"))
    );
}
