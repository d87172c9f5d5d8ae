//! What a point is: the same name on every machine for the same scenario, load, seed and engine.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use desvio_sim::scenario::{Loads, Scenario};
use desvio_sim::{bounded, engine};
use sha2::{Digest as _, Sha256};

/// The name of a point: half of a SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointId([u8; 16]);

impl fmt::Display for PointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for PointId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        match u128::from_str_radix(text, 16) {
            Ok(number) if digits => Ok(Self(number.to_be_bytes())),
            _ => Err("expected 32 hexadecimal digits"),
        }
    }
}

/// What all points of one combination of keys have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    /// Of the complete scenario, every default filled in, but for loads and seed; of every file that it names, its name and its
    /// bytes; of the engine.
    pub(crate) fn of(scenario: &Scenario, files: &Files) -> Self {
        let mut common = scenario.named();
        common.traffic.loads = Loads::List(Vec::new());
        common.run.seed = 0;
        let mut digest = Sha256::new();
        for part in [engine::name(), &common.to_toml()] {
            add(&mut digest, part.as_bytes());
        }
        for file in scenario.files() {
            digest.update(files.0.get(file).unwrap_or(&[0; 32]));
        }
        Self(digest.finalize().into())
    }

    pub(crate) fn point(&self, load: f64, seed: u64) -> PointId {
        let mut digest = Sha256::new();
        digest.update(self.0);
        digest.update(load.to_bits().to_be_bytes());
        digest.update(seed.to_be_bytes());
        let mut half = [0; 16];
        for (to, from) in half.iter_mut().zip(digest.finalize()) {
            *to = from;
        }
        PointId(half)
    }
}

/// The first part of a text's digest, as many digits as asked for.
pub(crate) fn short_digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes)).chars().take(16).collect()
}

/// With its length: no two lists of parts are one text.
fn add(digest: &mut Sha256, part: &[u8]) {
    digest.update((part.len() as u64).to_be_bytes());
    digest.update(part);
}

/// The digests of files that scenarios name, each read once.
#[derive(Debug, Default)]
pub(crate) struct Files(HashMap<PathBuf, [u8; 32]>);

impl Files {
    pub(crate) fn add(&mut self, file: &Path) -> io::Result<()> {
        if !self.0.contains_key(file) {
            let mut digest = Sha256::new();
            bounded::copy(file, bounded::LARGEST, &mut digest)?;
            self.0.insert(file.to_owned(), digest.finalize().into());
        }
        Ok(())
    }

    /// The files by name, with their digests, in order.
    pub(crate) fn list(&self) -> Vec<(String, String)> {
        let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let hex = |digest: &[u8; 32]| digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut list: Vec<(String, String)> =
            self.0.iter().map(|(file, digest)| (name(file), hex(digest))).collect();
        list.sort();
        list
    }
}
