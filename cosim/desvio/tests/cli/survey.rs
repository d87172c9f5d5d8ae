//! `desvio survey`.

use super::{Place, examples};
use std::fs;

const SHORT: [&str; 4] = ["--set", "run.warmup_cycles=300", "--set", "run.measure_cycles=300"];

#[test]
fn a_network_that_deadlocks_ends_a_survey() {
    let place = Place::new();
    let multipath = ["survey", "scenarios/torus.toml", "--set", "routing.algorithm=multipath", "--quiet"];
    let short = ["--set", "run.warmup_cycles=2000", "--set", "run.measure_cycles=2000"];
    let ended = place.desvio(&[&multipath[..], &short].concat());
    assert_eq!(ended.status, Some(1), "{ended:#?}");
    assert!(ended.err.contains("torus, ") && ended.err.contains("deadlock"), "{ended:#?}");
}

/// The slow half of the tests.
mod slow {
    use super::*;

    /// Every network of the repository has a row, and costs what its construction says.
    #[test]
    fn every_network_has_a_row_and_a_place_in_the_picture() {
        let place = Place::new();
        let folder = examples().join("networks");
        let mut files: Vec<String> =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().path().display().to_string()).collect();
        files.sort();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let ended = place.succeed(&[&["survey"], &files[..], &SHORT, &["--out", "survey"]].concat());
        assert_eq!(ended.out.lines().count(), files.len() + 1, "{ended:#?}");
        let rows = place.rows("survey/survey.csv");
        let of =
            |name: &str| rows.iter().find(|row| row.starts_with(&format!("{name},"))).unwrap().split(',');
        let cells = |name: &str| of(name).skip(1).take(5).collect::<Vec<_>>();
        assert_eq!(cells("fat-tree"), ["72", "18", "12", "72", "3"]);
        assert_eq!(cells("torus"), ["72", "72", "5", "144", "5"]);
        assert_eq!(cells("complete"), ["72", "9", "16", "36", "2"]);
        assert!(rows.iter().all(|row| row.split(',').nth(1) == Some("72")), "{rows:#?}");
        // Eight nodes at each router send over one cable of nine routers that are all joined.
        let worst: Vec<&str> = of("complete").skip(7).collect();
        assert_eq!(worst[1], "switch-permutation", "{worst:?}");
        assert!((worst[0].parse::<f64>().unwrap() - 0.125).abs() < 0.01, "{worst:?}");
        assert!(
            place.exists("survey/survey.png") && place.read("survey/survey.svg").contains("slim-fly-valiant")
        );
    }
}
