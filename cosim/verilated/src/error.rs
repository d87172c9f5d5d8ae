//! What can go wrong, one small error for each operation.

use std::{fmt, io, path::PathBuf};

use thiserror::Error;

use crate::{Failure, ports::PortInfo, store::StoreError};

/// Any error of this crate, for callers who only pass it on.
///
/// `Debug` is `Display`: `fn main() -> Result<(), Error>` prints messages of tools line by line.
#[derive(Error)]
#[non_exhaustive]
pub enum Error {
    /// See [`Design::build`](crate::Design::build).
    #[error(transparent)]
    Build(#[from] BuildError),
    /// See [`Model::input`](crate::Model::input).
    #[error(transparent)]
    Port(#[from] PortError),
    /// See [`ports!`](crate::ports).
    #[error(transparent)]
    Pins(#[from] PinsError),
    /// See [`Model::eval`](crate::Model::eval).
    #[error(transparent)]
    Failure(#[from] Failure),
    /// See [`Model::open_trace`](crate::Model::open_trace).
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// See [`Model::write_coverage`](crate::Model::write_coverage).
    #[error(transparent)]
    Coverage(#[from] CoverageError),
    /// See [`Model::restore`](crate::Model::restore).
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a design could not be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// This program has no loader of shared libraries.
    #[error(
        "this program is static, and cannot load what Verilator compiles\n\
         PyPI has one that can: pip install 'desvio[rtl]'"
    )]
    Static,
    /// There is no Verilator.
    #[error(
        "Verilator was not found ({command}: {reason})\n\
         Debian, Ubuntu: apt-get install verilator g++ make\n\
         PyPI:           pip install verilator\n\
         or set VERILATOR to the path of the program"
    )]
    VerilatorMissing {
        /// What was tried: the value of `VERILATOR`, or `verilator`.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// Verilator is older than this crate supports.
    #[error(
        "Verilator {found} ({command}) is too old: 5.006 or later is needed\n\
         PyPI has a recent one: pip install verilator"
    )]
    VerilatorTooOld {
        /// The program that was asked.
        command: String,
        /// The version it gave.
        found: String,
    },
    /// The C++ compiler could not be run.
    #[error(
        "the C++ compiler `{command}` could not be run ({reason})\n\
         Debian, Ubuntu: apt-get install g++, or set CXX"
    )]
    CompilerMissing {
        /// What was tried: the value of `CXX`, or `g++`.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// Verilator refused the design; its messages are kept as they are, with file and line.
    #[error("Verilator refuses `{top}`:\n{messages}")]
    Verilator {
        /// The top module.
        top: String,
        /// What Verilator wrote.
        messages: String,
    },
    /// The C++ code did not compile or link.
    #[error("the C++ code of `{top}` does not compile:\n{messages}")]
    Compiler {
        /// The top module.
        top: String,
        /// What the compiler wrote.
        messages: String,
    },
    /// A probe names a signal that is not public.
    #[error("{0}")]
    Probe(#[from] ProbeError),
    /// A source file could not be read, or the cache not written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The cache cannot be used.
    #[error(transparent)]
    Cache(#[from] StoreError),
    /// A path that Verilator would not take as it is.
    #[error("{}: Verilator cannot take a path that {reason}", path.display())]
    Path {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The design reaches out of the simulation, which [`Design::confined`](crate::Design::confined) forbids.
    #[error("{0}")]
    Reaches(Box<Reach>),
    /// Verilator found a module by itself, in a file that [`Design::confined`](crate::Design::confined) has not looked into.
    #[error("{}: Verilator found this file by itself; name it among the sources, so that it is looked into", path.display())]
    FoundByItself {
        /// The file.
        path: PathBuf,
    },
    /// The sources kept changing while they were being compiled.
    #[error("the sources of `{top}` changed while they were compiled")]
    SourcesChanging {
        /// The top module.
        top: String,
    },
    /// The compiled library could not be loaded.
    #[error("{} cannot be loaded: {reason}", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// What the loader said.
        reason: String,
    },
}

/// A place in the sources that reaches out of the simulation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}:{line}:{column}: `{word}` {why}\n {line} | {quote}\n {:gutter$} | {:caret$}{}",
    path.display(), "", "", "^".repeat(word.chars().count()), gutter = line.to_string().len(), caret = column - 1)]
pub struct Reach {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in `quote`, counted from 1.
    pub column: usize,
    /// The line; where a macro made it, with the macro expanded.
    pub quote: String,
    /// What reaches out.
    pub word: String,
    /// What it does.
    pub why: &'static str,
}

/// A probe that is not there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.describe())]
pub struct ProbeError {
    /// The hierarchical name that was asked for.
    pub name: String,
    /// Public signals with similar names, best first.
    pub near: Vec<String>,
}

impl ProbeError {
    fn describe(&self) -> String {
        let mut text = format!("there is no public signal `{}`", self.name);
        if self.near.is_empty() {
            text.push_str("; mark it with /*verilator public_flat_rd*/");
        } else {
            text.push_str("; near it: ");
            text.push_str(&self.near.join(", "));
        }
        text
    }
}

/// A port or probe that is not as the caller expects.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PortError {
    /// There is none of that name.
    #[error("there is no port `{}`; expected {expected}, found {}", expected.name, list(found))]
    Missing {
        /// What was asked for.
        expected: PortInfo,
        /// Every port of the module.
        found: Vec<PortInfo>,
    },
    /// Its direction or width is another.
    #[error("port `{}` differs: expected {expected}, found {found}", expected.name)]
    Mismatch {
        /// What was asked for.
        expected: PortInfo,
        /// What is there.
        found: PortInfo,
    },
    /// The signal is not public, or was not among the probes when the library was built.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The probe has another width.
    #[error("probe `{name}` has {found} bits, expected {expected}")]
    ProbeWidth {
        /// Its hierarchical name.
        name: String,
        /// The width that was asked for.
        expected: u32,
        /// The width that is there.
        found: u32,
    },
}

/// Every port that differs from the expected ones, in the order of declaration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("module `{top}` does not have the expected ports:{}", lines(mismatches))]
pub struct PinsError {
    /// The top module.
    pub top: String,
    /// One for each port that differs.
    pub mismatches: Vec<PortError>,
}

/// Why a trace was not opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The library was built without traces.
    #[error("built without traces: ask for them with Design::trace")]
    NotBuilt,
    /// The path cannot be given to C, or the file cannot be written.
    #[error("{}: the trace cannot be written", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
    },
}

/// Why coverage was not written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CoverageError {
    /// The library was built without coverage.
    #[error("built without coverage: ask for it with Design::coverage")]
    NotBuilt,
    /// The file cannot be written.
    #[error("{}: the coverage cannot be written", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line is not one of a coverage file.
    #[error("{}:{line}: not a line of a Verilator coverage file", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
}

/// Why a checkpoint was not taken or not restored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The library was built without checkpoints.
    #[error("built without checkpoints: ask for them with Design::checkpoints")]
    NotBuilt,
    /// The bytes are not a checkpoint, or one of another library.
    #[error("these bytes are not a checkpoint of this library")]
    Foreign,
    /// The bytes are not those that were saved.
    #[error("the checkpoint is damaged: its digest is that of other bytes")]
    Damaged,
    /// Verilator's own reader stopped half way; the model can no longer be used.
    #[error("the checkpoint cannot be read: {0}")]
    Unreadable(Failure),
}

fn list(ports: &[PortInfo]) -> String {
    ports.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn lines(mismatches: &[PortError]) -> String {
    mismatches.iter().map(|mismatch| format!("\n  {mismatch}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_main_returns_is_printed_line_by_line() {
        let messages = "%Error: counter.sv:3:1\n%Error: Exiting".to_owned();
        let error = Error::from(BuildError::Verilator { top: "counter".to_owned(), messages });
        let printed = "Verilator refuses `counter`:\n%Error: counter.sv:3:1\n%Error: Exiting";
        assert_eq!(format!("{error:?}"), printed);
        assert_eq!(error.to_string(), printed);
    }
}
