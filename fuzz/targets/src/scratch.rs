//! A file for what reads files.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The file of this process and target, with these bytes.
///
/// # Panics
/// When it cannot be written.
pub(crate) fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    overwrite(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

/// A file that is cut to nothing first is brought to the disk by some file systems: milliseconds for each input.
fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}

/// The folder of this process.
///
/// # Panics
/// When there is none to be had.
pub(crate) fn folder() -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let make = || tempfile::tempdir().unwrap_or_else(|error| panic!("no folder for files: {error}"));
    FOLDER.get_or_init(make).path().to_owned()
}
