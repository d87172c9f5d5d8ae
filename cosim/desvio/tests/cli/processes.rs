//! `desvio run --processes`: the files of one process, and clear ends.

use super::{DESVIO, Place};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};

const CYCLES: [&str; 6] =
    ["--set", "run.warmup_cycles=300", "--set", "run.measure_cycles=600", "--set", "traffic.loads=[0.2,0.6]"];

fn files(place: &Place, out: &str) -> Vec<String> {
    ["summary.csv", "summary.json", "hops.csv", "scenario.toml"]
        .map(|name| place.read(&format!("{out}/{name}")))
        .into()
}

#[test]
fn two_processes_leave_the_files_of_one() {
    let place = Place::new();
    let run = |out: &str, more: &[&str]| {
        place
            .succeed(
                &[&["run", "scenarios/dragonfly.toml", "--quiet", "--out", out], &CYCLES[..], more].concat(),
            )
            .out
    };
    let one = run("one", &[]);
    assert_eq!(one, run("two", &["--processes", "2"]));
    assert_eq!(one, run("three", &["--processes=3", "--threads=2"]));
    for out in ["two", "three"] {
        assert_eq!(files(&place, "one"), files(&place, out), "{out}");
    }
}

/// As on two machines: each is started with its place.
#[test]
fn processes_that_are_started_by_hand_find_each_other() {
    let place = Place::new();
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let at = |own: usize| format!("{own}/2@127.0.0.1:{port}");
    let arguments = |out: &'static str, own: usize| {
        let mut all = [&["run", "scenarios/dragonfly.toml", "--quiet", "--out", out], &CYCLES[..]].concat();
        all.push("--processes");
        all.into_iter().map(str::to_owned).chain([at(own)]).collect::<Vec<_>>()
    };
    let second = Command::new(DESVIO)
        .args(arguments("nowhere", 1))
        .current_dir(place.path(""))
        .stdout(Stdio::null())
        .spawn();
    let first: Vec<String> = arguments("two", 0);
    place.succeed(&first.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(second.unwrap().wait().unwrap().success());
    assert!(!place.exists("nowhere"));
    let one = [&["run", "scenarios/dragonfly.toml", "--quiet", "--out", "one"], &CYCLES[..]].concat();
    place.succeed(&one);
    assert_eq!(files(&place, "one"), files(&place, "two"));
}

#[test]
fn what_cannot_run_in_processes_says_why() {
    let place = Place::new();
    let refused = |arguments: &[&str], why: &str| {
        let ended = place.desvio(&[&["run"], arguments].concat());
        assert_eq!(ended.status, Some(2), "{ended:#?}");
        assert!(ended.err.contains(why), "{ended:#?}");
    };
    refused(&["-", "--processes", "2"], "each process reads the scenario, which standard input gives to one");
    refused(&["small.toml", "--processes", "5"], "5 processes for a network of 4 parts that stay whole");
    refused(
        &["small.toml", "--processes", "many"],
        "a number of processes, `slurm`, or NUMBER/COUNT@HOST:PORT",
    );
    refused(&["small.toml", "--processes", "2", "--rtl", "1"], "cannot be used with");
    let valiant = ["scenarios/dragonfly.toml", "--set", "routing.algorithm=valiant", "--processes", "2"];
    refused(
        &valiant,
        "error: --processes: routing `valiant`, as it is set, runs in one process: its sources draw numbers of one sequence",
    );
}
