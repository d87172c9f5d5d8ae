//! One external command, run where the workspace is.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Runs a program that says nothing when all is well.
pub(crate) fn run(program: &str, arguments: &[String]) -> Result<(), Failure> {
    match Command::new(program).args(arguments).current_dir(root()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("`{program}` failed ({status})"))),
        Err(error) => Err(Failure(format!("`{program}` could not be started: {error}"))),
    }
}
