//! Why a command does not end with status 0.

use std::process::ExitCode;

/// Why a command does not end with status 0, and the message it prints.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The network did what it must never do: status 1.
    Broken(String),
    /// Something asked for cannot be done: status 2.
    Input(String),
}

impl Failure {
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::Broken(message) | Self::Input(message) => message,
        }
    }

    pub(crate) fn status(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Broken(_) => 1,
            Self::Input(_) => 2,
        })
    }
}
