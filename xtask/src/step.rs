//! One external command, run where the workspace is.

use std::fmt;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A command that could not be started or did not succeed.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Failure {
    /// A failure, said in a sentence.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Runs `cargo` with these arguments and environment variables, saying what it does.
pub(crate) fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), Failure> {
    let shown = format!("cargo {}", arguments.join(" "));
    eprintln!("\n── {shown}");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).envs(environment.iter().copied()).current_dir(root());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("`{shown}` failed ({status})"))),
        Err(error) => Err(Failure(format!("`{shown}` could not be started: {error}"))),
    }
}

/// A warning is an error; also for what is compiled once for several commands, which have to say the same.
pub(crate) const STRICT: (&str, &str) = ("RUSTFLAGS", "--deny warnings");

/// Tests of the workspace, always with the features that its members have together, so that nothing is compiled twice: clippy
/// looks at what is compiled for them, and needs no build of its own.
pub(crate) fn tests(arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), Failure> {
    cargo(&[&OF_WORKSPACE, arguments].concat(), &[&LINTED, environment].concat())
}

const OF_WORKSPACE: [&str; 2] = ["test", "--workspace"];
const LINTED: [(&str, &str); 2] = [STRICT, ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")];

/// Runs a program that says nothing when all is well.
pub(crate) fn run(program: &str, arguments: &[String]) -> Result<(), Failure> {
    match Command::new(program).args(arguments).current_dir(root()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("`{program}` failed ({status})"))),
        Err(error) => Err(Failure(format!("`{program}` could not be started: {error}"))),
    }
}

/// Runs jobs, as many at a time as there are cores.
pub(crate) fn each<T: Sync>(
    jobs: &[T],
    run: impl Fn(&T) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    beside_each_other(jobs, thread::available_parallelism().map_or(1, NonZero::get), run)
}

/// Does the jobs, so many at a time; after a failure, no further ones.
pub(crate) fn beside_each_other<T: Sync>(
    jobs: &[T],
    at_a_time: usize,
    run: impl Fn(&T) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            run(job).inspect_err(|_| next.store(jobs.len(), Ordering::Relaxed))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..at_a_time.min(jobs.len())).map(|_| scope.spawn(work)).collect();
        let died = |_| Err(Failure::new("a thread panicked"));
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(died))
    })
}

/// Does two things beside each other; fails with the first failure after both have ended.
pub(crate) fn beside(
    one: impl FnOnce() -> Result<(), Failure> + Send,
    other: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    thread::scope(|scope| {
        let worker = scope.spawn(one);
        let other = other();
        worker.join().unwrap_or_else(|_| Err(Failure::new("a thread panicked"))).and(other)
    })
}
