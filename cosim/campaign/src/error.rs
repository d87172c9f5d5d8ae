//! Why a campaign cannot be read, or its store not be used.

use std::io;
use std::path::{Path, PathBuf};

use desvio_report::ReportError;
use desvio_sim::document::Refusal;
use desvio_sim::scenario::ScenarioError;

/// Why there is no campaign, or no result. The text is complete, ready to be printed.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A file could not be read.
    #[error("{}: cannot read {what}: {source}", path.display())]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// What it should be.
        what: &'static str,
        /// Why.
        source: io::Error,
    },
    /// Something in the file of the campaign is wrong.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// The base, together with the values of a point, is no scenario.
    #[error("{error}\n = at the point {point} of {}", campaign.display())]
    Point {
        /// The campaign.
        campaign: PathBuf,
        /// The keys that vary and their values.
        point: String,
        /// What is wrong with it.
        error: Box<ScenarioError>,
    },
    /// The network or the traffic of a point cannot be built, although each of its values is legal.
    #[error("{}: the point {point} cannot be run: {message}", campaign.display())]
    Unbuildable {
        /// The campaign.
        campaign: PathBuf,
        /// The keys that vary and their values.
        point: String,
        /// Why.
        message: String,
    },
    /// Something else about the whole of it.
    #[error("{}: {message}", campaign.display())]
    Whole {
        /// The campaign.
        campaign: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A file of the store.
    #[error("{}: {source}", path.display())]
    Store {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is where the folder of finished points belongs.
    #[error("{} is no folder: finished points belong there. Move it away, or choose another folder with --out", path.display())]
    NoFolder {
        /// Where.
        path: PathBuf,
    },
    /// A stored result that is not what this program writes.
    #[error("{}: a stored result cannot be read: {message}", path.display())]
    Result {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// A file of the table could not be written.
    #[error("cannot write the results: {0}")]
    Report(#[from] ReportError),
}

impl CampaignError {
    pub(crate) fn store(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Store { path: path.to_owned(), source }
    }
}

impl From<Refusal> for CampaignError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}
