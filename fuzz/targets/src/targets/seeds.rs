//! Files of the repository, as they are.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The contents of the files in a folder whose names end like this, in the order of their names.
///
/// # Panics
/// When there are none.
pub(super) fn files(folder: &str, end: &str) -> Vec<Vec<u8>> {
    let path = root().join(folder);
    let entries = fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(end) && path.is_file());
    paths.sort();
    let contents: Vec<_> = paths.iter().filter_map(|path| fs::read(path).ok()).collect();
    assert!(!contents.is_empty(), "{}: no file ends with {end}", path.display());
    contents
}
