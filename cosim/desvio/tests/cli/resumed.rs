//! A run that was interrupted goes on where it was; a repeated one runs nothing.

use super::{DESVIO, Place};
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Twelve loads, each of which takes some milliseconds.
const LOADS: &str = "traffic.loads=[0.02,0.04,0.06,0.08,0.1,0.12,0.14,0.16,0.18,0.2,0.22,0.24]";
const RUN: [&str; 9] = [
    "run",
    "small.toml",
    "--threads",
    "1",
    "--set",
    LOADS,
    "--set",
    "topology.dims=[4,4]",
    "--set=run.measure_cycles=2000",
];

/// The names of the points in a folder of results, as often as each was computed.
fn computed(place: &Place, out: &str) -> Vec<String> {
    let Ok(files) = fs::read_dir(place.path(out).join("points")) else { return Vec::new() };
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect::<String>();
    let whole = texts.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let name = |line: &str| line.split_once("\"point\":\"").unwrap().1[..32].to_owned();
    let mut names: Vec<String> = whole.map(name).collect();
    names.sort();
    names
}

/// Every file of a folder of results but for the points.
fn files(place: &Place, out: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(place.path(out)).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    let named = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let mut files: Vec<_> = files.map(|path| (named(&path), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn a_killed_run_goes_on_and_a_repeated_one_runs_nothing() {
    let place = Place::new();
    let with = |more: &[&'static str]| [&RUN[..], more].concat();
    place.succeed(&with(&["--out", "whole", "--again"]));
    let expected = files(&place, "whole");
    assert!(expected.len() > 10, "{}", expected.len());

    for wanted in [1, 4, 9] {
        let mut child = place.command(DESVIO, &with(&["--out", "r"]));
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while computed(&place, "r").len() < wanted {
            assert!(begun.elapsed() < Duration::from_secs(60), "{wanted} loads were never finished");
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = computed(&place, "r").len();
    assert!((9..12).contains(&before), "killed too late: {before}");
    let ended = place.succeed(&with(&["--out", "r"]));
    let told =
        format!("loads that were finished before, {before}, are from r/points; --again runs them anew\n");
    assert!(ended.err.contains(&told), "{}", ended.err);
    let names = computed(&place, "r");
    assert_eq!((names.len(), names.windows(2).filter(|two| two[0] == two[1]).count()), (12, 0), "once each");
    assert_eq!(names, computed(&place, "whole"));
    assert!(files(&place, "r") == expected, "the files of a run that nothing interrupted");

    let again = place.succeed(&with(&["--out", "r"]));
    assert!(
        again.err.contains("finished before, 12, ") && again.err.contains("\n0 simulated cycles"),
        "{again:?}"
    );
    assert!(again.out == ended.out && files(&place, "r") == expected);
    // The same loads among others, in a comparison; and all of them anew.
    place.succeed(&[&["compare"], &RUN[1..], &["--vary", "run.seed=1,2", "--out", "r"]].concat());
    assert_eq!(computed(&place, "r").len(), 24);
    place.succeed(&with(&["--out", "r", "--again", "--quiet"]));
    assert_eq!(computed(&place, "r").len(), 36);
    assert_eq!(files(&place, "r"), expected);
}

#[test]
fn a_search_goes_on_and_what_is_damaged_is_run_again() {
    let place = Place::new();
    let search = ["run", "small.toml", "--set", "traffic.loads=saturation", "--out", "s"];
    let (first, second) = (place.succeed(&search), place.succeed(&search));
    assert_eq!(first.out, second.out);
    assert!(
        second.err.contains("\n0 simulated cycles") && !first.err.contains("finished before"),
        "{second:?}"
    );
    // Another scenario finds nothing.
    let other = ["run", "small.toml", "--set", "run.seed=3", "--out", "s"];
    let told = place.succeed(&other).err;
    assert!(!told.contains("finished before"), "{told}");
    // A changed byte costs its load: one of the other scenario's two.
    let segments = fs::read_dir(place.path("s/points")).unwrap().map(|entry| entry.unwrap().path());
    let two = segments.map(|path| (fs::read(&path).unwrap(), path));
    let two = two.filter(|(bytes, _)| bytes.iter().filter(|byte| **byte == b'\n').count() == 2);
    let (bytes, segment) = two.last().unwrap();
    fs::write(&segment, [b"{", &bytes[..]].concat()).unwrap();
    let mended = place.succeed(&other);
    assert!(mended.err.contains(": 1 damaged entry removed\n"), "{}", mended.err);
    assert!(mended.err.contains("finished before, 1, "), "{}", mended.err);
    // Details are kept, too.
    let detailed = ["run", "small.toml", "--set", "run.details=true", "--out", "d"];
    let tables = || ["links.csv", "nodes.csv", "latency.csv"].map(|name| place.read(&format!("d/{name}")));
    place.succeed(&detailed);
    let first = tables();
    let told = place.succeed(&detailed).err;
    assert!(told.contains("finished before, 2, ") && tables() == first, "{told}");
}
