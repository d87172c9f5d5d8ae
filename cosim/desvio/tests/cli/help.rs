//! What the help says works as written.

use super::{DESVIO, Place, end};
use std::path::Path;
use std::process::Command;

const SHORT: &str = " --set run.limit_cycles=1000";

pub(crate) fn help(place: &Place, of: &str) -> String {
    place.succeed(&[&["help"], &of.split(' ').collect::<Vec<_>>()[..]].concat()).out
}

/// The commands under `Examples:`, lines that end with a backslash joined with the next.
fn examples(help: &str) -> Vec<String> {
    let (_, after) = help.split_once("Examples:\n").expect("examples");
    assert!(after.lines().all(|line| line.len() < 80), "no line breaks on a terminal of 80 columns: {after}");
    let joined = after.replace("\\\n", " ");
    let lines = joined.lines().take_while(|line| line.starts_with("  "));
    lines.map(|line| line.trim().to_owned()).collect()
}

/// Runs the examples of a command's help in a shell, as a reader would, but no load for long: `more` is added to each.
fn run_examples(of: &str, least: usize, more: &str) {
    assert!(statuses(of, more).len() >= least);
}

/// The status of each example, 0 unless the command is there to find something wrong.
fn statuses(of: &str, more: &str) -> Vec<Option<i32>> {
    let place = Place::new();
    let commands = examples(&help(&place, of));
    let run = |command: String| {
        assert!(command.starts_with("desvio "), "{command}");
        let more = if command.starts_with("desvio report ") { "" } else { more };
        let ended = end(shell(&place, &format!("{command}{more}")));
        let may_fail = of == "prove";
        assert!(ended.status == Some(0) || may_fail, "{command}: {ended:#?}");
        assert!(!ended.out.is_empty(), "{command}");
        ended.status
    };
    commands.into_iter().map(run).collect()
}

/// A command in a shell that finds `desvio`.
pub(crate) fn shell(place: &Place, command: &str) -> Command {
    let folder = Path::new(DESVIO).parent().unwrap().to_path_buf();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&others))).unwrap();
    let mut shell = place.command("sh", &["-c", command]);
    shell.env("PATH", path);
    shell
}

/// The last one shows a deadlock.
#[test]
fn the_examples_of_prove_run() {
    assert_eq!(statuses("prove", ""), [Some(0), Some(0), Some(0), Some(1)]);
}

#[test]
fn the_examples_of_topology_run() {
    run_examples("topology", 4, "");
}

/// From a run to the page that compares two.
#[test]
fn the_examples_of_report_run() {
    run_examples("report", 4, SHORT);
}

#[test]
fn a_status_has_a_meaning() {
    let place = Place::new();
    for command in ["run", "campaign", "compare", "fabric", "lockstep", "conform", "step"] {
        let help = help(&place, command);
        let (_, status) = help.split_once("Exit status: 0 ").unwrap_or_else(|| panic!("{command}: {help}"));
        assert!(
            status.contains("; 1 ") && status.contains("; 2 bad\ninput.") | status.contains("; 2 bad input.")
        );
    }
}

/// One after the other, where nothing but the program is.
#[test]
fn the_first_examples_run() {
    let place = Place::new();
    let first = place.succeed(&["--help"]).out;
    std::fs::remove_dir_all(place.path("scenarios")).unwrap();
    let examples = examples(&first);
    assert!(examples.len() >= 6, "{examples:?}");
    for command in examples {
        let is_run = ["desvio run ", "desvio compare "].iter().any(|of| command.starts_with(of));
        let ended = end(shell(&place, &format!("{command}{}", if is_run { SHORT } else { "" })));
        assert_eq!(ended.status, Some(0), "{command}: {ended:#?}");
    }
    for command in ["run", "campaign", "compare", "example", "prove", "report", "survey", "topology", "help"]
    {
        assert!(first.lines().any(|line| line.trim_start().starts_with(command)), "{command}: {first}");
    }
}

#[test]
fn the_scenario_in_the_help_is_complete() {
    let place = Place::new();
    let help = place.succeed(&["run", "--help"]).out;
    let (_, after) = help.split_once("A complete scenario file").unwrap();
    let block = after.lines().skip(1).take_while(|line| line.is_empty() || line.starts_with("  "));
    let scenario: Vec<_> = block.map(str::trim).collect();
    place.write("mine.toml", scenario.join("\n"));
    let quick = ["--set", "run.warmup_cycles=100", "--set", "run.measure_cycles=200", "--quiet"];
    let ended = place.succeed(&[&["run", "mine.toml"][..], &quick].concat());
    assert_eq!(ended.out.lines().count(), 5, "three loads: {}", ended.out);
}

#[test]
fn every_argument_has_a_line_of_help() {
    let place = Place::new();
    for (command, arguments) in [
        ("run", &["--set", "--out", "--threads", "--show", "--quiet"][..]),
        ("compare", &["--set", "--out", "--threads", "--quiet", "--vary", "--names"]),
        ("report", &["--out"]),
        ("topology", &["--set", "--dot", "--edges", "--graphml"]),
    ] {
        let short = place.succeed(&[command, "-h"]).out;
        for argument in arguments {
            let at = short.find(argument).unwrap_or_else(|| panic!("{argument}: {short}"));
            assert!(
                short[at..].lines().next().unwrap().split_whitespace().count() > 3,
                "{argument}: {short}"
            );
        }
        assert!(short.lines().all(|line| line.chars().count() <= 110), "{short}");
    }
}

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn the_examples_of_run_run() {
        run_examples("run", 5, SHORT);
    }

    #[test]
    fn the_examples_of_compare_run() {
        run_examples("compare", 4, SHORT);
    }

    /// A real OpenSM, where there is one.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_examples_of_fabric_run() {
        if super::super::fabric::has_opensm() {
            run_examples("fabric", 5, SHORT);
        }
    }
}
