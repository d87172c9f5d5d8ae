//! `desvio conform`: a folder for each test, in which a switch is checked; the tests stand in the files by what they test.

mod ahead;
mod allowed;
mod covered;
mod defects;
mod example;
mod letters;
mod maps;
mod on_off;
mod pins;
mod promises;
mod reach;
mod shares;
mod slices;

use super::{DESVIO, Ended, end};
use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const MAP: &str = include_str!("../../../../examples/foreign-switch/map.toml");
const INPUT: &str = include_str!("../../../../examples/foreign-switch/input_side.v");
const OUTPUT: &str = include_str!("../../../../examples/foreign-switch/output_side.v");
const THREE_MAP: &str = include_str!("conform/three.toml");

/// Where Verilog is compiled: the cache knows designs by their folder.
const SCRATCH: &str = env!("CARGO_TARGET_TMPDIR");

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/foreign-switch").canonicalize().unwrap()
}

/// Whether Verilator can be run. Prints the skip; with `DESVIO_REQUIRE_TOOLS=1` its absence is a failure.
pub(crate) fn verilator_is_here() -> bool {
    let command = env::var("VERILATOR").unwrap_or_else(|_| "verilator".to_owned());
    let here = Command::new(&command).arg("--version").output().is_ok_and(|output| output.status.success());
    let required = env::var("DESVIO_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    assert!(here || !required, "DESVIO_REQUIRE_TOOLS=1, but `{command}` cannot be run");
    if !here {
        eprintln!("skipped: `{command}` cannot be run");
    }
    here
}

/// A folder for one test, and what is checked in it.
struct Place {
    dir: TempDir,
    rtl: Vec<PathBuf>,
    top: &'static str,
    map: PathBuf,
    scenario: PathBuf,
    more: Vec<String>,
    /// Whether the waveform of a mismatch is asked for: that compiles the switch once more.
    waves: bool,
}

impl Place {
    /// The example as it is.
    fn new() -> Self {
        let at = example();
        Self {
            dir: tempfile::tempdir().unwrap(),
            rtl: ["crosspoint.v", "input_side.v", "output_side.v"].map(|name| at.join(name)).into(),
            top: "crosspoint",
            map: at.join("map.toml"),
            scenario: at.join("petersen.toml"),
            more: Vec::new(),
            waves: false,
        }
    }

    /// A file of Verilog. Its path follows from its text, so the next run of the tests finds it in the cache.
    fn verilog(text: &str) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let path = Path::new(SCRATCH).join(format!("conform-{:016x}.v", hasher.finish()));
        if fs::read_to_string(&path).ok().as_deref() != Some(text) {
            let draft = tempfile::NamedTempFile::new_in(SCRATCH).unwrap();
            fs::write(draft.path(), text).unwrap();
            draft.persist(&path).unwrap();
        }
        path
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Another file in the place of one of the example's.
    fn replace(mut self, number: usize, path: PathBuf) -> Self {
        self.rtl[number] = path;
        self
    }

    fn with_map(mut self, map: &str) -> Self {
        self.map = self.write("map.toml", map);
        self
    }

    fn with(mut self, more: &[&str]) -> Self {
        self.more.extend(more.iter().map(|&argument| argument.to_owned()));
        self
    }

    fn run(&self) -> Ended {
        let mut command = Command::new(DESVIO);
        command.arg("conform").arg("--rtl").args(&self.rtl).args(["--top", self.top, "--quiet", "--verbose"]);
        command.arg("--map").arg(&self.map).arg(&self.scenario).args(&self.more).current_dir(SCRATCH);
        if self.waves {
            command.arg("--out").arg(self.dir.path().join("out"));
        } else {
            command.arg("--no-waves");
        }
        end(command)
    }

    #[track_caller]
    fn passes(&self) -> String {
        let ended = self.run();
        assert_eq!((ended.status, ended.err.as_str()), (Some(0), ""), "{}", ended.out);
        ended.out
    }

    /// Status 1, and the rule that is broken; the place and what was before are told, and a waveform where it is asked for.
    #[track_caller]
    fn breaks(&self, rules: &[&str]) -> String {
        let Ended { status, out, err } = self.run();
        assert_eq!(status, Some(1), "{out}{err}");
        let is_broken = |rule: &&str| {
            out.contains(&format!(": {rule} broken")) && err == format!("does not conform: {rule} broken\n")
        };
        assert!(rules.iter().any(is_broken), "{rules:?} expected\n{out}{err}");
        assert!(out.starts_with("mismatch: cycle ") && out.contains("the last events:"), "{out}");
        assert_eq!(out.contains("waveform: "), self.waves, "{out}");
        out
    }

    #[track_caller]
    fn refused(&self, start: &str, fragment: &str) {
        let Ended { status, out, err } = self.run();
        assert_eq!((status, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains(start), "{start} expected\n{err}");
        assert!(err.contains(fragment), "{fragment} expected\n{err}");
    }
}

/// A switch of three ports with one VC, valid and ready, in the middle of a row.
fn three(map: &str) -> Place {
    three_at("1", map)
}

/// The same switch in the place of another router of the row.
fn three_at(router: &str, map: &str) -> Place {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/conform");
    let mut place = Place::new().with_map(map).with(&["--router", router]);
    (place.rtl, place.top) = (vec![fixtures.join("three.v")], "three");
    place.scenario = fixtures.join("line.toml");
    place
}

/// The number that follows a word at the start of a line.
#[track_caller]
fn number(text: &str, word: &str) -> u64 {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix(word));
    let mut numbers =
        lines.filter_map(|rest| rest.split([' ', ',']).find(|part| !part.is_empty())?.parse().ok());
    numbers.next().unwrap_or_else(|| panic!("{word} in {text}"))
}

/// How often a rule was looked at: the number at the end of its line.
#[track_caller]
fn looked_at(text: &str, rule: &str) -> u64 {
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(rule));
    line.and_then(|line| line.split_whitespace().last()?.parse().ok())
        .unwrap_or_else(|| panic!("{rule} in {text}"))
}

/// A file of the example with more before its end.
fn ending_in(more: &str) -> String {
    let (all, last) = INPUT.rsplit_once("endmodule").unwrap();
    format!("{all}{more}\nendmodule{last}")
}

/// The line of a rule in the list of what broke and is allowed: how often it broke.
#[track_caller]
fn times(text: &str, rule: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix("    ")?.strip_prefix(rule));
    let line = line.unwrap_or_else(|| panic!("{rule} in {text}")).trim_start();
    assert!(line.contains(", first in cycle "), "{line}");
    line.split(' ').next().map_or(0, |count| if count == "once" { 1 } else { count.parse().unwrap() })
}
