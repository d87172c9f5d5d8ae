//! What is in a finished folder: a list of digests, as `sha256sum --check` reads it.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

/// The file with the list.
const NAME: &str = "SHA256SUMS";

/// Writes the list, and waits until all that it names is on the disk: a power cut then leaves the whole or nothing.
pub(super) fn put(folder: &Path) -> io::Result<()> {
    let files = files(folder)?;
    fs::write(folder.join(NAME), sums(folder, &files)?)?;
    for file in files.iter().map(PathBuf::as_path).chain([Path::new(NAME), Path::new("")]) {
        File::open(folder.join(file))?.sync_all()?;
    }
    Ok(())
}

/// Whether a folder holds what its list says: no byte more, less or different.
pub(super) fn holds(folder: &Path) -> bool {
    let now = || sums(folder, &files(folder)?);
    fs::read_to_string(folder.join(NAME)).is_ok_and(|kept| now().is_ok_and(|now| now == kept))
}

/// All files below a folder apart from the list, in a fixed order.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(folder.join(&inner))? {
            let entry = entry?;
            let path = inner.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                open.push(path);
            } else if path != Path::new(NAME) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn sums(folder: &Path, files: &[PathBuf]) -> io::Result<String> {
    let mut list = String::new();
    for file in files {
        let mut digest = Sha256::new();
        io::copy(&mut File::open(folder.join(file))?, &mut digest)?;
        // Writing to a `String` cannot fail.
        let _ = writeln!(list, "{:x}  {}", digest.finalize(), file.display());
    }
    Ok(list)
}
