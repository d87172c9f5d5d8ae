//! What can go wrong with a fabric.

use crate::levels::NoPath;
use crate::program::Unprogrammed;
use std::io;
use thiserror::Error;

/// Why a fabric is not programmed.
#[derive(Debug, Error)]
pub enum FabricError {
    /// A socket, a file, the line to an agent.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// No OpenSM here.
    #[error("no {0}: apt-get install opensm ibsim-utils (Debian, Ubuntu)")]
    Missing(&'static str),
    /// The lanes cannot be followed.
    #[error(transparent)]
    Path(#[from] NoPath),
    /// The switches cannot have their limits.
    #[error("lifetime limits: {0}")]
    Mixed(#[from] crate::lifetimes::Mixed),
    /// A manager of our own cannot go on.
    #[error("the subnet manager: {0}")]
    Manager(#[from] desvio_manager::ManagerError),
    /// OpenSM has ended.
    #[error("opensm ended ({status}); its log is {log}")]
    Ended {
        /// How.
        status: String,
        /// The file.
        log: String,
    },
    /// Time is over.
    #[error("no subnet manager has programmed the fabric in {seconds} s: {missing}")]
    Late {
        /// How long it was waited for.
        seconds: u64,
        /// What is missing.
        missing: Unprogrammed,
    },
}
