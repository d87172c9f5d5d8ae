//! A killed run loses no finished load.

use super::{DESVIO, Place};
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Kills a command as soon as it has told of two loads; the rows that it left in a table, at least those two.
fn kill_after_two_loads(place: &Place, arguments: &[&str], table: &str) -> Vec<String> {
    let err = File::create(place.path("told.txt")).unwrap();
    let mut child = place.command(DESVIO, arguments).stdout(Stdio::null()).stderr(err).spawn().unwrap();
    let begun = Instant::now();
    let told = || place.read("told.txt").lines().filter(|line| line.contains(" accepted ")).count();
    while told() < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        assert!(begun.elapsed() < Duration::from_secs(60), "no load was ever finished");
        sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None, "killed by a signal");
    let rows = place.rows(table);
    assert!(rows.len() >= told(), "{} rows, but {} loads were told", rows.len(), told());
    rows
}

/// Thirty loads, 0.01 to 0.3: far more than are finished when the second one is.
fn many_loads() -> String {
    let loads: Vec<_> = (1..=30).map(|n| format!("{}", f64::from(n) / 100.0)).collect();
    format!("traffic.loads=[{}]", loads.join(","))
}

#[test]
fn a_run_keeps_its_finished_loads() {
    let place = Place::new();
    let loads = many_loads();
    let slow = ["--threads", "1", "--set", "run.measure_cycles=20000", "--set", "topology.dims=[4,4]"];
    let arguments = [&["run", "small.toml", "--out", "r", "--set", &loads][..], &slow].concat();
    let rows = kill_after_two_loads(&place, &arguments, "r/summary.csv");
    assert!((1..30).contains(&rows.len()), "{} rows", rows.len());
    assert!(rows.iter().all(|row| row.split(',').count() == 25 && row.contains(",fixed,")), "{rows:?}");
    assert!(place.read("r/summary.csv").ends_with('\n'));
    let json: serde_json::Value = serde_json::from_str(&place.read("r/summary.json")).unwrap();
    assert!(!json["curves"][0]["points"].as_array().unwrap().is_empty());

    place.succeed(&["run", "small.toml", "--out", "r"]);
    assert_eq!(left_over(&place.path("r")), [] as [String; 0], "the next run sweeps");
    assert_eq!(place.rows("r/summary.csv").len(), 2);
}

#[test]
fn a_comparison_keeps_its_finished_loads() {
    let place = Place::new();
    let loads = many_loads();
    let slow = ["--threads", "2", "--set", "run.measure_cycles=20000", "--set", "topology.dims=[4,4]"];
    let vary = ["--out", "r", "--vary", "router.vcs=1,2,4", "--set", &loads];
    let arguments = [&["compare", "small.toml"][..], &slow, &vary].concat();
    let rows = kill_after_two_loads(&place, &arguments, "r/compare.csv");
    assert!((1..90).contains(&rows.len()), "{} rows", rows.len());
    assert!(rows.iter().all(|row| row.starts_with("vcs = ") && row.split(',').count() == 26), "{rows:?}");
}

fn left_over(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".tmp")).collect()
}
