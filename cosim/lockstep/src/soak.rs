//! A campaign that goes on where it was: what each configuration has done, in a file.
//!
//! Stimuli are run whole, and each follows from the seed and its number alone. So what has been done after so many cycles
//! does not depend on how often it was interrupted, and its digest says so.

use crate::compare::Compared;
use crate::coverage::Coverage;
use desvio_sim::bounded;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use thiserror::Error;

/// Independent sequences of stimuli.
pub const LANES: usize = 4;

/// What all configurations have done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Soak {
    /// Tells the RTL, the program and the seed: with others, something else would be added up.
    pub of: String,
    /// By name.
    #[serde(default)]
    pub configurations: BTreeMap<String, Done>,
}

/// What one configuration has done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// Stimuli of each lane.
    pub stimuli: [u64; LANES],
    /// Cycles of each lane.
    pub cycles: [u64; LANES],
    /// Signals and registers compared.
    pub values: u64,
    /// Flits that left the router.
    pub flits: u64,
    /// Packets that could never leave, by reason.
    pub stranded: [u64; 2],
    /// The digests of all stimuli, added up: 16 digits to the base 16.
    #[serde(with = "hexadecimal")]
    pub digest: u64,
    /// Cases of the functional coverage, and how often each was seen.
    #[serde(default)]
    pub seen: BTreeMap<String, u64>,
}

/// What a lane adds to it.
#[derive(Clone, Debug)]
pub struct More {
    /// Which one.
    pub lane: usize,
    /// Stimuli.
    pub stimuli: u64,
    /// What they have compared.
    pub compared: Compared,
    /// Their digests, added up.
    pub digest: u64,
    /// What they have seen.
    pub coverage: Coverage,
}

impl Done {
    /// Cycles of all lanes.
    pub fn all_cycles(&self) -> u64 {
        self.cycles.iter().sum()
    }

    /// Adds what a lane has done.
    pub fn add(&mut self, more: &More) {
        let Compared { cycles, values, flits, stranded } = more.compared;
        self.stimuli[more.lane] += more.stimuli;
        self.cycles[more.lane] += cycles;
        self.values += values;
        self.flits += flits;
        self.stranded.iter_mut().zip(stranded).for_each(|(own, more)| *own += more);
        self.digest = self.digest.wrapping_add(more.digest);
        for point in more.coverage.points().filter(|point| point.count > 0) {
            *self.seen.entry(point.name.clone()).or_default() += point.count;
        }
    }

    /// All that it has compared.
    pub fn compared(&self) -> Compared {
        let (values, flits, stranded) = (self.values, self.flits, self.stranded);
        Compared { cycles: self.all_cycles(), values, flits, stranded }
    }
}

/// Why a soak does not go on.
#[derive(Debug, Error)]
pub enum SoakError {
    /// The file.
    #[error("{0}")]
    File(#[from] io::Error),
    /// It is none.
    #[error("this is no soak: {0}")]
    Unreadable(#[from] toml::de::Error),
    /// It cannot be written.
    #[error("{0}")]
    Unwritable(#[from] toml::ser::Error),
    /// What it has added up is of something else.
    #[error("it is of another RTL, another program or another seed; another folder (--out) begins a new one")]
    Another,
}

impl Soak {
    /// The soak that is kept in a file; where there is none, nothing has been done yet.
    ///
    /// # Errors
    /// When the file is of something else than `of`, or cannot be read.
    pub fn open(file: &Path, of: String) -> Result<Self, SoakError> {
        let text = match bounded::read(file, LARGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { of, ..Self::default() });
            }
            Err(error) => return Err(error.into()),
        };
        let found: Self = toml::from_str(&String::from_utf8_lossy(&text))?;
        if found.of == of { Ok(found) } else { Err(SoakError::Another) }
    }

    /// Puts it into the file, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written; it is as it was.
    pub fn save(&self, file: &Path) -> Result<(), SoakError> {
        let draft = file.with_extension("part");
        let mut to = File::create(&draft)?;
        to.write_all(HEAD.as_bytes())?;
        to.write_all(toml::to_string(self)?.as_bytes())?;
        to.sync_all()?;
        Ok(fs::rename(&draft, file)?)
    }

    /// Of everything that has been compared.
    pub fn digest(&self) -> u64 {
        let each = self.configurations.values().map(|done| done.digest);
        each.fold(0, |sum: u64, digest| sum.rotate_left(1) ^ digest)
    }
}

const HEAD: &str = "# What a campaign of locksteps has done so far; `desvio lockstep --campaign --soak` goes on from here.\n";
/// A line for each case of each configuration.
const LARGEST: u64 = 1 << 20;

/// Numbers that TOML has no room for.
mod hexadecimal {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{number:016x}"))
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16).map_err(|_| D::Error::custom(format!("`{text}` is no number")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_what_is_of_something_else_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("soak.toml");
        let mut soak = Soak::open(&file, "this".to_owned()).unwrap();
        let seen = BTreeMap::from([("route.consume".to_owned(), 3)]);
        let done = Done { stimuli: [1, 2, 3, 4], digest: u64::MAX, seen, ..Done::default() };
        soak.configurations.insert("one".to_owned(), done);
        soak.save(&file).unwrap();
        assert_eq!(Soak::open(&file, "this".to_owned()).unwrap(), soak);
        assert!(matches!(Soak::open(&file, "that".to_owned()), Err(SoakError::Another)));
        fs::write(&file, "of = 3").unwrap();
        assert!(matches!(Soak::open(&file, "this".to_owned()), Err(SoakError::Unreadable(_))));
    }
}
