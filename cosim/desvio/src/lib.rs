#![doc = include_str!("../README.md")]

mod command;
mod registry;

use std::process::ExitCode;

pub use registry::Registry;

/// Runs the command `desvio` of the command line.
#[must_use]
pub fn main() -> ExitCode {
    command::main()
}

/// Runs the command `desvio` with words of a program's own: its topologies, routings and traffic patterns in scenario files, campaigns,
/// errors and results.
///
/// The program's `main` calls it and nothing else:
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     desvio::main_with(desvio::Registry::new("my-words", "0.1.0"))
/// }
/// ```
#[must_use]
pub fn main_with(registry: Registry) -> ExitCode {
    match registry.install() {
        Ok(()) => command::main(),
        Err(error) => {
            command::tell_error(&error);
            ExitCode::from(2)
        }
    }
}
