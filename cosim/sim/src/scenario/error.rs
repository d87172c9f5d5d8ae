//! Why a scenario was refused, as the user sees it.

use thiserror::Error;

use crate::document::Refusal;

/// Why there is no scenario. The text is complete: several lines, ready to be printed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScenarioError {
    /// The file could not be read at all.
    #[error("{file}: cannot read the scenario: {reason}")]
    Unreadable {
        /// The file, as it was asked for.
        file: String,
        /// What the system said.
        reason: String,
    },
    /// Something in the file or in a `--set` is wrong.
    #[error("{0}")]
    Refused(Box<Refusal>),
}

impl From<Refusal> for ScenarioError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}
