//! Command lines of `desvio`: one word a line. What would run for long, or reach beyond its folder, is changed first.

use super::{Outcome, Target, seeds, text};
use crate::scratch;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

pub(super) const TARGET: Target = Target {
    name: "command",
    reads: "command lines of desvio",
    run,
    seeds: || LINES.iter().map(|line| line.replace(' ', "\n").into_bytes()).collect(),
    is_rare: |bytes| {
        // A word twice.
        let words: Vec<_> = bytes.split(|&byte| byte == b'\n').filter(|word| word.len() > 1).collect();
        words.windows(2).any(|window| window[0] == window[1])
    },
};

const LINES: [&str; 12] = [
    "run tiny.toml --show",
    "run tiny.toml --show --set selection.trigger=hybrid --set router.iterations=1",
    "run tiny.toml --show --threads 2 --out results --quiet --rtl all",
    "topology tiny.toml --set topology.p=2",
    "topology petersen.toml",
    "compare tiny.toml --vary routing.algorithm=minimal,olm --names a,b --quiet --set run.measure_cycles=9",
    "lockstep tiny.toml --cycles 9 --seed 1 --router 0 --flit-width 96 --netlist --out results",
    "lockstep --replay stimulus.toml --hdl hdl --trust",
    "conform tiny.toml --map map.toml --rtl a.v --top a --patience 9",
    "cost tiny.toml --target cells --sweep router.iterations=1,2 --units --no-depth --threads 1",
    "cost --module allocator:PORTS=5,VCS=4 --target liberty=cells.lib",
    "cost --study study.toml --model 1,2,3 --cache cache",
];

/// The program beside this one.
fn desvio() -> PathBuf {
    let beside = || std::env::current_exe().unwrap_or_default().with_file_name("desvio");
    std::env::var_os("DESVIO").map_or_else(beside, PathBuf::from)
}

/// A folder with the scenarios that command lines name; programs are not found from there.
fn folder() -> PathBuf {
    static READY: OnceLock<PathBuf> = OnceLock::new();
    let ready = || {
        for name in ["tiny.toml", "petersen.toml", "petersen.txt"] {
            let path = seeds::root().join("scenarios").join(name);
            let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            scratch::file(name, &bytes);
        }
        scratch::folder()
    };
    READY.get_or_init(ready).clone()
}

fn run(bytes: &[u8]) -> Outcome {
    let text = text(bytes);
    let mut words: Vec<String> =
        text.lines().filter(|word| !word.contains('\0')).take(40).map(tamed).collect();
    match words.first().map(String::as_str) {
        Some("run") => words.push("--show".to_owned()),
        Some("compare") => {
            let short = [
                "--set",
                "run.limit_cycles=300",
                "--set",
                "run.warmup_cycles=9",
                "--set",
                "traffic.loads=[0.1]",
            ];
            words.extend(short.map(str::to_owned));
        }
        _ => {}
    }
    let folder = folder();
    let mut command = Command::new(desvio());
    command.args(&words).current_dir(&folder).env_clear().env("PATH", "nothing").env("HOME", &folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let answer = command.output().unwrap_or_else(|error| panic!("cannot start desvio: {error}"));
    let told = String::from_utf8_lossy(&answer.stderr);
    let status = answer.status;
    assert!(status.signal().is_none(), "desvio was ended by a signal: {status}");
    assert!(matches!(status.code(), Some(0..=2)), "desvio ended with {status}: {told}");
    assert!(!told.contains("panicked at"), "desvio panicked: {told}");
    if status.success() { Outcome::taken(words.first()) } else { Outcome::refused(&told) }
}

/// Without numbers of several digits, and without paths that lead out of the folder.
fn tamed(word: &str) -> String {
    let word = word.replace("..", ".").replace('/', "_");
    let mut digits = 0;
    let short = |c: &char| {
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        digits < 2
    };
    word.chars().filter(short).collect()
}
