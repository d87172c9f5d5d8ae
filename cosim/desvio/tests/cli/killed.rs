//! A killed run loses no finished load.

use super::{DESVIO, Place, examples};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Kills a command as soon as it has told of two loads; the rows that it left in a table, at least those two.
fn kill_after_two_loads(place: &Place, arguments: &[&str], table: &str) -> Vec<String> {
    let mut child = start(place, arguments);
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
    assert!(rows.iter().all(|row| row.split(',').count() == 26 && row.contains(",fixed,")), "{rows:?}");
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
    assert!(rows.iter().all(|row| row.starts_with("vcs = ") && row.split(',').count() == 27), "{rows:?}");
}

/// Waits until a command has told a line.
fn wait_for(place: &Place, child: &mut Child, line: &str) {
    let begun = Instant::now();
    while !place.read("told.txt").contains(line) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it told of {line}");
        assert!(begun.elapsed() < Duration::from_secs(60), "it never told of {line}");
        sleep(Duration::from_millis(2));
    }
}

fn start(place: &Place, arguments: &[&str]) -> Child {
    let err = File::create(place.path("told.txt")).unwrap();
    place.command(DESVIO, arguments).stdout(Stdio::null()).stderr(err).spawn().unwrap()
}

#[test]
#[cfg(unix)]
fn a_second_run_keeps_out_and_a_signal_says_where_the_finished_loads_are() {
    use std::os::unix::process::ExitStatusExt as _;
    let place = Place::new();
    let loads = many_loads();
    let slow = ["--threads", "1", "--set", "run.measure_cycles=20000", "--set", "topology.dims=[4,4]"];
    let mut first =
        start(&place, &[&["run", "small.toml", "--out", "r", "--set", &loads][..], &slow].concat());
    wait_for(&place, &mut first, " accepted ");
    for command in [&["run", "small.toml"][..], &["compare", "small.toml", "--vary", "run.seed=1,2"]] {
        let second = place.desvio(&[command, &["--out", "r"]].concat());
        assert_eq!((second.status, second.out.as_str()), (Some(2), ""));
        assert_eq!(second.err, "error: another desvio writes to r\n");
    }
    assert!(!place.rows("r/summary.csv").is_empty(), "the first is unharmed");
    assert!(Command::new("kill").args(["-TERM", &first.id().to_string()]).status().unwrap().success());
    assert_eq!(first.wait().unwrap().signal(), Some(15));
    let told = place.read("told.txt");
    let rows = place.rows("r/summary.csv").len();
    assert_eq!(told.lines().last().unwrap(), format!("ended by SIGTERM: finished loads, {rows}, are in r"));
    assert!((1..30).contains(&rows), "{rows} rows");
    assert_eq!(left_over(&place.path("r")), [] as [String; 0]);
}

#[test]
fn every_command_keeps_out_of_a_folder_that_another_writes_into() {
    let place = Place::new();
    fs::create_dir(place.path("taken")).unwrap();
    let taken = File::open(place.path("taken")).unwrap();
    taken.lock().unwrap();
    let conform =
        ["conform", "--rtl", "small.toml", "--top", "t", "--map", "map.toml", "scenarios/petersen.toml"];
    fs::copy(examples().join("../examples/foreign-switch/map.toml"), place.path("map.toml")).unwrap();
    for command in [
        &["run", "small.toml"][..],
        &["lockstep", "scenarios/tiny.toml"],
        &["lockstep", "--campaign"],
        &["cost", "scenarios/tiny.toml"],
        &conform,
    ] {
        let ended = place.desvio(&[command, &["--out", "taken"]].concat());
        let sentence = "error: another desvio writes to taken\n";
        assert_eq!((ended.status, ended.err.as_str()), (Some(2), sentence), "{command:?}");
    }
}

#[test]
fn a_disk_that_is_full_for_a_moment_costs_nothing_and_is_told_at_once() {
    let place = Place::new();
    let loads = "traffic.loads=[0.02,0.04,0.06,0.08,0.1,0.12,0.14,0.16]";
    let slow = ["--threads", "1", "--set", "run.measure_cycles=20000", "--set", "topology.dims=[4,4]"];
    let mut child =
        start(&place, &[&["run", "small.toml", "--out", "r", "--set", loads][..], &slow].concat());
    wait_for(&place, &mut child, " accepted ");
    // No file can be written over a folder.
    let blocked = place.path("r/provenance.json");
    fs::remove_file(&blocked).unwrap();
    fs::create_dir(&blocked).unwrap();
    wait_for(&place, &mut child, "warning: ");
    fs::remove_dir(&blocked).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{}", place.read("told.txt"));
    let told = place.read("told.txt");
    let warnings: Vec<_> = told.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert_eq!(warnings.len(), 1, "{told}");
    assert!(warnings[0].starts_with("warning: cannot write the results: r/provenance.json: "), "{told}");
    assert_eq!(place.rows("r/summary.csv").len(), 8);
    assert!(place.exists("r/latency.svg") && place.exists("r/provenance.json"));
}

/// In a name space of its own: a file system of 4 MiB, which a file fills after the first load and leaves after the first warning.
#[cfg(target_os = "linux")]
const FILLS_AND_EMPTIES: &str = r#"
mkdir r && mount -t tmpfs -o size=4m none r || exit 77
"$@" > out.txt 2> told.txt &
child=$!
until grep -q ' accepted ' told.txt; do kill -0 $child || exit 3; sleep 0.01; done
dd if=/dev/zero of=r/filler bs=4k 2> /dev/null
until grep -q '^warning: ' told.txt; do kill -0 $child || exit 4; sleep 0.01; done
rm r/filler
wait $child || exit 5
mkdir kept && cp -r r/. kept
"#;

/// A disk that is really full, and has room again.
#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_fills_and_empties_costs_nothing() {
    let place = Place::new();
    let slow = ["--threads", "1", "--set", "run.measure_cycles=20000", "--set", "topology.dims=[4,4]"];
    let loads: Vec<_> = (1..=16).map(|n| format!("{}", f64::from(n) / 100.0)).collect();
    let loads = format!("traffic.loads=[{}]", loads.join(","));
    let run = [&[DESVIO, "run", "small.toml", "--out", "r", "--set", &loads][..], &slow].concat();
    let apart = [&["-Urm", "sh", "-c", FILLS_AND_EMPTIES, "sh"][..], &run].concat();
    let status = place.command("unshare", &apart).status().ok().and_then(|status| status.code());
    // Where no name space may be made `unshare` ends with 1, and what mounts nothing with 77.
    if matches!(status, None | Some(1 | 77)) && !place.exists("told.txt") {
        println!("skipped, nothing was tested: no file system of its own can be mounted here");
        return;
    }
    let told = place.read("told.txt");
    assert_eq!(status, Some(0), "{told}");
    let warnings: Vec<_> = told.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert!(!warnings.is_empty() && warnings.iter().all(|line| line.contains("No space left")), "{told}");
    assert_eq!(place.rows("kept/summary.csv").len(), 16, "{told}");
    assert!(place.exists("kept/latency.svg") && place.exists("kept/latency.png"), "{told}");
    assert_eq!(left_over(&place.path("kept")), [] as [String; 0]);
    let points = fs::read_dir(place.path("kept/points")).unwrap().map(|file| file.unwrap().path());
    let lines = points.map(|file| fs::read_to_string(file).unwrap().lines().count());
    assert_eq!(lines.sum::<usize>(), 16, "every load is kept for the next run, too");
}

fn left_over(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".tmp")).collect()
}
