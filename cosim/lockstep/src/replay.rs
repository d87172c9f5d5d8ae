//! A stimulus in a file, with the router it is for.

use super::stimulus::Stimulus;
use desvio_sim::bounded;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A stimulus, and the router that it was made for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The scenario file; a relative path begins where this file is.
    pub scenario: PathBuf,
    /// The router's number in the network.
    pub router: usize,
    /// The seed of the RTL's registers before reset.
    pub seed: u64,
    /// What is done to it.
    pub stimulus: Stimulus,
}

impl Replay {
    /// Reads a file.
    ///
    /// # Errors
    /// When there is no such file, or what is wrong in it, with line and column.
    pub fn read(path: &Path) -> Result<Self, String> {
        let told = |error: String| format!("{}: {error}", path.display());
        let text = bounded::read_text(path, LARGEST).map_err(|error| told(error.to_string()))?;
        let mut replay: Self = toml::from_str(&text).map_err(|error| told(error.to_string()))?;
        if let Some(folder) = path.parent() {
            replay.scenario = folder.join(&replay.scenario);
        }
        Ok(replay)
    }

    /// Writes it to a file, after some lines that say what it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path, about: &str) -> io::Result<()> {
        let text = toml::to_string(self).map_err(io::Error::other)?;
        let about: String = about.lines().map(|line| format!("# {line}\n")).collect();
        fs::write(path, format!("{about}\n{text}"))
    }
}

/// Far more than the generator ever makes.
const LARGEST: u64 = 64 << 20;
