//! Why there is no cost.

use desvio_lockstep::rtl::NotInRtl;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;
use verilated::store::StoreError;

/// Why a router's cost could not be found.
#[derive(Debug, Error)]
pub enum CostError {
    /// A program that is needed is not there.
    #[error("{program} is not installed: {what} needs it\n{install}")]
    MissingTool {
        /// What was looked for.
        program: String,
        /// How to install it, a line for each place that has it.
        install: &'static str,
        /// What for.
        what: &'static str,
    },
    /// A program ended with an error.
    #[error("{program} failed on {job}: {reason}")]
    Failed {
        /// Which program.
        program: String,
        /// What it was to do.
        job: String,
        /// The last that it said.
        reason: String,
    },
    /// A program's output is not what was expected of it.
    #[error("cannot read what {program} says about {job}: {reason}")]
    Unreadable {
        /// Which program.
        program: &'static str,
        /// What it was to do.
        job: String,
        /// What is missing or odd.
        reason: String,
    },
    /// The scenario's router is not written in SystemVerilog.
    #[error(transparent)]
    Shape(#[from] NotInRtl),
    /// A library of standard cells.
    #[error("{}: {reason}", path.display())]
    Library {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A study's file.
    #[error("{}: {reason}", path.display())]
    Study {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A picture.
    #[error(transparent)]
    Picture(#[from] desvio_report::ReportError),
    /// The cache cannot be used.
    #[error(transparent)]
    Cache(#[from] StoreError),
    /// A file.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Turns an error of the system into one that names the file.
pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> CostError {
    let path = path.to_owned();
    move |source| CostError::Io { path: path.clone(), source }
}
