//! `cargo xtask instructions`: the cycle engine's speed, counted instead of timed.

use crate::step::{Failure, cargo, each, root};
use crate::tools;
use std::fs;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// What was counted last.
const TABLE: &str = "benches/instructions.csv";
const HEAD: &str = "run,cycles,instructions";

/// How far a count may be from the committed one, in per cent.
const TOLERANCE: u64 = 5;

/// Only the engine is counted: not the start, not the report.
const VALGRIND: &str =
    "['valgrind', '--tool=callgrind', '--toggle-collect=*Network*run_to*', '--callgrind-out-file=/dev/null']";

/// Optimisation across crates takes a third of the time to compile, and an engine without it needs 1 to 2 % more instructions.
const WITHOUT_LTO: (&str, &str) = ("CARGO_PROFILE_RELEASE_LTO", "off");

/// Nothing of other crates is counted but what is compiled into ours, which is optimised with them.
const OTHERS_AS_THEY_ARE: [&str; 2] = ["--config", "profile.release.package.\"*\".opt-level=0"];

/// One fixed run.
#[derive(Debug, PartialEq, Eq)]
struct Count {
    run: String,
    cycles: u64,
    instructions: u64,
}

/// Counts the instructions of the fixed runs, and compares them with the committed table or writes it.
pub(crate) fn instructions(update: bool) -> Result<(), Failure> {
    tools::provide(&tools::COUNTING)?;
    let build = ["build", "--release", "--package", "desvio-benches", "--bin", "counted"];
    cargo(&[&build[..], &OTHERS_AS_THEY_ARE].concat(), &[WITHOUT_LTO])?;
    let list = said_by(&counted(&[], &[])?)?;
    let subjects: Vec<_> = list.lines().enumerate().map(subject).collect::<Result<_, _>>()?;
    let counts = Mutex::new(Vec::new());
    each(&subjects, |&(at, run, cycles)| {
        let instructions = instructions_of(run)?;
        println!("{run}: {instructions} instructions, {} in each of {cycles} cycles", instructions / cycles);
        let count = Count { run: run.to_owned(), cycles, instructions };
        counts.lock().unwrap_or_else(PoisonError::into_inner).push((at, count));
        Ok(())
    })?;
    let mut counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    counts.sort_by_key(|&(at, _)| at);
    let counts: Vec<_> = counts.into_iter().map(|(_, count)| count).collect();
    let path = root().join(TABLE);
    let failed = |error: std::io::Error| Failure::new(format!("{TABLE}: {error}"));
    if update {
        fs::write(path, list_of(&counts)).map_err(failed)?;
        println!("wrote {TABLE}");
        return Ok(());
    }
    let committed = fs::read_to_string(path).map_err(failed)?;
    let committed = parse(&committed).ok_or_else(|| Failure::new(format!("{TABLE} cannot be read")))?;
    let differences = differences(&committed, &counts);
    if differences.is_empty() {
        println!("instructions: {} runs within {TOLERANCE} % of {TABLE}", counts.len());
        return Ok(());
    }
    Err(Failure::new(format!("the engine's instructions have changed:\n  {}", differences.join("\n  "))))
}

/// A line of the list of runs: its place, the run and its cycles.
fn subject((at, line): (usize, &str)) -> Result<(usize, &str, u64), Failure> {
    let found = line.split_once(',').and_then(|(run, cycles)| Some((at, run, cycles.parse().ok()?)));
    found.ok_or_else(|| Failure::new(format!("no subject: `{line}`")))
}

/// The instructions of one run, inside of the engine.
fn instructions_of(run: &str) -> Result<u64, Failure> {
    let runner = format!("target.'cfg(all())'.runner = {VALGRIND}");
    let output = counted(&["--config", &runner], &[run])?;
    let said = String::from_utf8_lossy(&output.stderr);
    collected(&said).ok_or_else(|| {
        Failure::new(format!("{run}: callgrind counted nothing inside `Network::run_to`:\n{said}"))
    })
}

/// Runs the counted program with options of cargo and arguments of its own.
fn counted(options: &[&str], arguments: &[&str]) -> Result<Output, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.env(WITHOUT_LTO.0, WITHOUT_LTO.1).args(options).args(OTHERS_AS_THEY_ARE).args([
        "run",
        "--quiet",
        "--release",
        "--package",
        "desvio-benches",
        "--bin",
        "counted",
    ]);
    let output = command.arg("--").args(arguments).current_dir(root()).output();
    let output = output.map_err(|error| Failure::new(format!("cargo: {error}")))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(Failure::new(format!("the counted program failed:\n{}", String::from_utf8_lossy(&output.stderr))))
}

fn said_by(output: &Output) -> Result<String, Failure> {
    String::from_utf8(output.stdout.clone()).map_err(|error| Failure::new(error.to_string()))
}

/// The count in callgrind's report, if it is not zero.
fn collected(report: &str) -> Option<u64> {
    let (_, count) = report.lines().find_map(|line| line.split_once("Collected :"))?;
    count.trim().parse().ok().filter(|&count| count > 0)
}

fn list_of(counts: &[Count]) -> String {
    let row = |count: &Count| format!("{},{},{}\n", count.run, count.cycles, count.instructions);
    format!("{HEAD}\n{}", counts.iter().map(row).collect::<String>())
}

fn parse(list: &str) -> Option<Vec<Count>> {
    let rows = list.strip_prefix(HEAD)?.lines().filter(|line| !line.is_empty());
    rows.map(|line| {
        let mut fields = line.split(',');
        let run = fields.next()?.to_owned();
        let (cycles, instructions) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Count { run, cycles, instructions })
    })
    .collect()
}

/// A sentence for each run that takes more, or much less, than it is said to.
fn differences(committed: &[Count], counts: &[Count]) -> Vec<String> {
    let advice = "`cargo xtask instructions --update`";
    let mut found = Vec::new();
    for Count { run, cycles, instructions } in counts {
        let Some(old) = committed.iter().find(|old| old.run == *run && old.cycles == *cycles) else {
            found.push(format!("{run}: not in the table; {advice} adds it"));
            continue;
        };
        let change = 100.0 * (*instructions as f64 / old.instructions as f64 - 1.0);
        let numbers = format!(
            "{run}: {instructions} instructions, committed are {} ({change:+.1} %)",
            old.instructions
        );
        if instructions.abs_diff(old.instructions) * 100 <= old.instructions * TOLERANCE {
            continue;
        }
        found.push(if *instructions > old.instructions {
            format!("{numbers}: slower; where that is the price of something, {advice}")
        } else {
            format!("{numbers}: faster; keep it with {advice}")
        });
    }
    let gone = committed.iter().filter(|old| counts.iter().all(|count| count.run != old.run));
    found.extend(gone.map(|old| format!("{}: in the table, not counted; {advice} removes it", old.run)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(instructions: u64) -> Vec<Count> {
        vec![Count { run: "torus".to_owned(), cycles: 10, instructions }]
    }

    #[test]
    fn five_per_cent_more_pass_and_more_than_that_fail_by_name() {
        assert_eq!(differences(&runs(1000), &runs(1050)), Vec::<String>::new());
        let found = differences(&runs(1000), &runs(1051));
        assert!(
            found[0].starts_with("torus: 1051 instructions, committed are 1000 (+5.1 %): slower"),
            "{found:?}"
        );
    }

    #[test]
    fn a_gain_of_more_than_five_per_cent_wants_to_be_kept() {
        assert_eq!(differences(&runs(1000), &runs(950)), Vec::<String>::new());
        assert!(differences(&runs(1000), &runs(949))[0].contains("keep it with"));
    }

    #[test]
    fn a_run_missing_on_either_side_is_a_difference() {
        assert_eq!(differences(&[], &runs(1)).len(), 1);
        assert_eq!(differences(&runs(1), &[]).len(), 1);
    }

    #[test]
    fn the_table_reads_back_and_callgrind_is_understood() {
        assert_eq!(parse(&list_of(&runs(7))), Some(runs(7)));
        assert_eq!(collected("==1== Events    : Ir\n==1== Collected : 935541\n"), Some(935_541));
        assert_eq!(collected("==1== Collected : 0\n"), None);
    }
}
