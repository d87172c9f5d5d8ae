//! An input that shows a defect.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// What an input did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A panic.
    Panic,
    /// The process was ended by a signal.
    Signal,
    /// It took longer than an input may.
    Endless,
    /// It took more memory than a process may.
    Memory,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Panic => "panic",
            Self::Signal => "signal",
            Self::Endless => "endless",
            Self::Memory => "memory",
        })
    }
}

/// An input that shows a defect, in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The target.
    pub target: String,
    /// What happened.
    pub kind: Kind,
    /// What was said about it, in a line.
    pub what: String,
    /// The file with the input.
    pub file: PathBuf,
}

impl Finding {
    /// Writes the input, and beside it what it did and how to do it again.
    pub(crate) fn write(
        folder: &Path,
        target: &str,
        kind: Kind,
        what: &str,
        input: &[u8],
    ) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        let file = folder.join(format!("{target}-{kind}-{:016x}", hasher.finish()));
        let what = what.lines().next().unwrap_or_default().to_owned();
        fs::write(&file, input)?;
        let finding = Self { target: target.to_owned(), kind, what, file };
        fs::write(finding.file.with_extension("txt"), finding.to_string() + "\n")?;
        Ok(finding)
    }

    /// The command that gives the input to the target again.
    #[must_use]
    pub fn replay(&self) -> String {
        format!("cargo run --package desvio-fuzz -- replay {} {}", self.target, self.file.display())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}\n  {}", self.target, self.kind, self.what, self.replay())
    }
}
