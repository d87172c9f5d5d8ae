//! One program, run once: its processor time and its memory, as the system counts them.

use crate::step::Failure;
use crate::tools::Tool;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What counts them.
pub(crate) const TIME: Tool<'static> = Tool::file("/usr/bin/time", "time");

/// A program and its arguments.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// Its exit status when all went well.
    pub(crate) status: i32,
}

/// What a job took, and what it said.
#[derive(Debug)]
pub(crate) struct Timed {
    /// Of the processor, in user and system mode. Other programs on the machine matter less to it than to the clock.
    pub(crate) seconds: f64,
    /// The largest resident set.
    pub(crate) mib: f64,
    pub(crate) output: String,
}

/// Runs a job in a folder.
pub(crate) fn timed(job: &Job, folder: &Path) -> Result<Timed, Failure> {
    let failed =
        |reason: String| Failure::new(format!("{} in {}: {reason}", job.program.display(), folder.display()));
    let log = folder.join("time.log");
    let mut command = Command::new("/usr/bin/time");
    command
        .args(["-q", "-f", "%U %S %M", "-o"])
        .arg(&log)
        .arg(&job.program)
        .args(&job.arguments)
        .current_dir(folder);
    let output = command.output().map_err(|error| failed(error.to_string()))?;
    if output.status.code() != Some(job.status) {
        let told = String::from_utf8_lossy(&output.stderr);
        return Err(failed(format!("{}\n{told}", output.status)));
    }
    let log = fs::read_to_string(log).map_err(|error| failed(error.to_string()))?;
    let numbers: Vec<f64> = log.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    let [user, system, kib] = numbers[..] else { return Err(failed(format!("`time` says {log:?}"))) };
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Timed { seconds: user + system, mib: kib / 1024.0, output })
}
