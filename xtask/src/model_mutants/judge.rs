//! Runs the tests of the model with each slip in turn.

use super::copy::{Program, folder};
use crate::step::Failure;
use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What became of a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// A test of this program failed, or did not end.
    Noticed(String),
    /// No test failed.
    Survived,
    /// No test came to it.
    NotReached,
}

/// A program of tests, how long it takes, and the slips that it reaches.
#[derive(Debug)]
pub(crate) struct Judge {
    program: Program,
    takes: Duration,
    reaches: BTreeSet<usize>,
}

/// Runs all programs without a slip; the fastest comes first.
pub(crate) fn judges(programs: Vec<Program>) -> Result<Vec<Judge>, Failure> {
    let mut judges = Vec::new();
    for program in programs {
        let list = folder().join(format!("{}.reached", program.name));
        let _ = fs::remove_file(&list);
        let began = Instant::now();
        let list_name = list.display().to_string();
        if !passes(&program, &[("DESVIO_REACHED", &list_name)], Duration::from_secs(600))? {
            return Err(Failure::new(format!("the tests of `{}` fail without a slip", program.name)));
        }
        let takes = began.elapsed();
        let reached = fs::read_to_string(&list).unwrap_or_default();
        let reaches = reached.lines().filter_map(|line| line.parse().ok()).collect();
        judges.push(Judge { program, takes, reaches });
    }
    judges.sort_by_key(|judge| judge.takes);
    Ok(judges)
}

/// What becomes of a slip; `None` is one that is compiled in.
pub(crate) fn fate(judges: &[Judge], number: Option<usize>) -> Result<Fate, Failure> {
    let reaches = |judge: &&Judge| number.is_none_or(|number| judge.reaches.contains(&number));
    let mut fate = Fate::NotReached;
    for Judge { program, takes, .. } in judges.iter().filter(reaches) {
        fate = Fate::Survived;
        let chosen = number.unwrap_or(0).to_string();
        let patience = Duration::from_secs(20) + *takes * 10;
        if !passes(program, &[("DESVIO_MUTANT", &chosen)], patience)? {
            return Ok(Fate::Noticed(program.name.clone()));
        }
    }
    Ok(fate)
}

/// Whether all tests of a program pass in time.
fn passes(program: &Program, environment: &[(&str, &str)], patience: Duration) -> Result<bool, Failure> {
    let failed = |error| Failure::new(format!("{}: {error}", program.path.display()));
    let mut command = Command::new(&program.path);
    command.args(["--quiet", "--test-threads=1"]).envs(environment.iter().copied());
    command.env("PROPTEST_FAILURE_PERSISTENCE", "off").current_dir(folder().join("router-core"));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(failed)?;
    let began = Instant::now();
    let mut pause = Duration::from_millis(2);
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(status.success());
        }
        if began.elapsed() > patience {
            child.kill().map_err(failed)?;
            child.wait().map_err(failed)?;
            return Ok(false);
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}
