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
    /// A test failed, or did not end.
    Noticed,
    /// No test failed.
    Survived,
    /// No test came to it.
    NotReached,
}

/// A test, how long it takes, and the slips that it reaches.
#[derive(Debug)]
pub(crate) struct Judge {
    program: Rc,
    test: String,
    takes: Duration,
    reaches: BTreeSet<usize>,
}

type Rc = std::sync::Arc<Program>;

/// Tests that are run in one process: each of them takes less than this.
const SHORT: Duration = Duration::from_millis(30);

/// Runs each test without a slip; the fastest comes first.
pub(crate) fn judges(programs: Vec<Program>) -> Result<Vec<Judge>, Failure> {
    let mut judges = Vec::new();
    for program in programs.into_iter().map(Rc::new) {
        for test in names(&program)? {
            let list = folder().join("reached");
            let _ = fs::remove_file(&list);
            let began = Instant::now();
            let list_name = list.display().to_string();
            let environment = [("DESVIO_REACHED", list_name.as_str())];
            if !passes(&program, &[&test], &environment, Duration::from_secs(600))? {
                return Err(Failure::new(format!("the test `{test}` fails without a slip")));
            }
            let takes = began.elapsed();
            let reached = fs::read_to_string(&list).unwrap_or_default();
            let reaches = reached.lines().filter_map(|line| line.parse().ok()).collect();
            judges.push(Judge { program: program.clone(), test, takes, reaches });
        }
    }
    judges.sort_by_key(|judge| judge.takes);
    Ok(judges)
}

/// The tests of a program.
fn names(program: &Program) -> Result<Vec<String>, Failure> {
    let output = Command::new(&program.path).args(["--list", "--format", "terse"]).output();
    let output = output.map_err(|error| Failure::new(format!("{}: {error}", program.path.display())))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// What becomes of a slip. Short tests that come to it run in one process for each program, then the others one by one.
pub(crate) fn fate(judges: &[Judge], number: usize) -> Result<Fate, Failure> {
    let reaching: Vec<_> = judges.iter().filter(|judge| judge.reaches.contains(&number)).collect();
    let (short, long): (Vec<_>, Vec<_>) = reaching.iter().copied().partition(|judge| judge.takes < SHORT);
    let mut groups: Vec<Vec<&Judge>> = Vec::new();
    for judge in short {
        match groups.iter_mut().find(|group| group[0].program.path == judge.program.path) {
            Some(group) => group.push(judge),
            None => groups.push(vec![judge]),
        }
    }
    groups.extend(long.into_iter().map(|judge| vec![judge]));
    let chosen = number.to_string();
    for group in groups {
        let tests: Vec<_> = group.iter().map(|judge| judge.test.as_str()).collect();
        let takes: Duration = group.iter().map(|judge| judge.takes).sum();
        if !passes(
            &group[0].program,
            &tests,
            &[("DESVIO_MUTANT", &chosen)],
            Duration::from_secs(10) + takes * 10,
        )? {
            return Ok(Fate::Noticed);
        }
    }
    Ok(if reaching.is_empty() { Fate::NotReached } else { Fate::Survived })
}

/// Whether all tests pass with a slip that is compiled in.
pub(crate) fn all_pass(programs: &[Program]) -> Result<bool, Failure> {
    for program in programs {
        if !passes(program, &[], &[], Duration::from_secs(120))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether these tests of a program pass in time.
fn passes(
    program: &Program,
    tests: &[&str],
    environment: &[(&str, &str)],
    patience: Duration,
) -> Result<bool, Failure> {
    let failed = |error| Failure::new(format!("{}: {error}", program.path.display()));
    let mut command = Command::new(&program.path);
    command.args(["--quiet", "--test-threads=1", "--exact"]).args(tests).envs(environment.iter().copied());
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
