//! Files of somebody else in the folder of results: none is lost.

use super::{DESVIO, Ended, Place, end};
use std::fs;
use std::path::Path;

/// Every file below a folder, with what is in it.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(files(&entry));
        } else {
            found.push((entry.display().to_string(), fs::read(&entry).unwrap()));
        }
    }
    found.sort();
    found
}

const CAMPAIGN: &str = "base = \"small.toml\"\n[axes]\n\"router.vcs\" = [1, 2]\n";

/// Each command into each folder that has a file of a name that it, or another one, writes.
#[test]
fn a_folder_of_somebody_else_is_refused_and_stays_as_it_was() {
    let place = Place::new();
    place.write("c.toml", CAMPAIGN);
    let commands: [&[&str]; 7] = [
        &["run", "small.toml", "--out", "theirs"],
        &["compare", "small.toml", "--vary", "router.vcs=1,2", "--out", "theirs"],
        &["campaign", "collect", "c.toml", "--out", "theirs"],
        &["campaign", "submit", "c.toml", "--engine", "slurm", "--out", "theirs"],
        &["survey", "small.toml", "--out", "theirs"],
        &["cost", "small.toml", "--out", "theirs"],
        &["lockstep", "small.toml", "--out", "theirs"],
    ];
    for name in ["summary.csv", "links.csv", "report.html", "scenario.toml", "provenance.json", "latency.png"]
    {
        let folder = place.path("theirs");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(name), "mine").unwrap();
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        let before = files(&folder);
        for command in commands {
            let Ended { status, err, .. } = place.desvio(command);
            let told =
                format!("theirs: {name} is there, and no provenance.json of desvio: it would be lost.");
            assert!(status == Some(2) && err.contains(&told), "{command:?}: {err}");
            assert!(files(&folder) == before, "{command:?}, {name}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn a_folder_with_other_files_and_one_of_ours_are_used() {
    let place = Place::new();
    fs::create_dir(place.path("r")).unwrap();
    place.write("r/notes.txt", "mine");
    for _ in 0..2 {
        place.succeed(&["run", "small.toml", "--out", "r", "--quiet"]);
    }
    place.succeed(&["compare", "small.toml", "--vary", "router.vcs=1,2", "--out", "r", "--quiet"]);
    assert!(!place.exists("r/summary.csv") && place.read("r/notes.txt") == "mine");
    // What ends before it has a result leaves no mark behind.
    place.write("bad.toml", super::SMALL.replace("[traffic]", "[traffic]\npattern = \"transpose\""));
    fs::create_dir(place.path("empty")).unwrap();
    place.desvio(&["survey", "bad.toml", "--out", "empty", "--set", "run.limit_cycles=0"]);
    assert!(files(&place.path("empty")).is_empty());
}

/// Files in `points` that are no segments, and lines of segments that are no entries.
#[test]
fn lines_of_somebody_else_in_the_folder_of_points_stay() {
    let place = Place::new();
    place.write("c.toml", CAMPAIGN);
    fs::create_dir_all(place.path("r/points/folder-1-0123456789abcdef.jsonl")).unwrap();
    let lines = "{\"a\":1}\n{\"b\":2}\nno end";
    for name in ["dataset.jsonl", "a-b-c.jsonl", "host-1-0123456789abcdef.jsonl"] {
        place.write(&format!("r/points/{name}"), lines);
    }
    let damaged = format!("{lines}\n{{\"check\":\"0123456789abcdef\",\"point\":1}}\n");
    place.write("r/points/host-2-0123456789abcdef.jsonl", damaged);
    #[cfg(unix)]
    {
        place.write("elsewhere.jsonl", lines);
        let link = place.path("r/points/host-3-0123456789abcdef.jsonl");
        std::os::unix::fs::symlink(place.path("elsewhere.jsonl"), link).unwrap();
        let mut fifo = place.command("mkfifo", &["r/points/host-4-0123456789abcdef.jsonl"]);
        assert_eq!(end_of(&mut fifo), Some(0));
    }
    let run = place.succeed(&["run", "small.toml", "--out", "r"]);
    assert!(run.err.contains("host-2-0123456789abcdef.jsonl: 1 damaged entry removed\n"), "{}", run.err);
    assert_eq!(run.err.matches("damaged").count(), 1, "{}", run.err);
    place.succeed(&["campaign", "run", "c.toml", "--out", "r", "--quiet"]);
    assert!(place.succeed(&["campaign", "status", "c.toml", "--out", "r"]).err.is_empty());
    for name in ["dataset.jsonl", "a-b-c.jsonl", "host-1-0123456789abcdef.jsonl"] {
        assert_eq!(place.read(&format!("r/points/{name}")), lines, "{name}");
    }
    assert_eq!(place.read("r/points/host-2-0123456789abcdef.jsonl"), format!("{lines}\n"));
    #[cfg(unix)]
    assert_eq!(place.read("elsewhere.jsonl"), lines);
}

fn end_of(command: &mut std::process::Command) -> Option<i32> {
    command.status().unwrap().code()
}

#[test]
fn points_that_is_no_folder_is_told_with_a_remedy() {
    let place = Place::new();
    fs::create_dir(place.path("r")).unwrap();
    place.write("r/points", "mine");
    let Ended { status, err, .. } = place.desvio(&["run", "small.toml", "--out", "r"]);
    let told = "error: r/points is no folder: finished points belong there. Move it away, or choose another";
    assert!(status == Some(2) && err.starts_with(told), "{err}");
    assert_eq!(place.read("r/points"), "mine");
}

/// A link is replaced by the file, and what it led to stays.
#[test]
#[cfg(unix)]
fn no_writer_goes_through_a_link() {
    let place = Place::new();
    place.write("victim", "mine");
    for option in ["--dot", "--graphml", "--edges", "--tables"] {
        let _ = fs::remove_file(place.path("out"));
        std::os::unix::fs::symlink(place.path("victim"), place.path("out")).unwrap();
        place.succeed(&["topology", "small.toml", option, "out"]);
        assert_eq!(place.read("victim"), "mine", "{option}");
        assert!(place.read("out").len() > 20, "{option}");
    }
    // A device is written to.
    let told = place.succeed(&["topology", "small.toml", "--edges", "/dev/stdout"]).out;
    assert!(told.starts_with('#') || told.contains("0 1"), "{told}");
}

/// A file that may not grow any more is an error of that write.
#[test]
#[cfg(unix)]
fn a_limit_of_file_sizes_is_told() {
    let place = Place::new();
    let line = format!("ulimit -f 2; exec {DESVIO} run small.toml --out r --quiet");
    let Ended { status, err, .. } = end(place.command("bash", &["-c", &line]));
    assert!(status == Some(2) && err.contains("error: cannot write the results: r/"), "{status:?} {err}");
}

/// A user who may have no further thread.
#[test]
#[cfg(target_os = "linux")]
fn a_thread_that_cannot_start_is_told() {
    let place = Place::new();
    // Root has no such limit: another user then.
    let as_nobody = Path::new("/usr/bin/setpriv").exists() && fs::metadata("/proc/self").is_ok();
    let id = String::from_utf8(place.command("id", &["-u"]).output().unwrap().stdout).unwrap();
    if !as_nobody || id.trim() != "0" {
        return;
    }
    fs::copy(DESVIO, place.path("desvio")).unwrap();
    for folder in [place.dir.path(), &place.path("desvio")] {
        fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    }
    place.write("c.toml", CAMPAIGN);
    for command in ["run small.toml --out r", "campaign status c.toml", "topology small.toml", "report r"] {
        let line = format!("ulimit -u 1; exec setpriv --reuid 4243 --clear-groups ./desvio {command}");
        let Ended { status, err, .. } = end(place.command("bash", &["-c", &line]));
        assert!(
            status == Some(2) && err.starts_with("error: cannot start the threads: "),
            "{command}: {err}"
        );
        assert!(!err.contains("panicked"), "{err}");
    }
}

/// Rewriting `points.csv` alone would leave two tables that differ.
#[test]
fn a_parquet_file_is_never_older_than_its_table() {
    let place = Place::new();
    place.write("c.toml", CAMPAIGN);
    place.succeed(&["campaign", "run", "c.toml", "--out", "r", "--quiet", "--shard", "1/2"]);
    place.succeed(&["campaign", "collect", "c.toml", "--out", "r", "--parquet"]);
    let before = fs::read(place.path("r/points.parquet")).unwrap();
    place.succeed(&["campaign", "run", "c.toml", "--out", "r", "--quiet"]);
    place.succeed(&["campaign", "collect", "c.toml", "--out", "r"]);
    let after = fs::read(place.path("r/points.parquet")).unwrap();
    assert!(before != after);
    place.succeed(&["campaign", "collect", "c.toml", "--out", "r", "--parquet"]);
    assert!(fs::read(place.path("r/points.parquet")).unwrap() == after);
}

/// What a spreadsheet would take for a formula begins with an apostrophe; the page of results has the name.
#[test]
fn no_cell_is_a_formula() {
    let place = Place::new();
    for name in ["=1+1", "+1a", "-x", "@x"] {
        fs::copy(place.path("small.toml"), place.path(&format!("{name}.toml"))).unwrap();
    }
    place.succeed(&[
        "compare",
        "./=1+1.toml",
        "./+1a.toml",
        "./-x.toml",
        "./@x.toml",
        "--out",
        "r",
        "--quiet",
    ]);
    let rows = place.rows("r/compare.csv");
    assert!(rows.iter().all(|row| row.starts_with('\'')), "{rows:?}");
    place.succeed(&["report", "r"]);
    let page = place.read("r/report.html");
    assert!(page.contains("\"=1+1\"") && !page.contains("'=1+1"));
}

/// Results of others, with a number that would take all memory.
#[test]
fn numbers_of_routers_in_results_are_not_believed() {
    let place = Place::new();
    place.succeed(&["run", "small.toml", "--set", "run.details=true", "--out", "r", "--quiet"]);
    let good = place.read("r/links.csv");
    for (router, column) in [(4, 1), (400_000_000, 1), (u32::MAX, 1), (4_000_000, 4)] {
        let mut rows: Vec<String> = good.lines().map(str::to_owned).collect();
        let mut cells: Vec<String> = rows[1].split(',').map(str::to_owned).collect();
        cells[column] = router.to_string();
        rows[1] = cells.join(",");
        place.write("r/links.csv", rows.join("\n"));
        let Ended { status, err, .. } = place.desvio(&["report", "r"]);
        let told = format!("error: r/links.csv: router {router}: there are 4 at most\n");
        assert_eq!((status, err), (Some(2), told), "{router}");
    }
}
