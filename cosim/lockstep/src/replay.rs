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
    /// Bits of a flit, unless they are as many as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flit_width: Option<u32>,
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

/// The generator's have less than a megabyte, or a few with notices of hundreds of groups. Read, a file takes some ten times its length.
const LARGEST: u64 = 16 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use crate::stimulus::{Flood, NoiseKind};
    use crate::thresholds::{OccupancyBits, RestrictionBits, ThresholdBits};

    /// As they were before stimuli had settings.
    const OLD: &str = "scenario = \"s.toml\"\nrouter = 3\nseed = 7\n\n[stimulus]\ncycles = 12\npace = 1\ncredit_delay = 2\n\n\
        [[stimulus.packets]]\nat = 1\nport = 0\nvc = 0\nto_router = 2\nto_port = 1\nlength = 8\n";

    #[test]
    fn an_old_file_has_the_settings_of_its_scenario() {
        let replay: Replay = toml::from_str(OLD).unwrap();
        assert_eq!((replay.router, replay.flit_width), (3, None));
        assert!(replay.stimulus.settings.is_default() && replay.stimulus.flood.is_none());
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stimulus.toml");
        let restriction = Some(RestrictionBits { factor: 1, packets: u16::MAX });
        let occupancy = Some(OccupancyBits { minimal: 3, relative: 4, restriction });
        let thresholds =
            Some(ThresholdBits { contention: Some(2), average: None, occupancy, combined: None, bias: None });
        let settings = Settings {
            seed: Some(u32::MAX),
            router: Some(5),
            thresholds,
            vl_tables: Some(7),
            marks: Some(9),
            lifetimes: Some(11),
        };
        let flood = Some(Flood { from: 4, vc: 1, kind: NoiseKind::Tail });
        let old: Replay = toml::from_str(OLD).unwrap();
        let stimulus = Stimulus { settings, flood, reset_at: Some(3), ..old.stimulus };
        let scenario = folder.path().join("s.toml");
        let replay = Replay { scenario, flit_width: Some(97), stimulus, ..old };
        replay.write(&path, "a difference").unwrap();
        assert_eq!(Replay::read(&path).unwrap(), replay);
    }
}
